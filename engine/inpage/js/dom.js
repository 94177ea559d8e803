// Reading the document: facts of elements through getters that no page can shadow, and the flat tree (shadow roots and slots).
//
// A named form control shadows the properties of its form, and a named form or image those of the document, in every world: with
// <input name="parentNode">, form.parentNode is that input. Hence no property of a node that may be a form is read by its name.

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;
const FRAGMENT = 11;

const HTML_NS = 'http://www.w3.org/1999/xhtml';
const SVG_NS = 'http://www.w3.org/2000/svg';
const MATH_NS = 'http://www.w3.org/1998/Math/MathML';

/** @type {Object<string, (arg: any) => any>} what Go calls by name */
const ops = {};

/** @param {Object} proto @param {string} name */
function getterOf(proto, name) {
  return Object.getOwnPropertyDescriptor(proto, name)?.get ?? (() => undefined); // an older browser may have no such property
}

const nodeTypeGet = getterOf(Node.prototype, 'nodeType');
const parentNodeGet = getterOf(Node.prototype, 'parentNode');
const firstChildGet = getterOf(Node.prototype, 'firstChild');
const lastChildGet = getterOf(Node.prototype, 'lastChild');
const nextSiblingGet = getterOf(Node.prototype, 'nextSibling');
const previousSiblingGet = getterOf(Node.prototype, 'previousSibling');
const textContentGet = getterOf(Node.prototype, 'textContent');
const isConnectedGet = getterOf(Node.prototype, 'isConnected');
const getRootNodeOf = Node.prototype.getRootNode;
const localNameGet = getterOf(Element.prototype, 'localName');
const namespaceGet = getterOf(Element.prototype, 'namespaceURI');
const shadowRootGet = getterOf(Element.prototype, 'shadowRoot');
const assignedSlotGet = getterOf(Element.prototype, 'assignedSlot');
const elementCountGet = getterOf(Element.prototype, 'childElementCount');
const firstElementGet = getterOf(Element.prototype, 'firstElementChild');
const firstElementOfTreeGet = getterOf(DocumentFragment.prototype, 'firstElementChild');
const nextElementGet = getterOf(Element.prototype, 'nextElementSibling');
const getAttributeOf = Element.prototype.getAttribute;
const hasAttributeOf = Element.prototype.hasAttribute;
const hasAttributesOf = Element.prototype.hasAttributes;
const matchesOfElement = Element.prototype.matches;
const closestOf = Element.prototype.closest;
const queryAllOf = Element.prototype.querySelectorAll;
const assignedNodesOf = HTMLSlotElement.prototype.assignedNodes;
const documentElementGet = getterOf(Document.prototype, 'documentElement');
const bodyGet = getterOf(Document.prototype, 'body');
const activeElementGet = getterOf(Document.prototype, 'activeElement');
const hostGet = getterOf(ShadowRoot.prototype, 'host');
const shadowActiveGet = getterOf(ShadowRoot.prototype, 'activeElement');
const rootQueryOf = Document.prototype.querySelectorAll;
const shadowQueryOf = DocumentFragment.prototype.querySelectorAll;
const styleOf = getComputedStyle;

/** The element's name in lower case, without a prefix. */
function localName(el) {
  return localNameGet.call(el);
}

/** The attribute's value, or null. */
function attr(el, name) {
  return getAttributeOf.call(el, name);
}

function isHTML(el) {
  return namespaceGet.call(el) === HTML_NS;
}

// Nodes are told by what they are, and not by their class: asked for the listeners of a page, the browser hands out nodes of the frames in it,
// and then they are objects of this frame's realm for good, also in the frame's own script.

/** @param {any} node it may be anything @returns {node is Element} */
function isElement(node) {
  try {
    return nodeTypeGet.call(node) === ELEMENT;
  } catch {
    return false;
  }
}

/** Whether it is an HTML element, with one of the names if there are any; it may be anything. */
function isHTMLElement(node, ...names) {
  return isElement(node) && isHTML(node) && (names.length === 0 || names.includes(localName(node)));
}

/** Whether it is a shadow root; it may be any node, or nothing. */
function isShadowRoot(node) {
  if (!node || nodeTypeGet.call(node) !== FRAGMENT) return false;
  try {
    return hostGet.call(node) !== null;
  } catch {
    return false; // a fragment that belongs to no element
  }
}

/** The element's shadow root, open or known by pierce.js, or null. */
function shadowOf(el) {
  return shadowRootGet.call(el) ?? closedRootOf(el);
}

/** The root element of the document, or null while there is none. */
function elementRoot() {
  return documentElementGet.call(document);
}

/** The body (or frameset) of the document, or null. */
function bodyOf() {
  return bodyGet.call(document);
}

/**
 * The parent in the flat tree: for slotted content its slot, for the top of a shadow tree its host. Null above the root element.
 * @returns {Element|null}
 */
function composedParent(el) {
  const slot = assignedSlotGet.call(el);
  if (slot) return slot;
  const parent = parentNodeGet.call(el);
  if (!parent) return null;
  const type = nodeTypeGet.call(parent);
  if (type === ELEMENT) return anyClosed ? closedSlotOf(el, parent) ?? parent : parent;
  return type === FRAGMENT ? (parent.host ?? null) : null;
}

/**
 * The children of a node in the flat tree: those of its shadow root in place of its own, and for a slot what is assigned to it.
 * @param {Node} node
 * @returns {Node[]}
 */
function children(node) {
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
function deepQueryAll(root, css) {
  const found = queryAll(root, css);
  const hosts = shadowHosts(root);
  if (hosts.length === 0) return Array.from(found);
  const matched = new Set(found);
  const out = [];
  mergeMatches(css, matched, hosts, out);
  return out;
}

function queryAll(root, css) {
  const type = nodeTypeGet.call(root);
  return (type === ELEMENT ? queryAllOf : type === DOCUMENT ? rootQueryOf : shadowQueryOf).call(root, css);
}

function shadowHosts(root) {
  const hosts = [];
  if (isElement(root) && shadowOf(root)) hosts.push(root);
  for (const el of queryAll(root, '*')) if (shadowOf(el) !== null) hosts.push(el);
  return hosts;
}

/** Matches and hosts of one tree are both in document order; what a host's shadow tree matches comes right after the host. */
function mergeMatches(css, matched, hosts, out) {
  const rest = Array.from(matched);
  let i = 0;
  for (const host of hosts) {
    while (i < rest.length && (rest[i] === host || rest[i].compareDocumentPosition(host) & Node.DOCUMENT_POSITION_FOLLOWING)) out.push(rest[i++]);
    for (const el of deepQueryAll(shadowOf(host), css)) out.push(el);
  }
  while (i < rest.length) out.push(rest[i++]);
}

/** The focused element, looked for through shadow trees; null when it is the body or nothing. */
function focusedElement() {
  let el = activeElementGet.call(document);
  for (let shadow = el && shadowOf(el); shadow; shadow = el && shadowOf(el)) {
    const inner = shadowActiveGet.call(shadow);
    if (!inner) break;
    el = inner;
  }
  return el === bodyOf() || el === elementRoot() ? null : el;
}

/** The focused element, or the part of it that has the focus. */
function focusedPart() {
  const el = focusedElement();
  const parts = el && partsOf(el);
  return (parts && shadowActiveGet.call(parts)) ?? el;
}

/**
 * The element with this id in the same tree as el.
 * @returns {Element|null}
 */
function byId(el, id) {
  const root = getRootNodeOf.call(el);
  return root.getElementById ? getElementByIdIn(root, id) : null;
}

function getElementByIdIn(root, id) {
  const type = nodeTypeGet.call(root);
  return (type === DOCUMENT ? Document.prototype.getElementById : DocumentFragment.prototype.getElementById).call(root, id);
}

/** An element as messages name it: tag#id, else tag.class1.class2. */
function describe(el) {
  const tag = localName(el);
  const id = attr(el, 'id');
  if (id) return tag + '#' + id;
  const classes = (attr(el, 'class') ?? '').split(/\s+/).filter((c) => c !== '');
  return [tag, ...classes.slice(0, 2)].join('.');
}
