// What a drag needs of a page: where to take hold of an element, where to let go, and what the page made of it. A drag is one of data when
// its element, or a script, says so in dragstart; else the page follows the pointer itself.

import { isConnected, matches } from '../dom/access.js';
import { Aim } from './aim.js';
import { getterOf, styleOf } from '../dom/builtins.js';
import { blame } from './cover.js';
import { attr, composedParent, describe, isElement, isHTMLElement } from '../dom/dom.js';
import { isFileInput } from './files.js';
import { boxesOf, boxOf, centre, hitAt, isInside, isWithin, plainBox, rectOf, toScreen, visiblePart } from '../dom/geometry.js';
import { pathOf } from './landed.js';
import { located, withTarget } from '../find/locate.js';
import { inputValueGet } from '../ax/native.js';
import { ops } from '../dom/ops.js';
import { pointsOf, showAt } from './points.js';
import { nextPaint } from './rest.js';
import { inputTypeGet } from '../ax/role.js';
import { isDisabled } from '../ax/state.js';
import { elementOf } from '../dom/tokens.js';
import { until } from '../dom/until.js';

/**
 * @import { AimArg } from './aim.js'
 * @import { Box } from '../dom/geometry.js'
 * @import { Found, Target } from '../find/locate.js'
 * @import { Failure, Probed } from '../dom/until.js'
 */

const DRAG_EVENTS = ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'pointercancel', 'pointerup', 'mouseup'];
const DRAG_WATCHED_FOR = 60_000;

const dropEffectGet = getterOf(DataTransfer.prototype, 'dropEffect');
const effectAllowedGet = getterOf(DataTransfer.prototype, 'effectAllowed');
const dataTransferGet = getterOf(DragEvent.prototype, 'dataTransfer');
const transferTypesGet = getterOf(DataTransfer.prototype, 'types');

/** @type {DragWatch|null} */
let dragWatch = null;

/** What this frame has seen of a drag: the last event of each kind. Whether a script prevented it is known after its handlers only. */
class DragWatch {
  constructor() {
    dragWatch?.end();
    /** @type {Map<string, {event: Event, path: EventTarget[]}>} */
    this.seen = new Map();
    /** @type {readonly string[]} */
    this.types = [];
    this.record = (/** @type {Event} */ event) => this.note(event);
    for (const name of DRAG_EVENTS) addEventListener(name, this.record, { capture: true, passive: true });
    this.timer = setTimeout(() => this.end(), DRAG_WATCHED_FOR);
    this.moved = false;
    this.moves = new MutationObserver(() => {
      this.moved = true;
    });
  }

  /** Whether something in the page has come to another place since data is dragged, or since this was asked last. */
  madeRoom() {
    const made = this.moved || this.moves.takeRecords().length > 0;
    this.moved = false;
    return made;
  }

  /** @param {Event} event */
  note(event) {
    if (!event.isTrusted) return;
    if (event.type === 'dragstart') {
      this.transfer = dataTransferGet.call(event);
      this.moves.observe(document, { subtree: true, childList: true });
    }
    this.seen.set(event.type, { event, path: pathOf(event) });
    // The types can be read while the event is handled only.
    if (event.type === 'drop' || event.type === 'dragover') this.types = [...transferTypesGet.call(dataTransferGet.call(event))];
  }

  end() {
    for (const name of DRAG_EVENTS) removeEventListener(name, this.record, { capture: true });
    this.moves.disconnect();
    clearTimeout(this.timer);
    if (dragWatch === this) dragWatch = null;
  }
}

/** Where to take hold of an element; what happens to it and to data over this frame is watched from then on. */
ops.grip = (arg) =>
  withTarget(arg, (found) => {
    const { el } = found;
    dragWatch = new DragWatch();
    const position = thumbOf(el) ?? freePoint(el);
    return position ? { ...located(found), position } : located(found);
  });

/**
 * Where the thumb of a range is, from the corner of its box: a press beside it makes the range jump there.
 * @param {Element} el
 */
function thumbOf(el) {
  if (!isHTMLElement(el, 'input') || inputTypeGet.call(el) !== 'range') return null;
  const box = rectOf(el);
  const min = parseFloat(attr(el, 'min') ?? '0') || 0;
  const max = Math.max(min, attr(el, 'max') === null ? 100 : parseFloat(attr(el, 'max') ?? '') || 0);
  const share = max > min ? (parseFloat(inputValueGet.call(el)) - min) / (max - min) : 0;
  const style = styleOf(el);
  const upright = style.writingMode.startsWith('vertical') && style.writingMode !== 'horizontal-tb';
  const reverse = style.direction === 'rtl';
  const along = (/** @type {number} */ length) => {
    const thumb = Math.min(THUMB, length);
    return thumb / 2 + (length - thumb) * (reverse ? 1 - share : share);
  };
  return upright ? { x: box.width / 2, y: along(box.height) } : { x: along(box.width), y: box.height / 2 };
}

// Chromium's own; other thumbs are about as long, and a press that misses one by little is set right by the move that follows.
const THUMB = 16;

// What keeps a press for itself, so that libraries do not take it as the beginning of a drag.
const KEEPS_PRESS =
  'a[href], button, input, textarea, select, option, video, audio, [contenteditable]:not([contenteditable=false]), [role=button], [role=checkbox], [role=switch]';

/**
 * A point of the element that is not on a control inside it, when its middle is.
 * @param {Element} el
 */
function freePoint(el) {
  const box = boxOf(el);
  if (!box) return null;
  const taken = (/** @type {{x: number, y: number}} */ point) => {
    for (let node = hitAt(point.x, point.y); node && node !== el; node = composedParent(node)) if (matches(node, KEEPS_PRESS)) return true;
    return false;
  };
  const points = pointsOf(boxesOf(el));
  if (points.length === 0 || !taken(points[0])) return null;
  const free = points.find((point) => {
    const hit = hitAt(point.x, point.y);
    return hit !== null && isInside(hit, el) && !taken(point);
  });
  return free ? { x: free.x - box.x, y: free.y - box.y } : null;
}

/**
 * Finds the place to let go and uses it. With `token`, it is the element that was chosen before the press, as long as the page keeps it: what
 * follows the pointer is often a copy of the source in the same list, and a selector may mean that copy by now.
 * @template {Probed} R
 * @param {{target: Target, token?: number, patience?: number}} arg
 * @param {(found: Found) => R} use
 * @returns {R | Failure | Promise<R | Failure>}
 */
function withChosen(arg, use) {
  const chosen = arg.token ? elementOf(arg.token) : null;
  return chosen && isConnected(chosen) ? until(arg.patience ?? 0, () => use({ el: chosen, count: 1 })) : withTarget(arg, use);
}

/**
 * Op aim for the place to let go. One that is hidden may show itself once something is dragged: `later`.
 */
ops.aimDrop = (arg) => {
  dragWatch ??= new DragWatch();
  const aim = new Aim(arg);
  return withChosen(arg, (found) => {
    const answer = aim.attempt(found);
    if (arg.later && answer.error?.code === 'target-hidden') return { ...located(found), later: true };
    return answer;
  });
};

/**
 * Where a point of an element is now, by its distance from the corner of the box, and whether a person could let go there. With `source`,
 * the page is scrolled so that both are in view, where that can be.
 */
ops.dropPlace = (arg) =>
  withChosen(arg, (found) => {
    const { el } = found;
    const held = arg.source;
    const source = held ? elementOf(held.token) : null;
    let place = dropPointOf(el, arg.position);
    const answer = located(found);
    if (place.inView || !held || !source) return { ...answer, ...told(place) };
    showAt(el, 'nearest');
    const grip = dropPointOf(source, held.position);
    place = dropPointOf(el, arg.position);
    if (place.inView && grip.inView && isInside(hitAt(grip.point.x, grip.point.y), source))
      return { ...answer, ...told(place), source: told(grip) };
    showAt(source, 'nearest');
    return { ...answer, ...told(dropPointOf(el, arg.position)), inView: false, source: told(dropPointOf(source, held.position)) };
  });

/** @typedef {{point: {x: number, y: number}, rect: Box, inView: boolean}} DropPlace */

/**
 * The place as the answer of an op has it.
 * @param {DropPlace} place
 */
function told({ point, rect, inView }) {
  return { ...toScreen(point), rect: toScreen(rect), inView };
}

/**
 * @param {Element} el
 * @param {{x: number, y: number}} position
 * @returns {DropPlace}
 */
function dropPointOf(el, position) {
  const box = boxOf(el) ?? rectOf(el);
  const point = position ? { x: box.x + position.x, y: box.y + position.y } : centre(box);
  const { part } = visiblePart(el, box);
  return { point, rect: plainBox(box), inView: part !== null && isWithin(point, part) };
}

/** The result of the beginning: whether data is dragged now. */
ops.dragBegun = () => {
  const start = dragWatch?.seen.get('dragstart');
  if (!start) return { data: false };
  const on = start.path.find((node) => isElement(node));
  return {
    data: !start.event.defaultPrevented,
    prevented: start.event.defaultPrevented,
    ...(on ? { on: describe(/** @type {Element} */ (on)) } : {}),
  };
};

// Lists that have just made room look at nothing for a moment: what is dragged over them goes on being so, as a hand that rests there.
const FRAMES_TO_MAKE_ROOM = 3;

/**
 * Whether the element that the data is over takes it; a while later when it does not yet, since pages may decide in the next frame. `again` says
 * that the page has moved something, so that what the data is over may be something else.
 */
ops.dropAccepted = async () => {
  const first = acceptance();
  const again = dragWatch?.madeRoom() === true;
  if (first.accepted && !again) return first;
  for (let n = 0; n < (again ? FRAMES_TO_MAKE_ROOM : 1); n++) await new Promise((resolve) => nextPaint(() => resolve(null)));
  return { ...acceptance(), again };
};

function acceptance() {
  const watched = dragWatch;
  const over = watched?.seen.get('dragover');
  if (!watched || !over) return { over: false, accepted: false };
  const transfer = dataTransferGet.call(over.event);
  const effect = dropEffectGet.call(transfer);
  const allowed = effectAllowedGet.call(transfer);
  const on = over.path.find((node) => isElement(node));
  const answer = {
    over: true,
    effect,
    allowed,
    prevented: over.event.defaultPrevented,
    ...(on ? blame('on', /** @type {Element} */ (on)) : {}),
  };
  if (over.event.defaultPrevented) return { ...answer, accepted: allows(allowed, effect) };
  return { ...answer, accepted: over.path.some((node) => isElement(node) && takesDrops(node, watched.types)) };
}

/** @param {string} allowed @param {string} effect */
function allows(allowed, effect) {
  if (effect === 'none') return false;
  return allowed === 'all' || allowed === 'uninitialized' || allowed.toLowerCase().includes(effect);
}

const EDITABLE_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

/**
 * Whether the browser itself takes what is dropped there: text in what can be edited, files in fields for files.
 * @param {Element} el
 * @param {readonly string[]} types
 */
function takesDrops(el, types) {
  if (isFileInput(el)) return types.includes('Files') && !isDisabled(el);
  if (types.includes('Files')) return false;
  if (isHTMLElement(el, 'textarea') || (isHTMLElement(el, 'input') && EDITABLE_INPUTS.has(inputTypeGet.call(el)))) {
    return !isDisabled(el) && attr(el, 'readonly') === null;
  }
  return isHTMLElement(el) && /** @type {HTMLElement} */ (el).isContentEditable;
}

/** The result after the end; `token` is that of the element to drop on. */
ops.dragEnded = async ({ token, wait = 0 }) => {
  const watched = dragWatch;
  if (!watched) return { armed: false };
  const ends = () => watched.seen.has('drop') || watched.seen.has('mouseup') || watched.seen.has('pointerup');
  if (!ends() && wait > 0) {
    await new Promise((resolve) => {
      const look = () => (ends() || performance.now() > end ? resolve(null) : nextPaint(look));
      const end = performance.now() + wait;
      nextPaint(look);
    });
  }
  watched.end();
  /** @type {Object<string, any>} */
  const answer = { up: watched.seen.has('mouseup') || watched.seen.has('pointerup'), dropped: false };
  const drop = watched.seen.get('drop');
  const end = watched.seen.get('dragend');
  if (end) answer.endEffect = dropEffectGet.call(dataTransferGet.call(end.event));
  if (!drop) return answer;
  const on = drop.path.find((node) => isElement(node));
  const el = elementOf(token);
  answer.dropped = true;
  answer.types = watched.types;
  answer.effect = dropEffectGet.call(dataTransferGet.call(drop.event));
  answer.hit = el !== null && (drop.path.includes(el) || (isElement(on) && isInside(el, on)));
  if (isElement(on)) Object.assign(answer, isConnected(on) ? blame('on', on) : { on: describe(on) });
  return answer;
};

/** What a range or a slider says of itself. */
ops.dragValue = ({ token }) => {
  const el = elementOf(token);
  if (!el || !isConnected(el)) return { value: null };
  if (isHTMLElement(el, 'input') && inputTypeGet.call(el) === 'range') return { value: inputValueGet.call(el) };
  return { value: attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') };
};
