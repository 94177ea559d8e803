// What only paint tells: one of several equal controls that looks selected, current or disabled. It is a guess, and marked as one.

import { elementCountGet, getAttributeOf, localNameGet, matchesOfElement, parentNodeGet } from '../dom/builtins.js';
import { isElement } from '../dom/dom.js';
import { computedOf, factsOf } from '../dom/facts.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Lines } from './lines.js'
 */

// Fewer siblings are not a set of which one can differ, and more are a list of contents.
const FEWEST = 3;
const MOST = 30;
const MOST_PAINTED = 400; // controls of a page that are compared
const MOST_NESTED = 3; // elements around a control, within its item

const ROLES = new Set(['link', 'tab', 'menuitem', 'button', 'generic', 'listitem', 'treeitem', 'option']);

// A line that tells a state needs no guess.
const STATED = /\t(?:selected|current|pressed|checked|disabled|expanded|unseen|covered)=/;

// The class of a button that is one of several to choose from.
const CHOSEN = /active|current|selected|chosen|checked|pressed|toggled|^(?:is-)?on$/i;

const UNLIKE = 0.2; // in opacity

/** @typedef {{line: number, facts: Facts, item: Element, role: string}} Member */

/**
 * Adds the field "looks" to the line of a control that is painted unlike its equal siblings, which are all painted alike.
 * @param {Lines} walk
 */
export function tellPainted({ lines, roles, at }) {
  /** @type {Map<Element, Member[]>} */
  const sets = new Map();
  /** @type {Map<Node, number>} how many elements are in each that was asked: the browser counts them again each time */
  const counts = new Map();
  let left = MOST_PAINTED;
  for (let i = 0; i < lines.length && left > 0; i++) {
    const facts = at[i];
    if (facts === null) continue;
    const role = roles[i];
    if (!ROLES.has(role)) continue;
    const item = itemOf(facts.el, counts);
    if (item === null) continue;
    left--;
    const set = /** @type {Element} */ (parentNodeGet.call(item));
    const members = sets.get(set);
    if (members === undefined) sets.set(set, [{ line: i, facts, item, role }]);
    else members.push({ line: i, facts, item, role });
  }
  for (const members of sets.values()) {
    const odd = oddOne(members);
    if (odd === null || STATED.test(lines[odd.line])) continue;
    const looks = lookOf(odd, members);
    if (looks !== '') lines[odd.line] += '\tlooks=' + looks;
  }
}

/**
 * What is one of equal siblings: the element, or what it is alone in.
 * @param {Element} el
 * @param {Map<Node, number>} counts
 * @returns {Element|null}
 */
function itemOf(el, counts) {
  let item = el;
  for (let i = 0; i < MOST_NESTED; i++) {
    const parent = parentNodeGet.call(item);
    if (!isElement(parent)) return null;
    const count = counts.get(parent) ?? elementCountGet.call(parent);
    counts.set(parent, count);
    if (count >= FEWEST) return count <= MOST ? item : null;
    if (count !== 1) return null;
    item = /** @type {Element} */ (parent);
  }
  return null;
}

/**
 * The only member that is painted unlike the others, or null.
 * @param {Member[]} members
 */
function oddOne(members) {
  if (members.length < FEWEST || members.length > MOST || new Set(members.map(({ item }) => item)).size < members.length) return null;
  const [first] = members;
  if (members.some(({ role, item }) => role !== first.role || localNameGet.call(item) !== localNameGet.call(first.item))) return null;
  const paints = members.map(paintOf);
  const counts = new Map();
  for (const paint of paints) counts.set(paint, (counts.get(paint) ?? 0) + 1);
  if (counts.size !== 2) return null;
  const at = paints.findIndex((paint) => counts.get(paint) === 1);
  if (at < 0) return null;
  const odd = members[at];
  return matchesOfElement.call(odd.item, ':hover, :focus-within') ? null : odd; // the pointer and the focus paint, too
}

/** @param {Member} member */
function paintOf({ facts, item }) {
  const parts = [paintOfOne(computedOf(facts))];
  if (item !== facts.el) parts.push(paintOfOne(computedOf(factsOf(item))));
  return parts.join('|');
}

/** @param {CSSStyleDeclaration} style */
function paintOfOne(style) {
  return [
    style.color,
    style.backgroundColor,
    style.backgroundImage,
    style.fontWeight,
    style.opacity,
    style.borderBottomColor,
    style.borderLeftColor,
    style.textDecorationLine,
    style.boxShadow,
    style.pointerEvents,
    style.cursor,
  ].join();
}

/**
 * Whether a button has the classes of another one, and one more that says that it is chosen. Else it is another kind of button.
 * @param {Member} odd
 * @param {Member} other
 */
function isVariant(odd, other) {
  const own = classesOf(odd.facts.el);
  const common = classesOf(other.facts.el);
  return common.every((name) => own.includes(name)) && own.some((name) => CHOSEN.test(name) && !common.includes(name));
}

/** @param {Element} el */
function classesOf(el) {
  return (getAttributeOf.call(el, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}

/**
 * @param {Member} odd
 * @param {Member[]} members
 */
function lookOf(odd, members) {
  const other = members[members[0] === odd ? 1 : 0];
  const [own, common] = [computedOf(odd.facts), computedOf(other.facts)];
  const isFainter = Number(own.opacity) < Number(common.opacity) - UNLIKE;
  if (isFainter || own.cursor === 'not-allowed' || (own.pointerEvents === 'none' && common.pointerEvents !== 'none')) return 'disabled';
  if (odd.role === 'button' && !isVariant(odd, other)) return '';
  if (Number(own.opacity) > Number(common.opacity) + UNLIKE || own.cursor === common.cursor || own.cursor === 'default')
    return odd.role === 'link' ? 'current' : 'selected';
  return '';
}
