// States and values of elements.

/** @returns {'true'|'false'|'mixed'|null} null: it cannot be checked */
function checkedOf(el) {
  if (localName(el) === 'input' && (el.type === 'checkbox' || el.type === 'radio')) return el.indeterminate ? 'mixed' : String(el.checked);
  const aria = attr(el, 'aria-checked');
  return aria === 'true' || aria === 'false' || aria === 'mixed' ? aria : null;
}

/** Whether the element is disabled: natively, by its fieldset, or by aria-disabled. */
function isDisabled(el) {
  return matchesOfElement.call(el, ':disabled') || attr(el, 'aria-disabled') === 'true';
}

/** The value of a control as a person reads it. */
function valueOf(el) {
  const tag = localName(el);
  return tag === 'input' || tag === 'textarea' || tag === 'select' ? el.value : '';
}
