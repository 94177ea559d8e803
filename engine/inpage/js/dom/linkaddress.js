// The address that a click on an element leads to.

import { baseURIGet } from './builtins.js';
import { attr, composedParent, localName } from './dom.js';

/**
 * The absolute address of the link that the element is or lies in.
 * @param {Element} el
 */
export function hrefOf(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const tag = localName(node);
    if ((tag !== 'a' && tag !== 'area') || (attr(node, 'href') === null && attr(node, 'xlink:href') === null)) continue;
    const { href } = /** @type {HTMLAnchorElement|SVGAElement} */ (node);
    return typeof href === 'string' ? href : absoluteURL(href.baseVal);
  }
  return null;
}

/** @param {string} url */
function absoluteURL(url) {
  try {
    return new URL(url, baseURIGet.call(document)).href;
  } catch {
    return url;
  }
}
