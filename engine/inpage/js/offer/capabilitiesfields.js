// The fields of the items of a collection: by the header cells of a table, else by what authors say of the parts of an item, and by what these
// look like. Op rows reads them.

import { elementCountGet, hasAttributeOf, nodeTypeGet, TEXT, textContentGet } from '../dom/builtins.js';
import { Columns } from './capabilitiescolumns.js';
import { FIELD_ROLES } from './capabilitiesforms.js';
import { BUTTONLIKE } from './capabilitieslists.js';
import { figuresIn, isUnseenPart, isVeiled, pricesIn, seenText, shortened } from './capabilitiestexts.js';
import { camelCase, DAY, DOWNLOADING, FIELD_WORDS, fieldWord, FIGURE, FILE, isFigure, MONEY, STARS } from './capabilitieswords.js';
import { textDataGet } from '../ax/content.js';
import { attr, children, isElement, isHTMLElement, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { hasOwnText } from '../ax/included.js';
import { SKIPPED } from '../dom/kinds.js';
import { nameOfFacts, tidy } from '../ax/name.js';
import { semanticRole } from '../ax/role.js';
import { valueOfFacts } from '../ax/state.js';
import { isSecret, urlOf } from '../ax/states.js';
import { hidesByARIA, rendering, SHOWN } from '../dom/visibility.js';

/** @import { List } from './capabilitieslists.js' */

// So many items tell which fields there are, and so many parts of an item are looked at.
const SAMPLES = 5;
const PARTS_OF_ITEM = 150;
const FIELDS_AT_MOST = 12;
const WORDS_BESIDE_PRICE = 20; // "Now only … each"

/**
 * The names of the fields that most items have, or some have a price or a column for.
 * @param {List} list
 * @param {Columns|null} [columns]
 * @returns {string[]}
 */
export function fieldNames(list, columns = columnsOf(list)) {
  const samples = list.items.slice(0, SAMPLES);
  const counts = new Map();
  for (const item of samples) for (const name of fieldsOf(list, columns, item).keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const heads = columns === null ? [] : [...columns.names.values()].filter((name) => name !== '');
  const names = samples.length === 0 ? heads : [];
  for (const [name, count] of counts) if (2 * count >= samples.length || heads.includes(name) || isOldPrice(name)) names.push(name);
  if (list.kind !== 'table' && names.includes('title')) names.sort((a, b) => Number(b === 'title') - Number(a === 'title'));
  return names.slice(0, Math.max(FIELDS_AT_MOST, heads.length));
}

/** @param {List} list */
export function columnsOf(list) {
  return list.kind === 'table' ? new Columns(list) : null;
}

/** The name of the field with what was asked before. @param {string} field */
function oldOf(field) {
  return 'old' + field[0].toUpperCase() + field.slice(1);
}

/** @param {string} name */
function isOldPrice(name) {
  return /^old[A-Z]/.test(name);
}

/**
 * The values of an item's fields, by their names.
 * @param {List} list
 * @param {Columns|null} columns
 * @param {Element} item
 * @returns {Map<string, string>}
 */
export function fieldsOf(list, columns, item) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  const told = new Set();
  for (const { column, cell } of columns?.cells(item) ?? []) {
    const name = columns?.names.get(column) ?? '';
    if (name === '' || told.has(cell)) continue;
    told.add(cell);
    const prices = pricesIn(cell);
    const isHeaded = !name.startsWith('column');
    fields.set(name, prices?.now ? prices.now : isHeaded ? valueOfPart(cell) : (columns?.textOf(cell) ?? ''));
    if (prices?.now) fields.set(oldOf(name), prices.old);
  }
  for (const part of list.parts?.get(item) ?? [item]) new Item(fields, columns !== null && columns.names.size > 0).read(part);
  return fields;
}

/**
 * The text of a part, or the value of the field in it.
 * @param {Element} el
 */
function valueOfPart(el, /** @type {Element[]} */ without = []) {
  const text = seenText(el, without);
  if (text !== '') return text;
  const field = queryAll(el, 'input:not([type=hidden i]):not([type=password i]):not([type=checkbox i]):not([type=radio i]), select')[0];
  return field === undefined || isSecret(factsOf(field)) ? '' : tidy(valueOfFacts(factsOf(field))).slice(0, 500);
}

/** One item that is being read. */
class Item {
  /** @param {Map<string, string>} fields @param {boolean} isRow its texts are told by columns */
  constructor(fields, isRow) {
    this.fields = fields;
    this.isRow = isRow;
    this.left = PARTS_OF_ITEM;
    this.linked = '';
    this.isSeen = true;
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    if (value !== '' && !this.fields.has(name)) this.fields.set(name, value);
  }

  /** @param {Element} item */
  read(item) {
    this.isSeen = !isVeiled(factsOf(item));
    if (isHTMLElement(item, 'a')) this.link(item);
    this.inside(item);
    if (!this.isRow && !this.fields.has('title') && !this.fields.has('name') && this.linked !== '')
      this.fields = this.first('title', this.linked);
  }

  /**
   * Puts a field before the others.
   * @param {string} name
   * @param {string} value
   */
  first(name, value) {
    const rest = [...this.fields];
    this.fields.clear();
    this.fields.set(name, value);
    for (const [key, one] of rest) if (key !== name) this.fields.set(key, one);
    return this.fields;
  }

  /** @param {Element} el */
  inside(el) {
    for (const node of children(el)) {
      if (this.left-- <= 0) return;
      if (isElement(node)) this.part(node);
      else if (!this.isRow && nodeTypeGet.call(node) === TEXT) this.text(tidy(textDataGet.call(node)));
    }
  }

  /** @param {Element} el */
  part(el) {
    const facts = factsOf(el);
    if (facts.html ? SKIPPED.has(facts.tag) : true) return;
    if (rendering(facts) !== SHOWN || (!facts.plain && hidesByARIA(el))) return;
    const role = semanticRole(facts);
    if (BUTTONLIKE.has(role) || FIELD_ROLES.has(role)) return;
    if (this.isSeen && isUnseenPart(el)) return;
    if (!this.isRow && this.prices(el)) return;
    const said = this.isRow ? '' : (attr(el, 'itemprop') ?? '');
    if (said !== '' && this.say(el, said)) return;
    if (facts.tag === 'img' || facts.tag === 'picture' || role === 'image') {
      this.image(el);
      return;
    }
    if (facts.tag === 'a') this.link(el);
    if (this.isRow) {
      if (facts.tag === 'time' && !this.fields.has('date')) this.set('date', attr(el, 'datetime') || valueOfPart(el));
      this.inside(el);
      return;
    }
    if (facts.tag === 'time') this.set('date', attr(el, 'datetime') || valueOfPart(el));
    else if (role === 'heading') {
      const value = this.valueBeside(el);
      this.set(isSum(value) ? 'price' : 'title', value);
      this.inside(el); // for the link in it; its text is said already
    } else if (!this.byClass(el)) this.inside(el);
  }

  /**
   * The sum that counts and the one before it.
   * @param {Element} el
   * @returns {boolean} whether nothing else is in it
   */
  prices(el) {
    if (tidy(textContentGet.call(el)).length > 80 || queryAll(el, 'h1, h2, h3, h4, h5, h6, [role=heading], img, button').length > 0)
      return false;
    const told = pricesIn(el);
    if (told === null || told.now.replace(MONEY, '').length > WORDS_BESIDE_PRICE) return false;
    this.set('oldPrice', told.old);
    this.set('price', told.now);
    return true;
  }

  /**
   * The text of a part without the figures in it, which are fields of their own.
   * @param {Element} el
   */
  valueBeside(el) {
    const figures = figuresIn(el);
    for (const figure of figures) this.part(figure);
    return valueOfPart(el, figures);
  }

  /**
   * @param {Element} el
   * @param {string} said
   * @returns {boolean} whether the part is a field of that name altogether
   */
  say(el, said) {
    const [word] = tidy(said).split(' ');
    if (word === 'url') this.set('detailUrl', urlIn(el));
    else if (word === 'image') this.image(el);
    else {
      this.set(
        FIELD_WORDS[word.toLowerCase()] ?? camelCase(word),
        (attr(el, 'content') ?? attr(el, 'datetime') ?? valueOfPart(el)).slice(0, 500),
      );
      for (const link of queryAll(el, 'a[href]')) this.link(link);
      if (isHTMLElement(el, 'a')) this.link(el);
    }
    return elementCountGet.call(el) === 0 || attr(el, 'itemscope') === null;
  }

  /** @param {Element} el */
  image(el) {
    const img = isHTMLElement(el, 'img') ? el : queryAll(el, 'img')[0];
    if (img !== undefined)
      this.set('image', shortURL(/** @type {HTMLImageElement} */ (img).currentSrc || /** @type {HTMLImageElement} */ (img).src));
  }

  /** @param {Element} el */
  link(el) {
    const url = urlIn(el);
    if (url === '') return;
    const text = nameOfFacts(factsOf(el));
    const seen = this.isRow ? '' : seenText(el, figuresIn(el)) || shortened(text);
    if (hasAttributeOf.call(el, 'download') || FILE.test(url) || DOWNLOADING.test(text)) {
      this.set('downloadUrl', url);
      return;
    }
    if (!this.fields.has('detailUrl')) this.linked = seen;
    this.set('detailUrl', url);
  }

  /**
   * By what authors call it, where nothing but text is in it.
   * @param {Element} el
   */
  byClass(el) {
    const named = attr(el, 'class');
    if (named === null) return false;
    const word = fieldWord(named.replace(/([a-z])([A-Z])/g, '$1 $2'));
    if (word === '' || elementCountGet.call(el) > 3 || queryAll(el, 'a, button, input, select, h1, h2, h3, h4, img').length > 0)
      return false;
    if (word !== 'price' && !hasOwnText(el) && elementCountGet.call(el) > 1) return false; // several parts, not one text
    const value = this.valueBeside(el);
    this.set(isSum(value) && word !== 'amount' ? 'price' : word, value);
    return true;
  }

  /** @param {string} text */
  text(text) {
    text = shortened(text);
    if (text.length < 2 && !FIGURE.test(text)) return;
    const known = [...this.fields.values()];
    if (known.some((value) => value === text || value.includes(text)) || this.linked === text) return;
    const clipped = text.slice(0, 500);
    if (text.length < 40 && MONEY.test(text)) this.set('price', clipped);
    else if (DAY.test(text)) this.set('date', clipped);
    else if (STARS.test(text)) this.set('rating', clipped);
    else if (FIGURE.test(text)) this.set('number', clipped);
    else if (this.fields.has('title') || this.fields.has('name') || this.linked !== '') this.set('description', clipped);
    else this.set('title', clipped);
  }
}

/** @param {string} text */
function isSum(text) {
  return MONEY.test(text) && isFigure(text);
}

/** @param {Element} el */
function urlIn(el) {
  const url = urlOf(factsOf(el));
  return /^(https?|file|blob):/i.test(url) ? shortURL(url) : '';
}

/** @param {string} url */
function shortURL(url) {
  return /^data:/i.test(url) ? '' : url.slice(0, 2000);
}
