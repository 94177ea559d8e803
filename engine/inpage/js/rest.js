// Where the boxes are that scroll, and when they have come to rest.

const scrollByOf = Element.prototype.scrollBy;
const scrollToOf = Element.prototype.scrollTo;

/** Everything that scrolling over an element may move, the innermost first: each box that scrolls around it, and the page. */
function scrollChain(el) {
  const chain = [];
  const page = scrollingElement();
  for (let node = el; node; node = composedParent(node)) if (node !== page && canScroll(node, 1, 1)) chain.push(node);
  if (page) chain.push(page);
  return chain;
}

function scrollPosition(box) {
  return { x: scrollLeftGet.call(box), y: scrollTopGet.call(box) };
}

function samePosition(a, b) {
  return a.x === b.x && a.y === b.y;
}

/** The next animation frame, or a while later in a page that has none. */
function nextPaint(callback) {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    clearTimeout(late);
    callback();
  };
  const late = setTimeout(once, 100);
  requestAnimationFrame(once);
}

/**
 * Resolves when none of the boxes has moved for some frames, or at the limit.
 * @param {Element[]} boxes
 */
function atRest(boxes, frames = 2, limit = 3000) {
  const end = performance.now() + limit;
  return new Promise((resolve) => {
    let last = boxes.map(scrollPosition);
    let still = 0;
    const look = () => {
      const now = boxes.map(scrollPosition);
      still = now.every((position, i) => samePosition(position, last[i])) ? still + 1 : 0;
      last = now;
      if (still >= frames || performance.now() > end) resolve();
      else nextPaint(look);
    };
    nextPaint(look);
  });
}

/** What of the boxes has moved, with where it came from. */
function movedBoxes(boxes, from) {
  const moved = [];
  boxes.forEach((box, i) => {
    const to = scrollPosition(box);
    if (samePosition(from[i], to)) return;
    const name = box === scrollingElement() ? {} : { container: describe(box), box: named(box) };
    moved.push({ ...name, from: from[i], x: to.x, y: to.y, edges: edgesOf(box) });
  });
  return moved;
}
