// What a modal dialog keeps from being used: the rest of the document, which is inert and not in the tree.

import { queryAll } from './dom.js';
import { hasArea, rectOf } from './geometry.js';
import { holds } from './visibility.js';

const CONTROLS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=tab], [role=menuitem], [contenteditable=true]';

/**
 * How many controls that have a box are outside of the element.
 * @param {Element} top
 */
export function controlsBehind(top) {
  let count = 0;
  for (const el of queryAll(document, CONTROLS)) if (!holds(top, el) && hasArea(rectOf(el))) count++;
  return count;
}
