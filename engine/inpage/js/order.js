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
    for (const id of attr(owner, 'aria-owns').split(/\s+/)) {
      const el = id === '' ? null : byId(owner, id);
      if (el && !owned.has(el) && !isAround(el, owner, owned)) owned.set(el, owner);
    }
  }
  return owned;
}

/** Whether outer is around inner once what is owned is where it is owned. */
function isAround(outer, inner, owned) {
  for (let node = inner; node; node = owned.get(node) ?? composedParent(node)) if (node === outer) return true;
  return false;
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
