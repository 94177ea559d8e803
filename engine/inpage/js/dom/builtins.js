// What the browser brings: the kinds of nodes, and the getters and methods of its prototypes.

export const ELEMENT = 1;
export const TEXT = 3;
export const DOCUMENT = 9;
export const FRAGMENT = 11;

export const HTML_NS = 'http://www.w3.org/1999/xhtml';
export const SVG_NS = 'http://www.w3.org/2000/svg';
export const MATH_NS = 'http://www.w3.org/1998/Math/MathML';

/** @param {Object} proto @param {string} name */
export function getterOf(proto, name) {
  return Object.getOwnPropertyDescriptor(proto, name)?.get ?? (() => undefined); // an older browser may have no such property
}

export const nodeTypeGet = getterOf(Node.prototype, 'nodeType');
export const parentNodeGet = getterOf(Node.prototype, 'parentNode');
export const firstChildGet = getterOf(Node.prototype, 'firstChild');
export const lastChildGet = getterOf(Node.prototype, 'lastChild');
export const nextSiblingGet = getterOf(Node.prototype, 'nextSibling');
export const previousSiblingGet = getterOf(Node.prototype, 'previousSibling');
export const textContentGet = getterOf(Node.prototype, 'textContent');
export const isConnectedGet = getterOf(Node.prototype, 'isConnected');
export const getElementsByTagNameOf = Document.prototype.getElementsByTagName;
export const parentElementGet = getterOf(Node.prototype, 'parentElement');
export const baseURIGet = getterOf(Node.prototype, 'baseURI');
export const getRootNodeOf = Node.prototype.getRootNode;
export const containsOf = Node.prototype.contains;
export const positionTo = Node.prototype.compareDocumentPosition;
export const localNameGet = getterOf(Element.prototype, 'localName');
export const namespaceGet = getterOf(Element.prototype, 'namespaceURI');
export const shadowRootGet = getterOf(Element.prototype, 'shadowRoot');
export const assignedSlotGet = getterOf(Element.prototype, 'assignedSlot');
export const elementCountGet = getterOf(Element.prototype, 'childElementCount');
export const firstElementGet = getterOf(Element.prototype, 'firstElementChild');
export const firstElementOfTreeGet = getterOf(DocumentFragment.prototype, 'firstElementChild');
export const nextElementGet = getterOf(Element.prototype, 'nextElementSibling');
export const previousElementGet = getterOf(Element.prototype, 'previousElementSibling');
export const getAttributeOf = Element.prototype.getAttribute;
export const hasAttributeOf = Element.prototype.hasAttribute;
export const hasAttributesOf = Element.prototype.hasAttributes;
export const matchesOfElement = Element.prototype.matches;
export const closestOf = Element.prototype.closest;
export const queryAllOf = Element.prototype.querySelectorAll;
export const assignedNodesOf = HTMLSlotElement.prototype.assignedNodes;
export const documentElementGet = getterOf(Document.prototype, 'documentElement');
export const bodyGet = getterOf(Document.prototype, 'body');
export const activeElementGet = getterOf(Document.prototype, 'activeElement');
export const hostGet = getterOf(ShadowRoot.prototype, 'host');
export const shadowActiveGet = getterOf(ShadowRoot.prototype, 'activeElement');
export const rootQueryOf = Document.prototype.querySelectorAll;
export const shadowQueryOf = DocumentFragment.prototype.querySelectorAll;
export const styleOf = getComputedStyle;
export const ownerDocumentGet = getterOf(Node.prototype, 'ownerDocument');
export const scrollHeightGet = getterOf(Element.prototype, 'scrollHeight');
export const scrollWidthGet = getterOf(Element.prototype, 'scrollWidth');
export const scrollTopGet = getterOf(Element.prototype, 'scrollTop');
export const scrollLeftGet = getterOf(Element.prototype, 'scrollLeft');
export const clientHeightGet = getterOf(Element.prototype, 'clientHeight');
export const clientWidthGet = getterOf(Element.prototype, 'clientWidth');
