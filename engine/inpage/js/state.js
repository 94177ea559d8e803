// States and values of elements (core-aam section 6.6, html-aam section 4 on attributes).

const inputCheckedGet = getterOf(HTMLInputElement.prototype, 'checked');
const inputIndeterminateGet = getterOf(HTMLInputElement.prototype, 'indeterminate');
const valueAsNumberGet = getterOf(HTMLInputElement.prototype, 'valueAsNumber');
const inputFilesGet = getterOf(HTMLInputElement.prototype, 'files');

const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const CHECKABLE_BY_ARIA = new Set(['option', 'treeitem']);
const MIXABLE = new Set(['checkbox', 'menuitemcheckbox', 'option', 'treeitem']);

/** @returns {'true'|'false'|'mixed'|null} null: it cannot be checked. A label, and what stands for a hidden box, has the state of the control. */
function checkedOf(el) {
  return remembering(() => checkedOfFacts(boxedFacts(factsOf(controlOf(el) ?? el))));
}

function boxedFacts(facts) {
  const box = boxBehind(facts);
  return box === null ? facts : factsOf(box);
}

/** The state of a control that is checked natively, which no attribute changes; else null. */
function nativeChecked(facts) {
  if (!facts.html || facts.tag !== 'input') return null;
  const type = inputType(facts.el);
  if (type !== 'checkbox' && type !== 'radio') return null;
  if (type === 'checkbox' && inputIndeterminateGet.call(facts.el)) return 'mixed';
  return inputCheckedGet.call(facts.el) ? 'true' : 'false';
}

function checkedOfFacts(facts) {
  const native = nativeChecked(facts);
  if (native !== null) return native;
  const role = semanticRole(facts);
  if (!CHECKABLE.has(role) && !(CHECKABLE_BY_ARIA.has(role) && token(facts, 'aria-checked') !== null)) return null;
  return triState(token(facts, 'aria-checked'), MIXABLE.has(role));
}

/** An ARIA attribute whose empty value and "undefined" mean that it is absent. */
function token(facts, name) {
  const value = saidBy(facts, name);
  if (value === null || value === '' || value.toLowerCase() === 'undefined') return null;
  return value.toLowerCase();
}

function triState(value, mixable) {
  if (value === null || value === 'false') return 'false';
  if (value === 'mixed') return mixable ? 'mixed' : 'false';
  return 'true';
}

/** Whether the element is disabled: natively, by its fieldset, or by aria-disabled of itself or of what it is in. */
function isDisabled(el) {
  return remembering(() => {
    const facts = boxedFacts(factsOf(el));
    if (isSelfDisabled(facts)) return true;
    return isPartOfDisabled(facts) || (isFocusable(facts) && isInDisabled(parentOf(facts)));
  });
}

/** Whether it is a part of a control of the browser's own that is disabled. */
function isPartOfDisabled(facts) {
  const control = controlAround(facts.el);
  return control !== null && attr(control, 'disabled') !== null; // by its fieldset, only the control itself is
}

function isSelfDisabled(facts) {
  if (facts.plain && !DISABLEABLE.has(facts.tag)) return false;
  // Chrome does not call a fieldset disabled, only what is in it.
  return (facts.tag !== 'fieldset' && matchesOfElement.call(facts.el, ':disabled')) || isTrue(saidBy(facts, 'aria-disabled'));
}

const DISABLEABLE = new Set(['button', 'input', 'select', 'textarea', 'option']);

/** Whether a focusable element in it is disabled along with it. */
function isInDisabled(facts) {
  for (let node = facts; node; node = parentOf(node)) {
    const aria = token(node, 'aria-disabled');
    if (aria !== null) return aria !== 'false';
    if (isSelfDisabled(node)) return true;
  }
  return false;
}

/** The value of a control as a person reads it: the text in a field, the chosen option, the number of a slider. */
function valueOf(el) {
  return remembering(() => valueOfFacts(factsOf(el)));
}

function valueOfFacts(facts) {
  const { el, tag } = facts;
  if (facts.html) {
    switch (tag) {
      case 'textarea': return textareaValueGet.call(el);
      case 'select': return isListBox(el) ? '' : shownOption(facts);
      case 'input': return inputShownValue(facts);
      case 'meter': return rangeValue(facts);
      case 'progress': return rangeValue(facts);
    }
  }
  if (facts.plain) return '';
  if (isTextField(facts)) return innerTextGet.call(el);
  const role = semanticRole(facts);
  if (RANGES.has(role) || (role === 'separator' && isFocusable(facts))) return rangeValue(facts);
  if (role === 'combobox' && isFocusable(facts)) return tidy(textOfContents(facts, { visited: new Set(), root: null }));
  return '';
}

/** What is written in a select that is one line. */
function shownOption(facts) {
  const chosen = selectOptionsGet.call(facts.el);
  if (chosen.length !== 1 && selectMultipleGet.call(facts.el)) return `${chosen.length} selected`;
  const option = chosen[0];
  const button = childWithTag(facts.el, 'button'); // it stands for the box, and may repeat the option
  if (button !== null && isRichSelect(facts.el) && queryAllOf.call(button, 'selectedcontent').length === 0) {
    return tidy(textOfContents(factsOf(button), { visited: new Set(), root: null }));
  }
  if (option && isRichOption(factsOf(option))) return nameOfFacts(factsOf(option));
  return option ? attr(option, 'aria-label') ?? cased(tidy(optionLabelGet.call(option)), facts) : '';
}

function inputShownValue(facts) {
  switch (inputType(facts.el)) {
    case 'button': case 'submit': case 'reset': case 'image': case 'checkbox': case 'radio': case 'hidden': return '';
    case 'file': return fileStatus(facts);
  }
  const value = inputValueGet.call(facts.el);
  return value !== '' || facts.plain || !RANGES.has(semanticRole(facts)) ? value : (saidBy(facts, 'aria-valuenow') ?? '');
}

/** What the browser writes beside the button of a file input. */
function fileStatus(facts) {
  const files = inputFilesGet.call(facts.el);
  if (!files || files.length === 0) return 'No file chosen';
  return files.length === 1 ? files[0].name : `${files.length} files`;
}

const RANGES = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);

/** The number of a range, or "" when it has none (WAI-ARIA 1.2, section 8.3 on missing values: only roles by attribute have others). */
function rangeValue(facts) {
  const { el } = facts;
  const now = saidBy(facts, 'aria-valuenow');
  if (now !== null) {
    const { min, max } = facts.tag === 'progress' ? NO_BOUNDS : boundsOf(facts, semanticRole(facts));
    return String(clamp(parseFloat(now) || 0, min, max));
  }
  if (facts.html && facts.tag === 'input') {
    const value = valueAsNumberGet.call(el);
    return Number.isFinite(value) ? String(value) : '';
  }
  if (facts.html && facts.tag === 'meter') return String(meterValueGet.call(el));
  if (facts.html && facts.tag === 'progress') return attrOf(facts, 'value') === null ? '' : String(progressValueGet.call(el));
  const role = explicitRole(facts);
  const { min, max } = boundsOf(facts, role);
  switch (role) {
    case 'slider': case 'scrollbar': return String(((min ?? 0) + (max ?? 100)) / 2);
    case 'meter': return String(min);
    case 'spinbutton': return '0';
    case 'separator': return '50';
    default: return '';
  }
}

function bound(facts, name) {
  const value = saidBy(facts, name);
  return value === null ? null : parseFloat(value) || 0;
}

function clamp(value, min, max) {
  if (min !== null && value < min) return min;
  return max !== null && value > max ? max : value;
}
