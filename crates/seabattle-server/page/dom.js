// Short ways to make and change elements. Text is never read as HTML.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [traits] attributes by name; a function is a listener, `false` and `null` are left out
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, traits = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? '' : String(value));
  }
  setChildren(element, ...children);
  return element;
}

/** @param {Element} element @param {...(Node | string | null | false | undefined)} children */
export function setChildren(element, ...children) {
  /** @type {(Node | string)[]} */
  const present = [];
  for (const child of children) if (child) present.push(child);
  element.replaceChildren(...present);
}

/** Sets a text only if it differs, so that screen readers do not announce it twice. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let lastId = 0;

/** @param {string} stem */
export function newId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/** @param {string} label @param {HTMLElement} control @param {string} [hint] */
export function field(label, control, hint) {
  control.id = control.id || newId('field');
  const hintId = `${control.id}-hint`;
  if (hint) control.setAttribute('aria-describedby', hintId);
  return make('div', { class: 'field' },
    make('label', { for: control.id }, label), control, hint && make('p', { class: 'hint', id: hintId }, hint));
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} changed */
export function toggle(label, on, changed) {
  const checkbox = make('input', { type: 'checkbox', role: 'switch', onchange: () => changed(checkbox.checked) });
  checkbox.checked = on;
  return make('label', { class: 'toggle' }, checkbox, make('span', {}, label));
}
