// Op wait: until an element is in a state, or a text is on the page. See until.js for how it waits.

import { textContentGet } from '../dom/builtins.js';
import { Descent } from '../dom/descent.js';
import { bodyOf, children, describe, isElement, localName } from '../dom/dom.js';
import { goneSince, sinceNow, textSince } from './before.js';
import { isNativeDisabled } from './edit.js';
import { isVisible } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { ambiguity, indexIn, locate, located, matchesOf, named } from '../find/locate.js';
import { ops } from '../dom/ops.js';
import { searchHidden } from '../ax/pierce.js';
import { plain, shownStart, showsText, TEXTLESS } from '../dom/text.js';
import { fail, failFinal, until } from '../dom/until.js';
import { isRendered } from '../dom/visibility.js';

/**
 * @import { Matched, Target } from '../find/locate.js'
 * @import { Looked, WaitArg, WaitedSaid } from '../ops.js'
 * @import { Failure, Probed } from '../dom/until.js'
 */

// Of a WaitArg, state = visible, hidden, attached, detached or enabled; id: of the wait; without it the answer does not say whether it was met before it began;
// fresh: a text that was shown before the last action does not count, unless it was written again.

// The wait that was not met at a look. The engine may call the op again for one wait, when it has found out what only the browser knows.
let unmet = 0;

ops.wait = (arg) => {
  let looks = 0;
  return until(arg.patience ?? 0, () => {
    /** @type {Looked<WaitedSaid>} */
    const met = arg.target ? waitForTarget(arg, arg.target) : waitForText(document, arg.text ?? '', arg);
    const first = looks++ === 0 && arg.id !== undefined && arg.id !== unmet;
    if (met.error) unmet = arg.id ?? 0;
    return first && !met.error ? { ...met, already: true } : met;
  });
};

/** @param {WaitArg} arg @param {Target} target */
function waitForTarget(arg, target) {
  const state = arg.state ?? 'visible';
  const matched = waitedFor(target);
  if (matched.error) return matched;
  const { els, found } = matched;
  if (target.strict && els.length > 1) return failFinal('selector-ambiguous', () => ambiguity(els));
  const visible = els.find(isVisible);
  if (arg.text !== undefined) return waitForTextIn(els, arg.text);
  const met = {
    visible: () => visible !== undefined,
    hidden: () => visible === undefined,
    attached: () => els.length > 0,
    detached: () => els.length === 0,
    enabled: () => visible !== undefined && !isNativeDisabled(visible),
  }[state];
  if (!met) return failFinal('usage', { state });
  return met()
    ? { met: true, ...(found?.healed || found?.was || found?.beside ? located(found) : {}) }
    : fail('timeout', () => insteadOf(state, els, visible));
}

/**
 * The matches of the target as a list: a wait for something to go away is met by there being none.
 * @param {Target} target
 * @returns {Matched | Failure}
 */
function waitedFor(target) {
  if (target.ref || indexIn(target) !== undefined) {
    const found = locate(target);
    if (!found.error) return { els: [found.el], found };
    return found.final ? found : { els: [] };
  }
  return matchesOf(target);
}

/**
 * What was seen in place of the state.
 * @param {Element[]} els
 * @param {Element | undefined} visible
 * @param {string} state
 */
function insteadOf(state, els, visible) {
  const el = visible ?? els[0];
  if (!el) return { state, seen: 'nothing', count: 0 };
  const facts = { state, count: els.length, element: describe(el), ...named(el) };
  if (!visible) return { ...facts, seen: 'hidden', ...whyHidden(el) };
  return { ...facts, seen: state === 'enabled' ? 'disabled' : 'visible' };
}

/** @param {Document} root @param {string} text @param {{state?: string, fresh?: boolean}} asked */
function waitForText(root, text, { state, fresh }) {
  const look = showsText(root, text);
  if (state === 'hidden') return look.shown ? fail('timeout', () => ({ text })) : { met: true, text, since: goneSince(text) };
  if (!look.shown) searchHidden();
  if (fresh) sinceNow();
  if (!look.shown) return fail('timeout', () => insteadOfText(text, look));
  const since = textSince(text);
  return fresh && since === 'before' ? fail('timeout', () => ({ text, stale: true })) : { met: true, text, since };
}

/** @param {Element[]} els @param {string} text */
function waitForTextIn(els, text) {
  for (const el of els) if (showsText(el, text).shown) return { met: true, text };
  return fail('timeout', () => ({ ...insteadOfText(text, {}), count: els.length, shows: els.length > 0 ? shownStart(els[0], 200) : '' }));
}

/**
 * Where the text is although it is hidden, how else it is written, and what the page shows.
 * @param {string} text
 * @param {{shown?: boolean, otherCase?: string}} look
 */
function insteadOfText(text, look) {
  /** @type {Object<string, any>} */
  const facts = { text, shows: shownStart(document, 200) };
  if (look.otherCase !== undefined) facts.otherCase = look.otherCase;
  else {
    const body = bodyOf();
    const hidden = body && hiddenWith(body, plain(text));
    if (hidden) facts.hidden = { element: describe(hidden), ...whyHidden(hidden) };
  }
  return facts;
}

/**
 * The innermost element that has it in its raw text and is not rendered.
 * @param {Element} el
 * @param {string} needle
 * @returns {Element|null}
 */
function hiddenWith(el, needle) {
  const descent = new Descent();
  let found = /** @type {Element|null} */ (null);
  const look = (/** @type {Element} */ child) => {
    if (found !== null || TEXTLESS.has(localName(child)) || !plain(textContentGet.call(child)).includes(needle)) return;
    descent.onLeave(() => {
      if (found === null && !isRendered(child)) found = child;
    });
    descent.enter(/** @type {Element[]} */ (children(child).filter(isElement)), look);
  };
  descent.enter(/** @type {Element[]} */ (children(el).filter(isElement)), look);
  descent.run();
  return found;
}
