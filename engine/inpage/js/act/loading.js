// Op loading: what keeps the load event from firing.

import { deepQueryAll, localName } from '../dom/dom.js';
import { ops } from '../dom/ops.js';

/**
 * Addresses of the sub-resources that the document still waits for: scripts, style sheets, images, frames and media that the load event
 * waits for and that have no finished entry in the performance timeline.
 *
 * @returns {{pending: string[]}}
 */
ops.loading = () => {
  const finished = new Set(performance.getEntriesByType('resource').map((entry) => entry.name));
  const pending = new Set();
  const waitsFor = (/** @type {string} */ url) => {
    if (url && /^https?:/.test(url) && !finished.has(url)) pending.add(url);
  };
  const kinds = 'img, script[src], link[rel~=stylesheet], iframe, frame, video, audio, embed, object, input[type=image]';
  /** @type {Iterable<any>} of these kinds */
  const elements = deepQueryAll(document, kinds);
  for (const el of elements) {
    switch (localName(el)) {
      case 'img':
        if (!el.complete && el.loading !== 'lazy') waitsFor(el.currentSrc || el.src);
        break;
      case 'link':
        if (!el.sheet) waitsFor(el.href);
        break;
      case 'object':
        waitsFor(el.data);
        break;
      default:
        waitsFor(el.src);
    }
  }
  return { pending: [...pending] };
};
