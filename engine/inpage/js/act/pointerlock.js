// Pointer locks of the headless shell, which cannot hold one: it has no pointer to put back into the middle of the view, tells the page of a move
// instead, puts it back because of that, and so on without an end. The browser and the page are busy with it until the lock is gone, and their
// memory grows. So a lock is given up as soon as it is there.

import { getterOf } from '../dom/builtins.js';

const { exitPointerLock } = Document.prototype;
const pointerLockElementGet = getterOf(Document.prototype, 'pointerLockElement');

/** How many locks of the document were given up. */
export let locksGivenUp = 0;

function giveUp() {
  if (pointerLockElementGet.call(document) === null) return;
  locksGivenUp++;
  exitPointerLock.call(document);
}

// A whole browser holds its locks, and has a viewer for PDFs. A person may have turned that off, but is not driven by a program.
// Under such a load the first move comes before the event that says that there is a lock.
if (!navigator.pdfViewerEnabled && navigator.webdriver)
  for (const name of ['pointermove', 'pointerlockchange']) addEventListener(name, giveUp, { capture: true, passive: true });
