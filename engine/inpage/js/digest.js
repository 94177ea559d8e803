// What a walk for what can be acted on writes besides, so that a reader of it leaves nothing out in silence: the texts, what groups them, which
// part of a list is there, and what a modal dialog keeps from being used.

import { controlsBehind } from './behind.js';
import { tellBlocked } from './blocked.js';
import { elementCountGet, firstElementGet, getAttributeOf, localNameGet, nextElementGet, textContentGet } from './builtins.js';
import { rectOf } from './geometry.js';
import { nameOfFacts, tidy } from './name.js';
import { tellPainted } from './painted.js';
import { LISTS, partOf } from './partial.js';
import { tokenOf } from './tokens.js';
import { Words } from './words.js';

/**
 * @import { Facts } from './facts.js'
 * @import { Walk } from './walk.js'
 */

// The line of one of several equal siblings, which no role says to be items.
const CARD_LINE = 'item\t\t';
const FEWEST_CARDS = 3;

// A smaller canvas is an icon, or not seen at all, and a longer text is not what it shows but its data.
const SMALL = 40;
const LONGEST = 120;

export class Digest {
  /** @param {Walk} walk */
  constructor(walk) {
    this.walk = walk;
    this.words = new Words(walk);
    this.inLists = 0; // how many lists the walk is in
  }

  /**
   * What is in an element that has a line.
   * @param {Facts} facts
   * @param {string} role
   * @param {string} told what the texts in it would only repeat
   * @param {number} depth
   */
  enter(facts, role, told, depth) {
    const isList = LISTS.has(role);
    if (isList) this.inLists++;
    this.words.within(told, () => this.walk.enter(facts, role, depth));
    if (!isList) return;
    this.inLists--;
    this.part(facts.el, role, depth);
  }

  /**
   * A line that says which part of a list there are elements for, if that is not the whole.
   * @param {Element} el
   * @param {string} role
   * @param {number} depth
   */
  part(el, role, depth) {
    const { walk } = this;
    const part = walk.emitting ? partOf(el, role) : '';
    if (part === '') return;
    walk.flush();
    walk.push(depth, 'part\t' + tokenOf(el) + '\t' + part + '\tspare=true', null);
  }

  /**
   * A line around what is in one of several equal siblings, if that has lines.
   * @param {number} depth
   * @param {() => void} skim
   */
  card(depth, skim) {
    const { walk } = this;
    walk.flush();
    const at = walk.lines.length;
    const { emitting } = walk; // else the walk may be of a part in the card
    if (emitting) walk.push(depth, CARD_LINE, null);
    skim();
    walk.flush();
    if (emitting && walk.lines.length === at + 1) walk.pop();
  }

  /**
   * What follows the equal siblings in an element.
   * @param {Element} el
   * @param {number} depth
   */
  endCards(el, depth) {
    if (this.inLists === 0) this.part(el, '', depth);
  }

  /**
   * A line that says that a canvas is a picture, with what the page says of it.
   * @param {Facts} facts
   * @param {number} depth
   */
  picture(facts, depth) {
    const { walk } = this;
    const { width, height } = rectOf(facts.el);
    if (!walk.emitting || width < SMALL || height < SMALL) return;
    walk.flush();
    const text = nameOfFacts(facts) || tidy(textContentGet.call(facts.el) ?? '');
    walk.push(depth, 'picture\t' + tokenOf(facts.el) + '\t' + text.slice(0, LONGEST) + '\tspare=true', null);
  }

  /**
   * Adds to the lines what only paint and forms tell.
   * @param {string[]} lines
   * @param {(Facts|null)[]} at
   */
  tell(lines, at) {
    tellPainted(lines, at);
    tellBlocked(lines, at);
  }

  /**
   * A line that says how many controls a modal dialog keeps from being used.
   * @param {Element} modal
   */
  behind(modal) {
    const count = controlsBehind(modal);
    if (count > 0) this.walk.push(0, 'behind\t\t' + count, null);
  }
}

/**
 * The class that three or more children of an element share, each of which holds elements: these are cards, posts, results. Else null.
 * @param {Element} el
 * @returns {string|null}
 */
export function cardClass(el) {
  if (elementCountGet.call(el) < FEWEST_CARDS) return null;
  const first = /** @type {Element} */ (firstElementGet.call(el));
  const shared = classOf(first);
  if (shared === null || elementCountGet.call(first) === 0) return null;
  let count = 0;
  for (let child = /** @type {Element|null} */ (first); child !== null && count < FEWEST_CARDS; child = nextElementGet.call(child))
    if (classOf(child) === shared && elementCountGet.call(child) > 0) count++;
  return count < FEWEST_CARDS ? null : shared;
}

/** @param {Element} el */
export function classOf(el) {
  const name = getAttributeOf.call(el, 'class');
  return name === null || name.trim() === '' ? null : localNameGet.call(el) + '.' + name;
}
