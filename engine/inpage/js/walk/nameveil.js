// Names that are in the tree but invisible on the page, and what of such a control can be seen all the same.

import { matches } from '../dom/access.js';
import { firstElementGet, nextElementGet, queryAllOf, styleOf } from '../dom/builtins.js';
import { parseColor } from '../dom/colors.js';
import { children, isElement } from '../dom/dom.js';
import { factsOf, isLeaf, parentOf, rootOf } from '../dom/facts.js';
import { overlap, rectOf } from '../dom/geometry.js';
import { isHiddenByARIA, isRendered, rendering, SHOWN } from '../dom/visibility.js';
import { hasOwnText } from '../ax/included.js';
import { NAMED_BY_CONTENTS } from '../ax/name.js';
import { isTextField } from '../ax/native.js';
import { typeOf } from '../ax/role.js';
import { valueOfFacts } from '../ax/state.js';
import { coverVeil } from './covered.js';
import { placeOf } from './outofsight.js';
import { hasGround, PAINTING } from './ground.js';
import { isBoxSeen, textVeilOf, veilOf } from './unseen.js';
import { COVERED, NAME, PART, SEEN, VALUE } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 */

/**
 * Why the name that an element has from its contents is not visible; 'part' if some of it is. Controls that are shown as their label or by a
 * drawing of the page do not count.
 * @param {Facts} facts
 * @param {string} role
 * @param {boolean} isControl whether a person acts on it
 */
export function nameVeil(facts, role, isControl) {
  const look = isControl ? controlVeilOf : textVeilOf;
  let veil = look(facts);
  if (veil !== SEEN) {
    if (isShownByLabel(facts) || isShownByDrawing(facts, role)) return SEEN;
  } else if (!isLeaf(facts) && NAMED_BY_CONTENTS.has(role)) veil = partVeil(facts, look);
  if (veil === SEEN || veil === PART || !isControl || !isSeenByItself(facts)) return veil;
  if (!isTextField(facts)) return NAME;
  return valueOfFacts(facts) === '' ? SEEN : VALUE; // its name is not in it
}

/**
 * Why a text of a control is not seen. That it is behind a menu or a dialog for now is told as what covers the control.
 * @param {Facts} facts
 */
function controlVeilOf(facts) {
  return veilOf(facts) || (coverVeil(facts) === COVERED ? COVERED : SEEN);
}

/**
 * Whether a person who looks at the page sees neither a control nor any of its name.
 * @param {Facts} facts
 * @param {string} role
 */
export function isNamedUnseen(facts, role) {
  const veil = nameVeil(facts, role, true);
  return veil !== SEEN && veil !== PART && veil !== NAME && veil !== VALUE;
}

/**
 * Whether a control can be seen without its name: as a button with an icon can, whose name is for screen readers.
 * @param {Facts} facts
 */
function isSeenByItself(facts) {
  if (!isBoxSeen(facts)) return false;
  if (paints(facts.el)) return true;
  const inside = Array.from(queryAllOf.call(facts.el, '*')).slice(0, PARTS);
  return inside.some((el) => (matches(el, PAINTING) || paints(el)) && isBoxSeen(factsOf(el)));
}

/** @param {Facts} facts */
function isShownByLabel(facts) {
  return (
    facts.tag === 'input' &&
    rootOf(facts)
      .labelsOf(facts.el)
      .some((label) => veilOf(factsOf(label)) === SEEN && isRendered(label))
  );
}

// Libraries draw these themselves, and keep the native control, which shows nothing, for the keyboard and for assistive technology.
const DRAWN_TYPES = new Set(['checkbox', 'radio', 'range', 'file', 'color']);

const DRAWING_LEVELS = 3;
const DRAWING_EDGES = [40, 24]; // how much wider and higher than the control its drawing may be: what is larger is a card that it is in

/**
 * Whether what is seen of a control is a drawing around it or beside it.
 * @param {Facts} facts
 * @param {string} role
 */
function isShownByDrawing(facts, role) {
  const { tag } = facts;
  if (!facts.html || !(tag === 'select' || (tag === 'input' && (role === 'combobox' || DRAWN_TYPES.has(typeOf(facts)))))) return false;
  const rect = placeOf(facts);
  let inner = facts;
  for (let level = 0; level < DRAWING_LEVELS; level++) {
    const around = parentOf(inner);
    if (around === null) return false;
    const { width, height } = placeOf(around);
    if (width - rect.width > DRAWING_EDGES[0] || height - rect.height > DRAWING_EDGES[1]) return false;
    if (isBoxSeen(around) && isDrawing(around, inner.el, rect)) return true;
    inner = around;
  }
  return false;
}

/**
 * Whether an element paints more than what is in one of its children, itself or by others that lie over a box.
 * @param {Facts} facts
 * @param {Element} child
 * @param {DOMRect} rect
 */
function isDrawing({ el }, child, rect) {
  if (paints(el)) return true;
  return children(el).some((node) => {
    if (node === child || !isElement(node) || overlap(rectOf(node), rect) === null) return false;
    return hasOwnText(node) || matches(node, PAINTING) || hasGround(styleOf(node));
  });
}

/**
 * Whether an element has a background, a border, or something that its style puts before or after its contents.
 * @param {Element} el
 */
function paints(el) {
  for (const style of [styleOf(el), styleOf(el, '::before'), styleOf(el, '::after')]) {
    if (style.content === 'none') continue; // there is no such part
    if (hasGround(style) || hasEdge(style)) return true;
    if (/[^"\s]/.test(style.content) && style.content !== 'normal') return true;
  }
  return false;
}

/** @param {CSSStyleDeclaration} style */
function hasEdge(style) {
  return ['top', 'right', 'bottom', 'left'].some((side) => {
    if (parseFloat(style.getPropertyValue(`border-${side}-width`)) <= 0) return false;
    return (parseColor(style.getPropertyValue(`border-${side}-color`))?.[3] ?? 1) > 0;
  });
}

// So many elements in one are looked at, so deep.
const PARTS = 12;
const PART_DEPTH = 3;

/** @param {Facts} facts @param {(facts: Facts) => string} look */
function partVeil(facts, look) {
  const parts = { left: PARTS, veil: SEEN, seen: hasOwnText(facts.el), look };
  lookAtParts(facts.el, PART_DEPTH, parts);
  return parts.veil !== SEEN && parts.seen ? PART : parts.veil;
}

/** @param {Element} parent @param {number} depth @param {{left: number, veil: string, seen: boolean, look: (facts: Facts) => string}} parts */
function lookAtParts(parent, depth, parts) {
  for (let el = firstElementGet.call(parent); el !== null && parts.left > 0; el = nextElementGet.call(el)) {
    parts.left--;
    let isEnd = false;
    if (hasOwnText(el)) {
      const part = factsOf(el);
      isEnd = isLeaf(part);
      if (rendering(part) !== SHOWN || isHiddenByARIA(part)) continue;
      const veil = parts.look(part);
      if (veil === SEEN) parts.seen = true;
      else parts.veil = veil;
    }
    if (depth > 1 && !isEnd) lookAtParts(el, depth - 1, parts);
  }
}
