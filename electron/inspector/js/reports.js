/**
 * Has the app print what else only its main process would know: how its processes end, and what it threw. It prints to
 * its own standard error, so that the lines come between those of the app, and outlive it.
 *
 * @param {(name: string) => any} load
 * @returns {boolean} it was not done before
 */
export default (load) => {
  const KEY = Symbol.for('skua.reports');
  const MOST = 500; // characters of what a page calls itself
  if (Object.hasOwn(globalThis, KEY)) return false;
  Object.defineProperty(globalThis, KEY, { value: true });
  const { app } = load('electron');
  const { writeSync } = load('fs');

  /** @type {(text: string) => void} */
  const say = (text) => {
    try {
      writeSync(2, `[skua] ${text}\n`);
    } catch {
      // the app has closed it
    }
  };

  /** @typedef {{reason: string, exitCode: number}} End */
  /** @type {(what: string, end: End) => void} */
  const tell = (what, end) => {
    if (end.reason !== 'clean-exit') say(`the process of ${what} has ended: ${end.reason}, exit code ${end.exitCode}`);
  };

  app.on('render-process-gone', (/** @type {unknown} */ _, /** @type {any} */ contents, /** @type {End} */ end) => {
    tell(`the page ${JSON.stringify(contents.getTitle().slice(0, MOST))} ${contents.getURL().slice(0, MOST)}`, end);
  });
  app.on('child-process-gone', (/** @type {unknown} */ _, /** @type {any} */ end) => {
    const name = end.name && end.name !== end.type ? ` (${end.name})` : '';
    tell(`${end.type}${name}`, end);
  });
  // Unlike a listener for the exception itself, this changes nothing that the app does about it.
  load('process').on('uncaughtExceptionMonitor', (/** @type {any} */ error) => say(`uncaught exception: ${error?.stack ?? error}`));
  return true;
};
