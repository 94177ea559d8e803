// What tells equal elements apart in a message: the text of the largest part of the page that only one of them is in, which is its row, its card or its
// group, or the text in front of it.

import { textContentGet, previousElementGet } from '../dom/builtins.js';
import { composedParent } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { nameOf } from '../ax/name.js';
import { textsIn } from './place.js';
import { plain } from '../dom/text.js';
import { holds } from '../dom/visibility.js';

const LONGEST = 60;
const TEXTS = 2; // of a part

/**
 * Gives each description of an element that shares its role, its name and its item with another one a word for what it is in, as its item.
 * @template {{role: string, name: string, item?: string}} D
 * @param {Element[]} els
 * @param {D[]} described
 */
export function tellApart(els, described) {
  const keys = described.map(({ role, name, item }) => [role, name, item ?? ''].join('\n'));
  return described.map((one, i) => {
    const equals = els.filter((_, j) => j !== i && keys[j] === keys[i]);
    if (equals.length === 0) return one;
    const apart = partOf(els[i], equals);
    return apart === '' ? one : { ...one, item: one.item ? one.item + ', ' + apart : apart };
  });
}

/**
 * @param {Element} el
 * @param {Element[]} others
 */
function partOf(el, others) {
  const isShared = (/** @type {Element} */ node) => others.some((other) => holds(node, other));
  let part = el;
  for (let node = composedParent(el); node && !isShared(node); node = composedParent(node)) part = node;
  const name = part === el ? '' : nameOf(part);
  const within = part === el ? [] : textsIn(factsOf(part));
  const text = plain(name || within.slice(0, TEXTS).join(', ') || textBefore(part, others));
  return text.length > LONGEST ? text.slice(0, LONGEST) + '…' : text;
}

/**
 * The text of what is right in front of the element, such as a heading, or a cell of the same row.
 * @param {Element} el
 * @param {Element[]} others
 */
function textBefore(el, others) {
  for (let node = previousElementGet.call(el); node; node = previousElementGet.call(node)) {
    const before = node;
    if (others.some((other) => holds(before, other))) return '';
    const text = plain(textContentGet.call(node) ?? '');
    if (text !== '') return text;
  }
  return '';
}
