// Whether the input that followed an aim reached its target. Aim arms capture listeners on the isolated world's window, which run before
// the page's handlers on anything below it, so that neither stopPropagation nor a handler that removes the target hides the event. What
// a page swallows in a capture listener that was on the window earlier shows in :hover, which the browser sets, not the page.

const ARMED_FOR = 5000;
const KEPT_EVENTS = 32;
// In quirks mode :hover alone matches links only; with any other condition beside it, it matches all.
const HOVERED = ':hover:not(html)';

/** The one armed aim; a later aim takes its place. */
let landing = null;

/**
 * @param {{el: Element, receiver: Element, role: string, name: string}} aimed receiver = what gets the pointer in the element's place
 * @param {string[]} names the events, the one that ends the sequence last
 */
function armLanding(aimed, names) {
  landing?.disarm();
  landing = new Landing(aimed, names);
}

class Landing {
  constructor({ el, receiver, role, name }, names) {
    this.el = el;
    this.receiver = receiver;
    this.role = role;
    this.name = name;
    this.names = names;
    this.seen = [];
    this.whenLast = null;
    this.pointed = false; // the pointer has come to it
    this.whenPointed = null;
    this.record = (event) => this.note(event);
    for (const name of names) addEventListener(name, this.record, { capture: true, passive: true });
    this.timer = setTimeout(() => this.disarm(), ARMED_FOR);
  }

  note(event) {
    if (!event.isTrusted || this.seen.length >= KEPT_EVENTS) return;
    const path = pathOf(event);
    if (event.type === 'mousemove') {
      this.pointed = this.reached(path);
      if (this.pointed) this.whenPointed?.();
      return;
    }
    this.seen.push({ event: event.type, hit: this.reached(path), target: path[0], equal: () => this.equalIn(path) });
    if (event.type === this.names.at(-1)) this.whenLast?.();
  }

  /** @param {EventTarget[]} path */
  reached(path) {
    if (path.includes(this.el) || path.includes(this.receiver)) return true;
    return path[0] instanceof Element && receivesFor(path[0], this.el);
  }

  /** Whether an element of the same role and name got it: the page replaced the target between aim and input. */
  equalIn(path) {
    if (isConnected(this.el) || this.name === '') return false;
    return path.some((node) => node instanceof Element && roleOf(node) === this.role && nameOf(node) === this.name);
  }

  /** The last armed event, else the last one of the others. */
  outcome() {
    return this.seen.findLast((one) => one.event === this.names.at(-1)) ?? this.seen.at(-1);
  }

  disarm() {
    for (const name of this.names) removeEventListener(name, this.record, { capture: true });
    clearTimeout(this.timer);
    if (landing === this) landing = null;
  }
}

/** Everything that the event passes through, also in the trees that composedPath keeps to itself. */
function pathOf(event) {
  const path = event.composedPath();
  const host = path[0];
  if (!(host instanceof Element) || innerRootOf(host) === null) return path;
  const inner = event instanceof MouseEvent ? hitAt(event.clientX, event.clientY) : focusedPart();
  const above = [];
  for (let node = inner; node && node !== host; node = composedParent(node)) {
    above.push(node);
    if (composedParent(node) === host) return [...above, ...path];
  }
  return path;
}

ops.landed = ({ token, wait = 0 }) => {
  const watched = landing;
  const el = elementOf(token);
  if (!watched || watched.el !== el) return { hit: false, removed: !el || !isConnected(el), armed: false };
  // After the browser has acknowledged the input, the handlers have run. A task of its own would wait for the next frame then, since
  // Chromium puts tasks off after discrete input until it has painted.
  if (watched.seen.some((one) => one.event === watched.names.at(-1))) {
    watched.disarm();
    return landedAnswer(watched);
  }
  return new Promise((resolve) => {
    const answer = () => {
      clearTimeout(late);
      watched.disarm();
      resolve(landedAnswer(watched));
    };
    const late = setTimeout(answer, wait);
    watched.whenLast = () => afterHandlers(answer);
  });
};

/**
 * Whether the pointer that was moved to the point of the last aim, which armed mousemove, came to the element, within `wait` ms. The
 * browser looks for the frame below a point in what it painted last, which may show frames of other processes where they were before.
 */
ops.pointed = ({ token, wait = 0 }) => {
  const watched = landing;
  if (!watched || watched.el !== elementOf(token)) return { pointed: false, armed: false };
  if (watched.pointed || wait === 0) return { pointed: watched.pointed };
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ pointed: false }), wait);
    watched.whenPointed = () => {
      clearTimeout(late);
      resolve({ pointed: true });
    };
  });
};

/** Calls back in a task of its own, after the handlers of the event that is being dispatched. */
function afterHandlers(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

function landedAnswer(watched) {
  const { el, receiver } = watched;
  const removed = !isConnected(el);
  const last = watched.outcome();
  if (!last) {
    const hovered = !removed && matches(receiver, HOVERED);
    const under = hovered ? null : deepHovered();
    return under ? { hit: false, removed, on: describe(under), onToken: tokenOf(under) } : { hit: hovered, removed };
  }
  const answer = { hit: last.hit, event: last.event, removed };
  const checked = removed ? null : checkedOf(el);
  if (checked !== null) answer.checked = checked;
  if (!last.hit && last.target instanceof Element) {
    answer.on = describe(last.target);
    answer.onToken = tokenOf(last.target);
    if (last.equal()) answer.equal = true;
  }
  return answer;
}

/** The innermost element under the pointer. */
function deepHovered() {
  const els = deepQueryAll(document, HOVERED);
  return els.length > 0 ? els[els.length - 1] : null;
}
