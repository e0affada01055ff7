// Short synthesized sounds. Browsers allow them only after the first click or key.

import { readSetting, writeSetting } from './settings.js';

/** @typedef {'miss' | 'hit' | 'sunk' | 'won' | 'lost' | 'place'} Sound */

/** @type {AudioContext | null} */
let audio = null;
let on = readSetting('sound', true);

export const soundOn = () => on;

/** @param {boolean} wanted */
export function setSound(wanted) {
  on = wanted;
  writeSetting('sound', wanted);
}

/** @param {AudioContext} context @param {{from: number, to: number, at: number, length: number, loudness: number, type: OscillatorType}} tone */
function tone(context, { from, to, at, length, loudness, type }) {
  const start = context.currentTime + at;
  const voice = new OscillatorNode(context, { type, frequency: from });
  const volume = new GainNode(context, { gain: 0 });
  voice.frequency.exponentialRampToValueAtTime(to, start + length);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loudness, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + length);
}

/** @param {AudioContext} context @param {{at: number, length: number, pitch: number, loudness: number}} noise */
function splash(context, { at, length, pitch, loudness }) {
  const start = context.currentTime + at;
  const samples = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const data = samples.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer: samples });
  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: pitch });
  source.connect(filter).connect(new GainNode(context, { gain: loudness })).connect(context.destination);
  source.start(start);
}

/** @type {Record<Sound, (context: AudioContext, at: number) => void>} */
const sounds = {
  miss: (context, at) => splash(context, { at, length: 0.35, pitch: 1400, loudness: 0.25 }),
  hit: (context, at) => {
    splash(context, { at, length: 0.5, pitch: 420, loudness: 0.8 });
    tone(context, { from: 150, to: 45, at, length: 0.4, loudness: 0.3, type: 'triangle' });
  },
  sunk: (context, at) => {
    sounds.hit(context, at);
    tone(context, { from: 330, to: 60, at: at + 0.15, length: 0.9, loudness: 0.15, type: 'sawtooth' });
  },
  won: (context, at) => [392, 494, 587, 784].forEach((pitch, i) =>
    tone(context, { from: pitch, to: pitch, at: at + i * 0.14, length: 0.4, loudness: 0.15, type: 'triangle' })),
  lost: (context, at) => [392, 330, 262].forEach((pitch, i) =>
    tone(context, { from: pitch, to: pitch, at: at + i * 0.2, length: 0.5, loudness: 0.12, type: 'sine' })),
  place: (context, at) => tone(context, { from: 260, to: 180, at, length: 0.12, loudness: 0.12, type: 'sine' }),
};

/** @param {Sound} sound @param {number} [at] seconds from now */
export function playSound(sound, at = 0) {
  if (!on || !navigator.userActivation?.hasBeenActive || !('AudioContext' in window)) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') audio.resume().catch(() => {});
  sounds[sound](audio, at);
}
