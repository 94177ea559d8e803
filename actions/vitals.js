// Reads the web vitals of the document. It runs in the isolated world, where what it makes lives on: a later call knows of short interactions, too,
// which the browser itself does not keep.
(async ({quiet, most}) => {
  const all = (globalThis.vitals ??= (() => {
    const state = {lcp: null, fcp: null, shifts: [], interactions: new Map(), measures: [], news: performance.now(), observers: []};
    const take = {
      'largest-contentful-paint': (entry) => {
        const {element} = entry;
        state.lcp = {
          element: element ? element.localName : null, id: element?.id || null, size: entry.size, startTime: entry.startTime, url: entry.url || null,
        };
      },
      paint: (entry) => {
        if (entry.name === 'first-contentful-paint') state.fcp = entry.startTime;
      },
      'layout-shift': (entry) => {
        if (!entry.hadRecentInput) {
          const moved = entry.sources.map(({node}) => (node instanceof Element ? node.localName : node?.parentElement?.localName) ?? null);
          state.shifts.push({value: entry.value, startTime: entry.startTime, sources: moved});
        }
      },
      event: (entry) => {
        if (entry.interactionId) {
          const known = state.interactions.get(entry.interactionId) ?? 0;
          state.interactions.set(entry.interactionId, Math.max(known, entry.duration));
        }
      },
      measure: (entry) => {
        if (entry.name === 'Next.js-hydration') state.measures.push({startTime: entry.startTime, duration: entry.duration});
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

  // CLS is the worst window of shifts: at most a second between two of them, and five seconds in all.
  let worst = 0;
  let sum = 0;
  let first = 0;
  let last = 0;
  for (const shift of all.shifts) {
    if (sum > 0 && shift.startTime - last < 1000 && shift.startTime - first < 5000) {
      sum += shift.value;
    } else {
      sum = shift.value;
      first = shift.startTime;
    }
    last = shift.startTime;
    worst = Math.max(worst, sum);
  }
  const durations = [...all.interactions.values()].sort((a, b) => b - a);
  const navigation = performance.getEntriesByType('navigation')[0];
  return {
    url: location.href,
    ttfb: navigation && navigation.responseStart > 0 ? navigation.responseStart : null,
    fcp: all.fcp,
    lcp: all.lcp,
    cls: {score: worst, entries: all.shifts},
    inp: durations.length ? durations[Math.min(durations.length - 1, Math.floor(durations.length / 50))] : null,
    interactions: durations.length,
    hydration: all.measures[0] ?? null,
  };
})
