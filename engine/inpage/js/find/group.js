// Groups that a person names by a text in them: the row of an order, the card of an address, a panel with a name.

import { attr, composedParent } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { queryEverywhere } from '../dom/shadow.js';
import { elementsShowing, lower, plain } from '../dom/text.js';

/**
 * Those of the elements that are in the smallest group with a text: of the buttons of all rows, the one of the row that shows it. Of an element whose
 * row does not, the smallest group is the table, which is around another row's.
 * @param {Element[]} els
 * @param {string} text
 * @returns {Element[]}
 */
export function inGroupWith(els, text) {
  return remembering(() => {
    for (const exact of [true, false]) {
      const found = nearest(els, named(text, exact));
      if (found.length > 0) return found;
    }
    return [];
  });
}

/**
 * What shows a text, or has it as its label.
 * @param {string} text
 * @param {boolean} exact
 */
function named(text, exact) {
  const wanted = exact ? plain(text) : lower(plain(text));
  const labelled = queryEverywhere('[aria-label]').filter((el) => {
    const label = plain(attr(el, 'aria-label') ?? '');
    return exact ? label === wanted : lower(label).includes(wanted);
  });
  return [...elementsShowing(document, text, exact), ...labelled];
}

/**
 * @param {Element[]} els
 * @param {Element[]} naming
 */
function nearest(els, naming) {
  const holders = new Set();
  for (const el of naming) {
    for (let node = /** @type {Element|null} */ (el); node !== null && !holders.has(node); node = composedParent(node)) holders.add(node);
  }
  const groupOf = new Map();
  for (const el of els) {
    let node = composedParent(el);
    while (node !== null && !holders.has(node)) node = composedParent(node);
    if (node !== null) groupOf.set(el, node);
  }
  const groups = new Set(groupOf.values());
  const around = new Set();
  for (const group of groups) {
    for (let node = composedParent(group); node !== null && !around.has(node); node = composedParent(node)) around.add(node);
  }
  return els.filter((el) => groupOf.has(el) && !around.has(groupOf.get(el)));
}
