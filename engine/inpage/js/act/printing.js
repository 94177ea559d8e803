// That a script asked to print, for commands that run one and watch nothing else: a headless browser shows nothing of it.

import { ops } from '../dom/ops.js';

export const PRINT_ASKED = 'a request to print, window.print(): nothing is printed, and a headless browser shows no dialog for it';

/** Whether the document was about to be printed since it is listened for. */
let asked = false;

const CAPTURED = { capture: true, passive: true };

/** @param {Event} event */
function printing(event) {
  if (event.isTrusted) asked = true;
}

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
