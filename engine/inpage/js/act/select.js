// Op select: choosing options of a <select>, by value or by what a person reads.

import { dispatchEventOf, isConnected, matches } from '../dom/access.js';
import { beginSteps, Choosing } from './choosing.js';
import { blame } from './cover.js';
import { focusedElement, isHTMLElement, localName } from '../dom/dom.js';
import { drawnFor, isUnderWidget, noteDrawn, withDrawn } from './drawn.js';
import { after, announce, inputValue, isNativeDisabled, refusesEdits, unsuitable } from './edit.js';
import { watchEffects, withEffects } from './effects.js';
import { bringIntoView, focusOn } from './focus.js';
import { isInside, isVisible } from '../dom/geometry.js';
import { menuOf, whyHidden } from './hidden.js';
import { afterHandlers } from './landed.js';
import { locate, located, withTarget } from '../find/locate.js';
import { mayOpen } from './menus.js';
import { ops } from '../dom/ops.js';
import { chooserIn, chooserOf } from './options.js';
import { inputListGet } from '../ax/role.js';
import { isDisabled } from '../ax/state.js';
import { plain } from '../dom/text.js';
import { optionOwner } from '../dom/visibility.js';
import { noteLoaded } from './unsaved.js';
import { bare, fail, failFinal } from '../dom/until.js';

/**
 * @import { Wanted } from './choosing.js'
 * @import { Probed } from '../dom/until.js'
 * @import { Found, Target } from '../find/locate.js'
 */

/**
 * Options are matched by value first, then by their text with whitespace collapsed. Nothing is changed unless every value has an option
 * that may be chosen, and events are fired only when the choice changed. A page that takes the choice back makes it fail.
 * @param {{target: Target, patience?: number, values: string[], by?: string, menus?: boolean, watch?: boolean}} arg by = what the values are: any, value, label or index
 */
ops.select = (arg) => noteChoice(() => chooseIn(arg));

/** What the last op that chooses answers, or will, for `selected`. @type {Probed|Promise<Probed>|null} */
let choice = null;

/**
 * @template {Probed|Promise<Probed>} R
 * @param {() => R} choose
 */
function noteChoice(choose) {
  choice = null; // it may throw
  const answer = choose();
  choice = answer;
  return answer;
}

/** @param {{target: Target, patience?: number, values: string[], by?: string, menus?: boolean, watch?: boolean}} arg */
function chooseIn(arg) {
  const wanted = arg.values.map((value) => wantedOption(String(value), arg.by ?? 'any'));
  const tried = { watch: arg.watch === true, requested: /** @type {WeakSet<Element>} */ (new WeakSet()), any: false };
  return withTarget(arg, (found) => {
    const el = chooserOf(found.el) ?? (arg.menus && mayOpen(found.el) && !chooserIn(found.el) ? found.el : null);
    if (!el) {
      const list = localName(found.el) === 'input' ? inputListGet.call(found.el) : null;
      if (list) return fromDatalist(found, found.el, wanted, tried);
      const inner = chooserIn(found.el);
      const facts = unsuitable(found, 'It is not a select, and opens no list of options.');
      return failFinal('target-unsuitable', inner ? { ...facts, ...blame('inner', inner) } : facts);
    }
    if (localName(el) === 'select') return chooseNative(found, /** @type {HTMLSelectElement} */ (el), wanted, tried);
    if (localName(el) === 'input' && inputListGet.call(el)) return fromDatalist(found, el, wanted, tried);
    return beginChoosing(found, el, wanted, { ...tried, menus: arg.menus === true }, arg.target);
  });
}

/**
 * `index=2`, `label=Red` and `value=r` say what they are, unless an option is called so.
 * @param {string} text
 * @param {string} by
 */
function wantedOption(text, by) {
  const [, form, rest] = by === 'any' ? (text.match(/^(index|label|value)=(.*)$/s) ?? []) : [];
  return { text, by, ...(form && (form !== 'index' || /^\d+$/.test(rest)) ? { other: { text: rest, by: form } } : {}) };
}

/**
 * @param {Found} found
 * @param {HTMLSelectElement} el
 * @param {Wanted[]} wanted
 * @param {{watch: boolean, requested: WeakSet<Element>, any?: boolean}} tried
 */
function chooseNative(found, el, wanted, tried) {
  const values = wanted.map((one) => one.text);
  if (!el.multiple && wanted.length !== 1) {
    return failFinal('target-unsuitable', { ...unsuitable(found, 'It takes exactly one value.'), multiple: false, values });
  }
  if (!isVisible(el)) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
  if (isNativeDisabled(el)) return fail('target-disabled', () => located(found));
  const options = [...el.options];
  const matched = wanted.map((one) => optionFor(options, one));
  const chosen = matched.filter((option) => option !== undefined);
  const missing = values.filter((_, i) => {
    const option = matched[i];
    return !option || isOptionDisabled(option);
  });
  if (missing.length > 0) {
    if (matched.includes(undefined) && !tried.requested.has(el)) {
      tried.requested.add(el);
      tried.any = true;
      requestOptions(el);
    }
    const reason = matched.includes(undefined) ? {} : { reason: 'disabled' };
    return fail('option-not-found', () => ({ ...located(found), missing, ...reason, available: available(options) }));
  }
  return put(found, el, chosen, tried);
}

/**
 * Chooses an option that a click is meant for, where the browser draws the menu itself, so that no pointer of the page's reaches it. In a multiple
 * select it is added, or taken out, as a click in the menu does. `selected` reads it back.
 * @param {{target: Target, patience?: number, watch?: boolean}} arg
 */
ops.chooseOption = (arg) =>
  noteChoice(() =>
    withTarget(arg, (found) => {
      const el = menuOf(found.el);
      if (!el) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(found.el) }));
      const option = /** @type {HTMLOptionElement} */ (found.el);
      if (isNativeDisabled(el) || isOptionDisabled(option)) return fail('target-disabled', () => located(found));
      const others = el.multiple ? [...el.selectedOptions] : [];
      const chosen = others.includes(option) ? others.filter((other) => other !== option) : [...others, option];
      return put(found, el, chosen, { watch: arg.watch === true, requested: new WeakSet() });
    }),
  );

/**
 * Gives a select exactly these options.
 * @param {Found} found
 * @param {HTMLSelectElement} el
 * @param {HTMLOptionElement[]} chosen
 * @param {{watch: boolean, requested: WeakSet<Element>, any?: boolean}} tried
 */
function put(found, el, chosen, tried) {
  bringIntoView(el);
  if (tried.watch) watchEffects(el);
  // A select under a widget gets no focus: the widget would take it and open its list over the page.
  if (!isUnderWidget(el)) focusOn(el);
  else closeWidget(tried, el);
  /** @type {Object<string, any>} */
  const answer = { ...located(found), selected: chosen.map((option) => option.value) };
  chosenIn = el;
  noteDrawn(el);
  noteLoaded(el);
  if (choose(el, [...el.options], chosen)) {
    answer.changed = true;
    answer.selected = chosenValues(el);
    announce(el); // after which the page may have rendered it again
  }
  return answer;
}

/**
 * Takes the focus from the widget that got it when options were asked for, or had it before, which closes its list.
 * @param {{requested: WeakSet<Element>, any?: boolean}} tried
 * @param {Element} el
 */
function closeWidget(tried, el) {
  const focused = focusedElement();
  if (!isHTMLElement(focused)) return;
  if (tried.any || [el, ...drawnFor(el)].some((one) => isInside(focused, one))) blurHTML.call(focused);
}

const blurHTML = HTMLElement.prototype.blur;

/**
 * Sends the events that precede the opening of a list: some pages fetch the options only then.
 * @param {Element} el
 */
function requestOptions(el) {
  focusOn(el);
  for (const name of ['pointerdown', 'mousedown']) {
    const type = name === 'pointerdown' ? PointerEvent : MouseEvent;
    dispatchEventOf.call(el, new type(name, { bubbles: true, composed: true, cancelable: true, button: 0, buttons: 1 }));
  }
}

/** The select of the last choice. @type {Element|null} */
let chosenIn = null;

/**
 * Reads back what the op chose that this one is sent behind, by value: a page that renders its options again, or the whole field, has other elements
 * for the same choice. Frameworks have done so a task later. It is empty where nothing was chosen, or not yet.
 */
ops.selected = (arg) => {
  const made = choice;
  choice = null;
  return after(made, (one) => {
    if (one === null || one.error || one.custom) return {};
    const el = chosenIn;
    const read = () => withEffects(arg, one.changed ? selected(arg, el, one.selected) : {}, true);
    return new Promise((resolve) => afterHandlers(() => setTimeout(() => resolve(read()))));
  });
};

/**
 * @param {{target: Target}} arg
 * @param {Element|null} el
 * @param {string[]} chosen
 */
function selected(arg, el, chosen) {
  if (!el || !isConnected(el)) {
    const again = locate(arg.target);
    el = again.error ? null : chooserOf(optionOwner(again.el) ?? again.el);
    if (!el || localName(el) !== 'select') return { selected: chosen };
  }
  const now = chosenValues(el);
  if (chosen.some((/** @type {string} */ value) => !now.includes(value)))
    return bare(failFinal('value-not-kept', { ...located({ el, count: 1 }), seen: now }));
  return withDrawn(/** @type {HTMLSelectElement} */ (el), { selected: now });
}

/**
 * The options of a datalist are proposals for what to type.
 * @param {Found} found
 * @param {Element} el
 * @param {Wanted[]} wanted
 * @param {{watch: boolean, requested: WeakSet<Element>, any?: boolean}} tried
 */
function fromDatalist(found, el, wanted, tried) {
  if (wanted.length !== 1) return failFinal('target-unsuitable', { ...unsuitable(found, 'It takes exactly one value.'), multiple: false });
  if (!isVisible(el)) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
  if (isNativeDisabled(el)) return fail('target-disabled', () => located(found));
  if (refusesEdits(el)) return fail('target-readonly', () => located(found));
  const options = [...inputListGet.call(el).options];
  const option = optionFor(options, wanted[0]);
  if (!option) return fail('option-not-found', () => ({ ...located(found), missing: [wanted[0].text], available: available(options) }));
  if (tried.watch) watchEffects(el);
  bringIntoView(el);
  focusOn(el);
  noteLoaded(el);
  if (inputValue.get.call(el) !== option.value) {
    inputValue.set.call(el, option.value);
    announce(el);
  }
  const now = inputValue.get.call(el);
  return now === option.value ? { ...located(found), selected: [now] } : failFinal('value-not-kept', { ...located(found), seen: [now] });
}

/**
 * @param {Found} found
 * @param {Element} el
 * @param {Wanted[]} wanted
 * @param {{watch: boolean, requested: WeakSet<Element>, any?: boolean, menus: boolean}} tried
 * @param {Target} target
 */
function beginChoosing(found, el, wanted, tried, target) {
  if (!isVisible(el)) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
  if (isDisabled(el)) return fail('target-disabled', () => located(found));
  if (wanted.length === 0) return failFinal('target-unsuitable', { ...unsuitable(found, 'It takes at least one value.') });
  const state = new Choosing(el, wanted, target, tried.menus);
  if (state.kind === 'list' && !state.many(el) && wanted.length !== 1) {
    return failFinal('target-unsuitable', { ...unsuitable(found, 'It takes exactly one value.'), multiple: false });
  }
  if (tried.watch) watchEffects(el);
  beginSteps(state);
  const first = state.next();
  return { ...located(found), custom: true, ...(first.error ? {} : first) };
}

/**
 * @param {HTMLOptionElement[]} options
 * @param {Wanted} arg
 * @returns {HTMLOptionElement|undefined}
 */
function optionFor(options, { text, by, other }) {
  const usable = (/** @type {(option: HTMLOptionElement) => boolean} */ matches) =>
    options.filter(matches).sort((a, b) => Number(isOptionDisabled(a)) - Number(isOptionDisabled(b)))[0];
  /** @type {Object<string, () => HTMLOptionElement|undefined>} */
  const ways = {
    index: () => (/^\d+$/.test(text) ? options[Number(text)] : undefined),
    value: () => usable((option) => option.value === text),
    label: () => usable((option) => optionText(option) === plain(text) || plain(option.text) === plain(text)),
    any: () => ways.value() ?? ways.label(),
  };
  return ways[by]() ?? (other ? optionFor(options, other) : undefined);
}

/** @param {HTMLOptionElement} option */
function optionText(option) {
  return plain(option.label);
}

/** @param {HTMLOptionElement} option */
function isOptionDisabled(option) {
  return matches(option, ':disabled') || matches(option, 'optgroup:disabled > option');
}

/**
 * @param {HTMLOptionElement[]} options
 * @returns {{value: string, label: string, disabled?: true}[]} the first fifty, which is what a message can hold
 */
function available(options) {
  return options.slice(0, 50).map((option) => {
    const one = { value: option.value, label: optionText(option) };
    return isOptionDisabled(option) ? { ...one, disabled: true } : one;
  });
}

/**
 * @param {HTMLSelectElement} el
 * @param {HTMLOptionElement[]} options
 * @param {HTMLOptionElement[]} chosen
 * @returns {boolean} whether the choice changed
 */
function choose(el, options, chosen) {
  const before = options.map((option) => option.selected);
  if (el.multiple) for (const option of options) option.selected = chosen.includes(option);
  else el.selectedIndex = options.indexOf(chosen[0]);
  return options.some((option, i) => option.selected !== before[i]);
}

/** @param {Element} el */
export function chosenValues(el) {
  return [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.value);
}
