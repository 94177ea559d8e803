// Whether an action has sent a form, and the fields for which the browser refused to: its bubble is in no document.

import { isConnected } from '../dom/access.js';
import { getterOf } from '../dom/builtins.js';
import { attr, focusedPart, localName } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { nameOf } from '../ax/name.js';

/** @import { Message } from './messages.js' */

const EVENTS = ['click', 'keydown', 'invalid', 'submit'];
const MOST = 3;

/** @type {Object<string, (this: Element) => string>} */
const messageGets = {
  __proto__: /** @type {any} */ (null),
  input: getterOf(HTMLInputElement.prototype, 'validationMessage'),
  select: getterOf(HTMLSelectElement.prototype, 'validationMessage'),
  textarea: getterOf(HTMLTextAreaElement.prototype, 'validationMessage'),
};

/**
 * The browser's own words for what is wrong with a field; '' when nothing is.
 * @param {Element} el
 */
export function validationMessageOf(el) {
  const get = messageGets[localName(el)];
  return get === undefined ? '' : get.call(el);
}

/** Listens while an action is watched. */
export class Sending {
  /** @param {Iterable<Node>} trees the document, and shadow trees: these events do not leave them */
  constructor(trees) {
    this.trees = [...trees];
    this.pressed = false; // something was clicked, or Enter was pressed: what scripts check while a person types does not count
    this.sent = false;
    /** @type {{el: Element, event: Event}[]} */
    this.invalid = [];
    this.heed = (/** @type {Event} */ event) => this.note(event);
    for (const tree of this.trees) for (const name of EVENTS) tree.addEventListener(name, this.heed, { capture: true, passive: true });
  }

  /** @param {Event} event */
  note(event) {
    if (!event.isTrusted) return;
    if (event.type === 'submit') this.sent = true;
    else if (event.type === 'click') this.pressed = true;
    else if (event.type === 'keydown') this.pressed ||= /** @type {KeyboardEvent} */ (event).key === 'Enter';
    else if (this.pressed) this.invalid.push({ el: /** @type {Element} */ (event.target), event });
  }

  /**
   * The browser's messages about fields for which it does not send the form. The browser focuses the first of the fields that can have the focus, and
   * shows no message if none can. A page that shows its own messages prevents the browser's.
   * @returns {Message[]}
   */
  refusals() {
    const fields = this.invalid.filter(({ el, event }) => !event.defaultPrevented && isConnected(el) && validationMessageOf(el) !== '');
    if (this.sent || fields.length === 0) return [];
    if (!fields.some(({ el }) => focusedPart() === el) && fields.some(({ el }) => isVisible(el))) return [];
    const texts = new Set(fields.map(({ el }) => `${nameOf(el) || (attr(el, 'name') ?? localName(el))}: ${validationMessageOf(el)}`));
    return [...texts].slice(0, MOST).map((text) => ({ kind: 'invalid', text }));
  }

  end() {
    for (const tree of this.trees) for (const name of EVENTS) tree.removeEventListener(name, this.heed, { capture: true });
  }
}
