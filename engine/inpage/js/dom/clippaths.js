// What a clip-path leaves of a box.

/** @import { Box } from './geometry.js' */

const GRID = 16; // points across a box that are looked at

/** @type {OffscreenCanvasRenderingContext2D|null|undefined} */
let pad;

/**
 * Whether a shape of CSS leaves nothing of a box that can be seen.
 * @param {string} shape as computed
 * @param {Box} box the reference box
 * @param {Box} part of it that matters
 */
export function clipsAway(shape, box, part) {
  const path = pathOf(shape, box);
  if (path === null) return false;
  pad ??= new OffscreenCanvas(1, 1).getContext('2d');
  if (pad === null) return false;
  for (let i = 0; i < GRID; i++)
    for (let j = 0; j < GRID; j++) {
      const x = part.x - box.x + ((i + 0.5) * part.width) / GRID;
      const y = part.y - box.y + ((j + 0.5) * part.height) / GRID;
      if (pad.isPointInPath(path.path, x, y, path.rule)) return false;
    }
  return true;
}

/**
 * @typedef {{path: Path2D, rule: CanvasFillRule}} Shape
 */

/**
 * @param {string} shape
 * @param {Box} box
 * @returns {Shape|null} null for what is not understood
 */
function pathOf(shape, box) {
  const [, name, content] = /^([a-z]+)\((.*)\)(?: [a-z-]+)?$/.exec(shape) ?? [];
  const path = new Path2D();
  const rule = content?.startsWith('evenodd') ? 'evenodd' : 'nonzero';
  const across = (/** @type {string} */ size) => inPixels(size, box.width);
  const down = (/** @type {string} */ size) => inPixels(size, box.height);
  switch (name) {
    case 'path': {
      const data = /"([^"]*)"/.exec(content);
      return data === null ? null : { path: new Path2D(data[1]), rule };
    }
    case 'polygon':
      for (const point of content.replace(/^(?:evenodd|nonzero),\s*/, '').split(/,\s*/)) {
        const [x, y] = point.split(' ');
        path.lineTo(across(x), down(y));
      }
      path.closePath();
      break;
    case 'inset': {
      const [top, right = top, bottom = top, left = right] = content.split(' round')[0].trim().split(/\s+/);
      const [x, y] = [across(left), down(top)];
      path.rect(x, y, Math.max(0, box.width - x - across(right)), Math.max(0, box.height - y - down(bottom)));
      break;
    }
    case 'circle':
    case 'ellipse': {
      const [sizes, place = '50% 50%'] = content.split(/\s*\bat\s+/);
      const [x, y] = place.split(' ');
      const [a, b = a] = sizes.trim().split(/\s+/);
      if (!/\d/.test(a)) return null;
      const diagonal = Math.hypot(box.width, box.height) / Math.SQRT2;
      const rx = inPixels(a, name === 'circle' ? diagonal : box.width);
      const ry = name === 'circle' ? rx : down(b);
      path.ellipse(across(x), down(y), rx, ry, 0, 0, 2 * Math.PI);
      break;
    }
    default:
      return null;
  }
  return { path, rule };
}

/** @param {string} size @param {number} whole */
function inPixels(size, whole) {
  const value = parseFloat(size);
  if (!/^-?[\d.e-]+(?:px|%)?$/.test(size)) return Number.NaN; // a sum: no point is in a path with it
  return size.endsWith('%') ? (value * whole) / 100 : value;
}
