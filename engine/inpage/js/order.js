// Where aria-owns puts elements, and the levels of items.

/** Which elements aria-owns takes to which owners; null when there are none. */
function ownedElements() {
  if (remembered === null) return findOwned();
  if (rememberedOwned === undefined) rememberedOwned = findOwned();
  return rememberedOwned;
}

function findOwned() {
  const owners = queryAll(document, '[aria-owns]');
  if (owners.length === 0) return null;
  /** @type {Map<Element, Element>} */
  const owned = new Map();
  for (const owner of owners) {
    if (!mayOwn(owner)) continue;
    for (const id of attr(owner, 'aria-owns').split(/\s+/)) {
      const el = id === '' ? null : byId(owner, id);
      if (el && !owned.has(el) && !isAround(el, owner, owned)) owned.set(el, owner);
    }
  }
  return owned;
}

// Their contents are the browser's own, or those of another document; and where text is edited, nothing can be brought.
const OWNS_NOTHING = new Set([
  'input', 'textarea', 'select', 'option', 'img', 'iframe', 'frame', 'object', 'embed', 'hr', 'br', 'wbr', 'progress', 'meter', 'video', 'audio',
]);

/** Whether an element can own others: it is in the tree, and other nodes can be in it. */
function mayOwn(el) {
  const facts = factsOf(el);
  if (facts.html && OWNS_NOTHING.has(facts.tag)) return false;
  return !isEditableHost(facts) && !isHiddenForAX(el);
}

/** Whether outer is around inner once what is owned is where it is owned. */
function isAround(outer, inner, owned) {
  for (let node = inner; node; node = owned.get(node) ?? composedParent(node)) if (node === outer) return true;
  return false;
}

/** How many lists are around an item. */
function listsAround(facts, owned) {
  let lists = 0;
  for (let node = facts; node; ) {
    const owner = owned === null ? undefined : owned.get(node.el);
    node = owner === undefined ? parentOf(node) : factsOf(owner);
    if (node !== null && semanticRole(node) === 'list') lists++;
  }
  return lists;
}

function headingLevel(facts) {
  const level = saidBy(facts, 'aria-level');
  if (level !== null) {
    const value = parseInt(level, 10) || 0;
    if (level !== '' && value <= 9) return Math.max(1, value);
  }
  if (!facts.html) return 0;
  return /^h[1-6]$/.test(facts.tag) ? Number(facts.tag[1]) : 2;
}

function ariaLevel(facts) {
  const level = saidBy(facts, 'aria-level');
  return level === null || level === '' ? 0 : Math.max(1, parseInt(level, 10) || 0);
}
