#!/usr/bin/env node
// An example bot: hunts on a pattern of cells and follows up its hits. It speaks docs/protocol.md.
const EDGE = 53; // cell = row * EDGE + column, both from 1: cells beyond the board are not in the sea
const SIDES = [1, EDGE, -1, -EDGE], CORNERS = [EDGE + 1, EDGE - 1, -EDGE + 1, -EDGE - 1];
const CLEARANCE = { allowed: [0], corners: [0, ...SIDES], forbidden: [0, ...SIDES, ...CORNERS] };
const letters = (column) => (column > 26 ? "A" : "") + String.fromCharCode(65 + ((column - 1) % 26));
const name = (cell) => letters(cell % EDGE) + Math.floor(cell / EDGE);

class Game {
  constructor({ size, fleet, touching, seed }) {
    const [width, height] = size.split("x").map(Number);
    if (!(width >= 1 && width <= 50 && height >= 1 && height <= 50)) throw new Error("no such size");
    this.lengths = fleet.split(",").map((ship) => Number(ship.split(":")[1]));
    this.around = CLEARANCE[touching];
    this.state = [...seed].reduce((sum, digit) => Math.imul(sum ^ digit.charCodeAt(0), 16777619), 1);
    this.sea = new Map(); // the enemy's: open, water (open, but no ship can be there), shot, miss, hit, sunk
    for (let row = 1; row <= height; row++)
      for (let column = 1; column <= width; column++) this.sea.set(row * EDGE + column, "open");
  }
  random() { return (this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0) / 2 ** 32; } // from 0 to 1
  bestFirst(list, priority) { // equals in random order
    return list.map((item) => [priority(item) + this.random(), item]).sort((a, b) => b[0] - a[0]).map((pair) => pair[1]);
  }
  place() {
    let fleet = null, tries = 0, end = Date.now() + 4000;
    while (!fleet && Date.now() < end) fleet = this.tryToPlace(++tries % 20 === 0);
    return fleet.map((ship) => [...new Set([ship[0], ship.at(-1)])].map(name).join("-")).join(" ");
  }
  tryToPlace(packed) { // packed from the first row on: this may work where random places fail
    const free = new Set(this.sea.keys()), fleet = [];
    for (const length of [...new Set(this.lengths)].sort((a, b) => b - a)) {
      const line = (cell, step) => Array.from({ length }, (_, i) => cell + i * step);
      const all = [...free].flatMap((cell) => [line(cell, 1), line(cell, EDGE)]);
      const places = this.bestFirst(all, (place) => (packed ? place[0] : 0)); // those to try first are the last
      for (const ship of this.lengths.keys()) if (this.lengths[ship] === length) {
        do fleet[ship] = places.pop(); while (fleet[ship] && !fleet[ship].every((cell) => free.has(cell)));
        if (!fleet[ship]) return null;
        for (const cell of fleet[ship]) for (const step of this.around) free.delete(cell + step);
      }
    }
    return fleet;
  }
  shoot(count) {
    const targets = [...this.sea.keys()].filter((cell) => ["open", "water"].includes(this.sea.get(cell)));
    if (!(count >= 1 && count <= targets.length)) throw new Error("not that many cells are left");
    const shots = this.bestFirst(targets, (cell) => this.priority(cell)).slice(0, count);
    return shots.map((cell) => (this.sea.set(cell, "shot"), name(cell))).join(" ");
  }
  priority(cell) {
    const hits = SIDES.filter((step) => this.sea.get(cell + step) === "hit");
    if (this.sea.get(cell) === "water") return 0;
    if (hits.length) return hits.some((step) => this.sea.get(cell + 2 * step) === "hit") ? 4 : 3; // 4: in line
    return cell % Math.min(...this.lengths) ? 1 : 2; // 2: a pattern that no ship evades, as 53 is a prime number
  }
  answer(shot, result) {
    if (!this.sea.has(shot)) throw new Error("no such cell");
    this.sea.set(shot, result);
    for (const step of result === "sunk" ? SIDES : []) // along the ship, both ways
      for (let cell = shot; ["hit", "sunk"].includes(this.sea.get(cell)); cell += step)
        for (const near of this.around)
          if (near === 0) this.sea.set(cell, "sunk");
          else if (this.sea.get(cell + near) === "open") this.sea.set(cell + near, "water");
  }
}
let game = null, rest = "";
const answers = { __proto__: null, // the reply to each command, if there is one
  seabattle: () => "name JavaScript example\nready\n", sync: () => "ready\n",
  game: (words) => void (game = new Game(Object.fromEntries(words.flatMap((w, i) => (i % 2 ? [] : [[w, words[i + 1]]]))))),
  place: () => `fleet ${game.place()}\n`,
  shoot: ([count]) => `shots ${game.shoot(Number(count))}\n`,
  answer: ([cell, result]) => game.answer([...game.sea.keys()].find((key) => name(key) === cell), result),
  enemy: () => "", end: () => "", quit: () => process.exit(),
};
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop(); // the beginning of a line that is not complete yet
  for (const [command, ...words] of lines.map((line) => line.trim().split(" ")))
    try { process.stdout.write(answers[command](words) || ""); } catch { process.stdout.write("error cannot do this\n"); }
});
