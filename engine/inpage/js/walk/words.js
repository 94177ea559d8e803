// The texts in a walk for what can be acted on: each as a line where it is, so that a reader of the walk can show it or count it.

import { labelControlGet } from '../dom/access.js';
import { masked } from '../dom/casing.js';
import { localNameGet, parentNodeGet, styleOf } from '../dom/builtins.js';
import { isElement } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { errorIds, messageAround } from '../act/messages.js';
import { isPlainSign, nameOfFacts, tidy } from '../ax/name.js';
import { TEXT_ROLE } from './lines.js';
import { textVeilOf } from './unseen.js';
import { SEEN } from './veils.js';
import { rendering, SHOWN } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Walk } from './walk.js'
 */

/** @typedef {{el: Element, text: string}} Piece  a text and the element that it is in */

// What usually continues a line.
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp slot small span strike strong sub sup time tspan tt u var'.split(
    ' ',
  ),
);

// The text in these is not shown. A canvas has its text for those who do not see it; its own line tells that.
const SILENT = new Set(['desc', 'metadata', 'datalist', 'textarea', 'canvas']);

// A longer text is prose: it is counted, and its beginning tells which one it is.
const LONG = 160;
const BEGINNING = 60;

// Of a message all is told.
const LONG_MESSAGE = 300;

// So many texts are looked at for whether they can be seen; the others of a page are only counted, and their words are not told.
const MOST_SEEN = 1500;

export class Words {
  /** @param {Walk} walk */
  constructor(walk) {
    this.walk = walk;
    this.told = ''; // the name of the element around, whose texts do not repeat it
    /** @type {Piece[]} of the text that is not written yet */
    this.pieces = [];
    this.depth = 0;
    this.spaced = false;
    this.looked = 0;
    /** @type {Set<string>|null} the ids of what invalid fields name; made when it is asked for */
    this.errorIds = null;
    /** @type {Element|null} the block that they are in */
    this.block = null;
    /** @type {Element|null} that of the label around */
    this.control = null;
  }

  /**
   * @param {string} data
   * @param {Element} el the element that it is in
   * @param {string} tag of that
   * @param {number} depth
   */
  add(data, el, tag, depth) {
    if (!hasSign(data)) {
      this.spaced = true;
      return;
    }
    if (!this.walk.emitting || SILENT.has(tag)) return;
    const block = blockOf(el, tag);
    if (block !== this.block) this.flush();
    const last = this.pieces.at(-1);
    if (last === undefined) {
      this.depth = depth;
      this.block = block;
    } else if (this.spaced || !this.continues(last.el, el)) last.text += ' ';
    if (last !== undefined && last.el === el) last.text += data;
    else this.pieces.push({ el, text: data });
    this.spaced = false;
  }

  /**
   * Enters an element whose name is told.
   * @param {string} name
   */
  enter(name) {
    this.flush();
    const { told } = this;
    this.told = name;
    this.walk.onLeave(() => {
      this.flush();
      this.told = told;
    });
  }

  /**
   * Enters a label, whose text is the name of its control.
   * @param {Facts} label
   */
  enterLabel(label) {
    const { control } = this;
    this.walk.onLeave(() => (this.control = control));
    this.control = labelControlGet.call(label.el);
    this.enter(this.control ? nameOfFacts(factsOf(this.control)) : this.told);
  }

  /** What ends a line. */
  space() {
    this.spaced = true;
  }

  /**
   * Whether the text in one element follows that in another without a gap.
   * @param {Element} last
   * @param {Element} el
   */
  continues(last, el) {
    if (el === last) return true;
    for (const one of [el, last]) {
      if (one === this.block) continue;
      if (styleOf(one).display !== 'inline') return false;
      const parent = parentNodeGet.call(one);
      if (isElement(parent) && /flex|grid/.test(styleOf(/** @type {Element} */ (parent)).display)) return false;
    }
    return true;
  }

  flush() {
    if (this.pieces.length === 0) return;
    const pieces = this.pieces.filter(({ el }) => rendering(factsOf(el)) === SHOWN);
    this.pieces = [];
    this.block = null;
    this.spaced = false;
    let text = textOf(pieces);
    if (text === '' || (this.told !== '' && this.repeats(text))) return;
    if (this.looked++ >= MOST_SEEN) {
      this.line('\tlong=true', null);
      return;
    }
    for (const piece of pieces) {
      const shown = masked(piece.text, factsOf(piece.el));
      if (shown === piece.text) continue;
      piece.text = shown;
      text = textOf(pieces);
    }
    const veils = pieces.map(({ el }) => textVeilOf(factsOf(el)));
    if (veils.every((veil) => veil === veils[0])) {
      this.tell(text, veils[0], pieces[0].el);
      return;
    }
    // What can be seen and what cannot are two texts.
    for (const veil of new Set(veils)) {
      const part = pieces.filter((_, i) => veils[i] === veil);
      this.tell(textOf(part), veil, part[0].el);
    }
  }

  /** @param {string} said @param {string} veil @param {Element} el what it begins in */
  tell(said, veil, el) {
    if (said === '') return;
    const kind = veil === SEEN ? messageAround(el, (this.errorIds ??= errorIds())) : '';
    const marked = (veil === SEEN ? '' : '\tunseen=' + veil) + (kind === '' ? '' : '\tsays=' + kind);
    const most = kind === '' ? LONG : LONG_MESSAGE;
    const found = this.walk.wants.search === '' ? -1 : said.toLowerCase().indexOf(this.walk.wants.search.toLowerCase());
    if (found >= 0 && said.length > most) {
      this.line(excerpt(said, found, this.walk.wants.search.length) + marked, factsOf(el));
      return;
    }
    this.line((said.length > most ? said.slice(0, kind === '' ? BEGINNING : most) + '…\tlong=true' : said) + marked, factsOf(el));
  }

  /**
   * Whether the name of the element around has it. Names are as CSS spells them, in capitals for instance.
   * @param {string} text
   */
  repeats(text) {
    return this.told.includes(text) || this.told.toLowerCase().includes(text.toLowerCase());
  }

  /** @param {string} rest @param {Facts|null} facts */
  line(rest, facts) {
    this.walk.push(this.depth, TEXT_ROLE, '\t\t' + rest, facts);
  }
}

/**
 * The part of a long text around a place in it.
 * @param {string} text
 * @param {number} at
 * @param {number} length
 */
function excerpt(text, at, length) {
  const [from, to] = [Math.max(0, at - BEGINNING), Math.min(text.length, at + length + BEGINNING)];
  return (from > 0 ? '…' : '') + text.slice(from, to).trim() + (to < text.length ? '…' : '');
}

/**
 * Whether a text is more than white space.
 * @param {string} text
 */
function hasSign(text) {
  return isPlainSign(text, 0) || /\S/.test(text);
}

/** @param {Piece[]} pieces */
function textOf(pieces) {
  return pieces.length === 1 ? tidy(pieces[0].text) : tidy(pieces.map(({ text }) => text).join(''));
}

/** @param {Element} el @param {string} [tag] of that */
export function blockOf(el, tag = localNameGet.call(el)) {
  let block = el;
  for (let name = tag; INLINE.has(name); name = localNameGet.call(block)) {
    const parent = parentNodeGet.call(block);
    if (!isElement(parent)) break;
    block = /** @type {Element} */ (parent);
  }
  return block;
}
