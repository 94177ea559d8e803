// Points of elements that are not where the middle of their box is: lines, rings, shapes with holes, what is clipped or lets the pointer through
// in parts.

import { namespaceGet, SVG_NS } from '../dom/builtins.js';
import { deepQueryAll } from '../dom/dom.js';
import { isWithin, viewport } from '../dom/geometry.js';
import { isRendered } from '../dom/visibility.js';

/**
 * @import { Box } from '../dom/geometry.js'
 * @typedef {{x: number, y: number}} Point
 */

const { getTotalLength, getPointAtLength, isPointInFill } = SVGGeometryElement.prototype;
const { getScreenCTM, getBBox } = SVGGraphicsElement.prototype;

// How many shapes of an element are asked, for how many points of the line of each and of what is filled.
const SHAPES = 8;
const ON_LINE = 24;
const IN_FILL = 12;
const FILL_TRIES = 200;

// How many places of a box are tried where no geometry says what is there.
const PLACES_TRIED = 400;

/**
 * Points of the shapes that an element is, or has in it, that the screen shows.
 * @param {Element} el
 */
export function shownShapePoints(el) {
  const screen = viewport();
  return shapePoints(el).filter((point) => isWithin(point, screen));
}

/**
 * Points in the fillings and on the lines of the shapes that an element is, or has in it.
 * @param {Element} el
 * @returns {Point[]}
 */
export function shapePoints(el) {
  if (namespaceGet.call(el) !== SVG_NS) return [];
  const shapes = [el, ...deepQueryAll(el, '*')].filter((node) => node instanceof SVGGeometryElement);
  return shapes.slice(0, SHAPES).flatMap(pointsIn);
}

/**
 * @param {SVGGeometryElement} shape
 * @returns {Point[]}
 */
function pointsIn(shape) {
  const matrix = isRendered(shape) ? getScreenCTM.call(shape) : null;
  if (matrix === null) return [];
  const { a, b, c, d, e, f } = matrix;
  return [...fillPoints(shape), ...linePoints(shape)].map(({ x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f }));
}

/**
 * @param {SVGGeometryElement} shape
 * @returns {Point[]}
 */
function linePoints(shape) {
  const length = getTotalLength.call(shape);
  if (!(length > 0)) return [];
  const points = [];
  for (let i = 0; i < ON_LINE; i++) points.push(getPointAtLength.call(shape, (length * ((i * 7 + 3.5) % ON_LINE)) / ON_LINE));
  return points;
}

/**
 * @param {SVGGeometryElement} shape
 * @returns {Point[]}
 */
function fillPoints(shape) {
  const points = [];
  for (const point of scattered(getBBox.call(shape), FILL_TRIES)) {
    if (isPointInFill.call(shape, point)) points.push(point);
    if (points.length === IN_FILL) break;
  }
  return points;
}

/**
 * Points all over a box, so that any number of the first ones lie about evenly in it.
 * @param {Box} box
 * @returns {Generator<Point>}
 */
export function* scattered({ x, y, width, height }, count = PLACES_TRIED) {
  for (let i = 1; i <= count; i++) yield { x: x + width * fraction(i, 2), y: y + height * fraction(i, 3) };
}

/**
 * The number of a sequence of low discrepancy (van der Corput): the digits of i behind the point, in reverse.
 * @param {number} i
 * @param {number} base
 */
function fraction(i, base) {
  let all = 0;
  for (let rest = i, part = 1 / base; rest > 0; rest = Math.floor(rest / base), part /= base) all += part * (rest % base);
  return all;
}
