// Tokens: the identity of an element for the life of its document. A token is a positive number, never given to a second element, and it
// does not keep the element alive.

/**
 * @import { Place } from '../find/place.js'
 * @import { View } from '../find/refs.js'
 */

/** What is kept of an element that has a token, also when the element is gone: refs.js tells by it what may take its place. */
export class Known {
  /** @param {Element} el @param {number} token */
  constructor(el, token) {
    this.token = token;
    this.ref = new WeakRef(el);
    // The rest is what the last walk that showed it saw.
    this.tag = '';
    this.role = '';
    this.name = '';
    /** @type {Place|null} */
    this.place = null;
    this.own = 0; // which of the texts of the place are in the element itself, as bits
    /** @type {View|null} */
    this.view = null;
    /** @type {Known|null} what it took the place of */
    this.replaced = null;
    this.newest = 0; // the newest token when a command found the element alive after that
  }
}

/** @type {WeakMap<Element, Known>} */
export const tokens = new WeakMap();
/** @type {Map<number, Known>} */
export const known = new Map();
export let lastToken = 0;

// Entries of collected elements are swept out when the map has doubled since the last time, except for the newest: their refs may be asked for.
let sweepAt = 4096;
const GONE_KEPT = 2048;

/**
 * What is known of the element; it gets a token when it has none.
 * @param {Element} el
 */
export function knownOf(el) {
  let entry = tokens.get(el);
  if (entry === undefined) {
    entry = new Known(el, ++lastToken);
    tokens.set(el, entry);
    known.set(entry.token, entry);
    if (known.size > sweepAt) sweep();
  }
  return entry;
}

/**
 * The element's token; it gets one when it has none.
 * @param {Element} el
 */
export function tokenOf(el) {
  return knownOf(el).token;
}

/**
 * The element with this token, connected or not, or null when it was collected or the token is unknown.
 * @param {number} token
 */
export function elementOf(token) {
  return known.get(token)?.ref.deref() ?? null;
}

function sweep() {
  const gone = [];
  for (const entry of known.values()) if (!entry.ref.deref()) gone.push(entry.token);
  for (let i = 0; i < gone.length - GONE_KEPT; i++) known.delete(gone[i]);
  sweepAt = Math.max(4096, 2 * known.size);
}
