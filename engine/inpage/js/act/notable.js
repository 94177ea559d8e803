// What a person notices when it comes up: dialogs, menus, announcements.

import { matches } from '../dom/access.js';
import { getElementsByTagNameOf } from '../dom/builtins.js';
import { attr, composedParent, localName, queryAll } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { nameOf } from '../ax/name.js';
import { roleOf } from '../ax/role.js';
import { plain, shownStart } from '../dom/text.js';

/** @typedef {{text: string|null, title: string}} Notable  text = of what announces things */

// What a person notices when it appears, whatever of the page's means brings it up.
const NOTABLE_ROLES = new Set(['dialog', 'alertdialog', 'alert', 'status', 'log', 'menu', 'listbox', 'tooltip', 'tabpanel']);
// Those of which the text counts, not only whether they are there.
export const ANNOUNCES = '[role=alert], [role=status], [role=log], [aria-live=polite], [aria-live=assertive]';
const NOTABLES_LOOKED_AT = 50;

/** @returns {Map<Element, Notable>} what is notable and can be seen */
export function notables() {
  const found = new Map();
  for (const el of notableElements()) {
    if (found.size === NOTABLES_LOOKED_AT) break;
    if (!isVisible(el)) continue;
    const text = matches(el, ANNOUNCES) ? shownStart(el, 120) : null;
    if (text !== '') found.set(el, { text, title: titleOfPart(el, text ?? '') }); // what has announced nothing yet is not there
  }
  return found;
}

/**
 * Every element is looked at, on each action: two attributes and a tag are asked for, and roles are compared for those that have one.
 * @returns {Element[]}
 */
function notableElements() {
  const found = Array.from(getElementsByTagNameOf.call(document, 'dialog'));
  for (const el of queryAll(document, '[role], [aria-live], [popover]')) {
    const role = attr(el, 'role');
    if (role === null || NOTABLE_ROLES.has(role)) found.push(el);
  }
  return found;
}

/**
 * Whether it came inside another part that came, which says it all.
 * @param {Element} el
 * @param {Map<Element, Notable>} now
 * @param {Map<Element, Notable>} before
 */
export function isInsideOther(el, now, before) {
  for (let node = composedParent(el); node; node = composedParent(node)) if (now.has(node) && !before.has(node)) return true;
  return false;
}

/** @param {Element} el @param {string} text */
export function titleOfPart(el, text) {
  const role = roleOf(el);
  const said = plain(nameOf(el)) || text || shownStart(el, 60);
  const name = /^\p{Co}*$/u.test(said) ? '' : said; // an icon says nothing
  const what = role === '' || role === 'generic' || role === 'none' ? localName(el) : role;
  return name === '' ? what : `${what} ${JSON.stringify(name.length > 120 ? name.slice(0, 120) + '…' : name)}`;
}
