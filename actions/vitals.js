// Reads the web vitals of the document. It runs in the isolated world, where what it makes lives on: a later call knows of short interactions, too,
// which the browser itself does not keep.
(async ({quiet, most}) => {
  const all = (globalThis[Symbol.for('skua.vitals')] ??= (() => {
    const state = {
      lcp: null, fcp: null, measures: [], news: performance.now(), observers: [],
      shifts: [], moreShifts: 0, worst: 0, sum: 0, first: 0, last: 0,
      longest: [], seen: new Set(), interactions: 0,
    };
    const nameOf = (element) => (typeof element.localName === 'string' ? element.localName : 'form');
    const take = {
      'largest-contentful-paint': (entry) => {
        const {element} = entry; // a form's own properties may be shadowed by its fields
        const id = element && Element.prototype.getAttribute.call(element, 'id');
        state.lcp = {
          element: element ? nameOf(element) : null, id: id || null, size: entry.size, startTime: entry.startTime, url: entry.url || null,
        };
      },
      paint: (entry) => {
        if (entry.name === 'first-contentful-paint') state.fcp = entry.startTime;
      },
      'layout-shift': (entry) => {
        if (!entry.hadRecentInput) {
          const moved = entry.sources.map(({node}) => (node instanceof Element ? nameOf(node) : node?.parentElement ? nameOf(node.parentElement) : null));
          if (state.shifts.length < 150) state.shifts.push({value: entry.value, startTime: entry.startTime, sources: moved});
          else state.moreShifts++;
          // CLS is the worst window of shifts: at most a second between two of them, and five seconds in all.
          const same = state.sum > 0 && entry.startTime - state.last < 1000 && entry.startTime - state.first < 5000;
          if (!same) state.first = entry.startTime;
          state.sum = (same ? state.sum : 0) + entry.value;
          state.last = entry.startTime;
          state.worst = Math.max(state.worst, state.sum);
        }
      },
      event: (entry) => {
        const {interactionId: id, duration} = entry;
        if (!id) return;
        if (!state.seen.has(id)) {
          if (state.seen.size >= 100) state.seen.delete(state.seen.values().next().value);
          state.seen.add(id);
          state.interactions++;
        }
        // Of many interactions INP leaves the worst out, one in fifty, so that only the longest matter.
        const known = state.longest.find((one) => one.id === id);
        if (known) known.duration = Math.max(known.duration, duration);
        else state.longest.push({id, duration});
        state.longest.sort((one, other) => other.duration - one.duration);
        state.longest.length = Math.min(state.longest.length, 50);
      },
      measure: (entry) => {
        if (entry.name === 'Next.js-hydration' && state.measures.length === 0) state.measures.push({startTime: entry.startTime, duration: entry.duration});
      },
    };
    take['first-input'] = take.event;
    for (const type of Object.keys(take)) {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) take[type](entry);
        if (type !== 'event') state.news = performance.now();
      });
      try {
        observer.observe(type === 'event' ? {type, buffered: true, durationThreshold: 16} : {type, buffered: true});
        state.observers.push(observer);
      } catch {
        // A browser that does not know the type measures nothing of it.
      }
    }
    return state;
  })());

  // What is drawn late counts, so wait until nothing has come for a while.
  const began = performance.now();
  await new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      const left = Math.min(quiet - (now - Math.max(all.news, began)), most - (now - began));
      if (left <= 0) resolve();
      else setTimeout(look, left);
    };
    setTimeout(look, 0);
  });

  const navigation = performance.getEntriesByType('navigation')[0];
  return {
    url: location.href,
    ttfb: navigation && navigation.responseStart > 0 ? navigation.responseStart : null,
    fcp: all.fcp,
    lcp: all.lcp,
    cls: {score: all.worst, entries: all.shifts, dropped: all.moreShifts},
    inp: all.longest.length ? all.longest[Math.min(all.longest.length - 1, Math.floor(all.interactions / 50))].duration : null,
    interactions: all.interactions,
    hydration: all.measures[0] ?? null,
  };
})
