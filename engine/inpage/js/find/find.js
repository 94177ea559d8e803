// The locators of `find`: by role, text, label, placeholder, alt, title, test id and CSS.

import { controlOf, labelsOf } from '../dom/access.js';
import { nodeTypeGet, TEXT, textContentGet } from '../dom/builtins.js';
import { conditionTest, inLandmark, landmarkAround, nameTest, statesSeen } from './conditions.js';
import { attr, byId, children, isElement, localName, queryAll } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { matchCSS } from './locate.js';
import { captionOf } from '../ax/caption.js';
import { nameOf } from '../ax/name.js';
import { CONTROLS_WITH_PARTS } from '../ax/pierce.js';
import { roleOf } from '../ax/role.js';
import { anyParts, partsOf } from '../dom/roots.js';
import { queryEverywhere } from '../dom/shadow.js';
import { elementsShowing, lower, plain, showsText } from '../dom/text.js';
import { failFinal } from '../dom/until.js';
import { INTERACTIVE_ROLES } from '../ax/interactiveroles.js';
import { tokenOf } from '../dom/tokens.js';
import { isHiddenForAX } from '../dom/visibility.js';

/**
 * @import { Wanted } from '../act/choosing.js'
 * @import { Find, Matched, Target } from './locate.js'
 * @import { Failure } from '../dom/until.js'
 */

/**
 * @param {Find} find
 * @returns {Matched | Failure}
 */
export function matchFind(find) {
  let matched;
  try {
    matched = matchBy(find);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return failFinal('selector-invalid', { reason: thrown.message }); // a regular expression
    throw thrown;
  }
  if (!matched.error && find.within) matched.els = matched.els.filter(inLandmark(find.within));
  return matched;
}

/**
 * @param {Find} find
 * @returns {Matched | Failure}
 */
function matchBy(find) {
  switch (find.by) {
    case 'role':
      return { els: byRole(find) };
    case 'text':
      return { els: elementsShowing(document, find.value, find.exact === true) };
    case 'label':
      return { els: byLabel(find) };
    case 'placeholder':
      return { els: byAttribute('placeholder', (v) => agrees(v, find.value, find.exact)) };
    case 'alt':
      return { els: byAttribute('alt', (v) => v === find.value) };
    case 'title':
      return { els: byAttribute('title', (v) => v === find.value) };
    case 'testid':
      return { els: byAttribute('data-testid', (v) => v === find.value) };
    case 'css':
      return matchCSS(find.value);
    default:
      return failFinal('selector-invalid', { reason: `there is no locator "${find.by}"` });
  }
}

/**
 * Part of it in any case, or, when exact, all of it in the same case.
 * @param {string | null | undefined} text
 * @param {string} wanted
 * @param {boolean} [exact]
 */
export function agrees(text, wanted, exact) {
  if (text === null || text === undefined) return false;
  return exact ? plain(text) === plain(wanted) : lower(plain(text)).includes(lower(plain(wanted)));
}

/**
 * @param {string} name
 * @param {(value: string | null) => boolean} matches
 */
function byAttribute(name, matches) {
  return queryEverywhere(`[${name}]`).filter((el) => matches(attr(el, name)));
}

// ARIA's spelling of roles that Chrome's accessibility tree calls otherwise.
const ROLE_ALIASES = new Map([
  ['img', 'image'],
  ['summary', 'disclosuretriangle'],
  ['frame', 'iframe'],
  ['presentation', 'none'],
]);

/** @param {string} role @param {string} wanted */
function sameRole(role, wanted) {
  const have = role.toLowerCase();
  return have === wanted || have === ROLE_ALIASES.get(wanted);
}

/**
 * Every element with this tag (or `*`) in the document and its shadow trees, and then among the parts of controls.
 * @param {string} tag
 */
export function everyElement(tag) {
  const els = queryEverywhere(tag);
  if (!anyParts) return els;
  for (const control of queryEverywhere(CONTROLS_WITH_PARTS)) {
    const parts = partsOf(control);
    if (parts) els.push(...queryAll(parts, tag));
  }
  return els;
}

/**
 * The elements with a role, and with a name that fits, which assistive technology can see. That is asked last: it costs most.
 * @param {string} value
 * @param {(el: Element) => boolean} [fits]
 */
export function withRole(value, fits = () => true) {
  const wanted = value.toLowerCase();
  return remembering(() => everyElement('*').filter((el) => sameRole(roleOf(el), wanted) && fits(el) && !isHiddenForAX(el)));
}

/**
 * States are looked at before names, which cost more.
 * @param {Find} find
 */
function byRole(find) {
  const named = nameTest(find);
  const meets = conditionTest(find.is);
  return withRole(find.value, (el) => meets(el) && (named === null || named(nameOf(el))));
}

/** What can be labelled by a label element, and what labels itself. */
const LABELLED = 'button, input, meter, output, progress, select, textarea, [aria-label], [aria-labelledby]';

/** @param {Find} find */
function byLabel(find) {
  const els = new Set(queryEverywhere(LABELLED));
  // Form-associated custom elements have labels too and no tag in common.
  for (const label of queryEverywhere('label')) {
    const control = controlOf(label);
    if (control) els.add(control);
  }
  return [...els].filter((el) => labelTexts(el).some((text) => agrees(text, find.value, find.exact)));
}

/**
 * Every text that labels the element.
 * @param {Element} el
 */
export function labelTexts(el) {
  const texts = [];
  const own = attr(el, 'aria-label');
  if (own) texts.push(own);
  const ids = plain(attr(el, 'aria-labelledby') ?? '');
  if (ids) {
    const parts = ids.split(' ').map((id) => byId(el, id));
    texts.push(parts.map((part) => (part ? textContentGet.call(part) : '')).join(' '));
  }
  for (const label of labelsOf(el)) texts.push(labelText(label));
  return texts.map(plain);
}

/**
 * A label's text without that of the control inside it (a wrapped select would add its options).
 * @param {Element} label
 */
function labelText(label) {
  let text = '';
  const open = children(label).reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (nodeTypeGet.call(node) === TEXT) text += textContentGet.call(node);
    else if (isElement(node) && !keepsText(/** @type {Element} */ (node))) open.push(...children(node).reverse());
  }
  return text;
}

/** @param {Element} el */
function keepsText(el) {
  return ['select', 'textarea', 'button', 'script', 'style', 'template'].includes(localName(el));
}

/**
 * What there is in place of what was looked for, for the message.
 * @param {Target} target
 */
export function seenInstead(target) {
  const find = target.find;
  if (target.beside && elementsShowing(document, target.beside, false).length === 0) return { besideMissing: true };
  if (!find) return target.label === undefined ? {} : others(called(target.label), captioned(target.label));
  /** @type {Object<string, any>} */
  const facts = { by: find.by, value: find.value };
  if (find.by === 'role') {
    const els = withRole(find.value);
    facts.role = find.value;
    facts.roleCount = els.length;
    if (find.name !== undefined) facts.name = find.name;
    facts.namesSeen = distinct(els.map(nameOf));
    if (find.is || find.within) Object.assign(facts, restSeen(find, els));
    Object.assign(facts, others(otherRoles(find)));
    if (els.length === 0) facts.hiddenCount = queryEverywhere('*').filter((el) => sameRole(roleOf(el), find.value.toLowerCase())).length;
  } else if (find.by === 'label') {
    facts.labelsSeen = distinct(queryEverywhere(LABELLED).flatMap(labelTexts));
    Object.assign(facts, others(captioned(find.value)));
  } else if (find.by === 'text') {
    const other = showsText(document, find.value).otherCase;
    if (other !== undefined) facts.otherCase = other;
    Object.assign(facts, others(called(find.value)));
  } else if (find.by !== 'css') {
    const name = find.by === 'testid' ? 'data-testid' : find.by;
    facts.valuesSeen = distinct(queryEverywhere(`[${name}]`).map((el) => attr(el, name) ?? ''));
  }
  return facts;
}

const OTHERS = 3;

// The roles of what a person may mean by another one.
/** @type {Object<string, string[]>} */
const NEAR = {
  __proto__: /** @type {any} */ (null),
  button: ['link', 'menuitem', 'tab', 'switch'],
  checkbox: ['switch', 'menuitemcheckbox', 'radio'],
  combobox: ['listbox', 'textbox', 'searchbox'],
  link: ['button', 'menuitem', 'tab'],
  listbox: ['combobox', 'menu'],
  option: ['menuitem', 'treeitem', 'radio'],
  radio: ['checkbox', 'tab', 'option'],
  textbox: ['searchbox', 'combobox', 'spinbutton'],
};

/**
 * What has the name, and another role: what can be used first. Without a name, what has a role that is near.
 * @param {Find} find
 */
function otherRoles(find) {
  const isNamed = nameTest(find);
  if (isNamed === null) {
    const near = NEAR[find.value.toLowerCase()] ?? [];
    return everyElement('*').filter((el) => near.includes(roleOf(el)) && !isHiddenForAX(el));
  }
  const els = everyElement('*').filter((el) => {
    const role = roleOf(el);
    return role !== '' && role !== 'generic' && isNamed(nameOf(el)) && !isHiddenForAX(el);
  });
  const usable = els.filter((el) => INTERACTIVE_ROLES.has(roleOf(el)));
  return usable.length > 0 ? usable : els;
}

/**
 * The controls that a name is the name of, in any case.
 * @param {string} name
 */
function called(name) {
  const isNamed = controlTest(name);
  return everyElement('*').filter((el) => isNamed(el) && !isHiddenForAX(el));
}

/**
 * Whether an element is a control with a name, in any case.
 * @param {string} name
 * @returns {(el: Element) => boolean}
 */
export function controlTest(name) {
  const wanted = lower(plain(name));
  return (el) => INTERACTIVE_ROLES.has(roleOf(el)) && lower(plain(nameOf(el))) === wanted;
}

/**
 * The fields without a name beside which the page shows a text as their label, in any case.
 * @param {string} text
 */
function captioned(text) {
  const wanted = uncaptioned(text);
  return queryEverywhere('input, select, textarea').filter((el) => {
    const beside = nameOf(el) === '' && !isHiddenForAX(el) ? captionOf(el) : null;
    return beside !== null && uncaptioned(textContentGet.call(beside) ?? '') === wanted;
  });
}

/**
 * A text as it is compared with captions, which may end in a colon or the star of what is required.
 * @param {string} text
 */
function uncaptioned(text) {
  return lower(plain(text)).replace(/[\s:*]+$/, '');
}

/**
 * The fact that names the first of some elements; none without any.
 * @param {Element[][]} kinds of which the first that has elements counts
 */
function others(...kinds) {
  const els = kinds.find((some) => some.length > 0);
  if (els === undefined) return {};
  return { otherRoles: els.slice(0, OTHERS).map((el) => ({ role: roleOf(el), name: nameOf(el), token: tokenOf(el) })) };
}

/**
 * Of a locator with conditions besides the name: how many have the name, and what those are instead.
 * @param {Find} find
 * @param {Element[]} els
 */
function restSeen(find, els) {
  const named = nameTest(find);
  const fit = named === null ? els : els.filter((el) => named(nameOf(el)));
  /** @type {Object<string, any>} */
  const facts = { nameCount: fit.length };
  const { is } = find;
  if (is) facts.statesSeen = distinct(fit.map((el) => statesSeen(el, is)));
  if (find.within) facts.landmarksSeen = distinct(fit.map((el) => landmarkAround(el) ?? 'none'));
  return facts;
}

/**
 * The first five different non-empty ones.
 * @param {string[]} texts
 */
function distinct(texts) {
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, 5);
}
