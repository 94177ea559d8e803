// Image maps: an <area> has no box of its own. Its place is that of its coordinates on the image that uses its map.

import { styleOf } from './builtins.js';
import { attr, composedParent, deepQueryAll, localName } from './dom.js';
import { rectOf } from './geometry.js';
import { isRendered } from './visibility.js';

/**
 * The image on which the area lies, or null.
 * @param {HTMLAreaElement} area
 */
export function imageOf(area) {
  for (let node = composedParent(area); node; node = composedParent(node)) {
    if (localName(node) !== 'map') continue;
    const name = attr(node, 'name');
    return name ? (deepQueryAll(document, 'img[usemap]').find((img) => attr(img, 'usemap') === '#' + name) ?? null) : null;
  }
  return null;
}

/**
 * The box around the area's shape, in the frame's viewport.
 * @param {HTMLAreaElement} area
 */
export function areaBox(area) {
  const img = imageOf(area);
  if (!img || !isRendered(img)) return null;
  const rect = rectOf(img);
  const style = styleOf(img);
  const left = rect.x + img.clientLeft + parseFloat(style.paddingLeft);
  const top = rect.y + img.clientTop + parseFloat(style.paddingTop);
  const coords = (attr(area, 'coords') ?? '')
    .split(/[\s,;]+/)
    .map(Number)
    .filter(Number.isFinite);
  const shape = (attr(area, 'shape') ?? 'rect').toLowerCase();
  if (shape === 'default') return rect;
  if (shape.startsWith('circ') && coords.length >= 3) {
    const [x, y, r] = coords;
    return new DOMRect(left + x - r, top + y - r, 2 * r, 2 * r);
  }
  const xs = coords.filter((_, i) => i % 2 === 0);
  const ys = coords.filter((_, i) => i % 2 === 1);
  if (xs.length < 2 || ys.length < 2) return null;
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
}
