// How many items a list has in all, where it holds only some of them: what it states, what the page says beside it, or what room is kept.

import { firstElementGet, nextElementGet, textContentGet } from '../dom/builtins.js';
import { composedParent, queryAll } from '../dom/dom.js';
import { tidy } from '../ax/name.js';
import { statedNumber } from '../walk/partial.js';

/** @import { List } from './capabilitieslists.js' */

/**
 * How many items a list says to have; 0 where it does not, or has all of them. aria-rowcount counts the rows of headers, too (WAI-ARIA 1.2, 6.6.19).
 * @param {List} list
 */
export function totalOf(list) {
  return Math.max(statedOf(list), saidBeside(list));
}

/** @param {List} list */
export function statedOf({ el, items, headRows = [] }) {
  const around = [el, ...Array.from(queryAll(el, '[aria-rowcount]')).slice(0, 1)];
  const rows = Math.max(...around.map((one) => statedNumber(one, 'aria-rowcount'))) - headRows.length;
  if (rows > items.length) return rows;
  const size = items.length > 0 ? statedNumber(items[0], 'aria-setsize') : 0;
  return size > items.length ? size : 0;
}

/** How many columns a table says to have, with those that it does not draw. @param {List} list */
export function statedColumns({ el }) {
  return Math.max(...[el, ...Array.from(queryAll(el, '[aria-colcount]')).slice(0, 1)].map((one) => statedNumber(one, 'aria-colcount')));
}

// "1 to 10 of 57 entries", "1–10 von 57", in front of or behind a list.
const RANGE =
  /(\d[\d.,\u00a0 ]*)\s*(?:-|–|—|to|bis|à|a|au|t\/m|até)\s*(\d[\d.,\u00a0 ]*)\s*(?:of|von|de|sur|di|van|\/)\s*(?:about |ca\. )?(\d[\d.,\u00a0]*)/i;
const AROUND = 4; // elements around a list
const LONGEST = 200;

/**
 * How many items the page says that the list has on all its pages: only if it says as well that it shows those that are here.
 * @param {List} list
 */
export function saidBeside({ el, items }) {
  let inner = el;
  for (let i = 0; i < AROUND; i++) {
    const around = composedParent(inner);
    if (around === null) return 0;
    for (let side = firstElementGet.call(around); side !== null; side = nextElementGet.call(side)) {
      if (side === inner) continue;
      const text = textContentGet.call(side);
      if (text.length > 2000) continue;
      const total = rangeIn(tidy(text).slice(0, LONGEST), items.length);
      if (total > 0) return total;
    }
    inner = around;
  }
  return 0;
}

/** @param {string} text @param {number} count */
function rangeIn(text, count) {
  const [, from, to, of] = RANGE.exec(text) ?? [];
  if (from === undefined) return 0;
  const [first, last, total] = [from, to, of].map((word) => parseInt(word.replace(/\D/g, ''), 10));
  return last - first + 1 === count && total > count ? total : 0;
}
