// React's own measurements are calls of console.timeStamp with times and a track. They go nowhere else, so they are listened to from the
// beginning of the document.
export default function listenForHydration() {
  const key = Symbol.for('skua.hydration');
  if (key in console) return;
  /** @type {{label: string, startTime: number, endTime: number, track: string, group: string}[]} */
  const timings = [];
  Object.defineProperty(console, key, { value: timings, enumerable: false });
  console.timeStamp = new Proxy(console.timeStamp, {
    apply(target, self, args) {
      const [label, startTime, endTime, track, group] = args;
      if (typeof startTime === 'number' && typeof endTime === 'number' && endTime > startTime && timings.length < 10_000) {
        timings.push({ label: String(label), startTime, endTime, track: String(track ?? ''), group: String(group ?? '') });
      }
      return Reflect.apply(target, self, args);
    },
  });
}
