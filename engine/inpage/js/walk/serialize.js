// The op html: the document as a reader gets it. The flat tree is written as HTML again: shadow trees and slots in their places, what is not
// shown left out, fields with the values that they have now, addresses absolute. Frames are cut out, for others to put in their places.

import { innerHTMLGet, titleGet } from '../dom/access.js';
import { getterOf, nodeTypeGet, queryAllOf, TEXT, textContentGet } from '../dom/builtins.js';
import { isClosedDetails, textDataGet } from '../ax/content.js';
import { attr, bodyOf, elementRoot, queryAll } from '../dom/dom.js';
import { Descent } from '../dom/descent.js';
import { ChildCursor, computedOf, factsOf, remembering } from '../dom/facts.js';
import { rectOf } from '../dom/geometry.js';
import { SKIPPED, UNDRAWN } from '../dom/kinds.js';
import { inputValueGet, optionLabelGet, selectOptionsGet, textareaValueGet } from '../ax/native.js';
import { ops } from '../dom/ops.js';
import { searchHidden } from '../ax/pierce.js';
import { inputType, semanticRole } from '../ax/role.js';
import { inputCheckedGet } from '../ax/state.js';
import { isSecret } from '../ax/states.js';
import { masked } from '../dom/casing.js';
import { tokenOf } from '../dom/tokens.js';
import { beginLooking, frameVeil, textVeilOf } from './unseen.js';
import { FALLBACK, LATER, PRESS, SCROLL, SEEN } from './veils.js';
import { ABSENT, hidesByARIA, INVISIBLE, rendering } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

const baseURIGet = getterOf(Node.prototype, 'baseURI');
const contentTypeGet = getterOf(Document.prototype, 'contentType');
const currentSrcGet = getterOf(HTMLImageElement.prototype, 'currentSrc');
const mediaSrcGet = getterOf(HTMLMediaElement.prototype, 'currentSrc');
const outerHTMLGet = getterOf(Element.prototype, 'outerHTML');

/** What is kept of any element's attributes: what tells content from decoration, and how it is read. */
const KEPT = [
  'id',
  'class',
  'role',
  'lang',
  'dir',
  'title',
  'rel',
  'itemprop',
  'itemtype',
  'colspan',
  'rowspan',
  'start',
  'value',
  'datetime',
  'type',
];

// Noncharacters, which no text has: the writer of Markdown turns them into words. A mark in words could be one of the page.
/** @type {Object<string, string>} */
const MARKS = { unseen: ' \ufdd2 ', [SCROLL]: ' \ufdd3 ', [PRESS]: ' \ufdd4 ', [LATER]: ' \ufdd5 ' };

/** @param {string} veil */
function markOf(veil) {
  return veil === SEEN ? '' : (MARKS[veil] ?? MARKS.unseen);
}

const NONCHARACTERS = /[\ufdd0-\ufdd5]/g;

const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr']);
const MEDIA = new Set(['video', 'audio']);
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);

// The tags of HTML that stand for something in a text. All others say nothing but where a line ends.
const WRITTEN = new Set([
  'a',
  'abbr',
  'address',
  'article',
  'aside',
  'b',
  'bdi',
  'bdo',
  'blockquote',
  'body',
  'br',
  'button',
  'caption',
  'cite',
  'code',
  'dd',
  'del',
  'details',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'i',
  'img',
  'input',
  'ins',
  'kbd',
  'label',
  'legend',
  'li',
  'main',
  'mark',
  'menu',
  'nav',
  'ol',
  'p',
  'pre',
  'q',
  's',
  'samp',
  'section',
  'select',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'textarea',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'tt',
  'u',
  'ul',
  'var',
  'wbr',
]);

const PHRASING = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'button',
  'cite',
  'code',
  'del',
  'dfn',
  'em',
  'i',
  'ins',
  'kbd',
  'label',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
]);

/**
 * @param {{inner?: boolean}} arg  inner: it becomes a part of another document, so that it has no head
 * @returns {{url: string, title: string, contentType: string, parts: string[], frames: number[], marks: string[]}} parts: the HTML before, between
 *     and behind the frames, whose elements have these tokens, and whose texts are marked so; of a document that is not HTML, its text
 */
ops.html = ({ inner = false } = {}) =>
  remembering(() => {
    const contentType = contentTypeGet.call(document);
    const about = { url: location.href, title: titleGet.call(document), contentType };
    if (contentType !== 'text/html' && contentType !== 'application/xhtml+xml')
      return { ...about, parts: [sourceText(contentType)], frames: /** @type {number[]} */ ([]), marks: /** @type {string[]} */ ([]) };
    searchHidden();
    beginLooking();
    const writer = new Writer(inner);
    writer.document();
    return { ...about, parts: writer.parts(), frames: writer.frames, marks: writer.marks };
  });

/**
 * The text of a document for which the browser made a page to show it in.
 * @param {string} contentType
 */
function sourceText(contentType) {
  const root = elementRoot();
  if (!root) return '';
  if (!/xml/.test(contentType)) return textContentGet.call(queryAll(document, 'body > pre')[0] ?? bodyOf() ?? root);
  const shown = queryAll(document, '#webkit-xml-viewer-source-xml')[0];
  return shown ? innerHTMLGet.call(shown) : outerHTMLGet.call(root);
}

class Writer {
  /** @param {boolean} inner */
  constructor(inner) {
    this.inner = inner;
    /** @type {string[]} */
    this.out = [];
    /** @type {string[]} */
    this.done = [];
    /** @type {number[]} */
    this.frames = [];
    /** @type {string[]} how the texts in each of them are marked */
    this.marks = [];
    this.base = baseURIGet.call(document);
    this.inPre = false;
    this.descent = new Descent();
  }

  parts() {
    return [...this.done, this.out.join('')];
  }

  document() {
    const root = elementRoot();
    const body = bodyOf();
    if (!root || !body) return;
    if (!this.inner) this.head(root);
    this.element(factsOf(body), 'block');
    this.descent.run();
    if (!this.inner) this.out.push('</html>');
  }

  /** @param {Element} root */
  head(root) {
    this.out.push(
      '<!doctype html><html',
      htmlAttribute('lang', attr(root, 'lang')),
      '><head><title>',
      htmlText(titleGet.call(document)),
      '</title>',
    );
    for (const meta of queryAll(document, 'meta[content]')) {
      this.out.push('<meta', ...['name', 'property', 'itemprop', 'content'].map((name) => htmlAttribute(name, attr(meta, name))), '>');
    }
    for (const data of queryAll(document, 'script[type="application/ld+json"]')) {
      this.out.push('<script type="application/ld+json">', textContentGet.call(data).replaceAll('</', '<\\/'), '</script>');
    }
    this.out.push('</head>');
  }

  /** @param {Facts} facts @param {string} around the display of the parent */
  element(facts, around) {
    const { el, tag } = facts;
    if (facts.html ? SKIPPED.has(tag) : UNDRAWN.has(tag)) return;
    if (!facts.plain && hidesByARIA(el)) return;
    const shown = rendering(facts);
    if (shown === ABSENT) return;
    if (shown === INVISIBLE) {
      if (tag !== 'select') this.contents(facts, around, false);
      return;
    }
    if (!facts.html) this.foreign(facts, around);
    else if (FRAMES.has(tag)) this.frame(facts);
    else if (MEDIA.has(tag)) this.media(facts);
    else this.html(facts, around);
  }

  /** @param {Facts} facts @param {string} around */
  html(facts, around) {
    const { el, tag } = facts;
    if (tag === 'slot' || tag === 'canvas') {
      this.contents(facts, around, true);
      return;
    }
    const { display } = computedOf(facts);
    if (display === 'contents' && !WRITTEN.has(tag)) {
      this.contents(facts, around, true);
      return;
    }
    const inline = display.startsWith('inline') || display.startsWith('ruby') || display === 'contents';
    let name = WRITTEN.has(tag) ? tag : inline ? 'span' : 'div';
    if (name === 'body' && this.inner) name = 'section';
    // Markup has no word for what a style sheet sets apart.
    const own = PHRASING.has(name) && !inline && !this.inPre && tag !== 'button';
    const inLine = own && /flex|grid/.test(around);
    const apart = !this.inPre && (inLine || (inline && display !== 'inline' && display !== 'contents'));
    if (apart) this.out.push(' ');
    if (own && !inLine) this.out.push('<div>');
    this.out.push('<', name, this.attributes(facts), '>');
    const end = (VOID.has(name) ? '' : `</${name}>`) + (own && !inLine ? '</div>' : '') + (apart ? ' ' : '');
    if (VOID.has(name)) {
      this.out.push(end);
      return;
    }
    const { inPre } = this;
    this.descent.onLeave(() => {
      this.inPre = inPre;
      this.out.push(end);
    });
    this.inPre ||= name === 'pre';
    if (name === 'textarea') {
      this.out.push('\n');
      this.text(textareaValueGet.call(el), facts);
    } else if (name === 'select') this.select(el);
    else this.contents(facts, display, true);
  }

  /** @param {Facts} facts @param {string} around @param {boolean} texts */
  contents(facts, around, texts) {
    // Elements in skipped contents are not rendered; text nodes have no style to tell that by.
    if (isClosedDetails(facts) || computedOf(facts).contentVisibility === 'hidden') texts = false;
    const children = new ChildCursor(facts);
    const step = () => {
      const node = children.next();
      if (node === null) return false;
      if (nodeTypeGet.call(node) !== TEXT) this.element(children.factsOf(node), around);
      else if (texts) this.text(textDataGet.call(node), facts);
      return true;
    };
    this.descent.frames.push({ step });
  }

  /**
   * A text, marked where a person does not see it: that may be an instruction that is hidden from people, or what has not come into view yet.
   * @param {string} text
   * @param {Facts} facts the element around it
   */
  text(text, facts) {
    this.out.push(htmlText(masked(text, facts).replace(NONCHARACTERS, '')));
    if (/\S/.test(text)) this.out.push(markOf(facts.tag === 'canvas' ? FALLBACK : textVeilOf(facts)));
  }

  /** @param {Facts} facts */
  attributes(facts) {
    const { el, tag } = facts;
    let text = '';
    if (!facts.bare) for (const name of KEPT) if (name !== 'value' || tag === 'li') text += htmlAttribute(name, attr(el, name));
    switch (tag) {
      case 'a':
        return text + htmlAttribute('href', this.absolute(attr(el, 'href')));
      case 'img':
        return text + this.image(el);
      case 'input':
        return text + inputState(facts);
    }
    return text;
  }

  /**
   * Small pictures without a text are decoration.
   * @param {Element} el
   */
  image(el) {
    let alt = attr(el, 'alt');
    const rect = rectOf(el);
    if (alt === null && (rect.width < 50 || rect.height < 50)) alt = '';
    const src = currentSrcGet.call(el) || this.absolute(attr(el, 'src')) || '';
    return htmlAttribute('alt', alt) + (src.startsWith('data:') ? '' : htmlAttribute('src', src));
  }

  /**
   * Only what is chosen is shown of a list that is closed.
   * @param {Element} el
   */
  select(el) {
    for (const option of selectOptionsGet.call(el)) this.out.push('<option selected>', htmlText(optionLabelGet.call(option)), '</option>');
  }

  /** @param {Facts} facts */
  media(facts) {
    const src = mediaSrcGet.call(facts.el) || this.absolute(attr(facts.el, 'src'));
    if (!src || src.startsWith('data:')) return;
    const name = attr(facts.el, 'title') ?? attr(facts.el, 'aria-label') ?? facts.tag;
    this.out.push('<p><a', htmlAttribute('href', src), '>', htmlText(name), '</a></p>');
  }

  /** @param {Facts} facts */
  frame(facts) {
    const { el, tag } = facts;
    if ((tag === 'object' || tag === 'embed') && semanticRole(facts) !== 'Iframe') {
      this.contents(facts, 'block', true);
      return;
    }
    this.out.push('<div>');
    this.done.push(this.out.join(''));
    this.out = ['</div>'];
    this.frames.push(tokenOf(el));
    this.marks.push(markOf(frameVeil(facts)));
  }

  /**
   * Of drawings their text is kept, of formulas their source if there is one.
   * @param {Facts} facts
   * @param {string} around
   */
  foreign(facts, around) {
    if (facts.tag === 'math') {
      const source = queryAllOf.call(facts.el, 'annotation[encoding="application/x-tex"]')[0];
      const text = source ? textContentGet.call(source) : attr(facts.el, 'alttext');
      if (text) {
        this.out.push(' <code>', htmlText(text.trim()), '</code> ');
        return;
      }
    }
    if (facts.tag === 'text') this.out.push(' ');
    if (facts.tag === 'text') this.descent.onLeave(() => this.out.push(' '));
    this.contents(facts, around, facts.tag !== 'svg' && facts.tag !== 'g');
  }

  /** @param {string | null} address */
  absolute(address) {
    if (address === null) return null;
    try {
      return new URL(address, this.base).href;
    } catch {
      return address;
    }
  }
}

/**
 * What a field holds, except for a password.
 * @param {Facts} facts
 */
function inputState(facts) {
  const { el } = facts;
  if (isSecret(facts)) return '';
  const type = inputType(el);
  if (type === 'checkbox' || type === 'radio') return inputCheckedGet.call(el) ? ' checked' : '';
  if (type === 'password' || type === 'file' || type === 'hidden') return '';
  return htmlAttribute('value', inputValueGet.call(el)) + htmlAttribute('alt', attr(el, 'alt'));
}

/** @param {string} name @param {string | null} value */
function htmlAttribute(name, value) {
  return value === null ? '' : ` ${name}="${htmlText(value)}"`;
}

const SPECIAL = /[&<>"\u00a0]/g;
/** @type {Object<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };

/** @param {string} text */
function htmlText(text) {
  return text.replace(SPECIAL, (c) => ENTITIES[c]);
}
