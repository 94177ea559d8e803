// Controls that aria-hidden keeps from assistive technology, and that a person sees and can use: the arrows of a number field, an icon that clears it.
// They have no lines, so that a walk for what can be acted on counts them, with the first ones by name.

import { CONTROLS } from './behind.js';
import { firstElementGet, queryAllOf } from '../dom/builtins.js';
import { HINTS, hintsOf } from '../ax/clickable.js';
import { matches } from '../dom/access.js';
import { attr, queryAll } from '../dom/dom.js';
import { computedOf, factsOf } from '../dom/facts.js';
import { inferredName } from './inferred.js';
import { SPARE } from './lines.js';
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
    const repeated = addressesElsewhere(found);
    const controls = found.filter(({ el }) => !repeated.has(attr(el, 'href')));
    if (controls.length === 0) return;
    walk.push(walk.base, UNHEARD, '\t\t' + controls.length, null);
    for (const facts of controls.slice(0, MOST_NAMED)) {
      const name = (nameOfFacts(facts) || inferredName(facts)).slice(0, LONGEST);
      const hints = hintsOf(facts);
      const fields = SPARE + (hints === 0 ? '' : '\thints=' + HINTS[hints]);
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

/**
 * Where links lead that are not among these: a link of these that leads there, too, is an image beside a headline, or a sign behind a heading.
 * @param {Facts[]} hidden
 */
function addressesElsewhere(hidden) {
  const among = new Set(hidden.map(({ el }) => el));
  /** @type {Set<string|null>} */
  const addresses = new Set();
  for (const el of queryAll(document, 'a[href]')) {
    const address = attr(el, 'href');
    if (address !== null && !NOWHERE.test(address) && !among.has(el)) addresses.add(address);
  }
  return addresses;
}
