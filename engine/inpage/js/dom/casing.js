// The case in which CSS shows text, and the dots in which it hides text.

import { assignedSlotGet, DOCUMENT, nodeTypeGet } from './builtins.js';
import { CASES } from './declarations.js';
import { computedOf, parentOf, rootOf, settle } from './facts.js';
import { casedShadows, styleBits } from './styles.js';

/**
 * @import { Facts } from './facts.js'
 */

/**
 * Text in the case in which it is shown.
 * @param {string} text
 * @param {Facts} facts
 */
export function cased(text, facts) {
  switch (caseOf(facts)) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    case 'disc':
      return text.replace(/./gsu, '•');
    case 'circle':
      return text.replace(/./gsu, '◦');
    case 'square':
      return text.replace(/./gsu, '■');
    default:
      return text;
  }
}

/**
 * The text as dots where the style of the element shows it so; its case stays.
 * @param {string} text
 * @param {Facts} facts
 */
export function masked(text, facts) {
  const casing = caseOf(facts);
  return DOTS.has(casing) ? cased(text, facts) : text;
}

const DOTS = new Set(['disc', 'circle', 'square']);

// Chrome's own style sheet keeps these from inheriting text-transform.
const CASELESS = new Set(['input', 'textarea', 'select', 'button']);

/**
 * text-transform, or the shape of the dots in which text is hidden.
 * @param {CSSStyleDeclaration} style
 */
function shownCase(style) {
  const { webkitTextSecurity } = style;
  return webkitTextSecurity === 'none' ? style.textTransform : webkitTextSecurity;
}

/**
 * The text-transform of an element, which is inherited.
 * @param {Facts} facts
 * @returns {string}
 */
function caseOf(facts) {
  if (facts.casing === undefined) settle(facts, hasCase, settleCase);
  return /** @type {string} */ (facts.casing);
}

/** @param {Facts} facts */
function hasCase(facts) {
  return facts.casing !== undefined;
}

/** @param {Facts} facts */
function settleCase(facts) {
  const root = rootOf(facts);
  // What is slotted inherits from the shadow tree that it is shown in.
  const slotted = facts.up === undefined ? assignedSlotGet.call(facts.el) !== null : facts.up?.tag === 'slot';
  const isPlain = !casedShadows && !slotted && !root.mayCase();
  if (isPlain && nodeTypeGet.call(root.node) === DOCUMENT) {
    facts.casing = 'none';
    return;
  }
  const parent = parentOf(facts);
  if (styleBits(facts) & CASES) facts.casing = shownCase(computedOf(facts));
  else facts.casing = parent === null || CASELESS.has(facts.tag) ? 'none' : caseOf(parent);
}
