// What is known of an element, remembered while one op runs. Roles and names of an element depend on those of its relatives, so that a
// walk would work them out over and over again. Nothing is remembered between ops: the page changes in between without telling.

/** One element and what has been found out about it; undefined = not asked yet. */
class Facts {
  /** @param {Element} el */
  constructor(el) {
    this.el = el;
    this.tag = localName(el);
    this.html = namespaceGet.call(el) === HTML_NS;
    this.bare = !hasAttributesOf.call(el); // without attributes most questions answer themselves
    /** @type {Facts|null|undefined} */
    this.up = undefined;
    /** @type {string|undefined} */
    this.role = undefined;
    /** @type {string|undefined} */
    this.name = undefined;
    /** @type {CSSStyleDeclaration|undefined} */
    this.style = undefined;
    /** @type {boolean|undefined} */
    this.pointer = undefined;
    /** @type {number|undefined} */
    this.hints = undefined;
  }
}

/** @type {Map<Element, Facts>|null} */
let remembered = null;

/** @type {Map<Node, {generating: Set<Element>|null, casing: boolean}>|null} by tree; see styles.js */
let rootStyles = null;

/** @returns {Facts} */
function factsOf(el) {
  if (remembered === null) return new Facts(el);
  let facts = remembered.get(el);
  if (facts === undefined) remembered.set(el, (facts = new Facts(el)));
  return facts;
}

/** Runs a synchronous function during which facts are remembered. */
function remembering(run) {
  if (remembered !== null) return run();
  remembered = new Map();
  rootStyles = new Map();
  try {
    return run();
  } finally {
    remembered = null;
    rootStyles = null;
  }
}

/** The facts of the parent in the flat tree, or null. */
function parentOf(facts) {
  if (facts.up === undefined) {
    const parent = composedParent(facts.el);
    facts.up = parent === null ? null : factsOf(parent);
  }
  return facts.up;
}

/** The attribute's value, or null. */
function attrOf(facts, name) {
  return facts.bare ? null : getAttributeOf.call(facts.el, name);
}

/** The element's computed style; it is live, and valid while the op runs. */
function computedOf(facts) {
  return (facts.style ??= styleOf(facts.el));
}
