// Messages of a page: what it says of what was done, as errors, warnings and notices. Roles and live regions say so; most pages have classes only.

import { closestOf, getAttributeOf, localNameGet, queryAllOf, textContentGet } from '../dom/builtins.js';
import { attr, composedParent, queryAll } from '../dom/dom.js';
import { isClippedOff, isInside, isVisible } from '../dom/geometry.js';
import { shownStart } from '../dom/text.js';

/** @typedef {{kind: string, text: string}} Message  kind = error, warning, success or notice */

// Words of classes. A name such as "alert-danger" or "fieldError" is several.
const ERROR = /^(?:errors?|errorlist|errormessages?|errorbox|danger|invalid|fail|failed|failure|destructive)$/;
const WARNING = /^(?:warn|warning|warningbox|caution)$/;
const SUCCESS = /^(?:success|successbox|successful|saved)$/;
const NOTICE = /^(?:notices?|noticebox|flash|toast|alert|snackbar|notification|growl|updated)$/;

// What is colored like a message and is not one: labels of a state, controls, icons.
const NO_MESSAGE =
  /^(?:badge|btn|button|label|labels|pill|chip|tag|icon|ico|progress|spinner|dot|count|counter|fa|container|field|has|with|group|link)$/;

// Tailwind has no word for an error, and its pages color it.
const RED = /(?:^|\s)text-(?:red|rose)-\d/;

const ANNOUNCES = '[role=alert], [role=status], [aria-live=polite], [aria-live=assertive]';
export const FIELDS = 'input:not([type=hidden]), select, textarea, [contenteditable=true]';

// A message is a text and seldom a part of the page. What is around it is looked at so far.
const LONGEST = 600;
const AROUND = 4;
const ENDS = new Set(['body', 'html', 'main', 'form', 'article', 'table', 'tr', 'td', 'a', 'button', 'fieldset']);

/** Kinds of classes, '' for none: pages have few classes and many elements. @type {Map<string, string>} */
const kinds = new Map();
const MOST_KINDS = 5000;

/**
 * What kind of message a class speaks of, or ''.
 * @param {string|null} classes
 */
function kindOfClass(classes) {
  if (classes === null || classes === '' || classes.length > 300) return '';
  const known = kinds.get(classes);
  if (known !== undefined) return known;
  const words = classes
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const has = (/** @type {RegExp} */ pattern) => words.some((word) => pattern.test(word));
  let kind = '';
  if (has(ERROR)) kind = 'error';
  else if (has(WARNING)) kind = 'warning';
  else if (has(SUCCESS)) kind = 'success';
  else if (has(NOTICE)) kind = 'notice';
  else if (RED.test(classes)) kind = 'error';
  if (kind !== '' && has(NO_MESSAGE) && !/field-?error|error-?field|field-validation-error|form-field.*error/i.test(classes)) kind = '';
  if (kinds.size >= MOST_KINDS) kinds.clear();
  kinds.set(classes, kind);
  return kind;
}

/**
 * What kind of message an element is, or ''. One around fields is marked for one of them.
 * @param {Element} el
 * @param {Set<string>} named by errorIds
 */
function kindOf(el, named) {
  let kind = kindOfClass(getAttributeOf.call(el, 'class'));
  if (kind === '' && getAttributeOf.call(el, 'role') === 'alert') kind = 'error';
  if (kind === '' && named.size > 0 && named.has(getAttributeOf.call(el, 'id') ?? '')) kind = 'error';
  return kind === '' || isAroundMore(el) ? '' : kind;
}

/** @param {Element} el */
function isAroundMore(el) {
  return (textContentGet.call(el) ?? '').trim().length > LONGEST || queryAllOf.call(el, FIELDS).length > 0;
}

/** The ids of what fields that are invalid name as what is wrong with them. */
export function errorIds() {
  const ids = new Set();
  for (const field of queryAll(document, '[aria-invalid=true]'))
    for (const name of ['aria-errormessage', 'aria-describedby'])
      for (const id of (attr(field, name) ?? '').split(/\s+/)) if (id !== '') ids.add(id);
  return ids;
}

/**
 * What kind of message a text is a part of, or ''.
 * @param {Element} el the element that it is in
 * @param {Set<string>} named by errorIds
 */
export function messageAround(el, named) {
  let node = /** @type {Element|null} */ (el);
  for (let i = 0; node !== null && i < AROUND && !ENDS.has(localNameGet.call(node)); i++, node = composedParent(node)) {
    const kind = kindOf(node, named);
    if (kind !== '') return kind;
  }
  return '';
}

const MOST = 3;
const MOST_TEXT = 200;

/**
 * The first messages among some elements: errors come first.
 * @param {Iterable<Element>} elements in the order of the page
 * @param {boolean} [roles] whether what announces something is one, too
 * @param {(el: Element) => boolean} [counts] which of them count; only those are asked about that look like messages
 * @returns {Message[]}
 */
export function messagesOf(elements, roles = false, counts = () => true) {
  /** @type {Element[]} */
  const taken = [];
  /** @type {Message[]} */
  const found = [];
  const named = errorIds();
  for (const el of elements) {
    const kind = kindOf(el, named) || (roles && closestOf.call(el, ANNOUNCES) === el ? 'notice' : '');
    if (kind === '' || closestOf.call(el, 'a, button, tr') !== null || !isVisible(el) || !counts(el)) continue;
    if (kind === 'notice' && isClippedOff(el)) continue; // for screen readers: how a field is used, most often
    if (taken.some((one) => isInside(el, one))) continue;
    const text = shownStart(el, MOST_TEXT).replace(/^[×✕✖]\s*|\s*[×✕✖]$/gu, '');
    if (!/\p{L}{2}/u.test(text) || found.some((one) => one.text.includes(text))) continue;
    taken.push(el);
    found.push({ kind, text });
    if (found.length > MOST_LOOKED_AT) break;
  }
  const rank = (/** @type {Message} */ { kind }) => ['error', 'warning', 'success', 'notice'].indexOf(kind);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
}

const MOST_LOOKED_AT = 20;
const LARGE = 20_000;

/**
 * The messages in a document or an element.
 * @param {Document|Element} root
 */
export function messagesIn(root) {
  const elements = queryAll(root, '[class], [role], [aria-live], [id]');
  return elements.length > LARGE ? [] : messagesOf(elements, true);
}
