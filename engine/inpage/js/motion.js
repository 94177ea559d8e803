// Whether an element is moving. Animations that the browser runs are asked for instead of watched, so that a page at rest costs no frame.

// Properties that change how a thing looks and not where it is.
const STILL_PROPERTIES = /color|^opacity|^filter|^backdrop|shadow|^visibility|^fill|^stroke|^background|^text-decoration|^caret|^cursor|^z-?index|^content-visibility|^outline|^display|^overlay/i;
// Properties that move other elements as well.
const LAYOUT_PROPERTIES = /height|width|margin|padding|^(top|left|right|bottom|inset)|^flex|^grid|^font|^line-?height|^gap|^border.*width|^max|^min|^(block|inline)-?size/i;
const KEYFRAME_FIELDS = new Set(['offset', 'computedOffset', 'easing', 'composite']);

// An animation that goes on for longer than this is not waited for, nor is one that begins later.
const SOON = 2000;

/**
 * What moves the element. passing: an animation of it, or of what it is in, that ends soon, so that the end can be waited for. endless:
 * one that does not. nearby: one of something else that may push it, or not.
 * @returns {'passing'|'endless'|'nearby'|null}
 */
function motionOf(el) {
  /** @type {Set<'passing'|'endless'|'nearby'|null>} */
  const kinds = new Set();
  let scope = null;
  for (let node = el; node; node = composedParent(node)) {
    const root = getRootNodeOf.call(node);
    if (root === scope) continue;
    scope = root;
    for (const animation of root.getAnimations()) kinds.add(kindOfMotion(animation, el));
  }
  if (kinds.has('passing')) return 'passing';
  if (kinds.has('endless')) return 'endless';
  return kinds.has('nearby') ? 'nearby' : null;
}

/** @returns {number|null} how long an animation that runs, or begins soon, goes on in ms; null: it does neither */
function leftToRun(animation) {
  const { effect } = animation;
  if (animation.playState !== 'running' || !effect?.target) return null;
  // Animations that follow scrolling stand still while nothing scrolls.
  if (animation.timeline !== null && !(animation.timeline instanceof DocumentTimeline)) return null;
  const { endTime, delay } = effect.getComputedTiming();
  const now = animation.currentTime ?? 0;
  return delay - now > SOON ? null : endTime - now;
}

/** @returns {'passing'|'endless'|'nearby'|null} */
function kindOfMotion(animation, el) {
  const left = leftToRun(animation);
  if (left === null) return null;
  const { effect } = animation;
  const names = propertiesOf(animation);
  if (effect.pseudoElement === null && isInside(el, effect.target)) {
    if (!names.some((name) => !STILL_PROPERTIES.test(name))) return null;
    return left > SOON ? 'endless' : 'passing';
  }
  return names.some((name) => LAYOUT_PROPERTIES.test(name)) ? 'nearby' : null;
}

function propertiesOf(animation) {
  if (animation.transitionProperty) return [animation.transitionProperty];
  const names = new Set();
  for (const frame of animation.effect.getKeyframes()) {
    for (const name of Object.keys(frame)) if (!KEYFRAME_FIELDS.has(name)) names.add(name);
  }
  return [...names];
}

function sameRect(a, b) {
  return Math.abs(a.x - b.x) < 0.5 && Math.abs(a.y - b.y) < 0.5 && Math.abs(a.width - b.width) < 0.5 && Math.abs(a.height - b.height) < 0.5;
}

function isSlow(a, b) {
  const from = centre(a);
  const to = centre(b);
  return Math.hypot(to.x - from.x, to.y - from.y) <= Math.min(b.width, b.height) / 4;
}

function motionFacts(from, to) {
  return { from: plainBox(from), to: plainBox(to) };
}
