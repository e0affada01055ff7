'use strict';
(() => {
  const { ships, steps } = JSON.parse(document.getElementById('game').textContent);
  const SVG = 'http://www.w3.org/2000/svg';
  const STEP_MILLISECONDS = 700;
  const slider = document.getElementById('step');
  const caption = document.getElementById('caption');
  const play = document.getElementById('play');
  const heat = document.getElementById('heat');
  const boards = ['A', 'B'].flatMap((side) => {
    const board = document.getElementById(`board${side}`);
    return board ? [{ side, cells: [...board.querySelectorAll('.cells > g')], overlay: board.querySelector('.overlay'), count: document.getElementById(`count${side}`), ships: new Set(ships[side]) }] : [];
  });
  let at = steps.length;
  let timer = 0;

  function marksOf(side) {
    const marks = new Map();
    for (const step of steps.slice(0, at)) {
      if (step.side !== side) continue;
      step.cells.forEach((cell, i) => marks.set(cell, step.hits[i] ? 'hit' : 'miss'));
      for (const cell of step.sunk) marks.set(cell, 'sunk');
    }
    return marks;
  }

  /** The odds before the latest volley of a side; before its first volley, those of the start. */
  function heatOf(side) {
    if (!heat?.checked) return null;
    const own = steps.filter((step) => step.side === side);
    const fired = steps.slice(0, at).filter((step) => step.side === side).length;
    return own[Math.max(0, fired - 1)]?.heat ?? null;
  }

  function drawBoard({ side, cells, overlay, count, ships: fleet }) {
    const marks = marksOf(side);
    const odds = heatOf(side);
    const largest = odds ? Math.max(1, ...odds) : 1;
    cells.forEach((cell, i) => {
      const mark = marks.get(i);
      const ship = fleet.has(i) && !mark;
      cell.dataset.mark = mark ?? (ship ? 'ship' : 'open');
      cell.toggleAttribute('data-ship', ship);
      const use = cell.querySelector('use');
      if (mark) use.setAttribute('href', `#${mark}`);
      else use.removeAttribute('href');
      cell.toggleAttribute('data-heat', Boolean(odds) && !mark);
      if (odds) cell.style.setProperty('--heat', String(odds[i] / largest));
      const title = cell.querySelector('title');
      const name = title.textContent.split(',')[0];
      title.textContent = odds && !mark ? `${name}, ${(odds[i] / 10).toFixed(1)}%` : mark ? `${name}, ${mark}` : name;
    });
    const step = steps[at - 1];
    overlay.replaceChildren(...(step?.side === side ? outlines(step, cells) : []));
    const hits = [...marks.values()].filter((mark) => mark !== 'miss').length;
    count.textContent = `${marks.size} shots, ${hits} hits`;
  }

  function outlines(step, cells) {
    const placed = (element, cell) => {
      element.setAttribute('transform', cells[cell].getAttribute('transform'));
      return element;
    };
    const last = step.cells.map((cell) => {
      const box = document.createElementNS(SVG, 'rect');
      for (const [name, value] of Object.entries({ class: 'last', width: 32, height: 32 })) box.setAttribute(name, value);
      return placed(box, cell);
    });
    const best = step.best.map((cell) => {
      const mark = document.createElementNS(SVG, 'use');
      mark.setAttribute('href', '#best');
      return placed(mark, cell);
    });
    return [...best, ...last];
  }

  function draw() {
    boards.forEach(drawBoard);
    slider.value = String(at);
    const description = steps[at - 1]?.description ?? 'The game begins.';
    slider.setAttribute('aria-valuetext', description);
    caption.textContent = `${at} of ${steps.length}. ${description}`;
    play.textContent = timer ? 'Pause' : 'Play';
  }

  function go(to) {
    at = Math.max(0, Math.min(steps.length, to));
    if (at === steps.length) stop();
    draw();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  function toggle() {
    if (timer) stop();
    else {
      if (at === steps.length) at = 0;
      timer = setInterval(() => go(at + 1), STEP_MILLISECONDS);
    }
    draw();
  }

  const moves = { first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(steps.length) };
  document.querySelectorAll('[data-go]').forEach((button) => button.addEventListener('click', () => { stop(); moves[button.dataset.go](); }));
  document.querySelectorAll('[data-step]').forEach((button) => button.addEventListener('click', () => {
    stop();
    go(Number(button.dataset.step));
    document.querySelector('.player').scrollIntoView();
  }));
  play.addEventListener('click', toggle);
  slider.addEventListener('input', () => { stop(); go(Number(slider.value)); });
  heat?.addEventListener('change', draw);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, button, summary')) return;
    const key = { ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, ' ': toggle }[event.key];
    if (!key) return;
    event.preventDefault();
    if (event.key !== ' ') stop();
    key();
  });
  draw();
})();
