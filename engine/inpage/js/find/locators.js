// Op locators: the ways to find an element in scripts and tests. The caller tries each of them and keeps those that find it alone.

import { getterOf, nextElementGet, parentElementGet } from '../dom/builtins.js';
import { attr, isHTML, localName } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { labelTexts } from './find.js';
import { located, withTarget } from './locate.js';
import { ops } from '../dom/ops.js';
import { Finder } from './selectors.js';

/** @import { LocatorSaid } from '../ops.js' */

// Attributes that locators of their own look for, by the locator.
/** @type {[string, string][]} */
const ATTRIBUTES = [
  ['testid', 'data-testid'],
  ['placeholder', 'placeholder'],
  ['alt', 'alt'],
  ['title', 'title'],
];

ops.locators = (arg) => withTarget(arg, (found) => ({ ...located(found), locators: remembering(() => locatorsOf(found.el)) }));

/**
 * @param {Element} el
 * @returns {LocatorSaid[]}
 */
function locatorsOf(el) {
  /** @type {LocatorSaid[]} */
  const all = [];
  for (const [by, name] of ATTRIBUTES) {
    const value = attr(el, name);
    if (value) all.push({ by, value });
  }
  for (const value of new Set(labelTexts(el))) if (value !== '') all.push({ by: 'label', value });
  for (const { kind, role, name, text, css, withinLandmark, nth } of new Finder().selectorsOf(el)) {
    /** @type {LocatorSaid} */
    const one = { by: kind, value: role ?? text ?? css ?? '' };
    if (name !== undefined) one.name = name;
    if (withinLandmark !== undefined) one.landmark = withinLandmark;
    if (nth !== undefined) one.nth = nth;
    all.push(one);
  }
  all.push({ by: 'xpath', value: xpathOf(el) });
  return all;
}

/**
 * The path to an element from the nearest one with an id, or from the document.
 * @param {Element} el
 */
function xpathOf(el) {
  let path = '';
  for (let node = el; node !== null; node = parentElementGet.call(node)) {
    const id = attr(node, 'id');
    if (id && !id.includes('"')) return `//*[@id="${id}"]${path}`;
    path = `/${xpathName(node)}${position(node)}${path}`;
  }
  return path;
}

/**
 * Names of XPath are those of HTML; an element of another namespace is named by a test.
 * @param {Element} el
 */
function xpathName(el) {
  return isHTML(el) ? localName(el) : `*[local-name()="${localName(el)}"]`;
}

/** @param {Element} el */
function position(el) {
  const same = (/** @type {Element} */ node) => localName(node) === localName(el);
  let before = 0;
  let after = 0;
  for (let node = previousElementGet.call(el); node !== null; node = previousElementGet.call(node)) if (same(node)) before++;
  for (let node = nextElementGet.call(el); node !== null && after === 0; node = nextElementGet.call(node)) if (same(node)) after++;
  return before + after === 0 ? '' : `[${before + 1}]`;
}

const previousElementGet = getterOf(Element.prototype, 'previousElementSibling');
