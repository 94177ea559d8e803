// Reads the web vitals of the document. It runs in the isolated world, where what it makes lives on: a later call knows of short interactions, too,
// which the browser itself does not keep.

/**
 * @typedef {PerformanceEntry & {value: number, hadRecentInput: boolean, sources: {node?: Node | null}[]}} LayoutShift
 * @typedef {{element: string | null, id: string | null, size: number, startTime: number, url: string | null}} LargestPaint
 * @typedef {{value: number, startTime: number, sources: (string | null)[]}} Shift
 */

const PAINT_WITHIN = 1000; // ms that the first paint of a page may take that was loaded just now

/** @param {{quiet: number, most: number}} arg in ms: how long nothing may come, and how long that is waited for */
export default async function vitals({ quiet, most }) {
  const kept = /** @type {Object<symbol, ReturnType<typeof observe>>} */ (/** @type {unknown} */ (globalThis));
  const all = (kept[Symbol.for('skua.vitals')] ??= observe());

  // What is drawn late counts, so wait until nothing has come for a while.
  const began = performance.now();
  if (all.lcp === null && document.visibilityState === 'visible') await painted(all, Math.min(PAINT_WITHIN, most));
  await new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      const left = Math.min(quiet - (now - Math.max(all.news, began)), most - (now - began));
      if (left <= 0) resolve(undefined);
      else setTimeout(look, left);
    };
    setTimeout(look, 0);
  });

  const navigation = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType('navigation')[0]);
  return {
    url: location.href,
    ttfb: navigation && navigation.responseStart > 0 ? navigation.responseStart : null,
    fcp: all.fcp,
    lcp: all.lcp,
    cls: { score: all.worst, entries: all.shifts, dropped: all.moreShifts },
    inp: all.longest.length ? all.longest[Math.min(all.longest.length - 1, Math.floor(all.interactions / 50))].duration : null,
    interactions: all.interactions,
    hydration: all.measures[0] ?? null,
  };
}

/**
 * Resolves when something has been painted, or at the limit: a page without contents never is.
 * @param {ReturnType<typeof observe>} all
 * @param {number} limit
 */
function painted(all, limit) {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, limit);
    all.painted = () => {
      clearTimeout(late);
      resolve(undefined);
    };
  });
}

/** Begins to take what the browser measures of the document. */
function observe() {
  const state = {
    lcp: /** @type {LargestPaint | null} */ (null),
    fcp: /** @type {number | null} */ (null),
    measures: /** @type {{startTime: number, duration: number}[]} */ ([]),
    news: performance.now(),
    observers: /** @type {PerformanceObserver[]} */ ([]),
    shifts: /** @type {Shift[]} */ ([]),
    moreShifts: 0,
    worst: 0,
    sum: 0,
    first: 0,
    last: 0,
    longest: /** @type {{id: number, duration: number}[]} */ ([]),
    seen: /** @type {Set<number>} */ (new Set()),
    interactions: 0,
    painted: () => {},
  };
  // A form's own properties may be shadowed by its fields.
  const nameOf = (/** @type {Element} */ element) => (typeof element.localName === 'string' ? element.localName : 'form');
  /** @type {Object<string, (entry: PerformanceEntry) => void>} */
  const take = {
    'largest-contentful-paint': (entry) => {
      const { element, size, startTime, url } = /** @type {LargestContentfulPaint} */ (entry);
      const id = element && Element.prototype.getAttribute.call(element, 'id');
      state.lcp = { element: element ? nameOf(element) : null, id: id || null, size, startTime, url: url || null };
      state.painted();
    },
    paint: (entry) => {
      if (entry.name === 'first-contentful-paint') state.fcp = entry.startTime;
    },
    'layout-shift': (entry) => {
      const { value, startTime, hadRecentInput, sources } = /** @type {LayoutShift} */ (entry);
      if (hadRecentInput) return;
      const moved = sources.map(({ node }) =>
        node instanceof Element ? nameOf(node) : node?.parentElement ? nameOf(node.parentElement) : null,
      );
      if (state.shifts.length < 150) state.shifts.push({ value, startTime, sources: moved });
      else state.moreShifts++;
      // CLS is the worst window of shifts: at most a second between two of them, and five seconds in all.
      const same = state.sum > 0 && startTime - state.last < 1000 && startTime - state.first < 5000;
      if (!same) state.first = startTime;
      state.sum = (same ? state.sum : 0) + value;
      state.last = startTime;
      state.worst = Math.max(state.worst, state.sum);
    },
    event: (entry) => {
      const { interactionId: id, duration } = /** @type {PerformanceEventTiming & {interactionId?: number}} */ (entry);
      if (!id) return;
      if (!state.seen.has(id)) {
        const [oldest] = state.seen;
        if (state.seen.size >= 100) state.seen.delete(oldest);
        state.seen.add(id);
        state.interactions++;
      }
      // Of many interactions INP leaves the worst out, one in fifty, so that only the longest matter.
      const known = state.longest.find((one) => one.id === id);
      if (known) known.duration = Math.max(known.duration, duration);
      else state.longest.push({ id, duration });
      state.longest.sort((one, other) => other.duration - one.duration);
      state.longest.length = Math.min(state.longest.length, 50);
    },
    measure: ({ name, startTime, duration }) => {
      if (name === 'Next.js-hydration' && state.measures.length === 0) state.measures.push({ startTime, duration });
    },
  };
  take['first-input'] = take.event;
  for (const type of Object.keys(take)) {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take[type](entry);
      if (type !== 'event') state.news = performance.now();
    });
    try {
      const threshold = type === 'event' ? { durationThreshold: 16 } : {};
      observer.observe({ type, buffered: true, ...threshold });
      state.observers.push(observer);
    } catch {
      // A browser that does not know the type measures nothing of it.
    }
  }
  return state;
}
