// What an element without a name may be for: a guess from what developers call it, and from what is drawn. It is never a name.

import { captionOf } from '../ax/caption.js';
import { isLabelled, nameOfFacts, tidy } from '../ax/name.js';
import { semanticRole } from '../ax/role.js';
import { textDataGet } from '../ax/content.js';
import { hasOwnText } from '../ax/included.js';
import {
  firstChildGet,
  firstElementGet,
  getAttributeOf,
  getRootNodeOf,
  nextSiblingGet,
  nodeTypeGet,
  parentElementGet,
  TEXT,
  hostGet,
  localNameGet,
  queryAllOf,
} from '../dom/builtins.js';
import { isShadowRoot } from '../dom/dom.js';
import { attrOf, factsOf } from '../dom/facts.js';
import { rendering, SHOWN } from '../dom/visibility.js';
import { drawnName } from './drawnname.js';
import { veilOf } from './unseen.js';
import { SEEN } from './veils.js';
import { TEST_ATTRIBUTES } from '../find/selectors.js';

/** @import { Facts } from '../dom/facts.js' */

// Where components keep the text of a tooltip.
const TOOLTIPS = ['data-tooltip', 'data-title', 'data-original-title', 'data-bs-original-title', 'data-tip', 'data-tooltip-content'];

// What developers call an element, for tests or for scripts.
const NAMES = [...TEST_ATTRIBUTES, 'data-action'];

// Attributes of icons that have their name.
const ICON_NAMES = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'data-testid'];

// How the classes of icon fonts and icon sets begin: the rest is the name of the icon.
const ICON_CLASS =
  /^(?:fa|fas|far|fab|bi|mdi|ti|tabler-icon|lucide|feather|glyphicon|icon|ico|ri|pi|ph|la|bx|bxs|uil|anticon|codicon|octicon|ion|el-icon|uk-icon|icofont|dashicons|lnr|si|cil|ft|fe|oi|gg|zmdi|typcn|wi|eva|iconoir|material-icons?)-(.+)$/;

// Classes that are about size, weight or motion.
const STYLING =
  /^(?:\d*x|xs|sm|md|lg|xl|\d*xl|fw|spin|pulse|solid|regular|light|thin|duotone|brands|outline|outlined|icon|wrapper|button|btn|only|fw-.*|\d+(?:px)?)$/;

// Classes that say by themselves what the element does.
const PLAIN_CLASS =
  /(?:^|[-_])(close|delete|remove|edit|search|menu|toggle|next|prev|previous|add|plus|minus|settings|copy|share|play|pause|hamburger)(?:$|[-_])/;

const LONGEST = 40;

/**
 * Some words, or ''. They are made of letters and digits only, since a page could hide anything in an attribute.
 * @param {Facts} facts
 */
export function inferredName(facts) {
  const { el } = facts;
  return (
    hostLabel(el) ||
    first(el, TOOLTIPS) ||
    caption(el) ||
    titleIn(facts) ||
    iconIn(el) ||
    first(el, NAMES) ||
    drawnName(facts) ||
    fieldName(facts) ||
    plainClass(el) ||
    target(facts)
  );
}

/**
 * The label of the custom element that a field is the inside of: it does not reach the field.
 * @param {Element} el
 */
function hostLabel(el) {
  const root = getRootNodeOf.call(el);
  if (!isShadowRoot(root)) return '';
  const host = factsOf(hostGet.call(root));
  return isLabelled(host) ? words(nameOfFacts(host)) : '';
}

/**
 * What the page shows beside a field as its label.
 * @param {Element} el
 */
function caption(el) {
  const beside = captionOf(el);
  if (beside === null) return '';
  const part = nodeTypeGet.call(beside) === TEXT ? parentElementGet.call(beside) : /** @type {Element} */ (beside);
  if (part === null || rendering(factsOf(part)) !== SHOWN || veilOf(factsOf(part)) !== SEEN) return '';
  const said = part === beside ? shownIn(part) : tidy(textDataGet.call(beside));
  const text = beginningOf(said.replace(UNREAD, ' ')).replace(/[\s:*]+$/, '');
  return /[\p{L}\p{N}]/u.test(text) ? text : '';
}

/** @param {Element} el @param {string[]} names */
function first(el, names) {
  for (const name of names) {
    const said = words(getAttributeOf.call(el, name));
    if (said !== '') return said;
  }
  return '';
}

/** @param {Element} el */
function iconIn(el) {
  for (const icon of [el, ...queryAllOf.call(el, 'svg, i, span, use, img, mat-icon, ion-icon')].slice(0, 6)) {
    const tag = localNameGet.call(icon);
    if (tag === 'use') {
      const said = words(fragment(getAttributeOf.call(icon, 'href') ?? getAttributeOf.call(icon, 'xlink:href')));
      if (said !== '') return said;
    }
    if (tag === 'img') {
      const said = words(fileName(getAttributeOf.call(icon, 'src')));
      if (said !== '') return said;
    }
    const said = (icon === el ? '' : first(icon, ICON_NAMES)) || iconClass(icon);
    if (said !== '') return said;
  }
  return '';
}

// What a card is called by, in this order.
const TITLES = ['h1,h2,h3,h4,h5,h6,[role="heading"]', 'figcaption,caption,legend,strong,b', 'article,figure,section,p,div'];
const MOST_TITLES = 4;
const CARDS = new Set(['link', 'button']);

/**
 * What a person reads of a card that is one link, whose text does not name it: its headline, else the beginning of its text, else what its picture shows.
 * @param {Facts} facts
 */
function titleIn(facts) {
  const { el } = facts;
  if (firstElementGet.call(el) === null || !CARDS.has(semanticRole(facts))) return '';
  for (const css of TITLES)
    for (const part of Array.from(queryAllOf.call(el, css)).slice(0, MOST_TITLES)) {
      const said = beginningOf(shownIn(part).replace(UNREAD, ' '));
      if (/\p{L}{2}/u.test(said)) return said;
    }
  return altIn(el);
}

/** @param {Element} el */
function altIn(el) {
  const picture = Array.from(queryAllOf.call(el, 'figure img[alt]:not([alt=""]),article img[alt]:not([alt=""])'))[0];
  return picture === undefined ? '' : words(getAttributeOf.call(picture, 'alt'));
}

const MOST_PARTS = 12;

/**
 * The texts of an element that are seen, as far as they are needed for a name.
 * @param {Element} el
 */
function shownIn(el) {
  let text = '';
  for (const part of [el, ...queryAllOf.call(el, '*')].slice(0, MOST_PARTS)) {
    if (text.length > LONGEST) break;
    if (!hasOwnText(part) || rendering(factsOf(part)) !== SHOWN || veilOf(factsOf(part)) !== SEEN) continue;
    for (let node = firstChildGet.call(part); node !== null; node = nextSiblingGet.call(node))
      if (nodeTypeGet.call(node) === TEXT) text += ' ' + textDataGet.call(node);
  }
  return tidy(text);
}

const UNREAD = /[^\p{L}\p{N}\p{M}\p{P}\p{Sc}\p{Cf} ]+/gu;

/** @param {string} text */
function beginningOf(text) {
  const said = text.replace(/ +/g, ' ').trim();
  return said.length <= LONGEST ? said : said.slice(0, LONGEST).replace(/\S*$/, '').trim() || said.slice(0, LONGEST);
}

/** @param {Element} icon */
function iconClass(icon) {
  for (const name of (getAttributeOf.call(icon, 'class') ?? '').split(/\s+/)) {
    const found = ICON_CLASS.exec(name);
    if (found !== null && !STYLING.test(found[1])) return words(found[1]);
  }
  return '';
}

/** @param {Element} el */
function plainClass(el) {
  const found = PLAIN_CLASS.exec(getAttributeOf.call(el, 'class') ?? '') ?? PLAIN_CLASS.exec(getAttributeOf.call(el, 'id') ?? '');
  return found === null ? '' : found[1];
}

/**
 * A field is sent under its name.
 * @param {Facts} facts
 */
function fieldName(facts) {
  return facts.tag === 'input' || facts.tag === 'select' || facts.tag === 'textarea'
    ? words(attrOf(facts, 'name')) || words(attrOf(facts, 'id'))
    : '';
}

/**
 * Where a link leads: the last part of the path.
 * @param {Facts} facts
 */
function target(facts) {
  if (facts.tag !== 'a') return '';
  const href = attrOf(facts, 'href') ?? '';
  if (/^(?:javascript|data|blob):/i.test(href.trim())) return '';
  return words(fileName(href)) || words(fragment(href));
}

/** @param {string|null} url */
function fileName(url) {
  if (url === null || /^(?:data|blob):/i.test(url)) return '';
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,5}$/, '');
}

/** @param {string|null} url */
function fragment(url) {
  return url !== null && url.includes('#') ? url.slice(url.indexOf('#') + 1) : '';
}

/**
 * The words of an identifier: "DeleteIcon", "icon-trash-2" and "user_menu" are "delete", "trash 2" and "user menu".
 * @param {string|null} text
 */
function words(text) {
  if (text === null || text.length > LONGEST || /[^\p{L}\p{N}\s_.:/-]/u.test(text)) return '';
  const said = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_.:/-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^(?:icon|btn|button|ic|img) (?=\p{L})/u, '')
    .replace(/(?<=\p{L}) (?:icon|btn|button|svg)$/u, '');
  return /\p{L}{2}/u.test(said) ? said : '';
}
