// Reading the document: facts of elements through getters that no page can shadow, and the flat tree (shadow roots and slots).
//
// A named form control shadows the properties of its form, and a named form or image those of the document, in every world: with
// <input name="parentNode">, form.parentNode is that input. So no property of a node that may be a form is read by its name.

import {
  activeElementGet,
  assignedNodesOf,
  assignedSlotGet,
  bodyGet,
  DOCUMENT,
  documentElementGet,
  ELEMENT,
  firstChildGet,
  FRAGMENT,
  getAttributeOf,
  getRootNodeOf,
  hostGet,
  HTML_NS,
  localNameGet,
  namespaceGet,
  nextSiblingGet,
  nodeTypeGet,
  parentNodeGet,
  positionTo,
  queryAllOf,
  rootQueryOf,
  shadowActiveGet,
  shadowQueryOf,
  shadowRootGet,
} from './builtins.js';
import { Descent } from './descent.js';
import { selectorFor } from './older.js';
import { anyClosed, anyParts, closedRootOf, closedSlotOf, partsOf } from './roots.js';

/**
 * The element's name in lower case, without a prefix.
 * @param {Element} el
 */
export function localName(el) {
  return localNameGet.call(el);
}

/**
 * The attribute's value, or null.
 * @param {Element} el
 * @param {string} name
 */
export function attr(el, name) {
  return getAttributeOf.call(el, name);
}

/** @param {Element} el */
export function isHTML(el) {
  return namespaceGet.call(el) === HTML_NS;
}

// Nodes are told by what they are, and not by their class: asked for the listeners of a page, the browser hands out nodes of the frames in it,
// and then they are objects of this frame's realm for good, also in the frame's own script.

/** @param {any} node it may be anything @returns {node is Element} */
export function isElement(node) {
  try {
    return nodeTypeGet.call(node) === ELEMENT;
  } catch {
    return false;
  }
}

/**
 * Whether it is an HTML element, with one of the names if there are any; it may be anything.
 * @param {Node} node
 */
export function isHTMLElement(node, /** @type {string[]} */ ...names) {
  return isElement(node) && isHTML(node) && (names.length === 0 || names.includes(localName(node)));
}

/**
 * Whether it is a shadow root; it may be any node, or nothing.
 * @param {Node|null|undefined} node
 * @returns {node is ShadowRoot}
 */
export function isShadowRoot(node) {
  if (!node || nodeTypeGet.call(node) !== FRAGMENT) return false;
  try {
    return hostGet.call(node) !== null;
  } catch {
    return false; // a fragment that belongs to no element
  }
}

/**
 * The element's shadow root, open or known by pierce.js, or null.
 * @param {Element} el
 */
export function shadowOf(el) {
  return isFlat ? null : (shadowRootGet.call(el) ?? closedRootOf(el));
}

/** Whether no element of the document has a shadow root, as far as that is known while an op runs: asked for it, each answers so again and again. */
export let isFlat = false;

/** @param {boolean} flat */
export function takeAsFlat(flat) {
  isFlat = flat;
}

/** The root element of the document, or null while there is none. */
export function elementRoot() {
  return documentElementGet.call(document);
}

/** The body (or frameset) of the document, or null. */
export function bodyOf() {
  return bodyGet.call(document);
}

/**
 * The parent in the flat tree: for slotted content its slot, for the top of a shadow tree its host. Null above the root element.
 * @param {Element} el
 * @returns {Element|null}
 */
export function composedParent(el) {
  const parent = parentNodeGet.call(el);
  if (!parent) return null;
  const type = nodeTypeGet.call(parent);
  if (type !== ELEMENT) return type === FRAGMENT ? (parent.host ?? null) : null;
  if (isFlat) return parent;
  // Only children of a host are slotted; to ask every element for its slot takes longer.
  if (shadowRootGet.call(parent) !== null) return assignedSlotGet.call(el) ?? parent;
  return anyClosed ? (closedSlotOf(el, parent) ?? parent) : parent;
}

/**
 * The children of a node in the flat tree: those of its shadow root in place of its own, and for a slot what is assigned to it.
 * @param {Node} node
 * @returns {Node[]}
 */
export function children(node) {
  let from = node;
  if (isElement(node)) {
    const shadow = shadowOf(/** @type {Element} */ (node));
    if (shadow) from = shadow;
    else if (localName(node) === 'slot') {
      const assigned = assignedNodesOf.call(node);
      if (assigned.length > 0) return assigned;
    }
  }
  const out = [];
  for (let child = firstChildGet.call(from); child; child = nextSiblingGet.call(child)) out.push(child);
  return out;
}

/**
 * Every match of a CSS selector below root, in document order, also in shadow trees (each tree is matched for itself). It throws
 * what querySelectorAll throws.
 * @param {Document|Element|ShadowRoot} root
 * @param {string} css
 * @returns {Element[]}
 */
export function deepQueryAll(root, css) {
  const found = queryAll(root, css);
  const hosts = shadowHosts(root);
  if (hosts.length === 0) return Array.from(found);
  /** @type {Element[]} */
  const out = [];
  const descent = new Descent();
  mergeMatches(css, found, hosts, out, descent);
  descent.run();
  return out;
}

/** @param {Node} root @param {string} css */
export function queryAll(root, css) {
  const type = nodeTypeGet.call(root);
  return (type === ELEMENT ? queryAllOf : type === DOCUMENT ? rootQueryOf : shadowQueryOf).call(root, css);
}

// Kinds of elements that have no shadow root, since attachShadow refuses them and the browser makes none: those of which large pages have the most. All
// others have to be looked at one by one, which takes ten times as long as to leave out these.
const NEVER_HOSTS =
  'td, tr, th, tbody, thead, tfoot, table, li, ul, ol, dl, dt, dd, a, b, i, em, strong, small, code, label, svg, path, g, br, script, style, link, meta';
const MAY_HOST = selectorFor(`:not(${NEVER_HOSTS})`, '*'); // Chromium has taken lists since version 88

/**
 * The elements below a root that have a shadow root.
 * @param {Node} root
 * @returns {Element[]}
 */
export function hostsBelow(root) {
  const hosts = [];
  if (!isFlat) for (const el of queryAll(root, MAY_HOST)) if (shadowOf(el) !== null) hosts.push(el);
  return hosts;
}

/** @param {Element | Document | ShadowRoot} root */
function shadowHosts(root) {
  return isElement(root) && shadowOf(root) !== null ? [root, ...hostsBelow(root)] : hostsBelow(root);
}

/**
 * Matches and hosts of one tree are both in document order; what a host's shadow tree matches comes right after the host.
 * @param {string} css
 * @param {Iterable<Element>} matched
 * @param {Element[]} hosts
 * @param {Element[]} out
 * @param {Descent} descent
 */
function mergeMatches(css, matched, hosts, out, descent) {
  const rest = Array.from(matched);
  let i = 0;
  descent.onLeave(() => {
    while (i < rest.length) out.push(rest[i++]);
  });
  descent.enter(hosts, (host) => {
    while (i < rest.length && (rest[i] === host || positionTo.call(rest[i], host) & Node.DOCUMENT_POSITION_FOLLOWING)) out.push(rest[i++]);
    const shadow = /** @type {ShadowRoot} */ (shadowOf(host));
    mergeMatches(css, queryAll(shadow, css), shadowHosts(shadow), out, descent);
  });
}

const documentAnimationsOf = Document.prototype.getAnimations;
const shadowAnimationsOf = ShadowRoot.prototype.getAnimations;

/** The animations of the elements of a tree. @param {Node} root @returns {Animation[]} */
export function animationsIn(root) {
  if (nodeTypeGet.call(root) === DOCUMENT) return documentAnimationsOf.call(root);
  return isShadowRoot(root) ? shadowAnimationsOf.call(root) : [];
}

/** The focused element, looked for through shadow trees; null when it is the body or nothing. */
export function focusedElement() {
  let el = activeElementGet.call(document);
  for (let shadow = el && shadowOf(el); shadow; shadow = el && shadowOf(el)) {
    const inner = shadowActiveGet.call(shadow);
    if (!inner) break;
    el = inner;
  }
  return el === bodyOf() || el === elementRoot() ? null : el;
}

/** The focused element, or the part of it that has the focus. */
export function focusedPart() {
  const el = focusedElement();
  const parts = el && partsOf(el);
  return (parts && shadowActiveGet.call(parts)) ?? el;
}

/**
 * The element with this id in the same tree as el.
 * @param {Element} el
 * @param {string} id
 * @returns {Element|null}
 */
export function byId(el, id) {
  const root = getRootNodeOf.call(el);
  return 'getElementById' in root ? getElementByIdIn(root, id) : null;
}

/** @param {Document|Node} root @param {string} id */
export function getElementByIdIn(root, id) {
  const type = nodeTypeGet.call(root);
  return (type === DOCUMENT ? Document.prototype.getElementById : DocumentFragment.prototype.getElementById).call(root, id);
}

/**
 * An element as messages name it: tag#id, else tag.class1.class2.
 * @param {Element} el
 */
export function describe(el) {
  const tag = localName(el);
  const id = attr(el, 'id');
  if (id) return tag + '#' + id;
  const classes = (attr(el, 'class') ?? '').split(/\s+/).filter((c) => c !== '');
  return [tag, ...classes.slice(0, 2)].join('.');
}

/**
 * The root below an element in which something of it is on the screen.
 * @param {Element} el
 */
export function innerRootOf(el) {
  return shadowOf(el) ?? partsOf(el);
}

/**
 * The control of the browser that the element is a part of, or null.
 * @param {Element} el
 */
export function controlAround(el) {
  if (!anyParts) return null;
  const root = getRootNodeOf.call(el);
  const host = isShadowRoot(root) ? root.host : null;
  return host !== null && partsOf(host) === root ? host : null;
}
