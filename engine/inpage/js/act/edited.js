// Ops edited and editedend: which fields input changes while a person works in the page. They tell what a field is, never what it holds.

import { attr, isElement, localName } from '../dom/dom.js';
import { pathOf } from './landed.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { roleOf } from '../ax/role.js';
import { editingHost } from './typing.js';

/** @typedef {{role: string, name: string}} EditedField */

const FIELDS = new Set(['input', 'select', 'textarea']);
const EVENTS = ['input', 'change']; // a field of an older page may send the second alone

/** @type {WeakSet<Element>} */
let told = new WeakSet();
/** @type {EditedField[]} fields that no call has returned yet */
let pending = [];
/** @type {((fields: EditedField[]) => void)|null} */
let waiting = null;

/** @param {Event} event */
function note(event) {
  const node = pathOf(event)[0];
  if (!event.isTrusted || !isElement(node)) return;
  const field = editingHost(node) ?? (FIELDS.has(localName(node)) ? node : null);
  if (field === null || told.has(field)) return;
  told.add(field);
  pending.push({ role: roleOf(field) ?? '', name: nameOf(field) || attr(field, 'name') || attr(field, 'id') || '' });
  answer();
}

function answer() {
  if (waiting === null || pending.length === 0) return;
  waiting(pending);
  pending = [];
  waiting = null;
}

/** Waits for fields that are changed. An empty list says that another call has taken its place, or that the watch has ended. */
ops.edited = () => {
  waiting?.([]);
  for (const name of EVENTS) addEventListener(name, note, { capture: true, passive: true });
  return new Promise((resolve) => {
    waiting = resolve;
    answer();
  });
};

/** Ends the watch and returns what was not told yet. */
ops.editedend = () => {
  for (const name of EVENTS) removeEventListener(name, note, { capture: true });
  const left = pending;
  waiting?.([]);
  told = new WeakSet();
  pending = [];
  waiting = null;
  return { fields: left };
};
