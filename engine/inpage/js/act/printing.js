// That a script asked to print, for commands that run one and watch nothing else: a headless browser shows nothing of it.

import { ops } from '../dom/ops.js';

export const PRINT_ASKED = 'a request to print, window.print(): nothing is printed, and a headless browser shows no dialog for it';

/** Whether the document was about to be printed since it is listened for. */
let asked = false;

/** Whether a command of ours prints it. */
let ours = false;

const CAPTURED = { capture: true, passive: true };

/**
 * Whether an event says that the page asked to print.
 * @param {Event} event
 */
export function asksToPrint(event) {
  return event.type === 'beforeprint' && event.isTrusted && !ours;
}

/** @param {Event} event */
function printing(event) {
  if (asksToPrint(event)) asked = true;
}

/** Says whether a command of ours prints from now on. */
ops.printing = (/** @type {boolean} */ begins) => {
  ours = begins;
  return true;
};

/** Listens from now on. The same listener is not added twice. */
ops.watchPrint = () => {
  asked = false;
  addEventListener('beforeprint', printing, CAPTURED);
  return true;
};

/** The words for a request to print that came since, or nothing. It is not listened for any longer. */
ops.printed = () => {
  removeEventListener('beforeprint', printing, CAPTURED);
  return asked ? PRINT_ASKED : '';
};
