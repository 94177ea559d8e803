// Documents in a document: which elements show one, and whether it is there yet.

import { getterOf } from '../dom/builtins.js';
import { attr } from '../dom/dom.js';
import { attrOf } from '../dom/facts.js';
import { semanticRole } from '../ax/role.js';

/** @import { Facts } from '../dom/facts.js' */

/**
 * Chrome calls all that an embed shows an embedded object. One that shows a page is read like a frame.
 * @param {Facts} facts
 */
export function embeddedRole(facts) {
  const role = semanticRole(facts);
  if (role !== 'EmbeddedObject') return role;
  const type = attrOf(facts, 'type') ?? '';
  const src = attrOf(facts, 'src') ?? '';
  const isPage = type === '' ? src !== '' && !NO_PAGE.test(src) : /^(?:text\/|application\/xhtml)/i.test(type);
  return isPage ? 'Iframe' : role;
}

const NO_PAGE = /\.(?:pdf|svg|png|jpe?g|gif|webp|avif|swf|mp[34]|webm|ogg)(?:[?#]|$)/i;

const frameDocumentGet = getterOf(HTMLIFrameElement.prototype, 'contentDocument');
const documentURLGet = getterOf(Document.prototype, 'URL');

/**
 * Whether a frame shows the empty document that it begins with, and is going to show another one.
 * @param {Element} el
 */
export function isAwaited(el) {
  if (!(el instanceof HTMLIFrameElement)) return false;
  const src = (attr(el, 'src') ?? '').trim();
  if (src === '' || /^(?:about|javascript):/i.test(src) || attr(el, 'srcdoc') !== null) return false;
  const inner = frameDocumentGet.call(el);
  return inner !== null && inner !== undefined && documentURLGet.call(inner) === 'about:blank';
}
