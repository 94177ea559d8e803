// Refs: the live element, as long as it is what it was, else the one equal element that has taken its place. Whatever is in doubt fails:
// the next snapshot costs little, a click on another element may cost much.

import { isConnected } from '../dom/access.js';
import { tellApart } from './apart.js';
import { ownerDocumentGet } from '../dom/builtins.js';
import { innerRootOf, queryAll, shadowOf } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { inherit } from './inherit.js';
import { everyElement, withRole } from './find.js';
import { leaveWord } from './leaving.js';
import { isInside } from '../dom/geometry.js';
import { named } from './locate.js';
import { nameOf } from '../ax/name.js';
import { tellRoot } from '../dom/news.js';
import { documentID } from '../dom/ops.js';
import { searchHidden } from '../ax/pierce.js';
import { isItem, itemName, ownLeads, placeAt, placeKept, sameTexts, unnumbered } from './place.js';
import { roleOf } from '../ax/role.js';
import { known, knownOf, lastToken, tokens } from '../dom/tokens.js';
import { fail, failFinal } from '../dom/until.js';
import { isHiddenForAX } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Found, Ref } from './locate.js'
 * @import { Place } from './place.js'
 * @import { Known } from '../dom/tokens.js'
 * @import { Failure } from '../dom/until.js'
 */

/** @typedef {Known & {place: Place, view: View}} Seen  an element that a walk showed: sight notes both at once */

/** What one walk saw, as its elements remember it. */
export class View {
  /** @param {View} [before] the view of what is seen again here, alone */
  constructor(before) {
    /** @type {View} the view of the walk that saw all */
    this.whole = before?.whole ?? this;
    if (walks === 0) leaveWord();
    this.walk = ++walks;
    this.url = routeNow();
    this.newest = 0; // the newest token when it was over
  }

  /**
   * Notes which elements there are: an element that exists now cannot be a replacement later.
   * @returns {boolean} whether there is a tree in one of them
   */
  mark() {
    return markBelow(document, this.walk);
  }

  /** Called when the walk is over. */
  close() {
    this.newest = lastToken;
  }
}

let walks = 0;

/** @type {WeakMap<Element, number>} the first walk that each element was there for, hidden or not */
const born = new WeakMap();

/**
 * Whether the element was there when a walk looked.
 * @param {Element} el
 * @param {number} walk
 */
export function wasThere(el, walk) {
  return (born.get(el) ?? Infinity) <= walk;
}

/**
 * @param {Node} root
 * @param {number} walk
 */
function markBelow(root, walk) {
  const trees = [root];
  let any = false;
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    const all = queryAll(tree, '*');
    const count = all.length; // asked for each time, it takes as long as the rest
    for (let i = 0; i < count; i++) {
      const el = all[i];
      if (!born.has(el)) born.set(el, walk);
      const inner = innerRootOf(el);
      if (inner === null) continue;
      any = true;
      trees.push(inner);
      if (inner === shadowOf(el)) tellRoot(inner);
    }
  }
  return any;
}

/** The address, without the part that only leads to a place in the page. */
export function routeNow() {
  return location.href.replace(/#(?![/!]).*$/, '');
}

/**
 * Keeps what a walk says of an element to which it gives a ref.
 * @param {Facts} facts
 * @param {string} role
 * @param {string} name
 * @param {View} view
 */
export function sight(facts, role, name, view) {
  const entry = knownOf(facts.el);
  entry.tag = facts.tag;
  entry.role = role;
  if (entry.name !== name) entry.name = name;
  entry.place = placeKept(facts, entry.place);
  entry.own = ownLeads(facts, name);
  entry.view = view;
  entry.replaced = null;
  entry.newest = 0;
  return entry;
}

/**
 * @param {Ref} ref
 * @returns {Found | Failure}
 */
export function locateRef(ref) {
  if (ref.left) return restingOn(ref, inherit(ref, ref.left));
  if (ref.doc !== undefined && ref.doc !== documentID) return failFinal('ref-stale', { why: 'document', candidates: [] });
  const entry = known.get(ref.token);
  const el = entry?.ref.deref();
  if (!entry || !el || !isConnected(el)) return restingOn(ref, heal(ref, entry));
  if (ownerDocumentGet.call(el) !== document) return failFinal('ref-stale', () => ({ why: 'adopted', ...insteadOfRef(ref, entry) }));
  return isSeen(entry) ? remembering(() => restingOn(ref, alive(ref, entry, el))) : { el, count: 1 };
}

/**
 * Pages take elements away and put equal ones back while they work; one at rest does not.
 * @param {Ref} ref
 * @param {Found | Failure} found
 */
function restingOn(ref, found) {
  if (found.error && ref.rest) found.rest = true;
  if (found.error && ref.rest === false) found.again = true;
  return found;
}

/**
 * @param {Known | undefined} entry
 * @returns {entry is Seen}
 */
function isSeen(entry) {
  return entry !== undefined && entry.view !== null;
}

/**
 * The live element, unless the page uses it for another item by now.
 * @param {Ref} ref
 * @param {Seen} entry
 * @param {Element} el
 */
function alive(ref, entry, el) {
  const role = roleOf(el);
  const name = nameOf(el);
  const place = placeAt(factsOf(el));
  const was = notOwn(entry.place.leads, entry.own);
  const now = notOwn(place.leads, ownLeads(factsOf(el), name));
  const recycled = isRecycled(entry, name, was, now);
  if (recycled && !isRedrawn(entry, el, role, name, was)) {
    const beside = was.length > 0 && now.length > 0 ? { beside: { was: was[0], is: now[0] } } : {};
    return fail('ref-stale', () => ({ why: 'recycled', now: described(el), ...beside, ...insteadOfRef(ref, entry) }));
  }
  entry.newest = lastToken;
  /** @type {Found} */
  const found = { el, count: 1 };
  if (role !== ref.role || name.toWellFormed() !== ref.name) found.was = { role: ref.role, name: ref.name };
  if (entry.place.close && (!entry.place.entry || recycled) && !goesOn(was, now)) found.beside = { was: was[0], is: now[0] };
  return found;
}

/**
 * Whether the element, which is still there, has come to stand for other data: lists that draw only what is in view, and lists without keys,
 * write the next item into the elements of the last one. What tells is the text around the element, not its own label, which may toggle.
 * @param {Seen} entry
 * @param {string} name
 * @param {string[]} was
 * @param {string[]} now
 */
function isRecycled(entry, name, was, now) {
  if (was.length === 0 || now.length === 0) return name !== entry.name && entry.place.item && isRenamedWithOthers(entry, name);
  if (sameTexts(was, now)) return false;
  const neighbors = neighborsOf(entry);
  if (!entry.place.entry && neighbors.length === 0) return false;
  return isOfAnother(
    was,
    now,
    neighbors.map((other) => other.place.leads),
  );
}

// What has a value, which the texts beside it may show, and does nothing with what they are about.
export const VALUE_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'slider', 'scrollbar', 'separator']);

/**
 * Whether the other texts are those of the same control: it is the only one that is called so, and is the item itself, or has a value, or the
 * texts only count. What deletes or opens the one entry of a list does so with whatever that is about.
 * @param {Seen} entry
 * @param {Element} el
 * @param {string} role
 * @param {string} name
 * @param {string[]} was
 */
function isRedrawn(entry, el, role, name, was) {
  if (role !== entry.role || name !== entry.name || name === '') return false;
  if (!isItem(factsOf(el)) && !VALUE_ROLES.has(role) && was.some((text) => LETTER.test(text))) return false;
  return isOnlyOne(entry) && withRole(role, (other) => nameOf(other) === name).length === 1;
}

/**
 * Whether the walk saw no other one of that role and name.
 * @param {Seen} entry
 */
function isOnlyOne(entry) {
  for (const other of known.values()) if (isBeside(other, entry) && other.role === entry.role && other.name === entry.name) return false;
  return true;
}

const LETTER = /\p{L}/u;

/**
 * Whether the texts of an item have become those of another one. What other items have too says nothing. Of the texts that set the item
 * apart, the first must be there still, and the others except for their numbers: "5 min ago" goes on while "Alice" stays.
 * @param {string[]} was
 * @param {string[]} now
 * @param {string[][]} others the texts of the other items
 */
function isOfAnother(was, now, others) {
  const isShared = (/** @type {string} */ text) => others.some((other) => other.includes(text));
  const own = was.filter((text) => !isShared(text));
  const [first, ...rest] = own.length > 0 ? own : was;
  const bare = now.map(unnumbered);
  if (rest.some((text) => !bare.includes(unnumbered(text)))) return true;
  if (now.includes(first)) return false;
  // "Adults: 2" among "Children: 0" is counted; "Order 2" among "Order 3" is another one.
  const counted = unnumbered(first);
  return others.length === 0 || !bare.includes(counted) || others.some((other) => other.some((text) => unnumbered(text) === counted));
}

/**
 * Whether the first text is still there, except for its numbers.
 * @param {string[]} was
 * @param {string[]} now
 */
function goesOn(was, now) {
  return was.length === 0 || now.length === 0 || now.some((text) => unnumbered(text) === unnumbered(was[0]));
}

/**
 * For an item that has no text besides: whether it took the name of another one, or others have new names as well.
 * @param {Seen} entry
 * @param {string} name
 */
function isRenamedWithOthers(entry, name) {
  const peers = neighborsOf(entry).filter((other) => other.role === entry.role);
  const names = new Set(peers.map((peer) => peer.name)).add(entry.name);
  if (2 * names.size <= peers.length + 1) return false; // Play, Pause, Play: the name tells no item from another
  if (peers.some((peer) => peer.name === name)) return true;
  const counted = unnumbered(entry.name);
  if (counted === unnumbered(name)) return peers.some((peer) => unnumbered(peer.name) === counted);
  return peers.some((peer) => {
    const el = peer.ref.deref();
    return el !== undefined && isConnected(el) && unnumbered(nameOf(el)) !== unnumbered(peer.name);
  });
}

/**
 * What the same walk saw in the same place of the other items of the list.
 * @param {Seen} entry
 */
function neighborsOf(entry) {
  const others = [];
  const { place } = entry;
  for (const other of known.values()) {
    if (isBeside(other, entry) && other.place.shape === place.shape && other.place.list === place.list && other.place.leads !== place.leads)
      others.push(other);
  }
  return others;
}

/**
 * Whether the walk that saw the entry, or the one that it replaced, saw the other one too.
 * @param {Known} other
 * @param {Seen} entry
 * @returns {other is Seen}
 */
function isBeside(other, entry) {
  if (other.view !== entry.view.whole) return false;
  for (let node = /** @type {Known|null} */ (entry); node !== null; node = node.replaced) if (node === other) return false;
  return true;
}

/**
 * @param {string[]} texts
 * @param {number} own
 */
function notOwn(texts, own) {
  return own === 0 ? texts : texts.filter((_, i) => !(own & (1 << i)));
}

/**
 * The one equal element that has come into the place of an element that is gone.
 * @param {Ref} ref
 * @param {Known} [entry]
 * @returns {Found | Failure}
 */
function heal(ref, entry) {
  if (!isSeen(entry)) return fail('ref-stale', () => ({ why: 'gone', ...insteadOfRef(ref, entry) }));
  const { why, el } = remembering(() => replacementOf(entry));
  if (el === undefined) searchHidden(true);
  if (el === undefined) return fail('ref-stale', () => ({ why, ...insteadOfRef(ref, entry) }));
  const taken = knownOf(el);
  if (taken.view === null) {
    const view = new View(entry.view);
    sight(factsOf(el), entry.role, entry.name, view).replaced = entry;
    view.mark();
    view.close();
  }
  return { el, count: 1, healed: true };
}

/**
 * @param {Seen} entry
 * @returns {{why?: string, el?: Element}} why there is none, or the replacement
 */
function replacementOf(entry) {
  if (entry.view.url !== routeNow()) return { why: 'route' };
  const series = seriesOf(entry);
  if (series.some((other) => sameTexts(other.place.leads, entry.place.leads))) return { why: 'twins' };
  const equals = equalsOf(entry);
  const redrawn = VALUE_ROLES.has(entry.role) && equals.length === 1 && isOnlyOne(entry);
  const fits = equals.filter((el) => fitsPlace(entry, placeAt(factsOf(el)), series.length > 0, redrawn));
  if (fits.length === 0) return { why: equals.length > 0 ? 'elsewhere' : 'gone' };
  if (fits.length > 1) return { why: 'several' };
  return existedBeside(fits[0], entry) ? { why: 'existed' } : { el: fits[0] };
}

/**
 * The elements of the same role and name, and in the same place of their items, that the same walk saw.
 * @param {Seen} entry
 */
function seriesOf(entry) {
  const series = [];
  for (const other of known.values()) {
    if (isBeside(other, entry) && other.place.hash === entry.place.hash && other.role === entry.role && other.name === entry.name)
      series.push(other);
  }
  return series;
}

/**
 * The elements that have the role and the name, and can be seen.
 * @param {{tag: string, role: string, name: string}} arg
 */
function equalsOf({ tag, role, name }) {
  return everyElement(tag).filter((el) => roleOf(el) === role && nameOf(el) === name && !isHiddenForAX(el));
}

/**
 * Whether an equal element is in the place of the other one. In a series of equals only the whole text of the item tells them apart.
 * @param {Seen} entry
 * @param {Place} place
 * @param {boolean} inSeries
 * @param {boolean} redrawn it is a control whose texts may be others
 */
function fitsPlace(entry, place, inSeries, redrawn) {
  const was = entry.place.leads;
  const now = place.leads;
  if (place.hash !== entry.place.hash || place.item !== entry.place.item) return false;
  if (redrawn) return true;
  if (inSeries) return was.length > 0 && sameTexts(was, now);
  if (place.item) return was[0] === now[0] && sameTexts(was.map(unnumbered), now.map(unnumbered));
  return goesOn(was, now);
}

/**
 * Whether the element was there while the other one still was.
 * @param {Element} el
 * @param {Seen} entry
 */
function existedBeside(el, entry) {
  const token = tokens.get(el)?.token ?? Infinity;
  return (born.get(el) ?? Infinity) <= entry.view.walk || token <= Math.max(entry.newest, entry.view.newest);
}

const CANDIDATES = 5; // that are told

/**
 * What may be meant by a ref whose element is gone: equals first, those in the same item before others.
 * @param {Ref} ref
 * @param {Known} [entry]
 */
export function insteadOfRef(ref, entry) {
  const place = entry?.place;
  return remembering(() => {
    const sameItem = (/** @type {Element} */ el) => (place && sameTexts(placeAt(factsOf(el)).leads, place.leads) ? 0 : 1);
    const equals = withRole(ref.role, (el) => nameOf(el) === ref.name).sort((a, b) => sameItem(a) - sameItem(b));
    const candidates = equals.length > 0 ? equals : alike(ref);
    const item = place ? itemName(place) : '';
    const told = candidates.slice(0, CANDIDATES);
    return { equal: equals.length, ...(item === '' ? {} : { item }), candidates: tellApart(told, told.map(described)) };
  });
}

/**
 * What may be meant by a ref that is gone: the same name in another role first, then the same role.
 * @param {Ref} ref
 */
function alike(ref) {
  return remembering(() => {
    const shown = ref.name === '' ? [] : everyElement('*').filter((el) => nameOf(el) === ref.name && !isHiddenForAX(el));
    // Text and the boxes around it have the name of what is in them; the innermost is meant.
    const innermost = shown.filter((el) => !shown.some((other) => other !== el && isInside(other, el)));
    return [...new Set([...innermost, ...withRole(ref.role)])];
  });
}

/**
 * Role, name and token, and what the element's item is about.
 * @param {Element} el
 */
export function described(el) {
  const item = itemName(placeAt(factsOf(el)));
  return { ...named(el), ...(item === '' ? {} : { item }) };
}
