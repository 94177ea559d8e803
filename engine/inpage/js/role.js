// Roles as Chrome's accessibility tree spells them.

/** @type {Map<string, string | ((el: Element) => string)>} */
const IMPLICIT = new Map();

/** The element's role; "generic" when it has none of its own. */
function roleOf(el) {
  const explicit = attr(el, 'role');
  if (explicit) return explicit.trim().split(/\s+/)[0];
  const tag = localName(el);
  switch (tag) {
    case 'a': return attr(el, 'href') === null ? 'generic' : 'link';
    case 'button': return 'button';
    case 'select': return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'textarea': return 'textbox';
    case 'h1': case 'h2': case 'h3': case 'h4': case 'h5': case 'h6': return 'heading';
    case 'input': return { checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button', range: 'slider',
      number: 'spinbutton', search: 'searchbox' }[el.type] ?? 'textbox';
    case 'option': return 'option';
    case 'summary': return 'DisclosureTriangle';
    default: return 'generic';
  }
}
