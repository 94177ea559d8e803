// Target -> element. A target is a ref, a point, a CSS selector, an XPath expression or a `find` locator; see refs.js and find.js. The first
// visible match is taken (what is clipped to nothing comes after the others), else the first, and the number of matches is said.

import { matches } from '../dom/access.js';
import { tellApart } from './apart.js';
import { getRootNodeOf, textContentGet } from '../dom/builtins.js';
import { landmarkAround } from './conditions.js';
import { composedParent, describe, isElement, isShadowRoot, localName } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { controlTest, matchFind, seenInstead } from './find.js';
import { inGroupWith } from './group.js';
import { matchHasText } from './hastext.js';
import { isClippedOff, isVisible, visibleLabels } from '../dom/geometry.js';
import { comingIn } from '../dom/motion.js';
import { nameOf } from '../ax/name.js';
import { searchHidden } from '../ax/pierce.js';
import { described, locateRef } from './refs.js';
import { roleOf } from '../ax/role.js';
import { queryEverywhere } from '../dom/shadow.js';
import { lower, plain } from '../dom/text.js';
import { tokenOf } from '../dom/tokens.js';
import { fail, failFinal, until } from '../dom/until.js';

/**
 * @import { Conditions } from './conditions.js'
 * @import { Inherited } from './inherit.js'
 * @import { LocatedSaid } from '../ops.js'
 * @import { PicturePoint } from '../act/pictured.js'
 * @import { Failure, Probed } from '../dom/until.js'
 */

/**
 * @typedef {{token: number, role: string, name: string, doc?: string, rest?: boolean, left?: Inherited | null}} Ref  doc = the document that the token holds in; left = what a document before this
 *   one left of the element, which the token holds in then; rest = once the
 *   page is at rest, it is not waited for; false: its server may make it change, so that the engine is asked again whether it still waits for that
 * @typedef {{name?: string, exact?: boolean, regex?: string, flags?: string}} NameTest  see nameTest
 * @typedef {NameTest & {by: string, value: string, is?: Conditions, within?: NameTest & {role: string}, index?: number}} Find
 * @typedef {{ref?: Ref, at?: PicturePoint, css?: string, xpath?: string, find?: Find, index?: number, strict?: boolean, label?: string, beside?: string}} Target  strict: several matches are an error; label: see onlyNamed; beside: see inGroupWith
 * @typedef {{healed?: boolean, item?: string, was?: {role: string, name: string}, beside?: {was: string, is: string}}} OfRef
 * @typedef {OfRef & {el: Element, count: number, index?: number, whole?: boolean, called?: boolean, point?: {x: number, y: number}, error?: undefined}} Found  index of the element among the
 *   matches; whole = it was taken before an earlier one that shows more than the text; point = where it is meant to be reached, in the viewport
 * @typedef {{els: Element[], found?: Found, error?: undefined}} Matched  found of a ref or an index
 */

/**
 * Targets that other modules find: pictured.js points of pictures.
 * @type {{at: (at: PicturePoint) => Found | Failure}}
 */
export const elsewhere = { at: () => failFinal('shot-stale', { why: 'unseen' }) };

/**
 * @param {Target} target
 * @returns {Found | Failure}
 */
export function locate(target) {
  if (target.ref) return locateRef(target.ref);
  if (target.at) return elsewhere.at(target.at);
  const matched = matchesOf(target);
  if (target.label !== undefined && (matched.error || (matched.els.length === 0 && mayBeName(target.label)))) {
    const el = onlyNamed(target.label);
    if (el) return { el, count: 1, called: true };
  }
  if (matched.error) return matched;
  const { els } = matched;
  const index = indexIn(target);
  if (index !== undefined) {
    const el = els.at(index);
    return el ? { el, count: els.length } : fail('selector-not-found', () => ({ count: els.length, index, ...seenInstead(target) }));
  }
  if (els.length === 0) return fail('selector-not-found', () => ({ count: 0, ...seenInstead(target) }));
  if (els.length === 1) return { el: els[0], count: 1 };
  if (target.strict) return failFinal('selector-ambiguous', () => ambiguity(els));
  const first = els.find(isSeen) ?? els.find(isVisible) ?? els[0];
  const whole = wholeText(target, els, first);
  const el = whole ?? first;
  return { el, count: els.length, index: els.indexOf(el), ...(whole === null ? {} : { whole: true }) };
}

// What a valid selector has and a name hardly ever. A name that cannot be a selector may have it: "Cart (1)", "Next >".
const ONLY_IN_SELECTORS = /[#.[\]>:*+~|{}()@=\\]/;
const FIRST_WORD = /^(\p{L}+)\s/u;

/**
 * Whether what is a valid selector may be meant as a name: "Create this page [e]", since there is no element <create>.
 * @param {string} label
 */
function mayBeName(label) {
  if (!ONLY_IN_SELECTORS.test(label)) return true;
  const word = FIRST_WORD.exec(label)?.[1] ?? 'div';
  return createElementOf.call(document, word) instanceof HTMLUnknownElement;
}

const createElementOf = Document.prototype.createElement;

/**
 * The control that a person sees under a name, in any case, if there is one and no other.
 * @param {string} label
 */
function onlyNamed(label) {
  const isNamed = controlTest(label);
  const els = remembering(() => queryEverywhere('*').filter((el) => isNamed(el) && isVisible(el)));
  return els.length === 1 ? els[0] : null;
}

/**
 * The element that shows a text and no other, where the first one that shows it says more: a button behind a sentence about it.
 * @param {Target} target
 * @param {Element[]} els
 * @param {Element} first
 * @returns {Element|null}
 */
function wholeText(target, els, first) {
  if (target.find?.by !== 'text') return null;
  const wanted = lower(plain(target.find.value));
  const isWhole = (/** @type {Element} */ el) => lower(plain(textContentGet.call(el) ?? '')) === wanted;
  return isWhole(first) ? null : (els.find((el) => isWhole(el) && isSeen(el)) ?? null);
}

/**
 * Whether a person sees it, or the label of a control that is drawn by something else.
 * @param {Element} el
 */
function isSeen(el) {
  return isVisible(el) && (!isClippedOff(el) || visibleLabels(el).length > 0);
}

/**
 * Which of the matches the caller wants, if that is said.
 * @param {Target} target
 */
export function indexIn(target) {
  return target.index ?? target.find?.index;
}

const CANDIDATES_TOLD = 10;

/**
 * The matches, each with what tells it from the others.
 * @param {Element[]} els
 */
export function ambiguity(els) {
  return remembering(() => {
    const told = els.slice(0, CANDIDATES_TOLD);
    const candidates = told.map((el, index) => {
      const landmark = landmarkAround(el);
      return { ...described(el), index, element: describe(el), visible: isVisible(el), ...(landmark === null ? {} : { landmark }) };
    });
    return { count: els.length, candidates: tellApart(told, candidates) };
  });
}

/**
 * Everything that a selector or locator matches, in document order.
 * @param {Target} target
 * @returns {Matched | Failure}
 */
export function matchesOf(target) {
  const matched = matchesNow(target);
  if (!matched.error && target.beside) matched.els = inGroupWith(matched.els, target.beside);
  if (!matched.error && matched.els.length === 0 && target.xpath === undefined) searchHidden(target.find?.by === 'role');
  return matched;
}

/**
 * @param {Target} target
 * @returns {Matched | Failure}
 */
function matchesNow(target) {
  if (target.css !== undefined) return matchCSS(target.css);
  if (target.xpath !== undefined) return matchXPath(target.xpath);
  if (target.find) return matchFind(target.find);
  return failFinal('selector-invalid', { reason: 'the target is empty' });
}

/**
 * @param {string} css
 * @returns {Matched | Failure}
 */
export function matchCSS(css) {
  try {
    const withText = matchHasText(css);
    if (withText !== null) return { els: withText };
    const els = queryEverywhere(css);
    return { els: els.length > 0 ? els : matchAcrossShadow(css) };
  } catch (thrown) {
    return failFinal('selector-invalid', { reason: syntaxMessage(thrown) });
  }
}

/**
 * Chrome's words without the part that names the method.
 * @param {unknown} thrown
 */
function syntaxMessage(thrown) {
  return String(/** @type {Error} */ (thrown).message).replace(/^Failed to execute '\w+' on '\w+': /, '');
}

/**
 * `my-app button.save`, where the button is in the shadow tree of my-app: the selector is cut at a descendant combinator, so that its
 * end matches inside a shadow tree and its beginning matches a host around it. Only asked when nothing matches within one tree.
 * @param {string} css
 */
function matchAcrossShadow(css) {
  const parts = splitDescendants(css);
  if (parts.length < 2) return [];
  const found = [];
  for (const el of queryEverywhere(parts[parts.length - 1])) if (crosses(el, parts, parts.length - 1)) found.push(el);
  return found;
}

/**
 * Whether parts[0..last], the last of which must match el itself, match with cuts at shadow boundaries.
 * @param {Element} el
 * @param {string[]} parts
 * @param {number} last
 */
function crosses(el, parts, last) {
  for (let cut = last; cut >= 0; cut--) {
    if (!matches(el, parts.slice(cut, last + 1).join(' '))) continue;
    if (cut === 0) return true;
    for (let host = hostOf(el); host; host = composedParent(host)) if (crosses(host, parts, cut - 1)) return true;
  }
  return false;
}

/** @param {Element} el */
function hostOf(el) {
  const root = getRootNodeOf.call(el);
  return isShadowRoot(root) ? root.host : null;
}

/**
 * Cuts a selector at its top-level descendant combinators; a selector list has none that can be cut.
 * @param {string} css
 */
function splitDescendants(css) {
  const parts = [];
  let part = '';
  let depth = 0;
  let quote = '';
  for (let i = 0; i < css.length; i++) {
    const c = css[i];
    if (c === '\\') {
      part += c + (css[++i] ?? '');
      continue;
    }
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && c === ',') return [];
    else if (depth === 0 && /\s/.test(c)) {
      const rest = css.slice(i).trimStart();
      if (!/[>+~]$/.test(part) && !/^[>+~]/.test(rest) && part !== '' && rest !== '') {
        parts.push(part);
        part = '';
      }
      continue;
    }
    part += c;
  }
  parts.push(part);
  return parts;
}

/**
 * @param {string} xpath
 * @returns {Matched | Failure}
 */
function matchXPath(xpath) {
  let result;
  try {
    result = evaluateXPath.call(document, xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  } catch (thrown) {
    return failFinal('selector-invalid', { reason: syntaxMessage(thrown) });
  }
  const els = new Set();
  for (let i = 0; i < result.snapshotLength; i++) {
    const node = result.snapshotItem(i);
    const attribute = /** @type {Attr} */ (node);
    const el = isElement(node) ? node : (attribute.ownerElement ?? attribute.parentElement);
    if (el) els.add(el);
  }
  return { els: [...els] };
}

const evaluateXPath = Document.prototype.evaluate;

/**
 * Role, name and token: what a message needs to point at an element.
 * @param {Element} el
 */
export function named(el) {
  return { role: roleOf(el), name: nameOf(el), token: tokenOf(el) };
}

/**
 * The part of every answer that says which element it is about.
 * @param {Found} found
 */
export function located(found) {
  const { el, count, index, whole, called, healed, item, was, beside } = found;
  /** @type {LocatedSaid & {error?: undefined}} */
  const answer = { token: tokenOf(el), count, tag: localName(el), role: roleOf(el), name: nameOf(el) };
  if (index !== undefined) answer.index = index;
  if (whole) answer.whole = true;
  if (called) answer.called = true;
  if (healed) answer.healed = true;
  if (item) answer.item = item;
  if (was) answer.was = was;
  if (beside) answer.beside = beside;
  return answer;
}

/**
 * Finds the target and uses it, again and again until the use succeeds or patience is over. The target is found again each time, so that
 * an equal element that replaces a detached one is taken.
 * @template {Probed} R
 * @param {{target: Target, patience?: number, longest?: number}} arg
 * @param {(found: Found) => R} use
 * @returns {R | Failure | Promise<R | Failure>}
 */
export function withTarget(arg, use) {
  const look = () => {
    const found = locate(arg.target);
    return found.error ? found : comingIn(use(found), found.el);
  };
  return until(arg.patience ?? 0, look, arg.longest);
}
