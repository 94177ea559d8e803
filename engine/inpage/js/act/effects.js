// What an action led to in its document. Watching begins right before the action. Where nothing was seen when the reply is due, it goes on until
// something shows, or the next action begins, so that a later reply can tell it.

import { controlOf, isConnected, scrollingElement, titleGet } from '../dom/access.js';
import {
  clientHeightGet,
  clientWidthGet,
  closestOf,
  getRootNodeOf,
  getterOf,
  scrollHeightGet,
  scrollLeftGet,
  scrollTopGet,
  scrollWidthGet,
} from '../dom/builtins.js';
import { AT_WORK_WORDS, DOTS } from './atwork.js';
import { beginBefore, lookBefore, showedBefore } from './before.js';
import { Changes } from './changes.js';
import { attr, composedParent, focusedElement, focusedPart, isShadowRoot, localName } from '../dom/dom.js';
import { after, hasText, holdsSecret, textOf } from './edit.js';
import { remembering } from '../dom/facts.js';
import { fieldChanges, fieldValues } from './fields.js';
import { takesKeys } from './focus.js';
import { isInside } from '../dom/geometry.js';
import { expectInput } from './handled.js';
import { afterHandlers } from './landed.js';
import { named } from '../find/locate.js';
import { isInsideOther, notables } from './notable.js';
import { ops } from '../dom/ops.js';
import { locksGivenUp } from './pointerlock.js';
import { PRINT_ASKED, asksToPrint } from './printing.js';
import { disclosureOf } from './read.js';
import { coming } from './rest.js';
import { Sending } from './sending.js';
import { shiftedOf, takeNoted } from './shifted.js';
import { internalsOf } from '../dom/said.js';
import { chosenValues } from './select.js';
import { knownRoots } from '../dom/shadow.js';
import { checkedOf, isDisabled } from '../ax/state.js';
import { movesSeen } from './typed.js';
import { typing } from './typing.js';
import { Folded } from './unfolding.js';

/** @import { FieldChange } from './fields.js' */
/** @import { Message } from './messages.js' */
/** @import { Notable } from './notable.js' */
/** @import { Probed } from '../dom/until.js' */

/**
 * @typedef {{from: any, to: any}} Changed
 * @typedef {{
 *   state: Object<string, Changed>, fields: FieldChange[], title?: Changed, titled?: string, secret: string[], focus?: {token: number, tag: string, role: string, name: string, self: boolean, editable: boolean},
 *   unfocused?: boolean,
 *   added: number, removed: number, changed: number, near: boolean, many: boolean, appeared: string[], texts: string[], gone: string[], closed: string[], messages: Message[],
 *   pressed: boolean, sent: boolean,
 *   scrolled?: {from: number[], to: number[], hiding?: string}, removedTarget: boolean, any: boolean, action: number}} Seen  pressed = something
 *   was clicked, or Enter was pressed; sent = a form was sent; action = by which lateEffects knows it
 */

/** The one action that is watched; the next one takes its place. */
/** @type {Action|null} */
export let watchedAction = null;

let actions = 0;
/** What the action before it led to, for a lateEffects that comes too late. */
/** @type {Seen|null} */
let lastSeen = null;

const LONGEST_TITLE = 1000;
const WATCHED_FOR = 30_000;
// An op that waits for the answer comes right after the reply of the one that saw something.
const ANSWERED_WITHIN = 5000;
// A page that rebuilds itself is not counted to the end.
const KEPT_RECORDS = 2000;

const LOCK_GIVEN_UP = 'pointer lock, given up at once: the headless shell cannot hold one';

// What groups things that belong together, so that a change within is one beside the target.
const SURROUNDINGS =
  'form, fieldset, dialog, [role=dialog], [role=alertdialog], [role=group], [role=radiogroup], [role=listbox], [role=menu], ' +
  'li, tr, article, section, table, nav, header, footer, aside, main, body';

/**
 * Begins to watch for what acting on the element leads to; without one, on what has the focus. With `soon` nothing acts before this op has
 * answered: what takes time is looked at in the task behind it, or when the first input comes.
 */
export function watchEffects(/** @type {Element|null} */ el = null, soon = false) {
  watchedAction?.end();
  typing?.rest();
  expectInput();
  beginBefore();
  const action = new Action(el);
  watchedAction = action;
  if (soon) afterHandlers(() => action.prepare());
  else action.prepare();
}

class Action {
  /** @param {Element|null} el */
  constructor(el) {
    const subject = el ? (controlOf(el) ?? el) : focusedElement();
    this.id = ++actions;
    this.told = false; // a reply has it that there was something
    this.el = subject;
    /** @type {Object<string, any>} */
    this.state = subject ? stateOfControl(subject) : {};
    this.selection = subject ? selectionIn(subject) : null;
    this.folded = subject ? new Folded(subject) : null;
    this.focus = focusedPart();
    this.wrote = el === null && subject !== null && takesKeys(subject); // keys were for it, and the next ones will be
    /** @type {Map<Element, Notable>|null} */
    this.notable = null;
    /** @type {Map<Element, string>|null} */
    this.fields = null;
    this.title = titleGet.call(document);
    this.scrollers = scrollersOf(subject);
    this.places = takeNoted();
    this.near = subject ? closestOf.call(composedParent(subject) ?? subject, SURROUNDINGS) : null;
    /** @type {MutationRecord[]} */
    this.records = [];
    /** @type {(() => void)|null} */
    this.noticed = null;
    /** @type {((seen: Seen|null) => void)|null} who waits for what shows later */
    this.later = null;
    this.observer = new MutationObserver((records) => this.keep(records));
    const trees = treesOf(subject);
    for (const root of trees) this.observer.observe(root, WATCH_ALL);
    this.sending = new Sending(trees);
    this.locks = locksGivenUp;
    this.printed = false;
    this.toggled = false; // a popover that opens is not a mutation
    this.scrolling = false;
    this.wake = (/** @type {Event} */ event) => {
      if (event.type === 'toggle') this.toggled = true;
      if (asksToPrint(event)) this.printed = true;
      if (event.type === 'scrollend') this.scrolling = false;
      this.noticed?.();
    };
    followScrolling();
    for (const name of ACTION_EVENTS) addEventListener(name, this.wake, { capture: true, passive: true });
    this.timer = setTimeout(() => this.end(), WATCHED_FOR);
  }

  prepare() {
    this.notable ??= notables();
    this.fields ??= fieldValues();
    lookBefore();
  }

  /** @param {MutationRecord[]} records */
  keep(records) {
    if (this.records.length < KEPT_RECORDS) for (const record of records) this.records.push(record);
    this.noticed?.();
  }

  /**
   * Ends with a reply that says what was seen. What was pressed may be answered yet, and what was opened may get its content. With `lasts` the reply
   * may come to nothing, as where a dialog opened.
   * @param {boolean} [lasts]
   */
  tell(lasts) {
    this.told = true;
    clearTimeout(this.timer);
    if (lasts || this.sending.pressed || this.folded?.isOpened()) this.timer = setTimeout(() => this.end(), ANSWERED_WITHIN);
    else this.end();
  }

  end() {
    if (!this.told) {
      lastSeen = this.seen();
      this.later?.(lastSeen.any ? lastSeen : null);
    }
    this.later = null;
    this.observer.disconnect();
    this.sending.end();
    for (const name of ACTION_EVENTS) removeEventListener(name, this.wake, { capture: true });
    clearTimeout(this.timer);
    if (watchedAction === this) watchedAction = null;
  }

  /** @returns {Seen} */
  seen() {
    this.keep(this.observer.takeRecords());
    const changes = new Changes(this.records, this.near, this.el);
    const { state, secret } = this.stateChanges();
    const focus = this.focusNow();
    const moved = this.moved();
    const title = titleGet.call(document);
    /** @type {Seen} */
    const seen = {
      state,
      secret,
      fields: this.fields === null ? [] : fieldChanges(this.fields, this.el),
      ...changes.counts(),
      many: this.records.length >= KEPT_RECORDS,
      appeared: [],
      texts: [],
      gone: [],
      closed: [],
      messages: [...this.sending.refusals(), ...changes.messages(showedBefore)],
      pressed: this.sending.pressed,
      sent: this.sending.sent,
      removedTarget: this.el !== null && !isConnected(this.el),
      any: false,
      action: this.id,
    };
    if (focus) seen.focus = focus;
    if (this.wrote && focusedElement() === null) seen.unfocused = true;
    const shifted = shiftedOf(this.places);
    if (shifted ?? moved) seen.scrolled = shifted ?? moved ?? undefined;
    seen.titled = title.slice(0, LONGEST_TITLE);
    if (title !== this.title) seen.title = { from: clipped(this.title), to: clipped(title) };
    if (this.notable !== null && (this.records.length > 0 || this.toggled)) {
      const now = notables();
      for (const [el, { text, title }] of now) {
        if (this.notable.get(el)?.text !== text && !isInsideOther(el, now, this.notable)) seen.appeared.push(title);
      }
      for (const [el, { title }] of this.notable) if (!now.has(el)) seen.closed.push(title);
      if (seen.appeared.length + seen.messages.length === 0) Object.assign(seen, changes.news(this.el, showedBefore));
    }
    if (locksGivenUp > this.locks) seen.appeared.push(LOCK_GIVEN_UP);
    if (this.printed) seen.appeared.push(PRINT_ASKED);
    seen.any =
      Object.keys(state).length + seen.fields.length > 0 ||
      secret.length > 0 ||
      seen.appeared.length + seen.closed.length + seen.messages.length > 0 ||
      seen.added + seen.removed + seen.changed > 0 ||
      moved !== null ||
      seen.title !== undefined ||
      (focus !== null && (!focus.self || focus.editable)) ||
      seen.unfocused === true ||
      seen.removedTarget;
    return seen;
  }

  stateChanges() {
    /** @type {Object<string, Changed>} */
    const state = {};
    /** @type {string[]} */
    const secret = [];
    if (this.el === null || !isConnected(this.el)) return { state, secret };
    /** @type {Object<string, any>} */
    const now = stateOfControl(this.el);
    for (const key of Object.keys(now)) {
      if (now[key] === this.state[key]) continue;
      if (key === 'value' && holdsSecret(this.el)) secret.push(key);
      else state[key] = { from: clipped(this.state[key]), to: clipped(now[key]) };
    }
    const selection = selectionIn(this.el);
    if (selection !== this.selection && state.value === undefined && secret.length === 0)
      state.selection = { from: this.selection, to: selection };
    return { state, secret };
  }

  focusNow() {
    const el = focusedPart();
    if (el === null || el === this.focus) return null;
    const self = this.el !== null && (isInside(el, this.el) || isInside(this.el, el));
    return { ...named(el), tag: localName(el), self, editable: takesKeys(el) };
  }

  /** The scroll container that moved most closely around the element. */
  moved() {
    for (const { box, x, y } of this.scrollers) {
      if (scrollLeftGet.call(box) !== x || scrollTopGet.call(box) !== y) {
        return { from: [x, y], to: [scrollLeftGet.call(box), scrollTopGet.call(box)] };
      }
    }
    return null;
  }
}

const WATCH_ALL = { subtree: true, childList: true, attributes: true, characterData: true };
// What else ends the waiting for a first effect.
const ACTION_EVENTS = ['scrollend', 'focusin', 'focusout', 'input', 'change', 'toggle', 'pointerlockchange', 'beforeprint'];

/**
 * Lets the action know that something scrolls; where that ends counts. The listener stays: Chromium composes a frame for the first one of a document
 * and the last, and pointer moves wait for it. It's added again since document.open() takes listeners away.
 */
function followScrolling() {
  addEventListener('scroll', scrolls, { capture: true, passive: true });
}

function scrolls() {
  if (watchedAction) watchedAction.scrolling = true;
}

followScrolling();

/**
 * What of a control an action may change, in words that can be compared.
 * @param {Element} el
 */
function stateOfControl(el) {
  return remembering(() => {
    const tag = localName(el);
    return {
      checked: internalsOf(el) === null ? checkedOf(el) : null, // which is not asked for here
      value: hasText(el) ? textOf(el) : null,
      selected:
        tag === 'select' && /** @type {HTMLSelectElement} */ (el).multiple ? chosenValues(el).join(', ') : ariaWord(el, 'aria-selected'),
      expanded: disclosureOf(el),
      pressed: ariaWord(el, 'aria-pressed'),
      current: ariaWord(el, 'aria-current'),
      disabled: isDisabled(el) ? 'true' : 'false',
    };
  });
}

const inputSelectionStartGet = getterOf(HTMLInputElement.prototype, 'selectionStart');
const inputSelectionEndGet = getterOf(HTMLInputElement.prototype, 'selectionEnd');
const areaSelectionStartGet = getterOf(HTMLTextAreaElement.prototype, 'selectionStart');
const areaSelectionEndGet = getterOf(HTMLTextAreaElement.prototype, 'selectionEnd');

/**
 * Which characters of a field are selected, as 2-5; null when none are, or the field does not tell.
 * @param {Element} el
 */
function selectionIn(el) {
  const area = localName(el) === 'textarea';
  if (!area && localName(el) !== 'input') return null;
  const start = (area ? areaSelectionStartGet : inputSelectionStartGet).call(el);
  const end = (area ? areaSelectionEndGet : inputSelectionEndGet).call(el);
  return start === null || start === end ? null : `${start}-${end}`;
}

/** @param {Element} el @param {string} name */
function ariaWord(el, name) {
  const word = attr(el, name);
  return word === null || word === '' ? null : word;
}

/** @param {string} value */
function clipped(value) {
  return typeof value === 'string' && value.length > 200 ? value.slice(0, 200) + '…' : value;
}

/**
 * The document, the shadow trees that the element is in, and those that are known from a wait: looking for all of them takes too long.
 * @param {Element} el
 */
function treesOf(el) {
  const trees = new Set([document, ...(knownRoots?.roots ?? [])]);
  for (let root = el && getRootNodeOf.call(el); isShadowRoot(root); root = getRootNodeOf.call(root.host)) trees.add(root);
  return trees;
}

/**
 * The scroll containers around an element and the page's own, with where they are.
 * @param {Element|null} el
 */
function scrollersOf(el) {
  const boxes = [];
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const taller = scrollHeightGet.call(node) > clientHeightGet.call(node);
    if (taller || scrollWidthGet.call(node) > clientWidthGet.call(node)) boxes.push(node);
  }
  const page = scrollingElement();
  if (page && !boxes.includes(page)) boxes.push(page);
  return boxes.map((box) => ({ box, x: scrollLeftGet.call(box), y: scrollTopGet.call(box) }));
}

/** What scrolled until now is what the op itself did, and says. */
export function movedByOp() {
  if (watchedAction) watchedAction.scrollers = scrollersOf(watchedAction.el);
}

/** Watches from now on; for actions without a target. Keys may come as soon as it answers. */
ops.watch = () => {
  watchEffects();
  return movesSeen() ?? true;
};

/**
 * What was seen since; null when nothing was watched. Where nothing was seen yet, a first effect is waited for, for so many milliseconds, or
 * with `frames` for two frames when those come sooner.
 */
ops.effects = ({ wait = 0, frames = false }) => takeEffects(wait, frames);

/**
 * What shows of the action after its reply; null when nothing did until the next action began, or is watched. What shows first may be one
 * of several; the rest of the task, and what it puts off to its end, belongs to it.
 */
ops.lateEffects = ({ action: id }) => {
  const action = watchedAction;
  if (!action || action.id !== id) return lastSeen !== null && lastSeen.action === id && lastSeen.any ? lastSeen : null;
  return new Promise((resolve) => {
    action.later = resolve;
    action.noticed = () => {
      if (action.scrolling) return;
      action.noticed = null;
      afterHandlers(() => {
        if (action.seen().any) action.end();
        else action.noticed = again;
      });
    };
    const again = action.noticed;
    again(); // something may have shown since the reply was made
  });
};

/**
 * Answers when what an op scrolled has come to rest: with where it went on to, if it did, and with what an action led to meanwhile.
 */
ops.rest = async ({ action: id }) => {
  const last = coming;
  const came = await last;
  const action = watchedAction;
  if (action?.id !== id) return { ...came, effects: lastSeen?.action === id ? lastSeen : null };
  const seen = action.seen();
  if (seen.any) action.tell();
  return { ...came, effects: seen };
};

/**
 * Adds what was seen so far to the answer of an op that asks with `effects`. Where that is nothing, the watching goes on.
 * @template {Probed} R
 * @param {{effects?: boolean}} arg
 * @param {R|Promise<R>} answer
 * @param {boolean} [lasts] see tell
 * @returns {R|Promise<R>}
 */
export function withEffects({ effects }, answer, lasts) {
  if (!effects) return answer;
  return after(answer, (one) => {
    const action = watchedAction;
    if (one.error || one.hit === false || !action) return one;
    const seen = action.seen();
    if (seen.any) action.tell(lasts);
    return { ...one, effects: seen };
  });
}

/**
 * What was seen when the page has answered what was pressed, with a message or something else that a person notices, or after so many milliseconds. What
 * shows that it is at work does not count.
 */
ops.answer = ({ wait = 0 }) => {
  const action = watchedAction;
  if (!action) return null;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      clearTimeout(soon);
      action.noticed = null;
      const seen = action.seen();
      if (seen.any) {
        action.told = true;
        action.end();
      }
      resolve(seen);
    };
    const look = () => (isAnswer(action.seen()) ? end() : again());
    const again = () => {
      action.noticed = () => {
        action.noticed = null;
        soon = setTimeout(look, LOOKED_AT_EVERY);
      };
    };
    let soon = 0;
    const late = setTimeout(end, wait);
    look();
  });
};

/**
 * What was seen when the part that the action opened has its content, or after so many milliseconds; null where it opened none, or where that was
 * all there.
 */
ops.unfolded = async ({ wait = 0 }) => {
  const action = watchedAction;
  const folded = action?.folded;
  const isThere = () => {
    action?.keep(action.observer.takeRecords());
    return !folded?.isOpened() || folded.isThere(action?.records ?? []);
  };
  if (!action || !folded || isThere()) return null;
  const until = performance.now() + wait;
  do await new Promise((resolve) => setTimeout(resolve, LOOKED_AT_EVERY));
  while (watchedAction === action && performance.now() < until && !isThere());
  return watchedAction === action ? action.seen() : null;
};

const LOOKED_AT_EVERY = 20;
const AT_WORK = new RegExp(`"${AT_WORK_WORDS}|${DOTS}"$`, 'i');

/** @param {Seen} seen */
function isAnswer({ messages, closed, appeared }) {
  return messages.length + closed.length > 0 || appeared.some((title) => !AT_WORK.test(title));
}

// Chromium's own smooth scrolling takes up to 700 ms.
const SCROLLS_WITHIN = 1000;

/**
 * @param {number} wait
 * @param {boolean} frames
 */
function takeEffects(wait, frames) {
  const action = watchedAction;
  if (!action) return null;
  const seen = action.seen();
  if (seen.any && !action.scrolling) {
    action.tell();
    return seen;
  }
  if (!(wait > 0) && !action.scrolling) return seen; // lateEffects may have the rest
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      action.noticed = null;
      const last = action.seen();
      action.tell();
      resolve(last);
    };
    const nothing = () => {
      clearTimeout(late);
      if (action.scrolling) late = setTimeout(end, SCROLLS_WITHIN);
      else end();
    };
    let late = setTimeout(nothing, wait);
    // What handlers put off to the next frame, or to the one after that, has happened when the task behind those begins. What the browser
    // itself does on a key, such as scrolling, may take longer.
    if (frames)
      requestAnimationFrame(() => requestAnimationFrame(() => afterHandlers(() => action.noticed && !action.scrolling && nothing())));
    // What is noticed first may be one of several; the rest of the task, and what it puts off to its end, belongs to it.
    action.noticed = () => {
      action.noticed = null;
      afterHandlers(end);
    };
  });
}
