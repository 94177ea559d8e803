// Text that CSS puts before and after the contents of elements.

import { styleOf } from './builtins.js';
import { cased } from './casing.js';
import { AFTER, BEFORE, LOCKS, REPLACES } from './declarations.js';
import { attrOf, computedOf, parentOf } from './facts.js';
import { unescaped } from './sheets.js';
import { styleBits } from './styles.js';
import { ABSENT, isLockedIn, rendering } from './visibility.js';

/** @import { Facts } from './facts.js' */

/**
 * @typedef {Object} Generated
 * @property {string} text
 * @property {boolean} apart  it is separated from its neighbors: it is a block, or the text alternative of the content
 * @property {boolean} picture  it is the text alternative of an image
 */

/**
 * @param {Facts} facts
 * @returns {Generated|null}
 */
export function generatedBefore(facts) {
  if ((styleBits(facts) & BEFORE) === 0 && facts.tag !== 'q') return null;
  return facts.before === undefined ? (facts.before = generated(facts, '::before')) : facts.before;
}

/**
 * @param {Facts} facts
 * @returns {Generated|null}
 */
export function generatedAfter(facts) {
  if ((styleBits(facts) & AFTER) === 0 && facts.tag !== 'q') return null;
  return facts.after === undefined ? (facts.after = generated(facts, '::after')) : facts.after;
}

/**
 * Whether style sheets may add text to that of the element, or take it away.
 * @param {Facts} facts
 */
export function mayGenerate(facts) {
  return (styleBits(facts) & (BEFORE | AFTER | REPLACES | LOCKS)) !== 0 || facts.tag === 'q';
}

/**
 * Whether the contents of the element are skipped (content-visibility: hidden), and not to be found by a search of the browser either.
 * @param {Facts} facts
 */
export function locksContents(facts) {
  return (styleBits(facts) & LOCKS) !== 0 && attrOf(facts, 'hidden')?.toLowerCase() !== 'until-found' && isLockedIn(facts);
}

/**
 * The text alternative of the image that CSS shows in place of the element's contents, or null.
 * @param {Facts} facts
 */
export function replacedText(facts) {
  if ((styleBits(facts) & REPLACES) === 0) return null;
  const { content } = computedOf(facts);
  return /^[\w-]+\(/.test(content) ? contentText(content, DEFAULT_QUOTES) || null : null;
}

/** @param {Facts} facts @param {string} pseudo */
function generated(facts, pseudo) {
  if (!facts.html || rendering(facts) === ABSENT) return null;
  const style = styleOf(facts.el, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '') return null;
  const text = contentText(content, content.includes('-quote') ? quotesOf(facts, style.quotes) : DEFAULT_QUOTES);
  const { display } = style;
  if (text === '' || display === 'none' || style.visibility !== 'visible') return null;
  const picture = content[0] !== '"' && PICTURE.test(content);
  return { text: cased(text, facts), apart: picture || display !== 'inline' || /[")]\s*\//.test(content), picture };
}

const PICTURE = /^(?:url|image-set)\((?:"(?:[^"\\]|\\.)*"|[^")])*\)\s*\/\s*"/;

/**
 * Whether CSS puts an image with a text alternative before or after the contents.
 * @param {Facts} facts
 */
export function drawsPicture(facts) {
  return mayGenerate(facts) && Boolean(generatedBefore(facts)?.picture || generatedAfter(facts)?.picture);
}

const CONTENT_TOKENS = /"((?:[^"\\]|\\.)*)"|(open-quote)|(close-quote)|(\/)|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|[^\s"]+/g;

/**
 * The text in a computed value of `content`. What follows a slash is the text alternative of all of it (css-content-3, section 1.2).
 * @param {string} content
 * @param {string[]} quotes
 */
function contentText(content, quotes) {
  if (content.indexOf('"', 1) === content.length - 1 && content[0] === '"' && !content.includes('\\')) return content.slice(1, -1);
  let text = '';
  for (const [token, string, open, close, slash] of content.matchAll(CONTENT_TOKENS)) {
    if (slash) text = '';
    else if (open) text += quotes[0];
    else if (close) text += quotes[1];
    else if (token.startsWith('"')) text += unescaped(string);
  }
  return text;
}

const DEFAULT_QUOTES = ['“', '”', '‘', '’'];

// The quotation marks of languages, those inside of others last (CLDR), where they are not the English ones.
const GUILLEMETS = ['«', '»', '‹', '›'];
const LOW_HIGH = ['„', '“', '‚', '‘'];
/** @type {Object<string, string[]>} */
const QUOTES = {
  __proto__: /** @type {any} */ (null),
  de: LOW_HIGH,
  cs: LOW_HIGH,
  sk: LOW_HIGH,
  sl: LOW_HIGH,
  hr: LOW_HIGH,
  bg: ['„', '“', '„', '“'],
  fr: ['«', '»', '«', '»'],
  'fr-ch': GUILLEMETS,
  it: ['«', '»', '“', '”'],
  ca: ['«', '»', '“', '”'],
  el: ['«', '»', '“', '”'],
  ru: ['«', '»', '„', '“'],
  uk: ['«', '»', '„', '“'],
  no: ['«', '»', '‘', '’'],
  nb: ['«', '»', '‘', '’'],
  pl: ['„', '”', '«', '»'],
  hu: ['„', '”', '»', '«'],
  ro: ['„', '”', '«', '»'],
  nl: ['‘', '’', '‘', '’'],
  sv: ['”', '”', '’', '’'],
  fi: ['”', '”', '’', '’'],
  ja: ['「', '」', '『', '』'],
  he: ['”', '”', '’', '’'],
  ar: ['”', '“', '’', '‘'],
};

/**
 * The pair of quotation marks that the element writes at its nesting depth.
 * @param {Facts} facts
 * @param {string} quotes
 */
function quotesOf(facts, quotes) {
  if (quotes === 'none') return ['', ''];
  const marks = quotes === 'auto' ? quotesIn(languageOf(facts)) : Array.from(quotes.matchAll(MARKS), ([, mark]) => unescaped(mark));
  const pair = Math.min(quoteDepth(facts), marks.length / 2 - 1);
  return pair < 0 ? ['', ''] : marks.slice(2 * pair, 2 * pair + 2);
}

/**
 * How many elements around this one open quotation marks.
 * @param {Facts} facts
 */
function quoteDepth(facts) {
  let depth = 0;
  for (let node = parentOf(facts); node !== null; node = parentOf(node)) {
    if ((node.tag === 'q' || (styleBits(node) & BEFORE) !== 0) && styleOf(node.el, '::before').content.includes('open-quote')) depth++;
  }
  return depth;
}

const MARKS = /"((?:[^"\\]|\\.)*)"/g;

/** @param {string} language */
function quotesIn(language) {
  return QUOTES[language] ?? QUOTES[language.split('-')[0]] ?? DEFAULT_QUOTES;
}

/**
 * The language of what is around the element, in lower case.
 * @param {Facts} facts
 */
function languageOf(facts) {
  for (let node = parentOf(facts); node !== null; node = parentOf(node)) {
    const language = attrOf(node, 'lang');
    if (language !== null) return language.toLowerCase();
  }
  return '';
}
