// Op lifeless: the status that the document came with, and whether nothing in it can change it.

import { readyStateGet } from '../dom/access.js';
import { animationsIn, localName, queryAll } from '../dom/dom.js';
import { ops } from '../dom/ops.js';

// What runs, loads, plays or leads away by itself.
const ALIVE = 'script, iframe, frame, object, embed, video, audio, canvas, marquee, animate, animateTransform, set, meta[http-equiv]';
const LOOKED_AT = 2000;

ops.lifeless = () => ({
  status: Number(performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0),
  lifeless: isLifeless(),
});

/** Only what is certain counts: a page that another one has opened may be changed by that. */
function isLifeless() {
  if (readyStateGet.call(document) !== 'complete' || window !== top || window.opener !== null) return false;
  if (queryAll(document, ALIVE).length > 0 || animationsIn(document).length > 0) return false;
  const all = queryAll(document, '*');
  if (all.length > LOOKED_AT) return false;
  for (let i = 0; i < all.length; i++) {
    if (localName(all[i]).includes('-')) return false;
    for (const name of getAttributeNamesOf.call(all[i])) if (name.startsWith('on')) return false;
  }
  return true;
}

const getAttributeNamesOf = Element.prototype.getAttributeNames;
