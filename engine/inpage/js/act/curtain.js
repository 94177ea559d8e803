// Ops curtain and reveal: elements that a picture is not to show keep their place, and are seen again after it.

import { getterOf, styleOf } from '../dom/builtins.js';
import { attr } from '../dom/dom.js';
import { matchesOf } from '../find/locate.js';
import { ops } from '../dom/ops.js';
import { locateRef } from '../find/refs.js';
import { bare } from '../dom/until.js';

/**
 * @import { Matched, Ref, Target } from '../find/locate.js'
 * @import { Failure } from '../dom/until.js'
 */

const removeAttributeOf = Element.prototype.removeAttribute;
const htmlStyleGet = getterOf(HTMLElement.prototype, 'style');
const svgStyleGet = getterOf(SVGElement.prototype, 'style');

/** Important declarations, which win over the page's animations as well. Single properties: a shorthand cannot be taken back. */
const CURTAIN = [
  ['transition-property', 'none'],
  ['visibility', 'hidden'],
  ['opacity', '0'],
];

/** @typedef {{bare: boolean, style: CSSStyleDeclaration, before: [string, string][]}} Hidden  before = values and priorities of its own */

/** @type {Map<Element, Hidden>} */
const behindCurtain = new Map();

/** Hides all that the target matches, with all that is in it. @param {{target: Target}} arg */
ops.curtain = ({ target }) => {
  const matched = target.ref ? refMatch(target.ref) : matchesOf(target);
  if (matched.error) return bare(matched);
  for (const el of matched.els) {
    const get = el instanceof HTMLElement ? htmlStyleGet : el instanceof SVGElement ? svgStyleGet : null;
    if (get === null || behindCurtain.has(el)) continue;
    const style = get.call(el);
    const before = CURTAIN.map(
      ([name]) => /** @type {[string, string]} */ ([style.getPropertyValue(name), style.getPropertyPriority(name)]),
    );
    behindCurtain.set(el, { bare: attr(el, 'style') === null, style, before });
    for (const [name, value] of CURTAIN) style.setProperty(name, value, 'important');
  }
  return { count: matched.els.length };
};

/**
 * @param {Ref} ref
 * @returns {Matched | Failure}
 */
function refMatch(ref) {
  const found = locateRef(ref);
  return found.error ? found : { els: [found.el] };
}

/** Shows what is hidden. Transitions come back when everything else is as it was, so that none begins by that. */
ops.reveal = () => {
  const put = (/** @type {Hidden} */ { style, before }, /** @type {number} */ i) => {
    const [value, priority] = before[i];
    if (value === '') style.removeProperty(CURTAIN[i][0]);
    else style.setProperty(CURTAIN[i][0], value, priority);
  };
  for (const hidden of behindCurtain.values()) for (let i = 1; i < CURTAIN.length; i++) put(hidden, i);
  for (const [el, hidden] of behindCurtain) {
    void styleOf(el).opacity;
    put(hidden, 0);
    if (hidden.bare && hidden.style.length === 0) removeAttributeOf.call(el, 'style');
  }
  const count = behindCurtain.size;
  behindCurtain.clear();
  return { count };
};
