// That the page asked to print: a headless browser shows nothing of it, so that a click which printed would seem to have done nothing.

/** How often the document was about to be printed. */
export let printsAsked = 0;

addEventListener(
  'beforeprint',
  (event) => {
    if (event.isTrusted) printsAsked++;
  },
  { capture: true, passive: true },
);
