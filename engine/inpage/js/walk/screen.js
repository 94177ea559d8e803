// The end of a walk: where its lines are on the screen, and what lies over them.

import { Aim } from '../act/aim.js';
import { bodyOf, composedParent, elementRoot } from '../dom/dom.js';
import { activates, centre, hasArea, hitAt, isInside, overlap, receivesFor, viewport, visibleLabels } from '../dom/geometry.js';
import { INTERACTIVE_ROLES } from '../ax/interactiveroles.js';
import { ITEMS } from '../dom/kinds.js';
import { tokenOf, tokens } from '../dom/tokens.js';
import { SPARE, TEXT_ROLE } from './lines.js';
import { passesBy } from './departing.js';
import { placeOf } from './outofsight.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 * @import { Lines } from './lines.js'
 */

// More elements than that are not on one screen, or are too small to read.
const COVER_CHECKS = 300;

/**
 * Adds to the lines of a walk what depends on where they are.
 * @param {Lines} walk
 * @param {{boxes: boolean, view: boolean, fold: number}} want
 */
export function locateLines({ lines, depths, roles, at }, want) {
  const screen = viewport();
  const bottom = screen.y + screen.height * want.fold;
  const covers = new Covers(at, screen);
  let away = -1; // depth of an item that is out of view, whose parts are skipped
  for (let i = 0; i < lines.length; i++) {
    const facts = at[i];
    if (depths[i] <= away) away = -1;
    if (facts === null || (away >= 0 && !want.boxes)) continue;
    const isText = roles[i] === TEXT_ROLE;
    const isItem = ITEMS.has(roles[i]);
    if (isItem && want.view && !isReferred(lines[i])) lines[i] = withToken(lines[i], facts);
    if (isItem && isFarFrom(placeOf(facts), screen.y, bottom)) away = depths[i];
    const needed = want.view || (want.boxes && !isText) || (!isText && isReferred(lines[i]));
    if (!needed) continue;
    const rect = placeOf(facts);
    if (want.boxes && !isText)
      lines[i] += '\tbox=' + round(rect.x - screen.x) + ',' + round(rect.y - screen.y) + ',' + round(rect.width) + ',' + round(rect.height);
    const inView = rect.x < screen.x + screen.width && rect.y < bottom && rect.x + rect.width > screen.x && rect.y + rect.height > screen.y;
    if (want.view && inView) lines[i] += '\tinview=true';
    if (inView && isActedOn(roles[i], lines[i])) lines[i] += covers.over(facts);
  }
}

/**
 * Whether the line has a token.
 * @param {string} line
 */
export function isReferred(line) {
  return line.charCodeAt(1) !== 9;
}

/**
 * Whether a pointer has business with the element.
 * @param {string} role
 * @param {string} line
 */
function isActedOn(role, line) {
  return INTERACTIVE_ROLES.has(role) || line.includes('\thints=');
}

// The content of an item overflows it by less than this.
const NEAR_SCREEN = 500;

/** @param {Box} rect @param {number} top @param {number} bottom */
function isFarFrom(rect, top, bottom) {
  if (!hasArea(rect)) return false;
  return rect.y > bottom + NEAR_SCREEN || rect.y + rect.height < top - NEAR_SCREEN;
}

/**
 * The line of an item that has no token with one: what is folded away needs it, to be shown on demand.
 * @param {string} line
 * @param {Facts} facts
 */
function withToken(line, facts) {
  return '\t' + tokenOf(facts.el) + line.slice(1) + SPARE;
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 100) / 100;
}

class Covers {
  /** @param {(Facts|null)[]} at @param {Box} screen */
  constructor(at, screen) {
    this.at = at;
    this.screen = screen; // the page is asked for it once: that costs as much as a box
    this.checks = 0;
    /** @type {Set<Element>|null} the elements that have lines */
    this.shown = null;
  }

  /**
   * The field that says that something else takes the pointer everywhere on the element, or "".
   * @param {Facts} facts
   */
  over(facts) {
    const { el } = facts;
    if (++this.checks > COVER_CHECKS || !facts.html || facts.tag === 'option' || facts.tag === 'area') return '';
    const box = rectsShown(facts, this.screen);
    if (box === null) return '';
    const middle = centre(box);
    const hit = hitAt(middle.x, middle.y);
    if (hit === null || hit === el || receivesFor(hit, el) || isInside(el, hit)) return '';
    const receives = (/** @type {Element | null} */ other) => receivesFor(other, el);
    const seen = new Aim({ checks: 'pointer' }).look(el, receives);
    if (seen.point || !seen.inView || !seen.hit || isInside(el, seen.hit)) return '';
    if (visibleLabels(el).some((label) => new Aim({}).look(label, (other) => activates(other, label)).point)) return '';
    if (passesBy(seen.hit, el)) return '';
    return '\tcovered=' + this.nameable(seen.hit);
  }

  /**
   * The token of the covering element, or of what it is in, that a snapshot shows; else 0.
   * @param {Element} hit
   */
  nameable(hit) {
    this.shown ??= new Set(this.at.filter((facts) => facts !== null).map((facts) => facts.el));
    for (let node = /** @type {Element|null} */ (hit); node; node = composedParent(node)) {
      if (node === bodyOf() || node === elementRoot()) break;
      if (this.shown.has(node)) return tokens.get(node)?.token ?? 0;
    }
    return 0;
  }
}

/**
 * The part of the element's box that is on the screen, or null.
 * @param {Facts} facts
 * @param {Box} screen
 */
function rectsShown(facts, screen) {
  const rect = placeOf(facts);
  return hasArea(rect) ? overlap(rect, screen) : null;
}
