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

/**
 * @param {Element} el
 * @returns {'true'|'false'|'mixed'|null} the state of a box or of a toggle button; null: none can be read
 */
function toggledState(el) {
  const checked = checkedOf(el);
  if (checked !== null) return checked;
  const said = attr(el, 'aria-checked');
  if (said === 'true' || said === 'false' || said === 'mixed') return said;
  const pressed = attr(el, 'aria-pressed');
  if (pressed === 'true' || pressed === 'false' || pressed === 'mixed') return roleOf(el) === 'button' ? pressed : null;
  if (internalsOf(el) !== null && isTrusted(el) && roleOf(el) === 'button') return pressedOf(factsOf(el));
  return matchesState(el) ? 'true' : null;
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
  return toggledState(el) === null ? null : el;
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
    const checked = toggledState(control);
    const what = located(found);
    if (checked === arg.want) return { ...what, checked, already: true };
    const { role } = named(control);
    if (arg.want === 'false' && (role === 'radio' || role === 'menuitemradio')) return { ...what, checked, kind: role };
    if (isDisabled(control)) return fail('target-disabled', () => what);
    const el = standInOf(control) ?? control;
    const aimed = aim.attempt({ el, count: found.count });
    return aimed.error ? aimed : { ...aimed, ...what, token: aimed.token, control: tokenOf(control), checked, kind: role };
  });
};

/**
 * @param {Element} el
 * @param {'true'|'false'} want
 */
function whyUncheckable(el, want) {
  const inner = deepQueryAll(shadowOf(el) ?? el, CHECKABLES).filter((one) => toggledState(one) !== null);
  if (inner.length > 1) return `There are ${inner.length} of that kind in it.`;
  return (
    `It cannot be ${want === 'true' ? 'checked' : 'unchecked'}: it shows no state that can be read, as checkboxes, radio buttons, switches and toggle buttons do. ` +
    'Click it, and look what it did.'
  );
}

/** The state of a control once it is as wanted, at the latest after `wait` ms. A control that was rendered again is looked for. */
ops.checkedNow = ({ token, want, target, wait = 0 }) => {
  /** @type {{checked: string|null, removed: boolean}} */
  let answer = { checked: null, removed: true };
  const told = elementOf(token);
  if (told !== null) needInternals(told);
  const byInternals = told !== null && internalsOf(told) !== null;
  const result = until(byInternals ? Math.min(wait, ASK_AGAIN) : wait, () => {
    let el = elementOf(token);
    if (!el || !isConnected(el)) {
      const found = locate(target);
      el = found.error ? null : checkableOf(found.el);
    }
    answer = { checked: el ? toggledState(el) : null, removed: el === null };
    return answer.checked === want ? answer : fail('value-not-kept');
  });
  return after(result, () => {
    if (byInternals && answer.checked !== want && wait > 0 && isConnected(told)) needInternals(told); // they change without a trace
    return answer;
  });
};

// How long a control is given before the browser is asked again what its class says of it, in ms.
const ASK_AGAIN = 60;
