// The fields of the items of a collection: by the header cells of a table, else by what authors say of the parts of an item, and by what these
// look like. Op rows reads them.

import { isConnected } from './access.js';
import { elementCountGet, hasAttributeOf, nodeTypeGet, TEXT } from './builtins.js';
import { Shown } from './capabilities.js';
import { FIELD_ROLES } from './capabilitiesforms.js';
import { BUTTONLIKE, cellsOf, listAt } from './capabilitieslists.js';
import { textDataGet, textOfContents } from './content.js';
import { attr, children, isElement, isHTMLElement, queryAll } from './dom.js';
import { factsOf, remembering } from './facts.js';
import { named } from './locate.js';
import { nameOfFacts, tidy } from './name.js';
import { ops } from './ops.js';
import { semanticRole } from './role.js';
import { valueOfFacts } from './state.js';
import { isSecret, urlOf } from './states.js';
import { elementOf, tokenOf } from './tokens.js';
import { fail } from './until.js';
import { hidesByARIA, rendering, SHOWN } from './visibility.js';
import { SKIPPED } from './kinds.js';
import { Walk } from './walk.js';

/** @import { List } from './capabilitieslists.js' */

// So many items tell which fields there are, and so many parts of an item are looked at.
const SAMPLES = 5;
const PARTS_OF_ITEM = 150;
const FIELDS_AT_MOST = 12;

// Words by which fields are called, in headings, class names and itemprop; of a class name one of its words.
/** @type {Object<string, string>} */
const FIELD_WORDS = Object.create(null);
for (const [field, words] of Object.entries({
  title: 'title headline titel título titulo titre titolo',
  name: 'name nombre nom nome naam',
  price: 'price preis precio prix prezzo prijs preço preco',
  amount:
    'amount total sum betrag summe gesamt importe monto montant importo totale bedrag totaal valor quantia gesamtbetrag rechnungsbetrag endbetrag',
  date: 'date datum datetime fecha data published created issued rechnungsdatum',
  due: 'due fällig faellig vencimiento échéance scadenza',
  time: 'time uhrzeit hora heure ora tijd',
  status: 'status state badge zustand estado statut stato',
  number:
    'no nr number nummer número numero numéro id invoice rechnung factura facture fattura factuur fatura reference ref order bestellung pedido rechnungsnummer bestellnummer auftragsnummer',
  author: 'author byline autor auteur autore',
  rating: 'rating stars bewertung valoración note voto',
  reviews: 'reviews',
  description: 'description desc summary excerpt snippet teaser beschreibung descripción descripcion descrizione beschrijving descrição',
  category: 'category kategorie categoría catégorie categoria categorie',
  quantity: 'quantity qty menge anzahl cantidad quantité quantità aantal quantidade',
  sku: 'sku',
  email: 'email mail',
  phone: 'phone telefon teléfono téléphone telefono telefoon',
  location: 'location address ort adresse ubicación lieu indirizzo adres',
  company: 'company firma empresa société azienda bedrijf',
  sender: 'sender from absender von remitente expéditeur mittente',
  subject: 'subject betreff asunto objet oggetto onderwerp assunto',
  size: 'size größe tamaño taille dimensione grootte',
  type: 'type typ tipo',
  customer: 'customer client kunde cliente klant',
}))
  for (const word of words.split(' ')) FIELD_WORDS[word] = field;

const MONEY =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł|R\$))\s?-?\d[\d.,' \u00a0]*|\d[\d.,' \u00a0]*\s?(?:[€£¥₹$]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł|Kč|PLN|SEK|NOK|DKK)\b)/;
const DAY =
  /^\D{0,12}(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}|\d\d?\.? \p{L}{3,12}\.?,? \d{4}|\p{L}{3,12}\.? \d\d?,? \d{4}|\p{L}{3,12} \d{4})(?:[ ,T].{0,14})?$/u;
const STARS = /^\d(?:[.,]\d)?\s*(?:\/\s*(?:5|10)|★|⭐|stars?|out of)/i;
const FIGURE = /^-?\d[\d.,]*%?$/;
const FILE = /\.(?:pdf|csv|xlsx?|docx?|zip)(?:[?#]|$)/i;
const DOWNLOADING = /download|herunterladen|descargar|télécharger|telecharger|scarica|downloaden|baixar/i;

/** @typedef {{column: number, name: string}} Column */

/** @param {List} list @returns {string[]} */
export function fieldNames(list) {
  const columns = columnsOf(list);
  const samples = list.items.slice(0, SAMPLES);
  const counts = new Map();
  for (const item of samples) for (const name of fieldsOf(list, columns, item).keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = samples.length === 0 ? columns.map((column) => column.name) : [];
  for (const [name, count] of counts) if (2 * count >= samples.length) names.push(name);
  if (list.kind !== 'table' && names.includes('title')) names.sort((a, b) => Number(b === 'title') - Number(a === 'title'));
  return names.slice(0, FIELDS_AT_MOST);
}

/** The columns of a table that have a heading. @param {List} list @returns {Column[]} */
function columnsOf({ heads = [] }) {
  const columns = [];
  const taken = new Set();
  let at = 0;
  for (const head of heads) {
    const text = tidy(textOfContents(factsOf(head), { visited: new Set(), root: null })) || (attr(head, 'aria-label') ?? '');
    const word = fieldWord(text);
    const name = word !== '' && !taken.has(word) ? word : camelCase(text);
    if (name !== '' && !taken.has(name) && !/^actions?$|^aktion(en)?$|^acciones$|^azioni$|^acties$/i.test(name)) {
      taken.add(name);
      columns.push({ column: at, name });
    }
    at += Math.max(1, Math.min(50, parseInt(attr(head, 'colspan') ?? '1', 10) || 1));
  }
  return columns;
}

/**
 * The field that one of the words of a text is for, or "".
 * @param {string} text
 */
function fieldWord(text) {
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) if (FIELD_WORDS[word] !== undefined) return FIELD_WORDS[word];
  return '';
}

/** @param {string} text */
function camelCase(text) {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 4);
  return words
    .map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 40);
}

/**
 * The values of an item's fields, by their names. @param {List} list @param {Column[]} columns @returns {Map<string, string>}
 * @param {Element} item
 */
function fieldsOf(list, columns, item) {
  const fields = new Map();
  if (list.kind === 'table') {
    let at = 0;
    let next = 0;
    for (const cell of cellsOf(item)) {
      const span = Math.max(1, Math.min(50, parseInt(attr(cell, 'colspan') ?? '1', 10) || 1));
      while (next < columns.length && columns[next].column < at) next++;
      const column = columns[next];
      if (column !== undefined && column.column < at + span) fields.set(column.name, valueOfPart(cell));
      at += span;
    }
  }
  new Item(fields, list.kind === 'table' && columns.length > 0).read(item);
  return fields;
}

/**
 * The text of a part, or the value of the field in it.
 * @param {Element} el
 */
function valueOfPart(el) {
  const text = tidy(textOfContents(factsOf(el), { visited: new Set(), root: null }));
  if (text !== '') return text.slice(0, 500);
  const field = queryAll(el, 'input:not([type=hidden i], [type=password i], [type=checkbox i], [type=radio i]), select')[0];
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
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    if (value !== '' && !this.fields.has(name)) this.fields.set(name, value);
  }

  /** @param {Element} item */
  read(item) {
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
      this.set('title', valueOfPart(el));
      this.inside(el); // for the link in it; its text is said already
    } else if (!this.byClass(el)) this.inside(el);
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
    if (hasAttributeOf.call(el, 'download') || FILE.test(url) || DOWNLOADING.test(text)) {
      this.set('downloadUrl', url);
      return;
    }
    if (!this.fields.has('detailUrl')) this.linked = text.slice(0, 500);
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
    this.set(word, valueOfPart(el));
    return true;
  }

  /** @param {string} text */
  text(text) {
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

/** @param {Element} el */
function urlIn(el) {
  const url = urlOf(factsOf(el));
  return /^(https?|file|blob):/i.test(url) ? shortURL(url) : '';
}

/** @param {string} url */
function shortURL(url) {
  return /^data:/i.test(url) ? '' : url.slice(0, 2000);
}

/**
 * The items of a collection with their fields.
 * @param {{token: number, from?: number, limit?: number}} arg from = the first item
 */
ops.rows = ({ token, from = 0, limit = Infinity }) => {
  const el = elementOf(token);
  if (el === null || !isConnected(el)) return fail('ref-stale', { why: 'gone' });
  return remembering(() => {
    const shown = new Shown(quietWalk());
    const kids = shown.kids.get(el) ?? [];
    const list = listAt(shown, el, semanticRole(factsOf(el)), kids);
    if (list === null) return fail('target-unsuitable', { ...named(el) });
    const columns = columnsOf(list);
    const rows = list.items.slice(from, from + limit).map((item) => ({
      token: tokenOf(item),
      fields: Object.fromEntries(fieldsOf(list, columns, item)),
      in: shown.in(item).map((inner) => tokenOf(inner)),
    }));
    return { rows, total: list.items.length, fields: fieldNames(list) };
  });
};

/** What can be acted on now, without a word of it. */
function quietWalk() {
  const walk = new Walk({ interactive: true });
  walk.run();
  return walk;
}
