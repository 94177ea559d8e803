// Text that is being typed: which fields take its keys, in their order, since a page may take the focus on to the next one. A page that replaces a field
// (at the focus, at an input) or disables it takes the focus with it. The keys that come then would go to the page, whose shortcuts they may be: they are
// kept from it, and op retype looks for the field again and says how much of the text is still to be typed.

import { isConnected } from '../dom/access.js';
import { focusedElement, isElement, localName } from '../dom/dom.js';
import {
  editKind,
  editorOf,
  holdsSecret,
  INSERTION_WITHIN,
  isNativeDisabled,
  ofSecret,
  refusesEdits,
  replacementField,
  textOf,
} from './edit.js';
import { seenBoxOf } from './editor.js';
import { bringIntoView, kindHost, putCaret, takeFocus, typingTarget } from './focus.js';
import { isVisible } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { countOf, pathOf } from './landed.js';
import { locate, located } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { roleOf } from '../ax/role.js';
import { plain } from '../dom/text.js';
import { noteLoaded } from './unsaved.js';
import { fail, until } from '../dom/until.js';

/** @import { Found, Target } from '../find/locate.js' */
/** @import { Looked, RetypedSaid } from '../ops.js' */
/** @import { Probed } from '../dom/until.js' */

/** @typedef {{before: string, from: number|null, to: number|null, selected: string}} FieldState */

/** @type {Typing | null} */
export let typing = null;

/** @param {Element} el @param {number} within how long the keys may take, in ms */
export function beginTyping(el, within) {
  typing?.end();
  noteLoaded(el);
  typing = new Typing(el, within);
}

/** @param {Typing} [watched] */
export function endTyping(watched) {
  if (!typing || (watched && watched !== typing)) return;
  typing.end();
  typing = null;
}

// What takes a person out of a field on purpose.
const LEAVING = new Set(['Enter', 'Tab']);
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

class Typing {
  /** @param {Element} el @param {number} within */
  constructor(el, within) {
    /** @type {Map<Element, FieldState>} */
    this.fields = new Map([[el, stateOf(el)]]);
    this.first = el;
    this.tag = localName(el);
    this.keysBefore = countOf('keydown');
    this.within = within;
    this.taken = 0; // keys that came to a field, or where the field has sent the focus
    this.stray = 0; // keys that were kept from the page
    this.left = false; // by a key that leads out of a field
    this.at = el; // what takes the keys
    this.equal = { el, role: roleOf(el), name: nameOf(el) };
    this.note = (/** @type {Event} */ event) => {
      const at = event.isTrusted ? editingHost(pathOf(event)[0]) : null;
      if (at) this.moveTo(at);
    };
    this.key = (/** @type {Event} */ event) => this.judge(/** @type {KeyboardEvent} */ (event));
    this.listen();
  }

  /** @param {Element} el */
  moveTo(el) {
    if (!this.fields.has(el)) this.fields.set(el, stateOf(el));
    if (this.at === el) return;
    this.at = el;
    this.equal = { el, role: roleOf(el), name: nameOf(el) };
  }

  listen() {
    addEventListener('beforeinput', this.note, { capture: true, passive: true });
    addEventListener('keydown', this.key, { capture: true });
    addEventListener('keyup', this.key, { capture: true });
    this.timer = setTimeout(() => this.end(), this.within + INSERTION_WITHIN);
  }

  end() {
    this.rest();
    clearTimeout(this.timer);
    removeEventListener('beforeinput', this.note, { capture: true });
  }

  /** Lets all keys through, as those of a person. */
  rest() {
    removeEventListener('keydown', this.key, { capture: true });
    removeEventListener('keyup', this.key, { capture: true });
  }

  /** @param {KeyboardEvent} event */
  judge(event) {
    if (!event.isTrusted || MODIFIERS.has(event.key)) return;
    if (event.type === 'keydown') {
      if (this.stray > 0 || this.strays(event)) this.stray++;
      else {
        this.taken++;
        this.left = LEAVING.has(event.key);
      }
    }
    if (this.stray === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /**
   * Whether a key comes to no field, and nothing that was typed has led out of the one before. What comes after a key that was kept back is kept back, too.
   * @param {Event} event
   */
  strays(event) {
    const at = editingHost(pathOf(event)[0]) ?? editingHost(focusedElement());
    if (at && !isNativeDisabled(at) && !refusesEdits(at)) {
      this.moveTo(at);
      return false;
    }
    return !this.left || !isConnected(this.at);
  }

  /** How many keys have come to this document since. */
  keys() {
    return countOf('keydown') - this.keysBefore;
  }

  /** Whether another field is there, which shows what it has got: a date does not, until it is complete. */
  isReplaced() {
    return !isConnected(this.first) && editKind(this.first) !== 'value' && this.parts().length > 0;
  }

  /** The fields that are there, with what each held before. What replaced a field that is gone has its past. */
  parts() {
    const parts = [];
    let past = null;
    for (const [el, was] of this.fields) {
      if (isConnected(el)) {
        parts.push({ el, ...(past ?? was) });
        past = null;
      } else past ??= was;
    }
    const at = past && (editingHost(focusedElement()) ?? replacementField(this.equal));
    if (at && localName(at) === this.tag && !this.fields.has(at)) parts.push({ el: at, ...past });
    return parts;
  }

  /**
   * The field that the rest of the text is for: the one that took the last key, or what has taken its place.
   * @param {Target|null} target that of the first field
   * @returns {Found | import('../dom/until.js').Failure}
   */
  field(target) {
    if (isConnected(this.at)) return { el: this.at, count: 1 };
    if (this.at === this.first && target) return locate(target);
    const el = replacementField(this.equal);
    return el ? { el, count: 1 } : fail('selector-not-found', { count: 0 });
  }

  /**
   * How many characters of the text the field has; null when what it holds is neither what was there before nor what was typed into it.
   * @param {Element} el
   * @param {string} text
   */
  has(el, text) {
    const now = textOf(el);
    const part = [...text].slice(0, this.taken).join('');
    const was = this.fields.get(this.at);
    if (part === '' || !was) return 0;
    const { before, from, to } = was;
    const wanted = from === null || to === null ? before + part : before.slice(0, from) + part + before.slice(to);
    if (plain(now) === plain(wanted)) return this.taken;
    return plain(now) === plain(before) ? 0 : null;
  }

  /**
   * Goes on with the rest of the text in a field, of which it has so many characters.
   * @param {Element} el
   * @param {number} has
   * @param {string} text
   */
  resume(el, has, text) {
    const was = this.fields.get(this.at);
    if (has === 0 || !was) {
      this.fields.delete(this.at);
      putCaret(el);
    } else if (was.from === null) {
      putCaret(el);
    } else {
      putCaret(el, was.from + [...text].slice(0, has).join('').length);
    }
    this.taken = has;
    this.stray = 0;
    this.left = false;
    if (this.at === this.first) this.first = el;
    this.moveTo(el);
    this.end();
    this.listen();
  }
}

/** @param {Node|null} node */
export function editingHost(node) {
  return node && isElement(node) && editKind(node) !== null ? kindHost(node) : null;
}

/**
 * @param {Element} el
 * @returns {FieldState}
 */
function stateOf(el) {
  const before = textOf(el);
  if (editKind(el) !== 'text') return { before, from: null, to: null, selected: String(getSelection()) };
  const { selectionStart: from, selectionEnd: to } = /** @type {HTMLInputElement} */ (el); // null for the kinds that tell none
  return { before, from, to, selected: '' };
}

/**
 * Gives the focus back to the field whose keys were kept back, or to what has taken its place. has = how many characters of the text it has; the rest is to
 * be typed. Without has, what it holds is neither that nor what was there before, and nothing is to be typed. missed = it did not take the focus.
 * focused = the text was for what had the focus, whatever that was.
 */
ops.retype = (arg) =>
  until(arg.patience ?? 0, () => {
    if (!typing) return { missed: true };
    const found = typing.field(arg.focused ? null : arg.target);
    return found.error ? found : retypeInto(typing, found, String(arg.text), arg.typing);
  });

/**
 * @param {Typing} watched
 * @param {Found} found
 * @param {string} text
 * @param {number} within
 * @returns {Looked<RetypedSaid>}
 */
function retypeInto(watched, found, text, within) {
  const el = editorOf(found.el);
  if (!isVisible(seenBoxOf(el))) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el), ...ofSecret(el) }));
  if (isNativeDisabled(el)) return fail('target-disabled', () => ({ ...located(found), ...ofSecret(el) }));
  if (refusesEdits(el)) return fail('target-readonly', () => ({ ...located(found), ...ofSecret(el) }));
  const has = watched.has(el, text);
  if (has === null)
    return { ...located(found), secret: holdsSecret(el), value: holdsSecret(el) ? '' : textOf(el), length: textOf(el).length };
  bringIntoView(seenBoxOf(el));
  const unfocused = takeFocus(el);
  const host = editingHost(typingTarget());
  if (!isConnected(el) || unfocused || !host) return { ...located(found), missed: true };
  watched.within = within;
  watched.resume(host, has, text);
  return { ...located(found), has, secret: holdsSecret(el) };
}
