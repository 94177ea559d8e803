// Ops about frames and handles: frameElement finds the element that shows a frame, frameAt the one at a point, token names the element of a
// handle.

import { matches } from '../dom/access.js';
import { attr, isElement, localName } from '../dom/dom.js';
import { toFrame } from './framebox.js';
import { fromScreen, hitAt, isInside, isVisible } from '../dom/geometry.js';
import { ambiguity, indexIn, located, matchesOf, named } from '../find/locate.js';
import { ops } from '../dom/ops.js';
import { queryEverywhere } from '../dom/shadow.js';
import { tokenOf } from '../dom/tokens.js';
import { fail, failFinal, until } from '../dom/until.js';

/** @import { Target } from '../find/locate.js' */

export const FRAME_TAGS = 'iframe, frame, object, embed';

/**
 * The element of a frame: by its name or id, else among what a target matches.
 * @param {{word?: string, target?: Target, patience?: number}} arg
 */
ops.frameElement = ({ word, target, patience }) =>
  until(patience ?? 0, () => {
    let els = word === undefined ? [] : queryEverywhere(FRAME_TAGS).filter((el) => attr(el, 'name') === word || attr(el, 'id') === word);
    if (els.length === 0 && target) {
      const matched = matchesOf(target);
      if (matched.error) return matched;
      const index = indexIn(target);
      const picked = index === undefined ? matched.els : matched.els.slice(index).slice(0, 1);
      els = picked.filter((el) => matches(el, FRAME_TAGS));
      if (els.length === 0 && picked.length > 0) return fail('target-unsuitable', () => insteadOfFrame(picked[0]));
    }
    if (els.length === 0) return fail('selector-not-found', { count: 0 });
    if (target?.strict && els.length > 1) return failFinal('selector-ambiguous', () => ambiguity(els));
    const el = els.find(isVisible) ?? els[0];
    return { ...located({ el, count: els.length, index: els.indexOf(el) }), label: attr(el, 'name') || attr(el, 'id') || '' };
  });

/**
 * What an element is that shows no frame, and how many frames are in it.
 * @param {Element} el
 */
function insteadOfFrame(el) {
  return { ...named(el), tag: localName(el), frames: queryEverywhere(FRAME_TAGS).filter((frame) => isInside(frame, el)).length };
}

/** Called with an element handle (Runtime.callFunctionOn) as its argument. */
ops.token = (el) => (isElement(el) ? tokenOf(el) : 0);

/** The frame element that a pointer meets at a point of the screen, as its token, with the point in its own viewport; 0 where there is none. */
ops.frameAt = (at) => {
  const { x, y } = fromScreen(at);
  const hit = hitAt(x, y);
  if (!hit || !matches(hit, FRAME_TAGS)) return { token: 0 };
  return { token: tokenOf(hit), ...toFrame(hit, x, y) };
};
