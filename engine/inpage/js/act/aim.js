// Op aim: the checks that a person's eye makes before the hand moves (there, visible, enabled, at rest, in view, not covered), and the
// point where input reaches the element.

import { matches } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { blame, coverFacts } from './cover.js';
import { composedParent, elementRoot, localName } from '../dom/dom.js';
import { watchEffects } from './effects.js';
import { remembering } from '../dom/facts.js';
import {
  activates,
  boxesOf,
  boxOf,
  centre,
  hitAt,
  isInside,
  isVisible,
  isWithin,
  plainBox,
  receivesFor,
  rectOf,
  toScreen,
  viewport,
  visibleLabels,
  visiblePart,
} from '../dom/geometry.js';
import { bringOut } from './frozen.js';
import { menuOf, whyHidden } from './hidden.js';
import { hoverFacts } from './hovering.js';
import { armLanding } from './landed.js';
import { isLastingCover } from './lastingcover.js';
import { hrefOf } from '../dom/linkaddress.js';
import { locate, located, named } from '../find/locate.js';
import { comingIn, isSlow, motionFacts, motionOf, sameRect } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { ItemParts } from './own.js';
import { controlAt, hostFor, labelAround, takesClicks } from './parts.js';
import { pointsOf, showAt, showPoint } from './points.js';
import { scattered, shapePoints, shownShapePoints } from './shapes.js';
import { INTERACTIVE_ROLES } from '../ax/interactiveroles.js';
import { roleOf } from '../ax/role.js';
import { checkedOf, isDisabled } from '../ax/state.js';
import { fail, frameCount, nextFrame, until } from '../dom/until.js';

/**
 * @import { Box } from '../dom/geometry.js'
 * @import { Found } from '../find/locate.js'
 * @import { AimArg, AimSaid, Looked } from '../ops.js'
 * @import { Failure } from '../dom/until.js'
 *
 * Of an AimArg, checks = pointer, hover or none; position = in the element's box, from its
 *   top left corner; arm, times, presses and guard = see landed.js; spare = all points that would do; settle = see it at rest in two frames,
 *   whatever moves it; choose = an option in a menu that the browser draws is not aimed at but answered with its select, as `menu`
 */

ops.aim = (arg) => {
  const aim = new Aim(arg);
  // Nothing here lets the page's scripts run, so that one look at a time knows each fact once.
  const look = () =>
    remembering(() => {
      const found = locate(arg.target);
      return found.error ? found : comingIn(aim.attempt(found), found.el);
    });
  return until(arg.patience ?? 0, look, arg.longest);
};

/**
 * Where an element can be reached: subject = what is pressed, the element or its label; via = what gets the pointer in its place;
 * beside = at a point outside of the element; inner = a control in it, which gets the pointer there, since nothing shows of the element.
 * @typedef {{subject: Element, box: Box, point: {x: number, y: number}, via?: Element, viaLabel?: boolean, beside?: boolean, inner?: Element,
 *   receives?: (hit: Element | null) => boolean, error?: undefined}} Reached
 * @typedef {{inView: boolean, box: Box, hit?: Element | null, clippedBy?: Element | null, point?: undefined}} Missed  what is there instead
 */

// What an element that shows only while something is hovered may fail for.
const HOVER_SHOWS = new Set(['target-hidden', 'target-outside', 'target-covered']);

// How many texts of an item that is longer than the screen are brought into view.
const LABELS_SHOWN = 2;

// How often a free point, or a way out from below a cover, is searched for: tables that draw what is in view have other covers after each search.
const MOST_SEARCHES = 3;

// How long something may move before it is followed, in ms: what scrolls smoothly, or makes room, comes to rest.
const MOVES_FOR = 500;

/** One aim: what its attempts tell each other is the last place of the element and whether the page was scrolled for it. */
export class Aim {
  /** @param {Partial<AimArg>} arg without a target when it is asked for single looks only */
  constructor(arg) {
    this.checks = arg.checks ?? 'pointer';
    this.position = arg.position;
    /** @type {{x: number, y: number}|null} */
    this.point = null; // of the viewport, when the target is what is there
    this.arg = arg;
    this.settle = arg.settle === true;
    this.watch = arg.watch === true;
    this.patient = (arg.patience ?? 0) > 0;
    /** @type {{el: Element, rect: Box, frame: number, moves: number, since: number}|null} moves = in how many frames in a row it has moved, since then */
    this.last = null;
    this.followed = false; // it has been seen to keep moving
    /** @type {Object<string, any>|null} */
    this.hovers = null; // by hoverFacts
    this.step = { x: 0, y: 0 }; // how far it moves in a frame
    this.searches = MOST_SEARCHES;
  }

  /**
   * @param {Found} found
   * @returns {Looked<AimSaid>}
   */
  attempt(found) {
    const { el } = found;
    this.point = found.point ?? null;
    const menu = this.arg.choose ? menuOf(el) : null;
    if (menu) return { ...located(found), menu: { ...named(menu), tag: localName(menu) } };
    if (this.checks === 'none') return this.withoutChecks(found);
    const subject = isVisible(el) || (this.point && el === elementRoot()) ? el : visibleLabels(el)[0];
    if (!subject)
      return this.toHover(
        el,
        fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) })),
      );
    if (this.checks === 'pointer' && refusesPointer(el)) return fail('target-disabled', () => located(found));
    const off = this.offBox(subject);
    if (off) return withFacts(off, found);
    const place = this.place(el, subject);
    if (place.error) return this.toHover(el, withFacts(place, found));
    const moving = this.motion(place.subject);
    if (moving) return withFacts(moving, found);
    return this.answer(found, this.followed ? { ...place, point: this.ahead(place.point) } : place);
  }

  /**
   * Adds to a failure what to hover first, if the element shows only then. It's looked for once; waiting does not help where there is such a thing.
   * @template {Failure} F
   * @param {Element} el
   * @param {F} failure
   * @returns {F}
   */
  toHover(el, failure) {
    if (this.arg.hovered === true || this.point !== null || !HOVER_SHOWS.has(failure.error.code)) return failure;
    if (failure.error.code === 'target-covered' && styleOf(el).pointerEvents !== 'none') return failure;
    this.hovers ??= hoverFacts(el);
    const { hovers } = this;
    const { facts } = failure.error;
    const told = {
      ...failure,
      error: { ...failure.error, facts: () => ({ ...(typeof facts === 'function' ? facts() : facts), ...hovers }) },
    };
    return 'hover' in hovers ? { ...told, final: true } : told;
  }

  /**
   * @param {Found} found
   * @returns {Looked<AimSaid>}
   */
  withoutChecks(found) {
    const { el } = found;
    let box = this.boxOf(el);
    if (!box) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
    if (!isWithin(this.pointIn(box), viewport())) {
      this.show(el, 'center');
      box = this.boxOf(el) ?? box;
    }
    if (!isWithin(this.pointIn(box), viewport())) {
      return fail('target-outside', () => ({ ...located(found), box: plainBox(box), viewport: plainBox(viewport()) }));
    }
    return this.answer(found, { subject: el, box, point: this.pointIn(box) });
  }

  /** Whether it is said where the element is to be reached. */
  get exact() {
    return this.position !== undefined || this.point !== null;
  }

  /** @param {DOMRect} box */
  pointIn(box) {
    if (this.point) return this.point;
    return this.position ? { x: box.x + this.position.x, y: box.y + this.position.y } : centre(box);
  }

  /**
   * The root is there at points outside of its box, too.
   * @param {Element} el
   */
  boxOf(el) {
    return boxOf(el) ?? (this.point ? rectOf(el) : null);
  }

  /**
   * @param {Element} el
   * @returns {Failure|null} a failure when the box has no such position
   */
  offBox(el) {
    const { position } = this;
    const box = position && boxOf(el);
    if (!box || (position.x <= box.width && position.y <= box.height)) return null;
    return fail('target-outside', () => ({ position, box: plainBox(box) }));
  }

  /**
   * @param {'center'|'start'|'end'|'nearest'} block
   * @param {Element} el
   */
  show(el, block) {
    if (!this.position) return showAt(el, block);
    return showPoint(el, () => this.pointIn(boxOf(el) ?? rectOf(el)), { center: 0.5, start: 0.05, end: 0.95, nearest: 0.3 }[block]);
  }

  /**
   * Finds the point: on the element, or on its label where the control itself is out of reach (custom checkboxes hide theirs).
   * @param {Element} el
   * @param {Element} subject
   * @returns {Reached | Failure}
   */
  place(el, subject) {
    const receives = (/** @type {Element|null} */ hit) => (subject === el ? receivesFor(hit, el) : activates(hit, subject));
    const place = this.reach(subject, receives);
    if (place.error && subject !== el) return place;
    if (!place.error) return subject === el ? place : { ...place, viaLabel: true };
    for (const label of visibleLabels(el)) {
      const other = this.reach(label, (hit) => activates(hit, label));
      if (!other.error) return { ...other, viaLabel: true };
    }
    const control = this.exact ? null : controlAt(el);
    if (control !== null && control !== el && isInside(el, control)) {
      const other = this.reach(control, (hit) => hit !== null && controlAt(hit) === control);
      if (!other.error) return { ...other, via: control, beside: true };
    }
    return place;
  }

  /**
   * @param {Element} el
   * @param {(hit: Element | null) => boolean} receives
   * @returns {Reached | Failure}
   */
  reach(el, receives) {
    const reached = this.bring(el, receives);
    if (reached.error || !reached.inner) return reached;
    for (const label of new ItemParts(el).labels().slice(0, LABELS_SHOWN)) {
      if (isWithin(label(), viewport()) || !showPoint(el, label)) continue;
      this.scrolled = true;
      const own = this.look(el, receives);
      if (own.point && !own.inner) return own;
    }
    const again = this.look(el, receives);
    return again.point ? again : reached;
  }

  /**
   * @param {Element} el
   * @param {(hit: Element | null) => boolean} receives
   * @returns {Reached | Failure}
   */
  bring(el, receives) {
    const here = this.look(el, receives);
    if (here.point) return here;
    if (this.point) return this.coveredBy(here.hit, el);
    // Not reachable where it is: bring it to the middle of the screen, and only then call it covered.
    this.scrolled = this.show(el, 'center') || this.scrolled;
    let there = this.look(el, receives);
    if (there.point) return there;
    // What snaps may snap back from the shortest way.
    for (const inline of there.inView || this.position ? [] : /** @type {const} */ (['center', 'start', 'end'])) {
      this.scrolled = showAt(el, 'center', inline) || this.scrolled;
      there = this.look(el, receives);
      if (there.point) return there;
      if (there.inView) break;
    }
    const { inView, box, clippedBy, hit } = there;
    if (inView && this.searches-- > 0) {
      const found = this.search(el, box, receives);
      if (found) return found;
      if (hit && !isInside(el, hit) && this.bringOut(el, receives)) {
        this.scrolled = true;
        const moved = this.look(el, receives);
        if (moved.point) return moved;
      }
    }
    if (!inView) {
      return fail('target-outside', () => ({
        box: plainBox(box),
        viewport: plainBox(viewport()),
        ...(clippedBy ? blame('clippedBy', clippedBy) : {}),
      }));
    }
    return this.coveredBy(hit, el);
  }

  /**
   * @param {Element | null | undefined} hit
   * @param {Element} el
   * @returns {Failure}
   */
  coveredBy(hit, el) {
    const failure = fail('target-covered', () => coverFacts(hit, el));
    return this.arg.bounded ? failure : { ...failure, stays: () => isLastingCover(hit, el) };
  }

  /**
   * Looks all over what shows of the element for a point of it: it may have holes, or be nothing but a line.
   * @param {Element} el
   * @param {Box} box
   * @param {(hit: Element | null) => boolean} receives
   * @returns {Reached | null}
   */
  search(el, box, receives) {
    const shown = this.exact ? null : this.boxOf(el);
    const part = shown && visiblePart(el, shown).part;
    if (part === null) return null;
    // What is filled may be out of view, and so may what is drawn.
    for (const index of shapePoints(el).length > 0 ? [0, -1] : []) {
      if (!showPoint(el, () => /** @type {{x: number, y: number}} */ (shapePoints(el).at(index)))) continue;
      this.scrolled = true;
      const there = this.look(el, receives);
      if (there.point) return there;
    }
    for (const point of scattered(part)) if (receives(hitAt(point.x, point.y))) return { subject: el, box, point, receives };
    return null;
  }

  /**
   * Scrolls it out from below what keeps its place.
   * @param {Element} el
   * @param {(hit: Element | null) => boolean} receives
   */
  bringOut(el, receives) {
    const place = () => {
      const box = this.boxOf(el) ?? rectOf(el);
      return this.position ? { ...this.pointIn(box), width: 1, height: 1 } : box;
    };
    return bringOut(el, place, () => {
      const there = this.look(el, receives);
      return there.point ? { free: true, by: null } : { free: false, by: (there.inView && there.hit) || null };
    });
  }

  /**
   * Looks for a point of the element that is in view and receives input, without moving anything.
   * @param {Element} el
   * @param {(hit: Element | null) => boolean} receives
   * @returns {Reached | Missed}
   */
  look(el, receives) {
    const boxes = boxesOf(el);
    const box = this.boxOf(el);
    if (!box) return { inView: false, box: rectOf(el) };
    const points = this.exact ? [this.pointIn(box)] : pointsOf(boxes);
    const parts = new ItemParts(el);
    const screen = viewport();
    let hit = null;
    let inView = false;
    let via = null;
    let beside = null;
    for (const point of points) {
      if (!isWithin(point, screen)) continue;
      const at = hitAt(point.x, point.y);
      if (at && receives(at)) {
        const inner = this.exact ? null : parts.controlAt(at);
        if (inner === null) return { subject: el, box, point, receives };
        const own = this.ownPoint(parts, points, receives);
        return own ? { subject: el, box, point: own, receives } : { subject: el, box, point, receives, inner };
      }
      if (at && !via && (via = throughControl(el, at))) beside = point;
      if (!inView) {
        hit = at;
        inView = true;
      }
    }
    if (via && beside) return { subject: el, box, point: beside, via };
    const onShape = this.exact ? undefined : shownShapePoints(el).find((point) => receives(hitAt(point.x, point.y)));
    if (onShape) return { subject: el, box, point: onShape, receives };
    if (!inView) return { inView, box };
    const { part, clippedBy } = visiblePart(el, box);
    return { inView: part !== null, box, hit, clippedBy };
  }

  /**
   * A point at which the item itself gets the pointer, and nothing that is in it.
   * @param {ItemParts} parts
   * @param {{x: number, y: number}[]} points
   * @param {(hit: Element | null) => boolean} receives
   */
  ownPoint(parts, points, receives) {
    const isOwn = (/** @type {{x: number, y: number}} */ point) => {
      const hit = isWithin(point, viewport()) ? hitAt(point.x, point.y) : null;
      return hit !== null && receives(hit) && parts.controlAt(hit) === null;
    };
    const labels = parts.labels().map((label) => label());
    return labels.find(isOwn) ?? points.find(isOwn) ?? parts.margins().find(isOwn) ?? null;
  }

  /**
   * A page at rest costs nothing here. Where something moves the element, or the page was scrolled for it (handlers of the scroll may
   * show a header, load images), its place in two frames is compared. What does not come to rest is followed: a press that misses it is kept
   * from the page (landed.js).
   * @param {Element} el
   * @returns {Failure|null} a failure while the element moves
   */
  motion(el) {
    const kind = motionOf(el);
    const rect = rectOf(el);
    this.followed = false;
    if (!this.patient) return kind === 'passing' ? fail('target-unstable', motionFacts(rect, rect)) : null;
    if (!kind && !this.scrolled && !this.settle) return null;
    const before = this.last?.el === el ? this.last : null;
    if (before?.frame === frameCount) return nextFrame('target-unstable', motionFacts(before.rect, rect));
    const still = before !== null && sameRect(before.rect, rect);
    const moves = before === null || still ? 0 : before.moves + 1;
    const since = before === null || still ? performance.now() : before.since;
    this.last = { el, rect, frame: frameCount, moves, since };
    if (!before || kind === 'passing') return nextFrame('target-unstable', motionFacts(before?.rect ?? rect, rect));
    // What does not end is not worth waiting for; what moves by less than a quarter of its size in a frame is hit all the same.
    if (still || (kind === 'endless' && isSlow(before.rect, rect))) return null;
    if (moves === 0 || performance.now() - since < MOVES_FOR) return nextFrame('target-unstable', motionFacts(before.rect, rect));
    this.followed = true;
    this.step = { x: rect.x - before.rect.x, y: rect.y - before.rect.y };
    return null;
  }

  /**
   * Where a point of what moves will be when the press comes, a frame later.
   * @param {{x: number, y: number}} point
   */
  ahead(point) {
    if (this.point) return point;
    const there = { x: point.x + this.step.x, y: point.y + this.step.y };
    return isWithin(there, viewport()) ? there : point;
  }

  /**
   * Whether the point is one at which a control in the element is not what is meant.
   * @param {Reached} place
   */
  ownsPoint({ receives, inner }) {
    return receives !== undefined && !inner && !this.exact;
  }

  /**
   * All points that would do: some may lie below what covers this frame.
   * @param {Reached} arg
   */
  spare({ subject, point, receives, inner }) {
    if (this.exact || !receives) return [point];
    const parts = new ItemParts(subject);
    const others = pointsOf(boxesOf(subject)).filter(({ x, y }) => {
      const hit = isWithin({ x, y }, viewport()) ? hitAt(x, y) : null;
      return hit !== null && receives(hit) && (inner || parts.controlAt(hit) === null);
    });
    return [point, ...others.filter(({ x, y }) => x !== point.x || y !== point.y)];
  }

  /**
   * @param {Found} found
   * @param {Reached} place
   * @returns {Looked<AimSaid>}
   */
  answer(found, place) {
    const { el } = found;
    const { point, box } = place;
    const { x, y } = toScreen(point);
    /** @type {AimSaid & {error?: undefined}} */
    const answer = { ...located(found), x, y, rect: toScreen(plainBox(box)), checked: checkedOf(el), disabled: isDisabled(el) };
    const href = hrefOf(el);
    if (href !== null) answer.href = href;
    if (this.followed) answer.moving = true;
    if (place.viaLabel) answer.viaLabel = true;
    if (place.via && (place.beside || (localName(place.via).includes('-') && isInside(el, place.via))))
      answer.via = { ...named(place.via), tag: localName(place.via) };
    if (place.inner) answer.inner = { ...named(place.inner), tag: localName(place.inner) };
    if (this.watch) watchEffects(el, true);
    const { arm, times, presses, guard, spare, target } = this.arg;
    const points = spare ? this.spare(place) : [point];
    if (spare) answer.points = points.map(toScreen);
    if (target && arm && arm.length > 0)
      armLanding({ el, receiver: place.via ?? el, target, points, own: this.ownsPoint(place) }, { names: arm, times, presses, guard });
    return answer;
  }
}

/**
 * @param {Failure} failure
 * @param {Found} found
 */
function withFacts(failure, found) {
  const { facts } = failure.error;
  failure.error.facts = () => ({ ...located(found), ...(typeof facts === 'function' ? facts() : facts) });
  return failure;
}

/**
 * A native control that the browser gives no pointer events, or something inside a disabled button.
 * @param {Element} el
 */
export function refusesPointer(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    if (node !== el && localName(node) !== 'button') continue;
    if (localName(node) !== 'fieldset' && matches(node, ':disabled')) return true;
  }
  return false;
}

/**
 * What gets the pointer in the element's place: the control that both it and what was hit are parts of, or the custom element that stands for
 * it. Where an element lets its pointer events pass (icons and texts in buttons do), that is the button around it, or the control of the same role
 * that is drawn around it. Anything else is not what a person means.
 * @param {Element} el
 * @param {Element} hit
 */
function throughControl(el, hit) {
  const control = controlAt(el);
  if (control !== null && controlAt(hit) === control) return isInside(hit, control) ? control : labelAround(hit);
  if (localName(hit).includes('-') && hit === hostFor(el)) return hit;
  if (styleOf(el).pointerEvents !== 'none') return null;
  let isNearest = true;
  for (let node = composedParent(el); node; node = composedParent(node)) {
    if (styleOf(node).pointerEvents === 'none') continue;
    if ((isNearest && takesClicks(node)) || isDrawnAround(node, el)) return isInside(hit, node) ? node : null;
    isNearest = false;
  }
  return null;
}

/**
 * Whether an element is the control that another one is drawn as: a combobox around the field of a combobox.
 * @param {Element} node
 * @param {Element} el
 */
function isDrawnAround(node, el) {
  const role = roleOf(el);
  return INTERACTIVE_ROLES.has(role) && roleOf(node) === role;
}
