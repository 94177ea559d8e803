// What browsers that are embedded elsewhere lack: QtWebEngine is years behind. All of it lands in our own world, where no page can see it.

import { DOCUMENT, FRAGMENT, getterOf, nodeTypeGet } from './builtins.js';

/**
 * Adds a method where the browser has none of its own.
 * @param {string} name
 * @param {object} proto
 * @param {(this: any, ...args: any[]) => any} method
 */
function provide(proto, name, method) {
  if (!(name in proto)) Object.defineProperty(proto, name, { value: method, writable: true, configurable: true });
}

/**
 * A selector as this browser understands it: the one that is meant, or else what comes nearest. Neither is a list.
 * @param {string} meant
 * @param {string} otherwise
 */
export function selectorFor(meant, otherwise) {
  return CSS.supports(`selector(${meant})`) ? meant : otherwise;
}

const NEVER = ':not(*)';
export const MODAL_DIALOG = selectorFor(':modal', NEVER);
export const OPEN = selectorFor(':open', NEVER);
export const CHECKED_STATE = selectorFor(':state(checked)', NEVER);
export const OPEN_POPOVER = selectorFor(':popover-open', NEVER);

// biome-ignore lint/suspicious/noPrototypeBuiltins: this is what provides Object.hasOwn
provide(Object, 'hasOwn', (object, key) => Object.prototype.hasOwnProperty.call(object, key));
for (const proto of [Array.prototype, String.prototype]) {
  provide(proto, 'at', function at(index) {
    return this[index < 0 ? this.length + index : index];
  });
}
provide(Array.prototype, 'findLast', function findLast(test) {
  for (let i = this.length - 1; i >= 0; i--) if (test(this[i], i, this)) return this[i];
  return undefined;
});
provide(String.prototype, 'toWellFormed', function toWellFormed() {
  return Array.from(String(this), (c) => (c.length === 1 && c >= '\ud800' && c <= '\udfff' ? '\ufffd' : c)).join('');
});
provide(Element.prototype, 'checkVisibility', function checkVisibility({ visibilityProperty = false, opacityProperty = false } = {}) {
  if (Element.prototype.getClientRects.call(this).length === 0) return false;
  if (visibilityProperty && getComputedStyle(this).visibility !== 'visible') return false;
  for (let node = this; node !== null; node = aboveInFlatTree(node)) {
    const style = getComputedStyle(node);
    if (opacityProperty && style.opacity === '0') return false;
    if (node !== this && style.contentVisibility === 'hidden') return false;
  }
  return true;
});

/**
 * The element's parent in the flat tree, or null: composedParent is not there yet when this is needed first.
 * @param {Element} el
 */
function aboveInFlatTree(el) {
  const parent = getterOf(Element.prototype, 'assignedSlot').call(el) ?? getterOf(Node.prototype, 'parentNode').call(el);
  const type = parent && nodeTypeGet.call(parent);
  if (!parent || type === DOCUMENT) return null;
  return type === FRAGMENT ? (parent.host ?? null) : parent;
}
