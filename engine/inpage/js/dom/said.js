// What custom elements say of themselves by ElementInternals, as the browser told it. See internals.js on how it is asked for.

/** @typedef {Object<string, string>} Said attributes by name */

/** @type {WeakMap<Element, Said>} */
const said = new WeakMap();
export let anyInternals = false;

/**
 * What the element says by its internals, or null.
 * @param {Element} el
 */
export function internalsOf(el) {
  return anyInternals ? (said.get(el) ?? null) : null;
}

/**
 * Notes what an element says; null: nothing.
 * @param {Element} el
 * @param {Said|null} now
 */
export function keepInternals(el, now) {
  if (now === null) {
    said.delete(el);
    return;
  }
  said.set(el, now);
  anyInternals = true;
}
