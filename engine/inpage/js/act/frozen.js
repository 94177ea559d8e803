// The way out from below what keeps its place while content scrolls: frozen rows and columns, headers, side bars, layers beside a box
// that scrolls.

import { scrollingElement } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { composedParent } from '../dom/dom.js';
import { hasArea, isInside, overlap, rectOf, viewport } from '../dom/geometry.js';
import { followersAround } from './followers.js';
import { samePosition, scrollByOf, scrollChain, scrollPosition, scrollToOf } from './rest.js';
import { canScroll } from './scroll.js';

/** @import { Box } from '../dom/geometry.js' */

/**
 * What lies over the place of interest now: free = nothing, it can be reached; by = what does, or null where it is out of view.
 * @typedef {{free: boolean, by: Element|null}} Over
 * @typedef {{box: Element, dx: number, dy: number}} Step  a scroll of a box that moves its content by a distance on the screen
 */

// How many looks one search may take, and how many steps may follow each other: many columns may be frozen one beside the other.
const MOST_LOOKS = 32;
const MOST_STEPS = 8;

// How much of the place must fit beside what covers it, in pixels.
const LEAST_ROOM = 4;

/**
 * Scrolls what an element is in until a place of it is free, the shortest way that works. Where none does, everything is where it was.
 * @param {Element} el
 * @param {() => Box} placeNow where the place is on the screen
 * @param {() => Over} look
 * @returns {boolean} whether the place is free
 */
export function bringOut(el, placeNow, look) {
  const boxes = boxesAround(el);
  const followers = followersAround(el, boxes);
  boxes.push(...followers.keys());
  if (boxes.length === 0) return false;
  const all = [...new Set([...boxes, ...followers.values()])];
  let looks = MOST_LOOKS;
  /**
   * @param {Element} by
   * @param {number} steps
   * @param {Step} [last]
   * @returns {boolean}
   */
  const search = (by, steps, last) => {
    for (const step of stepsOut(el, by, placeNow(), boxes, followers, last)) {
      if (looks-- <= 0) return false;
      const from = all.map(scrollPosition);
      for (const box of [step.box, followers.get(step.box)])
        if (box) scrollByOf.call(box, { left: -step.dx, top: -step.dy, behavior: 'instant' });
      if (!all.every((box, i) => samePosition(from[i], scrollPosition(box)))) {
        const over = look();
        if (over.free || (over.by && steps > 1 && search(over.by, steps - 1, step))) return true;
      }
      for (const [i, box] of all.entries()) scrollBack(box, from[i]);
    }
    return false;
  };
  const { free, by } = look();
  return free || (by !== null && search(by, MOST_STEPS));
}

/**
 * Whether something keeps its place over an element while a box that the element is in scrolls along an axis.
 * @param {Element} by
 * @param {Element} el
 * @param {'x'|'y'} axis
 */
export function keepsPlace(by, el, axis) {
  return boxesAround(el).some((box) => scrollsAlong(box, axis) && heldOver(by, el, box)[axis]);
}

/**
 * What scrolls around an element and takes it along, the innermost first.
 * @param {Element} el
 */
function boxesAround(el) {
  const chain = scrollChain(el);
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    if (styleOf(node).position === 'fixed') return chain.filter((box) => box !== node && isInside(box, node));
  }
  return chain;
}

/**
 * @param {Element} box
 * @param {'x'|'y'} axis
 */
function scrollsAlong(box, axis) {
  return axis === 'x' ? canScroll(box, 1, 0) : canScroll(box, 0, 1);
}

/**
 * @param {Element} box
 * @param {{x: number, y: number}} to
 */
function scrollBack(box, to) {
  if (!samePosition(scrollPosition(box), to)) scrollToOf.call(box, { left: to.x, top: to.y, behavior: 'instant' });
}

/**
 * Along which axes something stays where it is while a box scrolls, and the part of the screen that it holds.
 * @param {Element} by
 * @param {Element} el
 * @param {Element} box
 * @returns {{x: boolean, y: boolean, holder: Element}}
 */
function heldOver(by, el, box) {
  let holder = by;
  for (let node = /** @type {Element|null} */ (by); node && node !== box; node = composedParent(node)) {
    if (isInside(el, node)) break; // both move with it
    const { position, left, right, top, bottom } = styleOf(node);
    if (position === 'fixed') return { x: true, y: true, holder: node };
    if (position === 'sticky') return { x: left !== 'auto' || right !== 'auto', y: top !== 'auto' || bottom !== 'auto', holder: node };
    if (hasArea(rectOf(node))) holder = node;
  }
  const beside = !isInside(by, box);
  return { x: beside, y: beside, holder };
}

/**
 * The scrolls that could bring a place out, the likeliest first: on in the direction of the last one, then away from the edge at which the cover
 * is, along the axis in which it takes less of the box.
 * @param {Element} el
 * @param {Element} by
 * @param {Box} place
 * @param {Element[]} boxes
 * @param {Map<Element, Element>} followers among them, with what they follow
 * @param {Step} [last]
 */
function stepsOut(el, by, place, boxes, followers, last) {
  /** @type {(Step & {rank: number})[]} */
  const steps = [];
  for (const box of boxes) {
    const { x, y, holder } = heldOver(by, el, box);
    const clip = box === scrollingElement() ? viewport() : overlap(rectOf(box), viewport());
    const cover = clip && overlap(rectOf(holder), clip);
    if (!clip || !cover) continue;
    const scrolls = followers.get(box) ?? box;
    const across = x && scrollsAlong(scrolls, 'x') ? sidesOf(cover.x, cover.width, clip.x, clip.width, place.x, place.width) : [];
    const down = y && scrollsAlong(scrolls, 'y') ? sidesOf(cover.y, cover.height, clip.y, clip.height, place.y, place.height) : [];
    for (const { by: dx, rank } of across) steps.push({ box, dx, dy: 0, rank });
    for (const { by: dy, rank } of down) steps.push({ box, dx: 0, dy, rank });
  }
  const goesOn = (/** @type {Step} */ { dx, dy }) =>
    last !== undefined && Math.sign(dx) === Math.sign(last.dx) && Math.sign(dy) === Math.sign(last.dy);
  return steps.sort((a, b) => Number(goesOn(b)) - Number(goesOn(a)) || a.rank - b.rank);
}

/**
 * How far a place goes along one axis to lie on each side of a cover where there is room for it. The rank of a side is the share of the box that is
 * taken as seen from there.
 * @param {number} cover @param {number} covers
 * @param {number} clip @param {number} clips
 * @param {number} place @param {number} takes
 */
function sidesOf(cover, covers, clip, clips, place, takes) {
  const needs = Math.min(LEAST_ROOM, takes);
  const before = cover - clip;
  const behind = clip + clips - cover - covers;
  const sides = [];
  // Places are fractions of pixels, and scrolling goes by whole ones.
  if (behind >= needs) sides.push({ by: Math.ceil(cover + covers - place) + 1, rank: 1 - behind / clips });
  if (before >= needs) sides.push({ by: Math.floor(cover - place - takes) - 1, rank: 1 - before / clips });
  return sides.filter(({ by }) => by !== 0);
}
