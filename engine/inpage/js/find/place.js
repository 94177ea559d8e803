// The place of an element: the tags around it up to the root, and the texts that tell its item from the others: the row
// of a table, an entry of a list, a card. "Delete" in the row of Alice and "Delete" in the row of Bob are in two places.

import {
  assignedNodesOf,
  containsOf,
  ELEMENT,
  firstChildGet,
  getAttributeOf,
  getterOf,
  hasAttributesOf,
  localNameGet,
  nextSiblingGet,
  nodeTypeGet,
  TEXT,
} from '../dom/builtins.js';
import { bodyOf, isFlat, isHTMLElement, shadowOf } from '../dom/dom.js';
import { attrOf, NO_NODES, parentOf, saidBy, settle } from '../dom/facts.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Found } from './locate.js'
 */

const ITEM_TAGS = new Set(['tr', 'li', 'article', 'option']);
const ITEM_ROLES = new Set(['row', 'listitem', 'option', 'treeitem', 'article', 'comment']);
// These are as often the whole of what a page is about as one of many.
const LONE = new Set(['article', 'comment']);

// Text in these is the label or the value of a control, or a clock: it changes, while the item stays the same.
const FICKLE_TAGS = new Set([
  'button',
  'select',
  'textarea',
  'summary',
  'time',
  'progress',
  'meter',
  'output',
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
  'object',
]);
const FICKLE_ROLES = new Set([
  'button',
  'checkbox',
  'radio',
  'switch',
  'combobox',
  'textbox',
  'searchbox',
  'slider',
  'spinbutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'timer',
  'time',
  'progressbar',
  'meter',
  'status',
  'alert',
  'log',
  'scrollbar',
]);

const LEADS = 4; // texts that are kept of an item
const LEAD_LENGTH = 80;
const LEAD_BUDGET = 60; // nodes that are looked at for them
const NEAR = 3; // how far up the texts may stand where there is no item

const textOfNode = getterOf(CharacterData.prototype, 'data');
const LETTER = /\p{L}/u;
const SIGN = /[\p{L}\p{N}]/u;
const DIGITS = /\p{N}+/gu;

/** @type {Map<string, number>} */
const tagHashes = new Map();

export class Place {
  /** @param {Spot} spot @param {Leads} leads */
  constructor(spot, leads) {
    this.shape = spot.shape; // of the tags up to the root
    this.hash = spot.hash; // of these and their ids
    this.item = spot.item !== null; // whether it is in an item that says so by its tag or role
    this.entry = spot.entry; // and which is one of many, if only in a list of one
    this.leads = leads.texts; // the first texts there; places in the same item share the array
    this.list = leads.list; // stands for what the item is in, while the page is as it was
    this.close = leads.close; // whether the texts stand beside the element, and not merely on the same page
  }
}

/** @typedef {{shape: number, hash: number, item: Facts|null, entry: boolean}} Spot */
/** @typedef {{texts: string[], nodes: Node[], list: Object, close: boolean}} Leads */

/**
 * The element's place, remembered with its parent: those of neighbors are the same.
 * @param {Facts} facts
 */
export function placeAt(facts) {
  const around = placeHolder(facts);
  return around === null ? NOWHERE : (around.home ??= new Place(spotOf(around), leadsAt(around)));
}

/**
 * The element's place; the remembered one while it is still right. New objects for each walk would have to be moved and collected,
 * which costs more than to compare it.
 * @param {Facts} facts
 * @param {Place | null} before
 */
export function placeKept(facts, before) {
  const place = placeAt(facts);
  if (place === before || before === null || !isSamePlace(place, before)) return place;
  const around = placeHolder(facts);
  if (around !== null) around.home = before;
  return before;
}

/** @param {Place} a @param {Place} b */
function isSamePlace(a, b) {
  return (
    a.shape === b.shape &&
    a.hash === b.hash &&
    a.item === b.item &&
    a.entry === b.entry &&
    a.list === b.list &&
    a.close === b.close &&
    a.leads === b.leads
  );
}

/**
 * What the element's place is made of: an item has its texts in itself.
 * @param {Facts} facts
 */
function placeHolder(facts) {
  return isItem(facts) ? facts : parentOf(facts);
}

/**
 * Which of the leads of its place are in the element itself, as bits, where its name has them too. An item has its leads in itself, and is
 * told by them.
 * @param {Facts} facts
 * @param {string} name
 */
export function ownLeads(facts, name) {
  const around = placeHolder(facts);
  if (around === null || around === facts || name === '') return 0;
  const { texts, nodes } = leadsAt(around);
  let own = 0;
  for (let i = 0; i < texts.length; i++) if (name.includes(texts[i]) && containsOf.call(facts.el, nodes[i])) own |= 1 << i;
  return own;
}

/**
 * The texts of the item, or of the nearest of a few elements around that has some, the page as a whole not being one of them.
 * @param {Facts} around
 */
function leadsAt(around) {
  if (around.leadsAt === undefined) {
    const { item } = spotOf(around);
    around.leadsAt = item === null ? leadsNear(around) : leadsOf(item);
  }
  return around.leadsAt;
}

/** @param {Facts} around */
function leadsNear(around) {
  let node = /** @type {Facts|null} */ (around);
  for (let i = 0; i < NEAR && node !== null; i++) {
    const leads = leadsOf(node);
    if (leads.texts.length > 0) return leads;
    if (node.el === bodyOf()) break; // the title of the page is beside nothing
    node = parentOf(node);
    if (node === null || node.el === bodyOf()) break;
  }
  return leadsOf(around);
}

/**
 * The first texts in an element that say what it is about.
 * @param {Facts} container
 */
export function textsIn(container) {
  return leadsOf(container).texts;
}

/** @param {Facts} container */
function leadsOf(container) {
  if (container.leads === undefined) {
    const list = parentOf(container);
    const { texts, nodes } = leadsIn(container.el);
    container.leads = {
      texts: keptTexts(container.el, texts),
      nodes,
      list: list === null ? NO_LIST : listOf(list.el),
      close: container.el !== bodyOf(),
    };
  }
  return container.leads;
}

/** @type {WeakMap<Element, string[]>} */
const textsKept = new WeakMap();

/**
 * The texts of an element, as long as they are the same the same array: that is how two places are seen to be in one item.
 * @param {Element} el
 * @param {string[]} texts
 */
function keptTexts(el, texts) {
  const before = textsKept.get(el);
  if (before !== undefined && sameTexts(before, texts)) return before;
  textsKept.set(el, texts);
  return texts;
}

/** @type {WeakMap<Element, Object>} */
const lists = new WeakMap();

/**
 * What stands for the element in places, for as long as it lives.
 * @param {Element} el
 */
function listOf(el) {
  let list = lists.get(el);
  if (list === undefined) lists.set(el, (list = {}));
  return list;
}

/**
 * @param {Facts} container
 * @returns {Spot}
 */
function spotOf(container) {
  if (container.spot === undefined) settle(container, hasSpot, settleSpot);
  return /** @type {Spot} */ (container.spot);
}

/** @param {Facts} container */
function hasSpot(container) {
  return container.spot !== undefined;
}

/** @param {Facts} container */
function settleSpot(container) {
  const parent = parentOf(container);
  const around = parent === null ? NO_SPOT : spotOf(parent);
  const word = hashOfTag(container.tag);
  const item = isItem(container);
  container.spot = {
    shape: mixed(around.shape, word),
    hash: mixed(around.hash, word ^ hashOfID(container)),
    item: item ? container : around.item,
    entry: item ? !LONE.has(attrOf(container, 'role') ?? container.tag) : around.entry,
  };
}

const NO_LIST = {};
/** @type {Spot} */
const NO_SPOT = { shape: 0, hash: 0, item: null, entry: false };
const NOWHERE = new Place(NO_SPOT, { texts: [], nodes: [], list: NO_LIST, close: false });

/** @param {Facts} facts */
export function isItem(facts) {
  return (facts.item ??= isOneOfMany(facts));
}

/** @param {Facts} facts */
function isOneOfMany(facts) {
  if (facts.tag === 'tr' && parentOf(facts)?.tag === 'thead') return false; // it is about all rows, or about the month of a calendar
  return ITEM_TAGS.has(facts.tag) || (!facts.plain && ITEM_ROLES.has(saidBy(facts, 'role') ?? ''));
}

/** @param {number} hash @param {number} word */
function mixed(hash, word) {
  return Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);
}

/** @param {string} tag */
function hashOfTag(tag) {
  let word = tagHashes.get(tag);
  if (word === undefined) tagHashes.set(tag, (word = hashOf(tag)));
  return word;
}

/**
 * An id that is not numbered by a machine belongs to the place: two panels of a page may differ only in that.
 * @param {Facts} facts
 */
function hashOfID(facts) {
  const id = attrOf(facts, 'id');
  return id === null || /\d/.test(id) ? 0 : hashOf(id);
}

/** @param {string} text */
export function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/**
 * The first texts in an element that say what it is about: words, or where there are none, numbers.
 * @param {Element} container
 */
function leadsIn(container) {
  /** @type {Gathered} */
  const found = { left: LEAD_BUDGET, words: { texts: [], nodes: [] }, numbers: { texts: [], nodes: [] } };
  gatherLeads(container, found);
  return found.words.texts.length > 0 ? found.words : found.numbers;
}

/**
 * @typedef {{texts: string[], nodes: Node[]}} Texts
 * @typedef {{left: number, words: Texts, numbers: Texts}} Gathered  left = nodes that may still be looked at
 */

/** @param {Element} parent @param {Gathered} found */
function gatherLeads(parent, found) {
  const shadow = shadowOf(parent);
  const isSlot = shadow === null && !isFlat && isHTMLElement(parent, 'slot');
  const assigned = isSlot ? assignedNodesOf.call(parent) : NO_NODES;
  for (const node of assigned) gatherLead(node, found);
  if (assigned.length > 0) return;
  for (let node = firstChildGet.call(shadow ?? parent); node !== null; node = nextSiblingGet.call(node)) {
    if (found.left-- <= 0 || found.words.texts.length === LEADS) return;
    gatherLead(node, found);
  }
}

/** @param {Node} node @param {Gathered} found */
function gatherLead(node, found) {
  const type = nodeTypeGet.call(node);
  if (type === TEXT) addLead(textOfNode.call(node), node, found);
  if (type !== ELEMENT) return;
  if (isFickle(/** @type {Element} */ (node))) return;
  const tag = localNameGet.call(node);
  if (tag === 'img') addLead(getAttributeOf.call(node, 'alt') ?? '', node, found);
  else gatherLeads(/** @type {Element} */ (node), found);
}

/**
 * Whether its text changes while what it is about stays the same.
 * @param {Element} el
 */
export function isFickle(el) {
  if (FICKLE_TAGS.has(localNameGet.call(el))) return true;
  return hasAttributesOf.call(el) && FICKLE_ROLES.has(getAttributeOf.call(el, 'role') ?? '');
}

/** @param {string} text @param {Node} node @param {Gathered} found */
function addLead(text, node, found) {
  const isWord = LETTER.test(text);
  if (!isWord && !SIGN.test(text)) return;
  const { texts, nodes } = isWord ? found.words : found.numbers;
  if (texts.length === LEADS) return;
  texts.push(text.trim().slice(0, LEAD_LENGTH));
  nodes.push(node);
}

/**
 * The text without its numbers, which count or measure.
 * @param {string} text
 */
export function unnumbered(text) {
  return text.replace(DIGITS, '#');
}

/**
 * What messages call the item of a place.
 * @param {Place} place
 */
export function itemName(place) {
  return place.item ? place.leads.slice(0, 2).join(', ') : '';
}

/** @param {string[]} a @param {string[]} b */
export function sameTexts(a, b) {
  return a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
}
