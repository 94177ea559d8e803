// Ops typed and settled: the result of keys that were sent to the focused element.

import { textContentGet } from '../dom/builtins.js';
import { bodyOf, localName } from '../dom/dom.js';
import { after, editKind, holdsSecret, isEditableContent, isNumberField, textOf } from './edit.js';
import { drawsText, seenOfEditor, standsForEditor } from './editor.js';
import { withEffects } from './effects.js';
import { typingTarget } from './focus.js';
import { behindInput } from './handled.js';
import { afterHandlers } from './landed.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { roleOf } from '../ax/role.js';
import { plain } from '../dom/text.js';
import { endTyping, typing } from './typing.js';
import { fail, until } from '../dom/until.js';

/**
 * @import { Probed } from '../dom/until.js'
 * @import { Looked, TypedSaid } from '../ops.js'
 * @import { FieldState } from './typing.js'
 */

/**
 * Whether the fields show the text that was typed: `kept` as it is, `shown` otherwise but with all its letters, or `lost`. Where a newline in
 * it has emptied the field, as in a chat, it was kept. `unread`: an editor took the keys whose text is not in the page. `none`: there was no field, or it is gone. `anywhere` asks whether the page shows it
 * in another place (`taken`), as it does with addresses that become chips. keys = how many came to the document. stray = how many came when no
 * field had the focus, and were kept from the page; retype goes on with those. replaced = what was typed into is gone, and another field is there.
 */
ops.typed = (arg) =>
  after(
    behindInput(arg, () => typed(arg)),
    (one) => (!one.error && (one.stray ?? 0) > 0 ? one : withEffects(arg, one)),
  );

/**
 * @param {{text: string, wait?: number, anywhere?: boolean}} arg
 * @returns {Looked<TypedSaid>|Promise<Looked<TypedSaid>>}
 */
function typed({ text, wait = 0, anywhere = false }) {
  const watched = typing;
  if (!watched) return { outcome: 'none' };
  /** @type {{outcome: string}|undefined} */
  let answer;
  const result = until(wait, () => {
    answer = outcomeOf(watched.parts(), String(text));
    const elsewhere = anywhere || watched.isReplaced();
    if (elsewhere && answer.outcome === 'lost' && isOnPage(String(text))) answer.outcome = 'taken';
    return answer.outcome === 'lost' && watched.stray === 0 ? fail('value-not-kept') : answer;
  });
  return after(result, () => {
    if (watched.stray > 0) watched.rest();
    else endTyping(watched);
    return { ...answer, keys: watched.keys(), stray: watched.stray, replaced: watched.isReplaced() };
  });
}

/** @param {any[]} parts @param {string} text */
function outcomeOf(parts, text) {
  if (parts.length === 0) return { outcome: 'none' };
  const [first] = parts;
  if (drawsText(first.el)) return { outcome: 'unread', value: '', editor: true, fields: 1 };
  if (standsForEditor(first.el)) return { outcome: isShownBy(first.el, text) ? 'kept' : 'lost', value: '', editor: true, fields: 1 };
  const seen = parts.length === 1 ? oneField(first, text) : severalFields(parts, text);
  const secret = parts.some(({ el }) => holdsSecret(el));
  const last = parts.at(-1).el;
  return {
    outcome: seen.outcome,
    length: [...seen.value].length,
    secret,
    fields: parts.length,
    on: { role: roleOf(last), name: nameOf(last) },
    ...(secret ? {} : { value: seen.value }),
  };
}

/** @param {FieldState & {el: Element}} field @param {string} text */
function oneField({ el, before, from, to, selected }, text) {
  const value = textOf(el);
  const kind = editKind(el);
  if (kind === 'value') return { value, outcome: value === before ? 'lost' : 'shown' };
  const typed = localName(el) === 'input' ? text.replace(/\n/g, '') : text;
  const wanted = from === null || to === null ? before + typed : before.slice(0, from) + typed + before.slice(to);
  if (value === wanted || isSentBy(value, text)) return { value, outcome: 'kept' };
  if (isNumberField(el)) return { value, outcome: value !== '' && Number(value) === Number(wanted) ? 'shown' : 'lost' };
  if (kind === 'contenteditable') {
    const part = squeezed(typed);
    const room = squeezed(before).length - squeezed(selected).length + part.length;
    // What was there may have been a placeholder, which goes with the first character.
    const isNew = !squeezed(before).includes(part) || squeezed(value).length >= room;
    if (isNew && squeezed(value).includes(part)) return { value, outcome: 'kept' };
  }
  // Completed by the page, or with brackets closed, masks drawn, capitals made.
  const same = value.startsWith(wanted) || (lettersOf(wanted) !== '' && lettersOf(value) === lettersOf(wanted));
  return { value, outcome: same ? 'shown' : 'lost' };
}

/**
 * Boxes of one character each, or of a few: what they hold together counts.
 * @param {any[]} parts
 * @param {string} text
 */
function severalFields(parts, text) {
  const value = parts
    .map(({ el, before }) => {
      const now = textOf(el);
      return before !== '' && now.startsWith(before) ? now.slice(before.length) : now;
    })
    .join('');
  const typed = text.replace(/\n/g, '');
  if (value === typed) return { value, outcome: 'kept' };
  return { value, outcome: lettersOf(typed) !== '' && lettersOf(value) === lettersOf(typed) ? 'shown' : 'lost' };
}

/**
 * Enter may send what is in a field, which then is empty, or holds what was typed after it.
 * @param {string} value
 * @param {string} text
 */
function isSentBy(value, text) {
  const at = text.lastIndexOf('\n');
  return at >= 0 && value.trim() === text.slice(at + 1).trim();
}

/**
 * What an editor shows may be on lines as wide as it likes; the end of the last line tells enough.
 * @param {Element} el
 * @param {string} text
 */
export function isShownBy(el, text) {
  const line = text.split('\n').findLast((part) => part.trim() !== '') ?? '';
  return squeezed(seenOfEditor(el)).includes(squeezed(line).slice(-30));
}

/** @param {string} text */
function isOnPage(text) {
  const word = squeezed(
    text
      .trim()
      .split(/\s+/)[0]
      .replace(/[^\p{L}\p{N}]+$/u, ''),
  );
  return word !== '' && squeezed(textContentGet.call(bodyOf()) ?? '').includes(word);
}

/** @param {string} text */
export function squeezed(text) {
  return plain(text).replace(/ /g, '');
}

/** @param {string} text */
function lettersOf(text) {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/**
 * Resolves when what has happened so far has been told to the page. Chrome tells editors of a moved caret (selectionchange) in a later task,
 * which is before this one; the next key must not come before it.
 */
ops.settled = (arg) => {
  watchMoves();
  return withEffects(
    arg,
    behindInput(arg, (handled) => (handled ? {} : new Promise((resolve) => afterHandlers(() => setTimeout(() => resolve({})))))),
  );
};

// Slate takes a moved caret over 100 ms after it has seen the last move, which it does in a timer of its own, and pastes where it was before.
const MOVE_TAKEN = 120;
// How often a caret is waited for that moves again and again.
const MOST_MOVES = 8;
let movedAt = -Infinity;
let moves = 0;
let seenMoves = 0;
/** @type {Map<number, (seen: boolean) => void>} by the number of the move that is waited for */
const moveWaiters = new Map();
let watchesMoves = false;

export function watchMoves() {
  if (watchesMoves) return;
  watchesMoves = true;
  movedAt = performance.now(); // whether it has just moved is not known
  addEventListener('selectionchange', caretMoved, { capture: true, passive: true });
}

/** Notes a move, which editors have seen when the timers that they set for it have run: those come before the last one of these, however late all are. */
export function caretMoved() {
  moves++;
  setTimeout(() =>
    setTimeout(() =>
      setTimeout(() => {
        seenMoves++;
        movedAt = performance.now();
        moveWaiters.get(seenMoves)?.(true);
        moveWaiters.delete(seenMoves);
      }),
    ),
  );
}

/**
 * Resolves when an editor that has the focus has seen the last move of the caret: one that takes a move over while the next key is on its way
 * puts the caret back. null: there is nothing to wait for.
 * @returns {Promise<boolean>|null}
 */
export function movesSeen() {
  const el = moves > seenMoves ? typingTarget() : null;
  if (!el || !isEditableContent(el)) return null;
  return new Promise((resolve) => {
    moveWaiters.get(moves)?.(true); // the earlier waiter has gone
    moveWaiters.set(moves, resolve);
  });
}

/** How many milliseconds it takes until editors know where the caret is, as far as can be told now. */
function moveRest() {
  return moves > seenMoves ? MOVE_TAKEN : movedAt + MOVE_TAKEN - performance.now();
}

/** Resolves when editors know where the caret is, in case that one has the focus. */
export function moveTaken() {
  watchMoves();
  const el = moveRest() > 0 ? typingTarget() : null;
  if (!el || !isEditableContent(el)) return null;
  return new Promise((resolve) => {
    const look = (/** @type {number} */ times) => {
      const rest = moveRest();
      if (rest > 0 && times > 0) setTimeout(look, rest, times - 1);
      else resolve(undefined);
    };
    look(MOST_MOVES);
  });
}
