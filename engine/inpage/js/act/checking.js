// Ops check and checkedNow: finding the box, switch or toggle that an element stands for, aiming at what a person clicks of it, and reading
// the state back.

import { controlOf, isConnected, matches } from '../dom/access.js';
import { Aim } from './aim.js';
import { nextElementGet, previousElementGet, styleOf } from '../dom/builtins.js';
import { attr, composedParent, deepQueryAll, localName, shadowOf } from '../dom/dom.js';
import { after, unsuitable } from './edit.js';
import { factsOf } from '../dom/facts.js';
import {
  boxOf,
  centre,
  hitAt,
  isInside,
  isVisible,
  isWithin,
  labelledControl,
  receivesFor,
  rectOf,
  viewport,
  visibleLabels,
} from '../dom/geometry.js';
import { isTrusted, needInternals } from '../ax/internals.js';
import { isListening } from '../ax/listening.js';
import { locate, located, named, withTarget } from '../find/locate.js';
import { CHECKED_STATE } from '../dom/older.js';
import { ops } from '../dom/ops.js';
import { takesClicks } from './parts.js';
import { roleOf } from '../ax/role.js';
import { internalsOf } from '../dom/said.js';
import { checkedOf, isDisabled } from '../ax/state.js';
import { pressedOf } from '../ax/states.js';
import { elementOf, tokenOf } from '../dom/tokens.js';
import { fail, failFinal, until } from '../dom/until.js';
import { isRendered } from '../dom/visibility.js';

const CHECKABLES =
  'input[type=checkbox], input[type=radio], [role=checkbox], [role=switch], [role=radio], [role=menuitemcheckbox], ' +
  '[role=menuitemradio], [aria-checked], [aria-pressed]';

/** @typedef {'true'|'false'|'mixed'} Toggled */

/**
 * @param {Element} el
 * @returns {Toggled|null} the state of a box or of a toggle button; null: none can be read
 */
function toggledState(el) {
  const checked = checkedOf(el);
  const said = saidState(el);
  if (checked !== null && said !== null && said !== checked && trustsSaid(el, said)) return said;
  if (checked !== null) return checked;
  if (said !== null) return said;
  const pressed = attr(el, 'aria-pressed');
  if (pressed === 'true' || pressed === 'false' || pressed === 'mixed') return roleOf(el) === 'button' ? pressed : null;
  if (internalsOf(el) !== null && isTrusted(el) && roleOf(el) === 'button') return pressedOf(factsOf(el));
  return matchesState(el) ? 'true' : null;
}

/**
 * What a page says of a control's state, beside the state that a native box has itself.
 * @param {Element} el
 * @returns {Toggled|null}
 */
function saidState(el) {
  const said = attr(el, 'aria-checked');
  return said === 'true' || said === 'false' || said === 'mixed' ? said : null;
}

/**
 * Native boxes, never drawn, whose page keeps the state in ARIA and puts the box back: it has been seen to change the one without the other.
 * @type {WeakSet<Element>}
 */
const saidByPage = new WeakSet();

const STATE_CLASS = /(?:^|[-_])(?:checked|on|active|selected)$/i;

/**
 * Whether the page's word counts more than the native box, which it contradicts: the box is not what a person sees, and the page has been seen to keep
 * its state elsewhere, or a class around the box says the same.
 * @param {Element} el
 * @param {Toggled} said
 */
function trustsSaid(el, said) {
  if (localName(el) !== 'input' || (isVisible(el) && styleOf(el).opacity !== '0')) return false;
  if (saidByPage.has(el)) return true;
  const around = composedParent(el);
  return (
    said === 'true' &&
    [el, around].some((one) => one !== null && (attr(one, 'class') ?? '').split(/\s+/).some((word) => STATE_CLASS.test(word)))
  );
}

/**
 * Where nothing else is known of them, these are not checked: pages set the attribute when they are.
 */
const UNCHECKED_ROLES = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);

/**
 * The state of an element that is what is meant, not one of several in it.
 * @param {Element} el
 * @returns {Toggled|null}
 */
function ownState(el) {
  const state = toggledState(el);
  if (state !== null) return state;
  const role = attr(el, 'role') === null ? '' : roleOf(el).toLowerCase();
  if (!UNCHECKED_ROLES.has(role)) return null;
  const selected = role === 'option' ? attr(el, 'aria-selected') : null;
  return selected === 'true' ? 'true' : 'false';
}

/**
 * Custom elements tell their state to style sheets, if to anybody; that one does at all shows when it is on.
 * @param {Element} el
 */
function matchesState(el) {
  return localName(el).includes('-') && matches(el, CHECKED_STATE);
}

/**
 * What has the state: the element itself, the control of its label, or the only one in it (a row, a cell, a custom element).
 * @param {Element} el
 * @returns {Element|null}
 */
function checkableOf(el) {
  const control = controlOf(el);
  if (control !== null && toggledState(control) !== null) return control;
  if ((matches(el, CHECKABLES) || internalsOf(el) !== null) && toggledState(el) !== null) return el;
  const shadow = shadowOf(el);
  const inner = [...(shadow ? deepQueryAll(shadow, CHECKABLES) : []), ...deepQueryAll(el, CHECKABLES)].filter(
    (one) => toggledState(one) !== null,
  );
  const all = [...new Set(inner)];
  if (all.length === 1) return all[0];
  if (all.length > 1) return null;
  const labelled = labelledControl(el);
  if (labelled !== null && toggledState(labelled) !== null) return labelled;
  return ownState(el) === null ? null : el;
}

const MOST_BOXES = 3;
const FIELDS = 'input, button, select, textarea, a[href]';

/**
 * What a person clicks when the control itself can't be: the smallest thing around it that shows, has no other control in it, and looks as if it
 * were the control. What lies over a control for a moment, or shows around one that is to come, does not.
 * @param {Element} control
 */
function standInOf(control) {
  if (visibleLabels(control).length > 0) return null;
  const box = isVisible(control) ? boxOf(control) : null;
  const at = box && isWithin(centre(box), viewport()) ? hitAt(centre(box).x, centre(box).y) : null;
  if (box && (!at || receivesFor(at, control))) return null;
  // Only a native box is drawn by something else; an element with the role is drawn itself, unless it has no box.
  if (localName(control) !== 'input' && (box || !isRendered(control))) return null;
  let inner = control;
  let around = composedParent(control);
  for (let n = 0; around && n < MOST_BOXES; n++, inner = around, around = composedParent(around)) {
    if (deepQueryAll(around, FIELDS).some((one) => one !== control)) return drawnBeside(inner);
    if (isVisible(around) && (!at || isInside(at, around))) return looksDrawn(around, at ?? around) ? around : null;
  }
  return null;
}

/**
 * Whether what is around a control may be what is drawn for it: it reacts to clicks, or is as small as a box or a switch.
 * @param {Element} around
 * @param {Element} at what the pointer meets there
 */
function looksDrawn(around, at) {
  if (styleOf(at).cursor === 'pointer' || takesClicks(around) || isListening(around) || isListening(at)) return true;
  const { width, height } = rectOf(around);
  return width <= DRAWN.width && height <= DRAWN.height;
}

// No box and no switch is drawn larger.
const DRAWN = { width: 100, height: 60 };

/**
 * What is drawn for the control right before or behind it, or what it is wrapped in, where other controls stand beside both.
 * @param {Element} inner
 */
function drawnBeside(inner) {
  const beside = [nextElementGet.call(inner), previousElementGet.call(inner)];
  return beside.find((el) => el && !matches(el, FIELDS) && isVisible(el) && styleOf(el).cursor === 'pointer') ?? null;
}

ops.check = (arg) => {
  const aim = new Aim(arg);
  return withTarget(arg, (found) => {
    needInternals(labelledControl(found.el) ?? found.el);
    const control = checkableOf(found.el);
    if (!control) return failFinal('target-unsuitable', unsuitable(found, whyUncheckable(found.el, arg.want)));
    const checked = ownState(control);
    before = { control, native: checkedOf(control), said: saidState(control) };
    const what = { ...located(found), ...(saysMore(control) ? { said: true } : {}) };
    if (checked === arg.want) return { ...what, checked, already: true };
    const { role } = named(control);
    if (arg.want === 'false' && (role === 'radio' || role === 'menuitemradio')) return { ...what, checked, kind: role };
    if (isDisabled(control)) return fail('target-disabled', () => located(found));
    const el = standInOf(control) ?? control;
    const aimed = aim.attempt({ el, count: found.count });
    return aimed.error ? aimed : { ...aimed, ...what, token: aimed.token, control: tokenOf(control), checked, kind: role };
  });
};

/**
 * @param {Element} el
 * @param {string|undefined} want  'true' or 'false'
 */
function whyUncheckable(el, want) {
  const inner = deepQueryAll(shadowOf(el) ?? el, CHECKABLES).filter((one) => toggledState(one) !== null);
  if (inner.length > 1) return `There are ${inner.length} of that kind in it.`;
  return (
    `It cannot be ${want === 'true' ? 'checked' : 'unchecked'}: it shows no state that can be read, as checkboxes, radio buttons, switches and toggle buttons do. ` +
    'Click it, and look what it did.'
  );
}

/**
 * What the control that was aimed at last showed then.
 * @type {{control: Element, native: Toggled|null, said: Toggled|null}|null}
 */
let before = null;

/**
 * Whether it is a native box of which the page says the state, too, maybe later than the box has it.
 * @param {Element} el
 */
function saysMore(el) {
  return localName(el) === 'input' && saidState(el) !== null;
}

/**
 * The state after a click, and whether that may not be the last word: the native box has another state, and the page has not said anything new.
 * @param {Element} el
 * @returns {{checked: Toggled|null, early: boolean}}
 */
function stateSince(el) {
  const was = before?.control === el ? before : null;
  if (!saysMore(el) || was === null) return { checked: ownState(el), early: false };
  const native = checkedOf(el);
  const said = saidState(el);
  if (native !== said && said !== was.said) saidByPage.add(el);
  return { checked: ownState(el), early: native !== said && said === was.said };
}

const BUSY_CLASS = /(?:^|[-_])(?:loading|busy|pending)$/i;

/**
 * Whether the page is still about it: the control is disabled meanwhile, or says that it is busy.
 * @param {Element|null} el
 */
function isPending(el) {
  for (let node = el, n = 0; node && n < MOST_BOXES; n++, node = composedParent(node)) {
    if (attr(node, 'aria-busy') === 'true') return true;
    if ((attr(node, 'class') ?? '').split(/\s+/).some((word) => BUSY_CLASS.test(word))) return true;
  }
  return el !== null && isDisabled(el);
}

/**
 * The state of a control once it is as wanted and at rest, at the latest after `wait` ms; while the page disables it, or says that it is busy, after
 * `longest`. A control that was rendered again is looked for.
 */
ops.checkedNow = ({ token, want, target, wait = 0, longest = wait }) => {
  const ends = performance.now() + longest;
  /** @type {{checked: string|null, removed: boolean}} */
  let answer = { checked: null, removed: true };
  const told = elementOf(token);
  if (told !== null) needInternals(told);
  const byInternals = told !== null && internalsOf(told) !== null;
  /** @type {Element|null} */
  let el = null;
  const look = () => {
    el = elementOf(token);
    if (!el || !isConnected(el)) {
      const found = locate(target);
      el = found.error ? null : checkableOf(found.el);
    }
    const now = el ? stateSince(el) : { checked: null, early: false };
    answer = { checked: now.checked, removed: el === null };
    if (answer.checked === want && !now.early) return answer;
    return { ...fail('value-not-kept'), rest: answer.checked === want };
  };
  /** @param {number} patience @returns {any} */
  const settle = (patience) =>
    after(until(patience, look), () => {
      const left = ends - performance.now();
      if (answer.checked === want || !(left > 0) || !isPending(el)) return answer;
      return settle(Math.min(wait, left));
    });
  return after(settle(byInternals ? Math.min(wait, ASK_AGAIN) : wait), () => {
    if (byInternals && answer.checked !== want && wait > 0 && isConnected(told)) needInternals(told); // they change without a trace
    return answer;
  });
};

// How long a control is given before the browser is asked again what its class says of it, in ms.
const ASK_AGAIN = 60;
