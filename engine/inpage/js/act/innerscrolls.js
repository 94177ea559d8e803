// Op innerScrolls: the boxes of a document that scroll by themselves, of whose content a picture of the whole page has only what they show now.

import { scrollingElement } from '../dom/access.js';
import { clientHeightGet, clientWidthGet, scrollHeightGet, scrollWidthGet, styleOf } from '../dom/builtins.js';
import { bodyOf, deepQueryAll, describe, elementRoot } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { isClippedOff, isVisible } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { elementOf } from '../dom/tokens.js';
import { named } from '../find/locate.js';
import { canScroll, scrollsBy } from './scroll.js';

// Less is the rounding of a line, or the overhang of a letter.
const LEAST = 8;
const MOST = 3;

/**
 * @param {{within?: number, page?: boolean}} arg  within = the token of the element whose inner boxes are meant; page = the document itself counts, too
 */
ops.innerScrolls = ({ within, page }) =>
  remembering(() => {
    /** @type {{el: Element, right: number, below: number}[]} */
    const found = [];
    const root = scrollingElement();
    for (const el of deepQueryAll(within ? (elementOf(within) ?? document) : document, '*')) {
      const right = scrollWidthGet.call(el) - clientWidthGet.call(el);
      const below = scrollHeightGet.call(el) - clientHeightGet.call(el);
      if ((right < LEAST && below < LEAST) || el === root || el === elementRoot()) continue;
      const style = styleOf(el);
      if (el === bodyOf() && styleOf(elementRoot()).overflowX === 'visible') continue; // it is the viewport that scrolls then
      const across = scrollsBy(style.overflowX) && right >= LEAST ? right : 0;
      const down = scrollsBy(style.overflowY) && below >= LEAST ? below : 0;
      if (across + down > 0 && clientWidthGet.call(el) > 1 && clientHeightGet.call(el) > 1 && isVisible(el) && !isClippedOff(el))
        found.push({ el, right: across, below: down });
    }
    const lacking = (/** @type {{el: Element, right: number, below: number}} */ one) =>
      one.right * clientHeightGet.call(one.el) + one.below * scrollWidthGet.call(one.el);
    found.sort((a, b) => lacking(b) - lacking(a));
    const boxes = found.slice(0, MOST).map(({ el, right, below }) => ({ ...named(el), what: describe(el), right, below }));
    const self = page &&
      innerWidth > 1 &&
      innerHeight > 1 && {
        right: canScroll(root, 1, 0) ? scrollWidthGet.call(root) - clientWidthGet.call(root) : 0,
        below: canScroll(root, 0, 1) ? scrollHeightGet.call(root) - clientHeightGet.call(root) : 0,
      };
    return { boxes, count: found.length, ...(self && { self }) };
  });
