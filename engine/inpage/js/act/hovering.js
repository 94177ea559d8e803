// Elements that show only while the pointer is over what they are in: the buttons of a row, the items of a menu.

import { matches } from '../dom/access.js';
import { closestOf, getRootNodeOf, getterOf } from '../dom/builtins.js';
import { composedParent, queryAll } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { sheetsOf } from '../dom/sheets.js';
import { blame } from './cover.js';

// What brings an element out, among the properties that rules set for what is hovered.
const SHOWS =
  /^(?:display|visibility|opacity|transform|translate|scale|left|right|top|bottom|inset.*|position|clip|clip-path|(?:max-|min-)?(?:width|height)|margin.*|pointer-events|content-visibility|z-index|overflow.*)$/;

// What people move the pointer over to see what can be done with it.
const ROWS =
  'tr, li, article, [role=row], [role=listitem], [role=treeitem], [role=option], [role=menuitem], [role=article], [role=group], [class*=card], [class*=row], [class*=item]';

const MOST_RULES = 20_000;

const cssRulesGet = getterOf(CSSStyleSheet.prototype, 'cssRules');
const groupedGet = getterOf(CSSGroupingRule.prototype, 'cssRules');
const nestedGet = getterOf(CSSStyleRule.prototype, 'cssRules');
const selectorGet = getterOf(CSSStyleRule.prototype, 'selectorText');
const styleGet = getterOf(CSSStyleRule.prototype, 'style');
const conditionGet = getterOf(CSSConditionRule.prototype, 'conditionText');

/**
 * What has to be hovered for an element to show, as facts of an error: `hover`, when a rule or an attribute says so, or rules that cannot be read may say
 * so (`hoverGuessed`); else `row`, which it may be.
 * @param {Element} el one that is not seen where it is
 */
export function hoverFacts(el) {
  const { container, unread } = containerOf(el);
  if (container !== null) return { ...blame('hover', container) };
  const row = closestVisible(el, ROWS);
  if (row === null) return {};
  return unread && !applies(row, ':hover') ? { ...blame('hover', row), hoverGuessed: true } : { ...blame('row', row) };
}

/** @param {Element} el */
function containerOf(el) {
  let unread = false;
  let left = MOST_RULES;
  const roots = new Set([document, getRootNodeOf.call(el)]);
  /** @type {Element|null} */
  let found = null;
  const look = (/** @type {Iterable<CSSRule>} */ rules, /** @type {string} */ parent) => {
    for (const rule of rules) {
      if (found !== null || left-- <= 0) return;
      if (rule instanceof CSSStyleRule) {
        const own = selectorGet.call(rule);
        const selector = parent === '' ? own : own.includes('&') ? own.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${own}`;
        if (selector.includes(':hover') && shows(rule)) found = hoveredFor(el, selector);
        if (found === null) look(nestedGet.call(rule), selector);
      } else if (rule instanceof CSSGroupingRule) {
        if (rule instanceof CSSMediaRule && !matchMedia(conditionGet.call(rule)).matches) continue;
        look(groupedGet.call(rule), parent);
      }
    }
  };
  for (const root of roots)
    for (const sheet of sheetsOf(root)) {
      try {
        if (!sheet.disabled) look(cssRulesGet.call(sheet), '');
      } catch {
        unread = true; // a sheet of another origin
      }
    }
  return { container: found ?? handlerAround(el), unread };
}

/** Whether a rule, or one within it, may bring something out. @param {CSSStyleRule} rule @returns {boolean} */
function shows(rule) {
  for (const name of styleGet.call(rule)) if (SHOWS.test(name)) return true;
  const within = (/** @type {Iterable<CSSRule>} */ rules) => {
    for (const one of rules) {
      const { style } = /** @type {any} */ (one);
      if (style) for (const name of style) if (SHOWS.test(name)) return true;
      const { cssRules } = /** @type {any} */ (one);
      if (cssRules && within(cssRules)) return true;
    }
    return false;
  };
  return within(nestedGet.call(rule));
}

/**
 * The element that a selector wants to be hovered, if the selector is about the element or what it is in.
 * @param {Element} el
 * @param {string} list
 * @returns {Element|null}
 */
function hoveredFor(el, list) {
  for (const one of partsOf(list)) {
    // Tailwind: .group-hover\:block:is(:where(.group):hover *)
    const inner = /^(.*):is\((.+):hover (?:\*|~ \*)\)(.*)$/.exec(one);
    const selector = (inner ? `${inner[1]}${inner[3]}` : one).replaceAll(':not(:hover)', '').replaceAll(':hover', '');
    const hovered = inner ? inner[2] : compoundOf(one.replaceAll(':not(:hover)', ':hover'));
    for (let node = /** @type {Element|null} */ (el); node !== null; node = composedParent(node)) {
      if (!applies(node, selector || '*')) continue;
      const container = closestVisible(node, hovered) ?? siblingOf(node, hovered);
      if (container !== null && !applies(container, ':hover')) return container;
    }
  }
  return null;
}

/**
 * A list of selectors, one by one.
 * @param {string} list
 */
function partsOf(list) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= list.length; i++) {
    const sign = list[i];
    if (sign === '(' || sign === '[') depth++;
    else if (sign === ')' || sign === ']') depth--;
    else if (i === list.length || (sign === ',' && depth === 0)) {
      parts.push(list.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts.filter((part) => part.includes(':hover'));
}

/**
 * What a selector wants to be hovered: all up to the end of the part that says so.
 * @param {string} selector
 */
function compoundOf(selector) {
  const at = selector.lastIndexOf(':hover') + ':hover'.length;
  const rest = /^(?:[^\s>+~()]|\([^()]*\))*/.exec(selector.slice(at))?.[0] ?? '';
  const whole = (selector.slice(0, at) + rest).replaceAll(':hover', '').trim();
  return whole === '' || /[>+~]$/.test(whole) ? `${whole} *` : whole;
}

/** @param {Element} el @param {string} selector */
function applies(el, selector) {
  try {
    return matches(el, selector);
  } catch {
    return false; // what is left of a selector that is not understood
  }
}

/** @param {Element} el @param {string} selector @returns {Element|null} */
function closestVisible(el, selector) {
  try {
    for (let node = composedParent(el); node !== null; node = composedParent(node))
      if (matches(node, selector) && isVisible(node)) return node;
  } catch {
    return null;
  }
  return null;
}

/** What is hovered may also stand before the element. @param {Element} el @param {string} selector @returns {Element|null} */
function siblingOf(el, selector) {
  const parent = composedParent(el);
  if (parent === null) return null;
  try {
    return Array.from(queryAll(parent, selector)).find((one) => one !== el && isVisible(one)) ?? null;
  } catch {
    return null;
  }
}

/** What is around an element and has a handler for the pointer that comes. @param {Element} el @returns {Element|null} */
function handlerAround(el) {
  const found = closestOf.call(el, '[onmouseenter], [onmouseover], [onpointerenter], [onpointerover]');
  return found !== null && found !== el && isVisible(found) && !applies(found, ':hover') ? found : null;
}
