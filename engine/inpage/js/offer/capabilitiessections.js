// Sections of a page and what is in them: three rows of four products are twelve products, and three headings with products below are three lists.

import { textContentGet } from '../dom/builtins.js';
import { alikeAmong, NO_ITEMS, rowsIn } from './capabilitieslists.js';
import { seenText } from './capabilitiestexts.js';
import { isFigure, MONEY } from './capabilitieswords.js';
import { attr, localName, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { isInside } from '../dom/geometry.js';
import { ITEMS } from '../dom/kinds.js';
import { tidy } from '../ax/name.js';
import { LISTS } from '../walk/partial.js';
import { semanticRole } from '../ax/role.js';

/** @import { Shown } from './capabilities.js' */

const SAMPLES = 8;
const DEEPEST = 4;

/**
 * Whether elements that look like items are sections, which hold the items: most of them have several things of one kind in them. Where they have
 * nothing else, such as rows of a grid, the cards of all of them belong together.
 * @param {Shown} shown
 * @param {Element[]} items
 * @returns {{are: boolean, cards: Element[]}}
 */
export function sectionsOf(shown, items) {
  const some = items.slice(0, SAMPLES);
  const inner = some.map((item) => heldBy(shown, item, items));
  const holding = inner.filter((cards) => cards.length > 1).length;
  if (holding < 2 && !(holding === 1 && some.length === 2)) return { are: false, cards: [] };
  if (2 * holding < some.length) return { are: false, cards: [] };
  const all = items.length > SAMPLES ? items.map((item) => heldBy(shown, item, items)) : inner;
  const looks = new Set(all.flat().map(lookOf));
  const bare = !all.some((cards, i) => cards[0] === items[i]) && looks.size === 1 && items.every((item, i) => isBare(shown, item, all[i]));
  return { are: true, cards: bare ? all.flat() : [] };
}

/**
 * What an item holds, where that makes it a section; else none.
 * @param {Shown} shown
 * @param {Element} item
 * @param {Element[]} items
 * @returns {Element[]}
 */
function heldBy(shown, item, items) {
  if (hasTable(shown, item, items.length) || wrapsList(shown, item)) return [item, item];
  const cards = cardsIn(shown, item, DEEPEST);
  if (cards.length === 0 || lookOf(cards[0]) === lookOf(items[0])) return []; // replies to a comment
  return saysFigure(item, cards) ? [] : cards;
}

/**
 * Whether the item is around a table of data: one with headers, or with more rows than there are such items.
 * @param {Shown} shown
 * @param {Element} item
 * @param {number} count
 */
function hasTable(shown, item, count) {
  return Array.from(queryAll(item, 'table')).some((table) => {
    const rows = rowsIn(shown, table).length;
    return rows > count || (rows > 2 && queryAll(table, 'th').length > 1);
  });
}

/**
 * Whether nothing but a list is in the item, as in a box that scrolls.
 * @param {Shown} shown
 * @param {Element} item
 * @returns {boolean}
 */
function wrapsList(shown, item) {
  const text = tidy(textContentGet.call(item));
  for (let node = item; ; ) {
    const kids = shown.kids.get(node) ?? [];
    if (kids.length !== 1 || tidy(textContentGet.call(kids[0])) !== text) return false;
    node = kids[0];
    if (LISTS.has(semanticRole(factsOf(node)))) return (shown.kids.get(node) ?? []).length > 0;
  }
}

/**
 * The largest set of cards in an element.
 * @param {Shown} shown
 * @param {Element} el
 * @param {number} depth
 * @returns {Element[]}
 */
function cardsIn(shown, el, depth) {
  const kids = shown.kids.get(el) ?? [];
  const isList = semanticRole(factsOf(el)) === 'list';
  const set = isList ? kids.filter((kid) => ITEMS.has(semanticRole(factsOf(kid)))) : kids.length > 1 ? alikeAmong(shown, kids, 2) : [];
  let best = set.filter((kid) => isCard(shown, kid)).length * 2 > set.length ? set : [];
  if (depth > 0 && best.length === 0)
    for (const kid of kids) {
      const inner = cardsIn(shown, kid, depth - 1);
      if (inner.length > best.length) best = inner;
    }
  return best;
}

/**
 * Whether an element is about something of its own, and not one of the points that are said of something: it has a heading, or a picture with a text,
 * and something to act on or to read beside that.
 * @param {Shown} shown
 * @param {Element} el
 */
function isCard(shown, el) {
  if (NO_ITEMS.has(localName(el))) return false;
  const inner = shown.in(el).filter((one) => one !== el);
  const text = tidy(textContentGet.call(el));
  if (text.length < 2) return false;
  const hasHeading = inner.some((one) => semanticRole(factsOf(one)) === 'heading');
  const hasImage = queryAll(el, 'img, picture, [class*=title i], [class*=name i]').length > 0;
  return (hasHeading || hasImage) && (inner.length > 1 || MONEY.test(text) || text.length > 30);
}

/**
 * Whether there is a sum or a day outside of the cards: an order is one item, whatever was ordered.
 * @param {Element} item
 * @param {Element[]} cards
 */
function saysFigure(item, cards) {
  const around = Array.from(queryAll(item, '*')).filter((el) => !cards.some((card) => isInside(card, el) || isInside(el, card)));
  return around.slice(0, 40).some((el) => isFigure(tidy(textContentGet.call(el))) && /\d/.test(textContentGet.call(el)));
}

/**
 * Whether nothing but cards is in an element.
 * @param {Shown} shown
 * @param {Element} item
 * @param {Element[]} cards
 */
function isBare(shown, item, cards) {
  return cards.length === 0 ? shown.in(item).length <= 1 : seenText(item, cards) === '';
}

/** @param {Element} el */
function lookOf(el) {
  return localName(el) + '.' + tidy(attr(el, 'class') ?? '').split(' ')[0];
}
