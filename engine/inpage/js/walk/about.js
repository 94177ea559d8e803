// What a document says of itself, as the first line of a walk.

import { titleGet } from '../dom/access.js';
import { getterOf } from '../dom/builtins.js';
import { tidy } from '../ax/name.js';
import { escaped } from '../ax/states.js';
import { wallField } from './wall.js';

const readyStateGet = getterOf(Document.prototype, 'readyState');

/** The title, the HTTP status, and how far the document has loaded unless it is complete: fields with a TAB between them, after a "!". */
export function aboutLine() {
  const fields = ['title=' + escaped(tidy(String(titleGet.call(document))))];
  const status = Number(/** @type {any} */ (performance.getEntriesByType('navigation')[0])?.responseStatus ?? 0);
  if (status > 0) fields.push('status=' + status);
  const state = readyStateGet.call(document);
  if (state !== 'complete') fields.push('state=' + state);
  const wall = wallField();
  if (wall) fields.push(wall);
  return '!' + fields.join('\t') + '\n';
}
