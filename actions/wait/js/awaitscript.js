/**
 * Runs in the page's own world, for `wait --fn`: waits until the value of the caller's script is true-like.
 *
 * It looks after each change of the document, and every 2 ms, since a plain variable changes without a sign; less often when the script takes
 * long, so that it does not take the page's time, and after seconds of waiting, at which some more ms are as good. A script that throws is tried again; what it threw last is told when the time is over.
 *
 * @param {{script: () => unknown, patience: number, source?: string}} arg script = the caller's, or what runs it; when its value is a function,
 *   that is called; patience in ms; source of a script that is not made of one expression, to be looked at for mistakes first
 * @returns {Promise<{done: boolean, value?: unknown, kind?: string, failed?: string, invalid?: string}>}
 */
export default async function awaitScript({ script, patience, source }) {
  if (source !== undefined) {
    try {
      new Function(source);
    } catch (err) {
      return { done: false, invalid: String(err) };
    }
  }
  const start = performance.now();
  const deadline = start + patience;
  let failed = '';
  /** @type {unknown} */
  let value;
  let cost = 0;
  const look = async () => {
    const began = performance.now();
    try {
      value = await script();
      if (typeof value === 'function') value = value();
      cost = Math.min(5, performance.now() - began); // it may only have waited for something
      value = await value;
      failed = '';
      return Boolean(value);
    } catch (err) {
      failed = String(err);
      return false;
    }
  };
  // Timers that follow each other are put off to 4 ms; tasks of the scheduler are not.
  const after = (/** @type {number} */ ms, /** @type {() => void} */ run) => {
    try {
      const { scheduler } = /** @type {{scheduler: {postTask: Function}}} */ (/** @type {unknown} */ (globalThis));
      scheduler.postTask(run, { delay: ms });
    } catch {
      setTimeout(run, ms);
    }
  };
  const next = () =>
    new Promise((resolve) => {
      const looked = performance.now();
      const pause = Math.max(2, 10 * cost, Math.min((looked - start) / 100, 50));
      after(Math.max(0, Math.min(pause, deadline - looked)), done);
      const observer = new MutationObserver(() => {
        if (performance.now() >= looked + 4 * cost) done();
      });
      observer.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
      function done() {
        observer.disconnect();
        resolve(undefined);
      }
    });
  for (;;) {
    if (await look()) return { done: true, value };
    if (performance.now() >= deadline) break;
    await next();
  }
  return failed ? { done: false, failed } : { done: false, kind: value === undefined ? 'undefined' : String(value) };
}
