// What acting reads and calls beyond dom.js, through the prototypes for the same reason as there.

import { getterOf, isConnectedGet, matchesOfElement } from './builtins.js';
import { elementRoot, isHTMLElement, localName } from './dom.js';

const scrollingElementGet = getterOf(Document.prototype, 'scrollingElement');
export const titleGet = getterOf(Document.prototype, 'title');
export const readyStateGet = getterOf(Document.prototype, 'readyState');
export const innerTextGet = getterOf(HTMLElement.prototype, 'innerText');
export const innerHTMLGet = getterOf(Element.prototype, 'innerHTML');
export const labelControlGet = getterOf(HTMLLabelElement.prototype, 'control');
export const scrollIntoViewOf = Element.prototype.scrollIntoView;
export const dispatchEventOf = EventTarget.prototype.dispatchEvent;
const labelsGet = new Map(
  Object.entries({
    button: HTMLButtonElement,
    input: HTMLInputElement,
    meter: HTMLMeterElement,
    output: HTMLOutputElement,
    progress: HTMLProgressElement,
    select: HTMLSelectElement,
    textarea: HTMLTextAreaElement,
  }).map(([tag, type]) => [tag, getterOf(type.prototype, 'labels')]),
);

/** What scrolls with the page; the root where quirks give none. */
export function scrollingElement() {
  return scrollingElementGet.call(document) ?? elementRoot();
}

/** @param {Node} node */
export function isConnected(node) {
  return isConnectedGet.call(node);
}

/** @param {Element} el @param {string} css */
export function matches(el, css) {
  return matchesOfElement.call(el, css);
}

/**
 * The control of a label element, or null.
 * @param {Element} el
 */
export function controlOf(el) {
  return isHTMLElement(el, 'label') ? labelControlGet.call(el) : null;
}

/**
 * The label elements of a control; none for what cannot be labelled.
 * @param {Element} el
 */
export function labelsOf(el) {
  const get = isHTMLElement(el) ? labelsGet.get(localName(el)) : undefined;
  return get ? [...(get.call(el) ?? [])] : [];
}
