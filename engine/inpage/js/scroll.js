// Ops scroll and scrollIntoView: what a wheel would move, by how much it moved.

ops.scroll = (arg) => {
  const { dx = 0, dy = 0 } = arg;
  if (!elementRoot()) return { moved: false, x: 0, y: 0 };
  if (!arg.target) return scrollBox(pageScroller(dx, dy), dx, dy);
  return withTarget(arg, (found) => ({ ...located(found), ...scrollBox(scrollerFor(found.el, dx, dy), dx, dy) }));
};

ops.scrollIntoView = (arg) => withTarget(arg, (found) => {
  const { el } = found;
  if (!isVisible(el)) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el) }));
  const moved = bringIntoView(el);
  const { part, clippedBy } = visiblePart(el, boxOf(el));
  if (!part) {
    return fail('target-outside', () => ({
      ...located(found), box: plainBox(rectOf(el)), viewport: plainBox(viewport()),
      ...(clippedBy ? blame('clippedBy', clippedBy) : {}),
    }));
  }
  return { ...located(found), moved };
});

/** Scrolls at once, whatever scroll-behavior says, and reads back where it came to rest. */
function scrollBox(box, dx, dy) {
  const x = box.scrollLeft;
  const y = box.scrollTop;
  box.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  const answer = { moved: box.scrollLeft !== x || box.scrollTop !== y, x: box.scrollLeft, y: box.scrollTop };
  if (box !== scrollingElement()) answer.container = describe(box);
  return answer;
}

/** The target when it scrolls that way, else what scrolls in it, else what it scrolls in. */
function scrollerFor(el, dx, dy) {
  if (canScroll(el, dx, dy)) return el;
  const inner = largest(deepQueryAll(el, '*').filter((node) => canScroll(node, dx, dy)));
  if (inner) return inner;
  for (let node = composedParent(el); node; node = composedParent(node)) if (canScroll(node, dx, dy)) return node;
  return scrollingElement();
}

/** The document, or where it does not scroll that way: what a wheel in the middle of the screen would scroll, else the largest that can. */
function pageScroller(dx, dy) {
  const page = scrollingElement();
  if (canScroll(page, dx, dy)) return page;
  for (let node = hitAt(innerWidth / 2, innerHeight / 2); node; node = composedParent(node)) {
    if (node !== page && canScroll(node, dx, dy)) return node;
  }
  return largest(deepQueryAll(document, '*').filter((node) => node !== page && canScroll(node, dx, dy))) ?? page;
}

/** Whether a person could scroll it along the axis, be it at its end or not. */
function canScroll(el, dx, dy) {
  const across = dx !== 0 && el.scrollWidth > el.clientWidth;
  const down = dy !== 0 && el.scrollHeight > el.clientHeight;
  if (!across && !down) return false;
  const style = styleOf(el);
  if (el === scrollingElement()) return (across && pageMayScroll('overflowX')) || (down && pageMayScroll('overflowY'));
  return (across && scrollsBy(style.overflowX)) || (down && scrollsBy(style.overflowY));
}

function scrollsBy(overflow) {
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
}

/** The viewport takes its overflow from <html>, or from <body> when <html> says nothing. */
function pageMayScroll(axis) {
  const root = styleOf(elementRoot())[axis];
  if (root !== 'visible') return root !== 'hidden' && root !== 'clip';
  const body = bodyOf();
  const overflow = body ? styleOf(body)[axis] : 'visible';
  return overflow !== 'hidden' && overflow !== 'clip';
}

function largest(els) {
  let best = null;
  let most = 0;
  for (const el of els) {
    const part = overlap(rectOf(el), viewport());
    const area = part ? part.width * part.height : 0;
    if (area > most) [best, most] = [el, area];
  }
  return best;
}
