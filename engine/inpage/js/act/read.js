// Ops that look and change nothing: read, count, state, info.

import { controlOf, innerHTMLGet, innerTextGet, isConnected, readyStateGet, titleGet } from '../dom/access.js';
import { matchesOfElement, queryAllOf, styleOf, textContentGet } from '../dom/builtins.js';
import { attr, composedParent, focusedElement, isElement, isHTMLElement, localName } from '../dom/dom.js';
import { hasText, holdsSecret, isNativeDisabled, isPasswordField, textOf } from './edit.js';
import { getAttributeNamesOf } from '../dom/facts.js';
import { boxOf, fromScreen, getRects, isInside, isVisible, plainBox, rectOf, toScreen } from '../dom/geometry.js';
import { needInternals } from '../ax/internals.js';
import { hrefOf } from '../dom/linkaddress.js';
import { located, matchesOf, withTarget } from '../find/locate.js';
import { documentID, ops } from '../dom/ops.js';
import { chosenValues } from './select.js';
import { checkedOf, isDisabled } from '../ax/state.js';
import { isOpen } from '../dom/text.js';
import { elementOf } from '../dom/tokens.js';
import { bare } from '../dom/until.js';

/** @import { ReadAnswer } from '../ops.js' */

ops.read = (arg) =>
  withTarget(arg, (found) => {
    if (STATES.has(arg.what)) needInternals(controlOf(found.el) ?? found.el);
    const value = readers[arg.what](found.el, arg.name ?? '');
    const shown = typeof value !== 'string' || value === '' || !showsSecret(found.el, arg);
    return shown ? { ...located(found), value } : { ...located(found), value: '', secret: true, length: [...value].length };
  });

/**
 * Whether what is read of the element is what a field does not show.
 * @param {Element} el
 * @param {{what: string, name?: string}} arg
 */
function showsSecret(el, { what, name }) {
  const field = localName(el) === 'label' ? (controlOf(el) ?? el) : el;
  return (what === 'value' || (what === 'attr' && String(name).toLowerCase() === 'value')) && hasText(field) && holdsSecret(field);
}

// What a custom element may say by its internals.
const STATES = new Set(['checked', 'checkedState']);

const isChecked = (/** @type {Element} */ el) => checkedOf(el) === 'true';

/**
 * The text as it is shown; of an element that is not, that of its markup.
 * @param {Element} el
 */
export function readText(el) {
  return shownText(el) || (textContentGet.call(el) ?? '');
}

/** @param {Element} el */
function shownText(el) {
  return isHTMLElement(el) ? innerTextGet.call(el) : '';
}

const SOURCES = 'script,style,template';
const treeWalkerOf = Document.prototype.createTreeWalker;

/**
 * The same, without the source of scripts and styles in the markup, which is left out unless such an element is asked for.
 * @param {Element} el
 */
export function readWithoutSources(el) {
  if (matchesOfElement.call(el, SOURCES) || queryAllOf.call(el, SOURCES).length === 0) return readText(el);
  const shown = shownText(el);
  if (shown !== '') return shown;
  const parts = [];
  const walker = treeWalkerOf.call(document, el, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    isElement(node) && matchesOfElement.call(/** @type {Element} */ (node), SOURCES) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (!isElement(node)) parts.push(textContentGet.call(node) ?? '');
  return parts.join('').trim();
}

/** @type {{[what: string]: (el: Element, name: string) => ReadAnswer['value']}} what `read` can tell of an element; upstream's meaning of each word */
const readers = {
  text: (el) => readText(el),
  html: (el) => innerHTMLGet.call(el),
  value: (el) => textValue(el),
  attr: (el, name) => attr(el, name),
  dataset: (el) => dataOf(el),
  box: (el) => boxToTell(el),
  styles: (el) => stylesOf(el),
  visible: (el) => isVisible(el) && opacityOf(el) > 0,
  enabled: (el) => !isNativeDisabled(el),
  checked: isChecked,
  checkedState: checkedOf,
  href: (el) => hrefOf(el),
};

/**
 * The data-* attributes by their names in HTMLElement.dataset, which elements of other namespaces do not have.
 * @param {Element} el
 */
function dataOf(el) {
  const names = getAttributeNamesOf.call(el).filter((name) => name.startsWith('data-'));
  const key = (/** @type {string} */ name) => name.slice('data-'.length).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(names.map((name) => [key(name), attr(el, name)]));
}

/**
 * The value of what has one, and the text of editable content, which is its value to a person; null: it has none.
 * @param {Element} el
 */
function textValue(el) {
  const editor = localName(el) === 'label' ? (controlOf(el) ?? el) : el;
  return hasText(editor) ? textOf(editor) : null;
}

/**
 * The element's own box, empty or not, else that of its contents; null: it is not rendered.
 * @param {Element} el
 */
function boxToTell(el) {
  const box = getRects.call(el).length > 0 ? rectOf(el) : boxOf(el);
  return box && toScreen(plainBox(box));
}

ops.count = (target) => {
  const matched = matchesOf(target);
  return matched.error ? bare(matched) : { count: matched.els.length };
};

/** What an action on the element may change, so that before and after can be compared. */
ops.state = ({ token }) => {
  const el = elementOf(token);
  if (!el) return { connected: false, checked: null, value: '', selected: [], expanded: null, focused: false, disabled: false };
  const active = focusedElement();
  return {
    connected: isConnected(el),
    checked: checkedOf(el),
    value: isPasswordField(el) ? '' : (textValue(el) ?? ''),
    selected: localName(el) === 'select' ? chosenValues(el) : [],
    expanded: disclosureOf(el),
    focused: active !== null && isInside(active, el),
    disabled: isDisabled(el),
  };
};

/** What is known of the document itself. `screen` is the corner of what the screen shows of it, `status` the HTTP status that it came with, 0 where there is none. */
ops.info = () => ({
  url: location.href,
  title: titleGet.call(document),
  readyState: readyStateGet.call(document),
  doc: documentID,
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  scrollX,
  scrollY,
  screen: fromScreen({ x: scrollX, y: scrollY }),
  width: innerWidth,
  height: innerHeight,
  ratio: devicePixelRatio,
});

/**
 * Every computed property.
 * @param {Element} el
 */
function stylesOf(el) {
  const style = styleOf(el);
  /** @type {Object<string, string>} */
  const all = {};
  for (const name of style) all[name] = style.getPropertyValue(name);
  return all;
}

/** @param {Element} el */
function opacityOf(el) {
  return Number(styleOf(el).opacity);
}

/**
 * @param {Element} el
 * @returns {'true'|'false'|null} whether what the element opens is open; null: it opens nothing
 */
export function disclosureOf(el) {
  const parent = localName(el) === 'summary' ? composedParent(el) : null;
  const details = parent && localName(parent) === 'details' ? parent : el;
  if (localName(details) === 'details') return isOpen(details) ? 'true' : 'false';
  const aria = attr(el, 'aria-expanded');
  return aria === 'true' || aria === 'false' ? aria : null;
}

/** What the page sees of the device, the location and the user's preferences. */
ops.environment = () => ({
  width: innerWidth,
  height: innerHeight,
  screenWidth: screen.width,
  screenHeight: screen.height,
  scale: devicePixelRatio,
  touch: navigator.maxTouchPoints,
  userAgent: navigator.userAgent,
  languages: [...navigator.languages],
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
