// Op wait: until an element is in a state, or a text is on the page. See until.js for how it waits.

/** @typedef {{target?: Target, state?: 'visible'|'hidden'|'attached'|'detached'|'enabled', text?: string, patience?: number}} WaitArg */

ops.wait = (arg) => until(arg.patience ?? 0, () => {
  const met = arg.target ? waitForTarget(arg) : waitForText(document, arg.text);
  return met;
});

function waitForTarget(arg) {
  const state = arg.state ?? 'visible';
  const matched = waitedFor(arg.target);
  if (matched.error) return matched;
  const { els, found } = matched;
  if (arg.target.strict && els.length > 1) return failFinal('selector-ambiguous', () => ambiguity(els));
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
  return met() ? { met: true, ...(found?.healed || found?.was || found?.beside ? located(found) : {}) } : fail('timeout', () => insteadOf(state, els, visible));
}

/**
 * The matches of the target as a list: a wait for something to go away is met by there being none.
 * @returns {Matched}
 */
function waitedFor(target) {
  if (target.ref || indexIn(target) !== undefined) {
    const found = locate(target);
    if (!found.error) return { els: [found.el], found };
    return found.final ? found : { els: [] };
  }
  return matchesOf(target);
}

/** What was seen in place of the state. */
function insteadOf(state, els, visible) {
  const el = visible ?? els[0];
  if (!el) return { state, seen: 'nothing', count: 0 };
  const facts = { state, count: els.length, element: describe(el), ...named(el) };
  if (!visible) return { ...facts, seen: 'hidden', ...whyHidden(el) };
  return { ...facts, seen: state === 'enabled' ? 'disabled' : 'visible' };
}

function waitForText(root, text) {
  const look = showsText(root, text);
  if (!look.shown) searchHidden();
  return look.shown ? { met: true, text } : fail('timeout', () => insteadOfText(text, look));
}

function waitForTextIn(els, text) {
  for (const el of els) if (showsText(el, text).shown) return { met: true, text };
  return fail('timeout', () => ({ ...insteadOfText(text, {}), count: els.length, shows: els.length > 0 ? shownStart(els[0], 200) : '' }));
}

/** Where the text is although nobody sees it, how else it is written, and what the page shows. */
function insteadOfText(text, look) {
  const facts = { text, shows: shownStart(document, 200) };
  if (look.otherCase !== undefined) facts.otherCase = look.otherCase;
  else {
    const body = bodyOf();
    const hidden = body && hiddenWith(body, plain(text));
    if (hidden) facts.hidden = { element: describe(hidden), ...whyHidden(hidden) };
  }
  return facts;
}

/** The innermost element that has it in its raw text and is not rendered. */
function hiddenWith(el, needle) {
  for (const child of children(el)) {
    if (!isElement(child) || TEXTLESS.has(localName(child)) || !plain(textContentGet.call(child)).includes(needle)) continue;
    const inner = hiddenWith(child, needle);
    if (inner) return inner;
    if (!isRendered(child)) return child;
  }
  return null;
}
