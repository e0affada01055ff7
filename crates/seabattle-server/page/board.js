// The board element. It draws a picture and reports the chosen cell; it knows no rules.

import { make, setChildren } from './dom.js';

export class SeaBoard extends HTMLElement {
  /** @type {HTMLElement[][]} */ #cells = [];
  /** @type {Point} */ #cursor = { x: 0, y: 0 };
  /** @type {BoardPicture | null} */ #picture = null;
  #shape = '';
  #grid = make('div', { role: 'grid', class: 'grid' });
  #ships = make('div', { class: 'ships', 'aria-hidden': 'true' });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(make('div', { class: 'board-body' }, this.#grid, this.#ships));
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#grid.addEventListener('click', (event) => this.#choose(this.#pointOf(event.target), 'pointer'));
    this.#grid.addEventListener('pointerover', (event) => this.#aim(event.pointerType === 'touch' ? null : this.#pointOf(event.target)));
    this.#grid.addEventListener('focusin', (event) => this.#onFocus(this.#pointOf(event.target)));
  }

  /** @param {BoardPicture} picture */
  draw(picture) {
    this.#picture = picture;
    this.#reshape(picture);
    this.#grid.setAttribute('aria-label', picture.title);
    this.toggleAttribute('data-active', picture.active);
    this.#cells.forEach((row, y) => row.forEach((cell, x) => renderCell(cell, picture.cell({ x, y }), picture.active)));
    setChildren(this.#ships, ...picture.outlines.map(outlineElement));
  }

  focusCell(point = this.#cursor) {
    this.#moveTo(point);
  }

  get cursor() {
    return this.#cursor;
  }

  /** @param {number} clientX @param {number} clientY @returns {Point | null} */
  cellAt(clientX, clientY) {
    const box = this.#ships.getBoundingClientRect();
    const { width = 1, height = 1 } = this.#picture ?? {};
    const x = Math.floor(((clientX - box.left) / box.width) * width);
    const y = Math.floor(((clientY - box.top) / box.height) * height);
    return x >= 0 && x < width && y >= 0 && y < height ? { x, y } : null;
  }

  /** @param {BoardPicture} picture */
  #reshape({ width, height, column }) {
    const labels = Array.from({ length: width }, (_, x) => column(x));
    const shape = `${height} ${labels}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#cells = Array.from({ length: height }, () => labels.map(() => make('div', { role: 'gridcell', class: 'cell', tabindex: '-1' })));
    const head = make('div', { role: 'row', class: 'row head' },
      make('span', { role: 'presentation' }), ...labels.map((label) => make('span', { role: 'columnheader' }, label)));
    const rows = this.#cells.map((cells, y) =>
      make('div', { role: 'row', class: 'row' }, make('span', { role: 'rowheader' }, String(y + 1)), ...cells));
    setChildren(this.#grid, head, ...rows);
    this.#cursor = { x: Math.min(this.#cursor.x, width - 1), y: Math.min(this.#cursor.y, height - 1) };
    this.#cells[this.#cursor.y][this.#cursor.x].tabIndex = 0;
  }

  /** @param {EventTarget | null} target @returns {Point | null} */
  #pointOf(target) {
    const cell = target instanceof Element ? target.closest('.cell') : null;
    const y = this.#cells.findIndex((row) => row.some((each) => each === cell));
    return cell && y >= 0 ? { x: this.#cells[y].findIndex((each) => each === cell), y } : null;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { x, y } = this.#cursor;
    const right = this.#cells[0].length - 1;
    const bottom = this.#cells.length - 1;
    /** @type {Record<string, Point>} */
    const moves = {
      ArrowLeft: { x: Math.max(0, x - 1), y },
      ArrowRight: { x: Math.min(right, x + 1), y },
      ArrowUp: { x, y: Math.max(0, y - 1) },
      ArrowDown: { x, y: Math.min(bottom, y + 1) },
      Home: { x: 0, y: event.ctrlKey ? 0 : y },
      End: { x: right, y: event.ctrlKey ? bottom : y },
    };
    if (event.altKey || event.metaKey) return;
    if (moves[event.key]) this.#moveTo(moves[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(this.#cursor, 'key');
    else return;
    event.preventDefault();
  }

  /** @param {Point} point */
  #moveTo({ x, y }) {
    this.#cells[y]?.[x]?.focus();
  }

  /** @param {Point | null} point */
  #onFocus(point) {
    if (!point) return;
    this.#cells[this.#cursor.y][this.#cursor.x].tabIndex = -1;
    this.#cells[point.y][point.x].tabIndex = 0;
    this.#cursor = point;
    this.#aim(point);
  }

  /** @param {Point | null} point */
  #aim(point) {
    if (point) this.dispatchEvent(new CustomEvent('aim', { detail: point }));
  }

  /** @param {Point | null} point @param {Choice['by']} by */
  #choose(point, by) {
    if (!point || !this.#picture?.active || !this.#picture.cell(point).choosable) return;
    this.dispatchEvent(new CustomEvent('choose', { detail: { ...point, by } }));
  }
}

/** @param {HTMLElement} element @param {CellPicture} cell @param {boolean} active */
function renderCell(element, cell, active) {
  element.setAttribute('aria-label', cell.label);
  element.dataset.mark = cell.mark ?? '';
  element.toggleAttribute('data-last', cell.last ?? false);
  element.toggleAttribute('data-best', cell.best ?? false);
  element.toggleAttribute('data-choosable', active && (cell.choosable ?? false));
  element.toggleAttribute('data-grip', cell.grip ?? false);
  element.toggleAttribute('data-refused', cell.refused ?? false);
  element.toggleAttribute('data-heat', cell.heat !== undefined);
  if (cell.heat !== undefined) element.style.setProperty('--heat', String(cell.heat));
  if (active && !cell.choosable) element.setAttribute('aria-disabled', 'true');
  else element.removeAttribute('aria-disabled');
  if (element.textContent !== (cell.text ?? '')) element.textContent = cell.text ?? '';
}

/** @param {Outline} outline */
function outlineElement({ points, look }) {
  const element = make('i', { 'data-look': look });
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const span = (/** @type {number[]} */ values) => `${Math.min(...values) + 1} / ${Math.max(...values) + 2}`;
  element.style.gridColumn = span(xs);
  element.style.gridRow = span(ys);
  element.toggleAttribute('data-down', Math.max(...ys) > Math.min(...ys));
  return element;
}

customElements.define('sea-board', SeaBoard);

/** @param {Record<string, any>} [traits] */
export function makeBoard(traits = {}) {
  const board = new SeaBoard();
  for (const [name, value] of Object.entries(traits)) {
    if (typeof value === 'function') board.addEventListener(name.slice(2), value);
    else board.setAttribute(name, value);
  }
  return board;
}

/**
 * A container for boards of one size. Its style properties tell the style sheet that size.
 * @param {string} className
 * @param {{width: number, height: number}} size
 * @param {...Node} children
 */
export function boardFrame(className, { width, height }, ...children) {
  const place = make('div', { class: className }, ...children);
  place.style.setProperty('--columns', String(width));
  place.style.setProperty('--rows', String(height));
  return place;
}
