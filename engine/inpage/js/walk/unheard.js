// Controls that aria-hidden keeps from assistive technology, and that a person sees and can use: the arrows of a number field, an icon that clears it.
// They have no lines, so that a walk for what can be acted on counts them, with the first ones by name.

import { CONTROLS } from './behind.js';
import { firstElementGet, queryAllOf } from '../dom/builtins.js';
import { HINTS, hintsOf } from '../ax/clickable.js';
import { matches } from '../dom/access.js';
import { attr, queryAll } from '../dom/dom.js';
import { computedOf, factsOf } from '../dom/facts.js';
import { inferredName } from './inferred.js';
import { isListening } from '../ax/listening.js';
import { nameOfFacts } from '../ax/name.js';
import { semanticRole } from '../ax/role.js';
import { tokenOf } from '../dom/tokens.js';
import { isBoxSeen } from './unseen.js';
import { isHiddenByARIA } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Walk } from './walk.js'
 */

// The role of the line that counts them. It stands for no role.
const UNHEARD = 'unheard';

const MOST_NAMED = 3;
const LONGEST = 40; // of a name
const MOST_LOOKED_AT = 300; // the others are decoration of a long list

export class Unheard {
  constructor() {
    /** @type {Facts[]} the outermost elements with aria-hidden that may hold controls, or be one */
    this.roots = [];
  }

  /**
   * Takes note of an element that has no line, nor has anything in it.
   * @param {Facts} facts
   */
  add(facts) {
    if (this.roots.length === MOST_LOOKED_AT || !facts.html || !isHiddenByARIA(facts)) return;
    if (firstElementGet.call(facts.el) !== null || isControl(facts.el)) this.roots.push(facts);
  }

  /**
   * A line with how many there are, and one for each of the first.
   * @param {Walk} walk
   */
  tell(walk) {
    const found = this.roots.flatMap(({ el }) => controlsIn(el)).filter(isUsable);
    if (found.length === 0) return;
    const links = new Links(found);
    const controls = found.filter(({ el }) => !links.isRepeated(el));
    if (controls.length === 0) return;
    walk.push(walk.base, UNHEARD, '\t\t' + controls.length, null);
    for (const facts of controls.slice(0, MOST_NAMED)) {
      const name = (nameOfFacts(facts) || inferredName(facts)).slice(0, LONGEST);
      const hints = hintsOf(facts);
      const fields = '\tspare=true' + (hints === 0 ? '' : '\thints=' + HINTS[hints]);
      walk.push(walk.base + 1, semanticRole(facts), '\t' + tokenOf(facts.el) + '\t' + name + fields, null);
    }
  }
}

/** @param {Element} el */
function isControl(el) {
  return matches(el, CONTROLS) || isListening(el);
}

/** @param {Element} el */
function controlsIn(el) {
  const inner = Array.from(queryAllOf.call(el, CONTROLS));
  return (isControl(el) ? [el, ...inner] : inner).map(factsOf);
}

/**
 * Whether a person sees it, and a click reaches it.
 * @param {Facts} facts
 */
function isUsable(facts) {
  return isBoxSeen(facts) && computedOf(facts).pointerEvents !== 'none' && !matches(facts.el, ':disabled, [inert], [inert] *');
}

// An address that leads nowhere: what such a link does is up to a script.
const NOWHERE = /^#?$|^javascript:/i;

/** Which of the links lead where another one leads, too: an image beside a headline, a sign behind a heading. */
class Links {
  /** @param {Facts[]} hidden */
  constructor(hidden) {
    /** @type {Map<string, number>} how many links that are not among the hidden ones have an address */
    this.counts = new Map();
    for (const el of queryAll(document, 'a[href]')) this.count(el, 1);
    for (const { el } of hidden) this.count(el, -1);
  }

  /** @param {Element} el @param {number} by */
  count(el, by) {
    const href = attr(el, 'href');
    if (href !== null && !NOWHERE.test(href)) this.counts.set(href, (this.counts.get(href) ?? 0) + by);
  }

  /** @param {Element} el */
  isRepeated(el) {
    const href = attr(el, 'href');
    return href !== null && (this.counts.get(href) ?? 0) > 0;
  }
}
