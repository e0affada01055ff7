// Dragging ships with a mouse, pen or finger, from the dock or on the board.

/**
 * @typedef {{
 *   piece: (point: Point) => Piece | null,
 *   docked: (index: number) => Piece | null,
 *   pickUp: (piece: Piece) => void,
 *   moveOver: (piece: Piece, point: Point, grip: number) => void,
 *   drop: (onBoard: boolean) => void,
 * }} DragTarget
 */

const MIN_DISTANCE = 6;

/** @param {SeaBoard} board @param {HTMLElement} dock @param {DragTarget} target */
export function dragShips(board, dock, target) {
  /** @type {{piece: Piece, grip: number, x: number, y: number, pointer: number, moving: boolean} | null} */
  let drag = null;

  /** @param {PointerEvent} event */
  function begin(event) {
    if (event.button !== 0 || drag) return;
    const found = onBoard(event) ?? inDock(event);
    if (found) drag = { ...found, x: event.clientX, y: event.clientY, pointer: event.pointerId, moving: false };
  }

  /** @param {PointerEvent} event */
  function onBoard(event) {
    const point = board.contains(/** @type {Node} */ (event.target)) ? board.cellAt(event.clientX, event.clientY) : null;
    const piece = point && target.piece(point);
    if (!point || !piece?.place) return null;
    return { piece, grip: point.x - piece.place.start.x + point.y - piece.place.start.y };
  }

  /** @param {PointerEvent} event */
  function inDock(event) {
    const button = event.target instanceof Element ? event.target.closest('[data-index]') : null;
    const piece = button instanceof HTMLElement && dock.contains(button) ? target.docked(Number(button.dataset.index)) : null;
    return piece && { piece, grip: 0 };
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < MIN_DISTANCE) return;
      drag.moving = true;
      target.pickUp(drag.piece);
    }
    const point = board.cellAt(event.clientX, event.clientY);
    if (point) target.moveOver(drag.piece, point, drag.grip);
  }

  /** @param {PointerEvent} event */
  function end(event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    const moved = drag.moving;
    drag = null;
    if (!moved) return;
    target.drop(event.type === 'pointerup' && board.cellAt(event.clientX, event.clientY) !== null);
    swallowClick();
  }

  const starts = [board, dock];
  starts.forEach((each) => each.addEventListener('pointerdown', begin));
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', end);
  document.addEventListener('pointercancel', end);
  return () => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', end);
    document.removeEventListener('pointercancel', end);
  };
}

/** Browsers send a click after a drag; this one must not choose a cell. */
function swallowClick() {
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  document.addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener('click', stop, { capture: true }), 0);
}
