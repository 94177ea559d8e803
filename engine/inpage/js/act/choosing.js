// Op choose: choosing options where the page builds its list of them itself. The script says which step is next and checks its result;
// presses and typing are a person's, and come from outside.

import { isConnected } from '../dom/access.js';
import { textContentGet } from '../dom/builtins.js';
import { attr, bodyOf, composedParent, deepQueryAll, focusedElement, isHTMLElement, localName, queryAll } from '../dom/dom.js';
import { after, announce, editKind, inputValue, textOf } from './edit.js';
import { focusOn, takesText } from './focus.js';
import { isInside, isVisible, rectOf } from '../dom/geometry.js';
import { locate, located, named } from '../find/locate.js';
import { isCommand, isOffered, kindOfItem, mayOpen, seenBeside } from './menus.js';
import { ops } from '../dom/ops.js';
import {
  choiceList,
  choicePopup,
  chooserKind,
  chooserOf,
  isChosenOption,
  isOptionOff,
  labelsOfOption,
  LIST_ROLES,
  LISTS,
  matchOptions,
  optionFacts,
  scrollerOf,
  shownChoice,
  shownOptions,
  showsLabel,
  valuesOfOption,
} from './options.js';
import { roleOf } from '../ax/role.js';
import { queryEverywhere } from '../dom/shadow.js';
import { plain } from '../dom/text.js';
import { fail, failFinal, frameCount, nextFrame, until } from '../dom/until.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Target } from '../find/locate.js'
 * @import { ChosenSaid, FactsByCode, Looked } from '../ops.js'
 */

/**
 * @typedef {{option: Element, label: string, labels: string[], values: (string|null)[], until: number, texts: Set<string>, own: string, as: string,
 *   reopened?: boolean, half?: boolean}} Pressed  half = the option got the press, and the click went elsewhere
 * @typedef {import('../dom/until.js').Failure} Refused
 * @typedef {{text: string, by: string, other?: {text: string, by: string}}} Wanted  by = any, value, label or index
 * @typedef {{step: 'press', token: number, role: string, name: string, why: 'open'|'option'|'close', more?: boolean} | {step: 'type', text: string} |
 *   {step: 'key', key: string} | {selected: string[], as?: string}} Step  more = hold Control, so that what is chosen stays chosen
 */

/** @type {Choosing | null} */
let choosing = null;

const OPENS_WITHIN = 700; // a list may take this long to show its options
const KEPT_WITHIN = 1000; // and the page this long to show what was chosen
const MOST_AROUND = 4;
const FOR_CLICK =
  'The option is an item of a menu, and a click on it may do more than choose: while rules are in force, that is for the command click.';
const MOST_PRESSES = 40;
const MOST_SWEEPS = 10; // as often a long list may take the whole time of a step
const blurHTML = HTMLElement.prototype.blur;

export class Choosing {
  /**
   * @param {Element} owner
   * @param {Wanted[]} wanted
   * @param {Target} target by which the owner is found again
   * @param {boolean} menus whether items are clicked that may do more than to be chosen
   */
  constructor(owner, wanted, target, menus) {
    this.menus = menus;
    this.owner = owner;
    this.target = target;
    this.kind = chooserKind(owner) ?? 'popup';
    this.unsaid = chooserKind(owner) === null; // that it opens a list
    this.wanted = wanted;
    /** @type {string[]} */
    this.done = []; // the labels that were chosen
    /** @type {Element[]} */
    this.values = [];
    this.at = 0;
    this.presses = 0;
    this.opening = 0; // what was tried to open the list
    this.triedUntil = 0;
    this.typed = false;
    this.typedAt = 0;
    this.more = false;
    /** @type {Element|null} */
    this.sweeping = null; // what is scrolled to see all options
    this.swept = false; // all of it was
    /** @type {{text: string, frames: number, at?: number}} */
    this.rows = { text: '', frames: 0 };
    this.sweeps = 0;
    /** @type {Pressed|null} */
    this.pressed = null;
    /** @type {Map<string, Object>} */
    this.seen = new Map();
    /** @type {Set<Element>} */
    this.before = new Set([...queryEverywhere(LISTS + ', [role=option], [role=menuitem]').filter(isVisible), ...seenBeside(owner)]);
    this.as = ''; // the role of a chosen item of which no state tells that it is
    this.stateful = false;
    this.listedAt = 0; // when the list was first seen
    this.halved = false; // an option that got half a click is pressed again, once
    /** @type {Element|null} */
    this.popup = null; // in which the list was seen last
    this.opened = false; // it was tried to open the list
    /** @type {Refused|null} */
    this.refused = null; // the choice, and the list is to be closed
    this.closings = 0; // what was tried for that
    this.dropping = new Set(); // what was pressed to be chosen no more
  }

  /** Finds the owner again after the page has rendered it again. */
  isThere() {
    if (isConnected(this.owner)) return true;
    const found = locate(this.target);
    const owner = found.error ? null : (chooserOf(found.el) ?? (this.unsaid && mayOpen(found.el) ? found.el : null));
    if (owner === null || (chooserKind(owner) ?? 'popup') !== this.kind) return false;
    this.owner = owner;
    return true;
  }

  /** What is chosen once its list is gone for good: an option that was pressed, of which nothing more can be seen. */
  gone() {
    if (!this.pressed || this.at + 1 < this.wanted.length) return fail('ref-stale', { candidates: [] });
    return { selected: [...this.done, this.pressed.label], gone: true };
  }

  list() {
    if (this.kind === 'list') return this.owner;
    const list = choiceList(this.owner, this.before);
    return list && attr(this.owner, 'aria-expanded') === 'false' && this.before.has(list) ? null : list;
  }

  /** The field in which text looks for an option, or null. */
  editor() {
    const focused = focusedElement();
    for (const el of [this.owner, ...deepQueryAll(this.owner, 'input'), ...(focused ? [focused] : [])]) {
      if (editKind(el) !== 'text' || !takesText(el)) continue;
      if (el === focused && el !== this.owner && !isInside(el, this.owner) && !this.isInPopup(el)) continue;
      return el;
    }
    return null;
  }

  /** @param {Element} el */
  isInPopup(el) {
    const list = this.list();
    const popup = list && choicePopup(list, this.owner);
    return popup !== null && (isInside(el, popup) || (composedParent(popup) !== bodyOf() && isInside(el, composedParent(popup) ?? popup)));
  }

  /** @param {Element} list */
  many(list) {
    return attr(list, 'aria-multiselectable') === 'true' || queryAll(list, '[role=menuitemcheckbox]').length > 0;
  }

  /** @returns {Looked<ChosenSaid>} the next step, or a failure that waiting may cure */
  next() {
    const list = this.list();
    const popup = list && choicePopup(list, this.owner);
    if (popup) this.popup = popup;
    const options = list ? shownOptions(list, this.owner) : [];
    for (const option of options) this.note(option);
    if (this.pressed) return this.confirm(this.pressed, list, options);
    if (this.at >= this.wanted.length) return this.finish(list, options);
    const wanted = this.wanted[this.at];
    if (!popup && this.typed) return this.missing();
    if (!popup) {
      const already =
        this.kind === 'popup' &&
        !this.unsaid &&
        this.opening === 0 &&
        this.wanted.length === 1 &&
        this.editor() === null &&
        this.isShown(wanted);
      return already ? { selected: [plain(wanted.text)] } : this.open();
    }
    const found = matchOptions(options, wanted);
    const option = found.find((one) => !isOptionOff(one));
    if (option) return this.take(option, wanted, list);
    if (found.length > 0) return this.missing('disabled');
    return this.seek(options, popup, wanted);
  }

  /** @param {Element} option */
  note(option) {
    const facts = optionFacts(option);
    if (isChosenOption(option) !== null) this.stateful = true;
    if (this.seen.size < 500 || this.seen.has(facts.label)) this.seen.set(facts.label, facts);
  }

  /** @param {Wanted} wanted */
  isShown(wanted) {
    return wanted.by !== 'index' && showsLabel(this.owner, plain(wanted.text));
  }

  /** What a person presses to open the list: where the field itself lies out of every sight, what it is in. */
  handle() {
    let el = this.owner;
    for (let n = 0; n < MOST_AROUND; n++) {
      const { right, bottom } = rectOf(el);
      const around = composedParent(el);
      if ((right + scrollX > 0 && bottom + scrollY > 0) || around === null || around === bodyOf()) return el;
      el = around;
    }
    return this.owner;
  }

  /** Ways to open the list: a press, the arrow key that opens comboboxes; a field that lists nothing until something is typed comes after. */
  open() {
    this.opened = true;
    if (this.opening === 0 || performance.now() > this.triedUntil) {
      this.opening++;
      this.triedUntil = performance.now() + OPENS_WITHIN;
      if (this.opening === 1) return this.press(this.handle(), 'open');
      const editor = this.editor();
      if (this.opening === 2 && editor && !this.typed) return this.type(editor);
      if (this.opening <= 3) {
        focusOn(editor ?? this.owner);
        return { step: 'key', key: 'ArrowDown' };
      }
    }
    if (this.opening > 3) return this.failing('target-unsuitable', { reason: 'It was clicked, and no list of options came.' });
    return nextFrame('target-unsuitable', { reason: 'It was clicked, and no list of options came.' });
  }

  /** @param {Element} editor */
  type(editor) {
    this.typed = true;
    this.editorUsed = editor;
    this.textBefore = textOf(editor);
    this.typedAt = performance.now();
    focusOn(editor);
    /** @type {HTMLInputElement} */ (editor).select();
    return { step: 'type', text: this.wanted[this.at].text };
  }

  /** @param {Element} el @param {string} why */
  press(el, why, more = false) {
    if (++this.presses > MOST_PRESSES) return this.failing('value-not-kept', { seen: this.shown() });
    return { step: 'press', why, press: named(el), ...(more ? { more } : {}) };
  }

  /** @param {Element} option @param {Wanted} wanted @param {Element} list */
  take(option, wanted, list) {
    if (!this.menus && isCommand(option)) return this.failing('target-unsuitable', { reason: FOR_CLICK });
    const label = labelsOfOption(option)[0] ?? wanted.text;
    if (isChosenOption(option) === true && (this.kind === 'list' || this.many(list) || this.isShown({ text: label, by: 'label' }))) {
      this.chosen(label, option);
      return this.next();
    }
    const before = shownChoice(this.owner, list);
    this.pressed = {
      option,
      label,
      labels: [...labelsOfOption(option), ...(wanted.by === 'index' ? [] : [plain(wanted.text)])],
      values: valuesOfOption(option),
      until: performance.now() + KEPT_WITHIN,
      texts: before.texts,
      own: before.own,
      as: isCommand(option) ? kindOfItem(option) : '',
    };
    return this.press(option, 'option', this.more);
  }

  /** @param {string} label @param {Element} option */
  chosen(label, option) {
    this.done.push(label);
    this.values.push(option);
    this.at++;
    this.typed = false;
    this.sweeping = null;
    this.swept = false;
    this.opening = 0;
  }

  /**
   * Looks further: down the list, which may draw only what is in view, then by typing.
   * @param {Element[]} options
   * @param {Element} popup
   * @param {Wanted} wanted
   */
  seek(options, popup, wanted) {
    this.listedAt ||= performance.now();
    const waited = performance.now() - this.listedAt;
    const editor = this.editor();
    if (wanted.by !== 'index' && editor && !this.typed && (options.length > 0 || waited > OPENS_WITHIN)) return this.type(editor);
    const scroller = scrollerOf(options, popup);
    if (scroller && !this.swept && (!this.typed || performance.now() - this.typedAt > OPENS_WITHIN)) return this.sweep(scroller, options);
    return this.missing();
  }

  /**
   * Scrolls the list by less than what is in view. What draws only that draws the next options in a frame or two.
   * @param {Element} scroller
   * @param {Element[]} options
   */
  sweep(scroller, options) {
    const rows = options.map((option) => textContentGet.call(option)).join('\n');
    const at = scroller.scrollTop;
    if (this.sweeping !== scroller) {
      this.sweeping = scroller;
      const last = options.at(-1);
      const isWhole =
        last !== undefined && rectOf(last).bottom - rectOf(scroller).top + at >= scroller.scrollHeight - 2 * rectOf(last).height;
      scroller.scrollTop = isWhole ? scroller.scrollHeight : 0; // one that has all its options may fetch more at its end
      this.swept = isWhole;
      this.rows = { text: rows, frames: 0 };
    } else if (rows === this.rows.text && this.rows.frames < 4 && frameCount !== this.rows.at) {
      this.rows.frames++;
      this.rows.at = frameCount;
    } else if (rows !== this.rows.text || this.rows.frames >= 4) {
      scroller.scrollTop = at + Math.max(20, 0.8 * scroller.clientHeight);
      this.swept = scroller.scrollTop === at && this.rows.frames >= 4;
      this.rows = { text: rows, frames: 0 };
    }
    return nextFrame('option-not-found', () => this.missingFacts());
  }

  /** @param {string} [reason] */
  missing(reason) {
    return fail('option-not-found', () => this.missingFacts(reason));
  }

  /** @param {string} [reason] */
  missingFacts(reason) {
    const missing = [this.wanted[this.at].text];
    return { missing, ...(reason ? { reason } : {}), available: [...this.seen.values()].slice(0, 50) };
  }

  /**
   * @template {keyof FactsByCode} C
   * @param {C} code
   * @param {FactsByCode[C]} facts
   */
  failing(code, facts) {
    return failFinal(code, facts);
  }

  /**
   * What was chosen must be seen: in the state of the option, in the field, or in the text beside it.
   * @param {Pressed} pressed
   * @param {Element | null} list
   * @param {Element[]} options
   * @returns {Looked<ChosenSaid>}
   */
  confirm(pressed, list, options) {
    const { label, labels, values, until: deadline, texts, own } = pressed;
    const again = matchOptions(options, { text: label, by: 'label' })[0];
    const state = again ? isChosenOption(again) : null;
    const shown = shownChoice(this.owner, list);
    const isOpen = list !== null && choicePopup(list, this.owner) !== null;
    // Of one option alone in an open list, some pages say selected when the pointer is on it.
    const told =
      this.kind === 'list' ||
      (list !== null && this.many(list)) ||
      (again && attr(again, 'aria-checked') !== null) ||
      pressed.reopened ||
      performance.now() > deadline - KEPT_WITHIN / 2;
    const kept =
      (state === true && told) ||
      (this.kind === 'popup' &&
        (labels.some((one) => (shown.own === one && (!isOpen || own !== one)) || (!texts.has(one) && shown.texts.has(one))) ||
          shown.fields.some((value) => values.includes(value) || labels.includes(value))));
    if (kept) {
      this.chosen(label, again ?? pressed.option);
      this.pressed = null;
      return this.next();
    }
    if (pressed.as !== '' && (!isOpen || performance.now() >= deadline)) {
      this.as = pressed.as;
      this.chosen(label, pressed.option);
      this.pressed = null;
      return this.next();
    }
    if (performance.now() < deadline) return nextFrame('value-not-kept', () => ({ seen: this.shown() }));
    if (pressed.half && !this.halved) {
      this.halved = true; // it moved between press and release, as a person sees, who clicks again
      this.pressed = null;
      return this.next();
    }
    if (this.kind === 'popup' && !isOpen && this.stateful && !pressed.reopened) {
      pressed.reopened = true; // the field says nothing; the list does
      pressed.until = performance.now() + KEPT_WITHIN;
      return this.press(this.owner, 'open');
    }
    return this.failing('value-not-kept', { seen: this.shown(), wanted: label });
  }

  /** What the page shows as chosen, for messages. */
  shown() {
    const list = this.list();
    const chosen = list
      ? shownOptions(list, this.owner)
          .filter((option) => isChosenOption(option) === true)
          .map((option) => labelsOfOption(option)[0])
      : [];
    return chosen.length > 0 || this.kind === 'list' ? chosen : [shownChoice(this.owner, list).own];
  }

  /**
   * When all is chosen: what else is chosen in a list of several, and whether the list is still open.
   * @param {Element | null} list
   * @param {Element[]} options
   */
  finish(list, options) {
    if (list && this.many(list)) {
      const isWanted = (/** @type {Element} */ option) => this.done.some((label) => labelsOfOption(option).includes(label));
      const lost = options.find((option) => isWanted(option) && isChosenOption(option) === false);
      if (lost && !this.more) {
        // A plain click leaves only what it clicks.
        this.more = true;
        return this.again(lost);
      }
      if (lost) return this.failing('value-not-kept', { seen: this.shown() });
      const extra = options.find((option) => !isWanted(option) && isChosenOption(option) === true && !isOptionOff(option));
      if (extra && !this.dropping.has(extra)) {
        this.dropping.add(extra);
        return this.press(extra, 'option', this.more);
      }
      if (extra) return nextFrame('value-not-kept', () => ({ seen: this.shown() }));
    }
    if (this.kind === 'popup' && list && choicePopup(list, this.owner) && !this.closing) {
      this.closing = performance.now() + KEPT_WITHIN / 4;
      return nextFrame('value-not-kept');
    }
    if (this.closing && list && choicePopup(list, this.owner)) {
      if (performance.now() < this.closing) return nextFrame('value-not-kept');
      if (!this.escaped) {
        this.escaped = true;
        this.closing = performance.now() + KEPT_WITHIN / 4;
        return { step: 'key', key: 'Escape' };
      }
    }
    return { selected: this.done, ...(this.as === '' ? {} : { as: this.as }) };
  }

  /** Whether what was opened can still be seen, also when what was typed has left nothing in it. */
  isOpen() {
    const { popup } = this;
    return this.opened && popup !== null && isConnected(popup) && isOffered(popup);
  }

  /** The next way to close what was opened, or null: a key where the list is one that says so and has the focus, then a press as that which opened it. */
  close() {
    if (!this.isOpen()) return null;
    const list = this.list();
    const focused = focusedElement();
    const hasFocus = focused !== null && [this.owner, this.popup].some((el) => el && isInside(focused, el));
    if (this.closings === 0 && (!hasFocus || list === null || !LIST_ROLES.has(roleOf(list)))) this.closings++;
    this.closings++;
    if (this.closings === 1) return { step: 'key', key: 'Escape' };
    return this.closings === 2 ? { step: 'press', why: 'close', press: named(this.handle()) } : null;
  }

  /** Takes back what was typed to look for an option, and lets the list close. */
  giveUp() {
    choosing = null;
    const editor = this.editorUsed;
    if (editor && isConnected(editor) && localName(editor) === 'input' && textOf(editor) !== this.textBefore) {
      inputValue.set.call(editor, this.textBefore);
      announce(editor);
    }
    const focused = focusedElement();
    if (this.opening > 0 && isHTMLElement(focused)) blurHTML.call(focused);
  }

  /** @param {Element} option */
  again(option) {
    const label = labelsOfOption(option)[0];
    this.done = this.done.filter((one) => one !== label);
    this.at--;
    this.wanted = [...this.wanted.slice(0, this.at), { text: label, by: 'label' }];
    return this.next();
  }
}

/**
 * The state that the following calls of op choose go on with.
 * @param {Choosing} state
 */
export function beginSteps(state) {
  choosing = state;
}

ops.choose = ({ patience = 0, unpressed = false, half = false }) => {
  const state = choosing;
  if (state?.refused) return closed(state, state.refused);
  if (state && unpressed) state.pressed = null;
  if (state?.pressed && half) state.pressed.half = true;
  if (!state) return fail('ref-stale', { candidates: [] });
  return after(
    until(patience, () => (state.isThere() ? state.next() : { ...fail('ref-stale', { candidates: [] }), rest: true })),
    (answer) => {
      const found = { el: state.owner, count: 1 };
      if (answer.error?.code === 'ref-stale') return state.gone();
      if (!answer.error) return { ...located(found), ...answer };
      if (answer.error.code === 'option-not-found' && state.sweeping && !state.swept && ++state.sweeps < MOST_SWEEPS)
        return { ...located(found), step: 'again' };
      answer.error.facts = { ...located(found), ...answer.error.facts };
      const step = REFUSALS.has(answer.error.code) ? state.close() : null;
      if (step === null) {
        state.giveUp();
        return answer;
      }
      state.refused = answer;
      return { ...located(found), ...step };
    },
  );
};

const REFUSALS = new Set(['option-not-found', 'target-unsuitable']);

/**
 * Says why nothing was chosen, once the list is closed as it was.
 * @param {Choosing} state
 * @param {Refused} refused
 */
function closed(state, refused) {
  /** @returns {import('../dom/until.js').Probed} */
  const look = () => (state.isOpen() ? nextFrame('option-not-found') : { closed: true });
  return after(until(KEPT_WITHIN / 2, look), (answer) => {
    const step = answer.error ? state.close() : null;
    if (step !== null) return { ...located({ el: state.owner, count: 1 }), ...step };
    state.giveUp();
    return refused;
  });
}
