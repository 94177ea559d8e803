// What a selector asks of an element besides its role: a name, states, and the landmark that it is in.

import { focusedElement } from '../dom/dom.js';
import { factsOf, parentOf, remembering } from '../dom/facts.js';
import { agrees } from './find.js';
import { nameOfFacts } from '../ax/name.js';
import { ariaLevel, headingLevel } from '../ax/order.js';
import { roleOf, semanticRole } from '../ax/role.js';
import { checkedOf, isDisabled } from '../ax/state.js';
import { expandedOf, isSelected, pressedOf } from '../ax/states.js';
import { plain } from '../dom/text.js';

/** @import { NameTest } from './locate.js' */

/**
 * @typedef {'true'|'false'|'mixed'} State
 * @typedef {{pressed?: State, checked?: State, expanded?: State, selected?: State, disabled?: State, level?: string}} Conditions
 */

/**
 * A part of the name in any case, or, when exact, all of it in the same case, or a regular expression. It throws a SyntaxError for an
 * expression that is not valid.
 * @param {NameTest} wanted
 * @returns {((name: string) => boolean)|null} null: any name will do
 */
export function nameTest({ name, exact, regex, flags }) {
  if (regex !== undefined) {
    const expression = new RegExp(regex, flags ?? '');
    return (text) => expression.test(plain(text));
  }
  return name === undefined ? null : (text) => agrees(text, name, exact);
}

/**
 * The states of an element by ARIA's defaults: a button without aria-pressed is not pressed, but an element without aria-expanded is neither
 * expanded nor collapsed.
 * @type {Object<string, (el: Element) => string|null>}
 */
const STATES = {
  __proto__: /** @type {any} */ (null),
  pressed: (el) => pressedOf(factsOf(el)) ?? 'false',
  checked: (el) => checkedOf(el) ?? 'false',
  expanded: (el) => expandedOf(factsOf(el), roleOf(el)),
  selected: (el) => String(isSelected(factsOf(el), roleOf(el), { focused: focusedElement(), disabled: false })),
  disabled: (el) => String(isDisabled(el)),
  level: (el) => String(levelOf(el)),
};

/** @param {Conditions} [is] @returns {(el: Element) => boolean} */
export function conditionTest(is) {
  if (!is) return () => true;
  const wanted = Object.entries(is);
  return (el) => wanted.every(([name, value]) => STATES[name](el) === value);
}

/**
 * The states that were asked for as the element has them, for the message.
 * @param {Element} el
 * @param {Conditions} is
 */
export function statesSeen(el, is) {
  return Object.keys(is)
    .map((name) => `${name}=${STATES[name](el) ?? 'none'}`)
    .join(' ');
}

/**
 * The level of a heading, or that which an attribute says.
 * @param {Element} el
 */
function levelOf(el) {
  const facts = factsOf(el);
  return roleOf(el) === 'heading' ? headingLevel(facts) : ariaLevel(facts);
}

const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);

/** @param {NameTest & {role: string}} within @returns {(el: Element) => boolean} whether the element is in such a landmark */
export function inLandmark(within) {
  const named = nameTest(within);
  return (el) =>
    remembering(() => {
      for (let node = parentOf(factsOf(el)); node; node = parentOf(node)) {
        if (semanticRole(node) === within.role && (named === null || named(nameOfFacts(node)))) return true;
      }
      return false;
    });
}

/**
 * The nearest landmark that the element is in, with its name, or null.
 * @param {Element} el
 */
export function landmarkAround(el) {
  return remembering(() => {
    for (let node = parentOf(factsOf(el)); node; node = parentOf(node)) {
      const role = semanticRole(node);
      if (!LANDMARKS.has(role)) continue;
      const name = nameOfFacts(node);
      return name === '' ? role : `${role} "${name}"`;
    }
    return null;
  });
}
