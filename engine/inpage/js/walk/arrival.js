// Op arrival: what the document to which an action has led says of it.

import { FIELDS, messagesIn } from '../act/messages.js';
import { attr, isHTMLElement, queryAll } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { wall } from './wall.js';

/** Its wall, its messages, and whether the form is there again that was sent to the address `posted`. */
ops.arrival = ({ posted = '' }) => ({ wall: wall() ?? null, messages: messagesIn(document), form: posted !== '' && hasFormFor(posted) });

/**
 * Whether there is a form to fill in that is sent to an address.
 * @param {string} address
 */
function hasFormFor(address) {
  return Array.from(queryAll(document, 'form')).some((form) => {
    if ((attr(form, 'method') ?? '').toLowerCase() !== 'post' || !isHTMLElement(form, 'form') || !isVisible(form)) return false;
    const fields = Array.from(queryAll(form, FIELDS));
    return withoutFragment(attr(form, 'action') ?? '') === withoutFragment(address) && fields.some(isVisible);
  });
}

/** @param {string} address */
function withoutFragment(address) {
  try {
    const url = new URL(address || location.href, document.baseURI);
    url.hash = '';
    url.username = '';
    url.password = '';
    return url.href;
  } catch {
    return address;
  }
}
