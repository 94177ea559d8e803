// Ops about frames and handles: frameBox brings a point of a child frame into this one, frameElement finds the element that shows a frame,
// token names the element of a handle.

/**
 * A point of the child's viewport in this frame's viewport, and whether a pointer there reaches the child. What is out of view is
 * scrolled to first: a frame of another process cannot scroll this one in time.
 */
ops.frameBox = ({ token, x, y }) => {
  const owner = elementOf(token);
  if (!owner || !isConnected(owner)) return fail('frame-gone');
  if (!isVisible(owner)) return fail('target-hidden', { ...named(owner), ...whyHidden(owner) });
  let point = fromFrame(owner, x, y);
  if (!isWithin(point, viewport())) {
    showPoint(owner, () => fromFrame(owner, x, y));
    point = fromFrame(owner, x, y);
  }
  const hit = isWithin(point, viewport()) ? hitAt(point.x, point.y) : null;
  if (hit === owner) return { ...point, hit: true };
  return { ...point, hit: false, cover: coverFacts(hit, owner) };
};

/** The child's viewport begins inside the owner's border and padding and is drawn at the owner's scale. */
function fromFrame(owner, x, y) {
  const rect = rectOf(owner);
  const style = styleOf(owner);
  const scaleX = owner.offsetWidth > 0 ? rect.width / owner.offsetWidth : 1;
  const scaleY = owner.offsetHeight > 0 ? rect.height / owner.offsetHeight : 1;
  return {
    x: rect.x + (owner.clientLeft + parseFloat(style.paddingLeft) + x) * scaleX,
    y: rect.y + (owner.clientTop + parseFloat(style.paddingTop) + y) * scaleY,
  };
}

const FRAME_TAGS = 'iframe, frame, object, embed';

/**
 * The element of a frame: by its name or id, else among what a target matches.
 * @param {{word?: string, target?: Target, patience?: number}} arg
 */
ops.frameElement = ({ word, target, patience }) => until(patience ?? 0, () => {
  let els = word === undefined ? [] : queryEverywhere(FRAME_TAGS).filter((el) => attr(el, 'name') === word || attr(el, 'id') === word);
  if (els.length === 0 && target) {
    const matched = matchesOf(target);
    if (matched.error) return matched;
    const index = indexIn(target);
    const picked = index === undefined ? matched.els : matched.els.slice(index).slice(0, 1);
    els = picked.filter((el) => matches(el, FRAME_TAGS));
    if (els.length === 0 && picked.length > 0) return fail('target-unsuitable', () => insteadOfFrame(picked[0]));
  }
  if (els.length === 0) return fail('selector-not-found', { count: 0 });
  if (target?.strict && els.length > 1) return failFinal('selector-ambiguous', () => ambiguity(els));
  const el = els.find(isVisible) ?? els[0];
  return { ...located({ el, count: els.length, index: els.indexOf(el) }), label: attr(el, 'name') || attr(el, 'id') || '' };
});

/** What an element is that shows no frame, and how many frames are in it. */
function insteadOfFrame(el) {
  return { ...named(el), tag: localName(el), frames: queryEverywhere(FRAME_TAGS).filter((frame) => isInside(frame, el)).length };
}

/** Called with an element handle (Runtime.callFunctionOn) as its argument. */
ops.token = (el) => (el instanceof Element ? tokenOf(el) : 0);

/** The frame element that a pointer meets at a point, as its token, with the point in its own viewport; 0 where there is none. */
ops.frameAt = ({ x, y }) => {
  const hit = hitAt(x, y);
  if (!hit || !matches(hit, FRAME_TAGS)) return { token: 0 };
  return { token: tokenOf(hit), ...toFrame(hit, x, y) };
};

/** The reverse of fromFrame. */
function toFrame(owner, x, y) {
  const origin = fromFrame(owner, 0, 0);
  const unit = fromFrame(owner, 1, 1);
  return { x: (x - origin.x) / (unit.x - origin.x), y: (y - origin.y) / (unit.y - origin.y) };
}
