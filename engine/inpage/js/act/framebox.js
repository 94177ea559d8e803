// Op frameBox: where points of a child frame lie in this one, and whether a pointer reaches the child there.

import { isConnected } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { coverFacts } from './cover.js';
import { composedParent } from '../dom/dom.js';
import { centre, hitAt, isVisible, isWithin, plainBox, rectOf, toScreen, viewport } from '../dom/geometry.js';
import { bringOut } from './frozen.js';
import { whyHidden } from './hidden.js';
import { named } from '../find/locate.js';
import { comingIn } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { showPoint } from './points.js';
import { elementOf } from '../dom/tokens.js';
import { fail, failFinal, until } from '../dom/until.js';

// How often a way out from below a cover is searched for.
const MOST_SEARCHES = 3;

/**
 * Of some points of the child's viewport, those at which a pointer reaches the child, in this frame's viewport, and in the main frame on the screen. What is out of view, or below
 * something that sticks to the screen, is scrolled to first: a frame of another process cannot scroll this one in time. A failure has the
 * place of the first point as well.
 * @param {{token: number, points: {x: number, y: number}[], patience?: number, longest?: number}} arg
 */
ops.frameBox = ({ token, points, patience = 0, longest = patience }) => {
  let searches = MOST_SEARCHES;
  const told = (/** @type {FrameLook} */ { points, at }) => ({ points: points.map(toScreen), at: toScreen(at) });
  /** @param {Element} owner */
  const attempt = (owner) => {
    if (!isVisible(owner)) return fail('target-hidden', () => ({ ...named(owner), ...whyHidden(owner) }));
    let look = reachFrame(owner, points);
    if (look.points.length > 0) return told(look);
    const first = () => fromFrame(owner, points[0].x, points[0].y);
    showPoint(owner, first);
    look = reachFrame(owner, points);
    if (look.hit && searches-- > 0) {
      const place = () => ({ ...first(), width: 1, height: 1 });
      bringOut(owner, place, () => {
        look = reachFrame(owner, points);
        return { free: look.points.length > 0, by: look.hit };
      });
    }
    if (look.points.length > 0) return told(look);
    if (!look.inView)
      return {
        ...fail('target-outside', () => ({ frame: named(owner), box: plainBox(rectOf(owner)), viewport: plainBox(viewport()) })),
        at: toScreen(look.at),
      };
    return { ...fail('target-covered', () => coverFacts(look.hit, owner)), at: toScreen(look.at) };
  };
  const look = () => {
    const owner = elementOf(token);
    return owner && isConnected(owner) ? comingIn(attempt(owner), owner) : failFinal('frame-gone');
  };
  return until(patience, look, longest);
};

/**
 * What there is of points of a child: those at which it is reached, where the first one is, and what is there instead.
 * @typedef {{points: {x: number, y: number}[], at: {x: number, y: number}, inView: boolean, hit: Element|null}} FrameLook
 */

/**
 * @param {Element} owner
 * @param {{x: number, y: number}[]} points
 * @returns {FrameLook}
 */
function reachFrame(owner, points) {
  const places = points.map(({ x, y }) => fromFrame(owner, x, y));
  const inView = places.filter((place) => isWithin(place, viewport()));
  const reached = inView.filter(({ x, y }) => hitAt(x, y) === owner);
  /** @type {FrameLook} */
  const look = { points: reached, at: places[0], inView: inView.length > 0, hit: null };
  if (reached.length === 0 && inView.length > 0) look.hit = hitAt(inView[0].x, inView[0].y);
  return look;
}

/**
 * The child's viewport begins inside the owner's border and padding, and is drawn at the owner's scale and turned as it is.
 * @param {Element} owner
 * @param {number} x
 * @param {number} y
 */
export function fromFrame(owner, x, y) {
  const rect = rectOf(owner);
  const style = styleOf(owner);
  const { offsetWidth: width, offsetHeight: height } = /** @type {HTMLElement} */ (owner);
  const left = owner.clientLeft + parseFloat(style.paddingLeft) + x;
  const top = owner.clientTop + parseFloat(style.paddingTop) + y;
  const turn = turningOf(owner);
  if (turn === null || width === 0 || height === 0) {
    return { x: rect.x + left * (width > 0 ? rect.width / width : 1), y: rect.y + top * (height > 0 ? rect.height / height : 1) };
  }
  // The middle of a turned box is that of the box around it, and what zooms it shows in how large that is.
  const { a, b, c, d } = turn;
  const zoom = rect.width / (Math.abs(a) * width + Math.abs(c) * height);
  const across = (left - width / 2) * zoom;
  const down = (top - height / 2) * zoom;
  const middle = centre(rect);
  return { x: middle.x + a * across + c * down, y: middle.y + b * across + d * down };
}

/**
 * The reverse of fromFrame.
 * @param {Element} owner
 * @param {number} x
 * @param {number} y
 */
export function toFrame(owner, x, y) {
  const origin = fromFrame(owner, 0, 0);
  const right = fromFrame(owner, 1, 0);
  const below = fromFrame(owner, 0, 1);
  const a = right.x - origin.x;
  const b = right.y - origin.y;
  const c = below.x - origin.x;
  const d = below.y - origin.y;
  const all = a * d - b * c;
  return { x: ((x - origin.x) * d - (y - origin.y) * c) / all, y: ((y - origin.y) * a - (x - origin.x) * b) / all };
}

/**
 * What transforms of the element and of what it is in make of directions, or null while they only scale: then its box says it all.
 * @param {Element} el
 * @returns {DOMMatrix|null}
 */
function turningOf(el) {
  let all = null;
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const { transform, rotate, scale } = styleOf(node);
    if (transform === 'none' && rotate === 'none' && scale === 'none') continue;
    const own = new DOMMatrix([rotation(rotate), scaling(scale), transform === 'none' ? '' : transform].join(' '));
    all = all === null ? own : own.multiply(all);
  }
  return all === null || (all.b === 0 && all.c === 0 && all.a > 0 && all.d > 0) ? null : all;
}

/**
 * The property rotate as a function: "30deg", "x 30deg" or "1 1 0 30deg".
 * @param {string} value
 */
function rotation(value) {
  if (value === 'none') return '';
  const words = value.split(' ');
  if (words.length === 1) return `rotate(${value})`;
  return words.length === 2 ? `rotate${words[0].toUpperCase()}(${words[1]})` : `rotate3d(${words.join()})`;
}

/** @param {string} value */
function scaling(value) {
  if (value === 'none') return '';
  const words = value.split(' ');
  return words.length === 3 ? `scale3d(${words.join()})` : `scale(${words.join()})`;
}
