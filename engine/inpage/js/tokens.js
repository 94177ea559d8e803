// Tokens: the identity of an element for the life of its document. A token is a positive number, never given to a second element, and it
// does not keep the element alive.

/** @type {WeakMap<Element, number>} */
const tokens = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const elements = new Map();
let lastToken = 0;

// Entries of collected elements are swept out when the map has doubled since the last time.
let sweepAt = 4096;

/** The element's token; it gets one when it has none. */
function tokenOf(el) {
  let token = tokens.get(el);
  if (token === undefined) {
    token = ++lastToken;
    tokens.set(el, token);
    elements.set(token, new WeakRef(el));
    if (elements.size > sweepAt) sweep();
  }
  return token;
}

/** The element with this token, connected or not, or null when it was collected or the token is unknown. */
function elementOf(token) {
  return elements.get(token)?.deref() ?? null;
}

function sweep() {
  for (const [token, ref] of elements) if (!ref.deref()) elements.delete(token);
  sweepAt = Math.max(4096, 2 * elements.size);
}
