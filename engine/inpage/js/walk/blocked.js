// Why a button cannot be used yet, where its form says that: which fields it needs first.

import { getAttributeOf, getterOf, matchesOfElement } from '../dom/builtins.js';
import { isHTMLElement, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { nameOfFacts } from '../ax/name.js';
import { isTextField, placeholderOf, textFieldValue } from '../ax/native.js';
import { escaped } from '../ax/states.js';

/** @import { Lines } from './lines.js' */

const formGet = getterOf(HTMLButtonElement.prototype, 'form');
const typeGet = getterOf(HTMLButtonElement.prototype, 'type');

const MOST_BUTTONS = 10;
const MOST_FIELDS = 3; // that are named
const LONGEST = 60;

const LACKING = ':is(input, select, textarea):invalid, [aria-required=true], [aria-invalid=true]';

/**
 * Adds the field "needs" to the line of a disabled button that sends a form: the fields of that which are empty and required, or invalid.
 * @param {Lines} walk
 */
export function tellBlocked({ lines, roles, at }) {
  let left = MOST_BUTTONS;
  for (let i = 0; i < lines.length && left > 0; i++) {
    const facts = at[i];
    if (facts === null || roles[i] !== 'button' || !lines[i].includes('\tdisabled=true')) continue;
    left--;
    if (!isHTMLElement(facts.el, 'button') || typeGet.call(facts.el) !== 'submit') continue;
    const form = formGet.call(facts.el);
    const names = form === null ? [] : Array.from(queryAll(form, LACKING)).filter(isLacking).map(calledOf);
    if (names.length === 0) continue;
    const more = names.length > MOST_FIELDS ? ` and ${names.length - MOST_FIELDS} more` : '';
    lines[i] += '\tneeds=' + escaped(names.slice(0, MOST_FIELDS).join(', ') + more);
  }
}

/** @param {Element} el */
function isLacking(el) {
  if (matchesOfElement.call(el, ':invalid') || getAttributeOf.call(el, 'aria-invalid') === 'true') return true;
  const facts = factsOf(el);
  return isTextField(facts) && textFieldValue(facts) === '';
}

/** @param {Element} el */
function calledOf(el) {
  const facts = factsOf(el);
  const name = nameOfFacts(facts) || (placeholderOf(facts) ?? '') || (getAttributeOf.call(el, 'name') ?? '') || 'a field';
  return name.length > LONGEST ? name.slice(0, LONGEST) + '…' : name;
}
