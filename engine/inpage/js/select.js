// Op select: choosing options of a <select>, by value or by what a person reads.

/**
 * Options are matched by value first, then by their text with whitespace collapsed. Nothing is changed unless every value has an option
 * that may be chosen, and events are fired only when the choice changed. A page that takes the choice back makes it fail.
 */
ops.select = (arg) => withTarget(arg, (found) => {
  const el = localName(found.el) === 'label' ? controlOf(found.el) ?? found.el : found.el;
  if (localName(el) !== 'select') return failFinal('target-unsuitable', unsuitable(found, 'It is not a select.'));
  const values = arg.values.map(String);
  if (!el.multiple && values.length !== 1) {
    return failFinal('target-unsuitable', { ...unsuitable(found, 'It takes exactly one value.'), multiple: false, values });
  }
  if (!isVisible(el)) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
  if (isNativeDisabled(el)) return fail('target-disabled', () => located(found));
  const options = [...el.options];
  const chosen = values.map((value) => optionFor(options, value));
  const missing = values.filter((_, i) => !chosen[i] || isOptionDisabled(chosen[i]));
  if (missing.length > 0) {
    const reason = chosen.includes(undefined) ? {} : { reason: 'disabled' };
    return fail('option-not-found', () => ({ ...located(found), missing, ...reason, available: available(options) }));
  }
  bringIntoView(el);
  if (arg.watch) watchEffects(el);
  focusOn(el);
  if (choose(el, options, chosen)) {
    announce(el);
    // Read back by value: a page that renders its options anew has other elements for the same choice.
    const now = chosenValues(el);
    const lost = chosen.filter((option) => !now.includes(option.value));
    if (lost.length > 0 && isConnected(el)) return failFinal('value-not-kept', { ...located(found), seen: now });
  }
  return { ...located(found), selected: chosenValues(el) };
});

function optionFor(options, value) {
  const usable = (matches) => options.filter(matches).sort((a, b) => isOptionDisabled(a) - isOptionDisabled(b))[0];
  return usable((option) => option.value === value) ?? usable((option) => optionText(option) === plain(value) || plain(option.text) === plain(value));
}

function optionText(option) {
  return plain(option.label);
}

function isOptionDisabled(option) {
  return matches(option, ':disabled') || matches(option, 'optgroup:disabled > option');
}

/** @returns {Array<{value: string, label: string, disabled?: true}>} the first fifty, which is what a message can hold */
function available(options) {
  return options.slice(0, 50).map((option) => {
    const one = { value: option.value, label: optionText(option) };
    return isOptionDisabled(option) ? { ...one, disabled: true } : one;
  });
}

/** @returns {boolean} whether the choice changed */
function choose(el, options, chosen) {
  const before = options.map((option) => option.selected);
  if (el.multiple) for (const option of options) option.selected = chosen.includes(option);
  else el.selectedIndex = options.indexOf(chosen[0]);
  return options.some((option, i) => option.selected !== before[i]);
}

function chosenValues(el) {
  return [...el.selectedOptions].map((option) => option.value);
}
