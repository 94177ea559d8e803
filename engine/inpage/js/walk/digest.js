// What a walk for what can be acted on writes besides, so that a reader of it leaves nothing out in silence: the texts, what groups them, which
// part of a list is there, and what a modal dialog keeps from being used.

import { controlsBehind, coveringDialog, coveringLayer, inertIn } from './behind.js';
import { tellBlocked } from './blocked.js';
import { elementCountGet, getAttributeOf, localNameGet, nextElementGet, textContentGet } from '../dom/builtins.js';
import { hintsOf } from '../ax/clickable.js';
import { saidBy } from '../dom/facts.js';
import { queryAll } from '../dom/dom.js';
import { isVisible, rectOf } from '../dom/geometry.js';
import { shownStart } from '../dom/text.js';
import { checkVisibilityOf, modalElement } from '../dom/visibility.js';
import { escaped } from '../ax/states.js';
import { inferredName } from './inferred.js';
import { nameOfFacts, tidy } from '../ax/name.js';
import { tellPainted } from './painted.js';
import { LISTS, partOf } from './partial.js';
import { popupOf } from './popups.js';
import { SPARE, TEXT_ROLE } from './lines.js';
import { isSeenRow } from './seenrow.js';
import { tokenOf } from '../dom/tokens.js';
import { Unheard } from './unheard.js';
import { isUnsaved } from '../act/unsaved.js';
import { Words } from './words.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Lines } from './lines.js'
 * @import { Walk } from './walk.js'
 */

// Roles of lines that stand for no role: one of several equal siblings, what a control has opened over the page, and what has aria-live.
export const CARD = 'item';
const POPUP = 'popup';
const LIVE = 'live region';
const ROW = 'row'; // of a table without that meaning
const DIALOG = 'dialog'; // of what covers the rest of the page, and does not say so
const PLAYERS = new Set(['audio', 'video']);

const FEWEST_CARDS = 3;
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading], [class*=title]';

// A smaller canvas is an icon, or not seen at all, and a longer text is not what it shows but its data.
const SMALL = 40;
const LONGEST = 120;

export class Digest {
  /** @param {Walk} walk */
  constructor(walk) {
    this.walk = walk;
    this.words = new Words(walk);
    this.unheard = new Unheard();
    this.inLists = 0; // how many lists the walk is in
    /** @type {Set<Element>} what controls have opened over the page, of those that the walk has seen */
    this.popups = new Set();
    this.dialog = modalElement() ?? coveringDialog();
    /** @type {Element|null} what is a modal dialog by its looks alone */
    this.layer = this.dialog === null ? coveringLayer() : null;
    /** @type {Map<Element, boolean>} of tables for layout: whether their rows are seen as rows */
    this.tables = new Map();
  }

  /**
   * The fields that a line has besides: what an element without a name may be for, which labeled control a click on it is one on, and which popup
   * a control has opened.
   * @param {Facts} facts
   * @param {string} states the fields of its states
   * @param {boolean} isNameless
   */
  fieldsOf(facts, states, isNameless) {
    let fields = '';
    const inferred = isNameless ? inferredName(facts) : '';
    if (inferred !== '') fields += '\tinferred=' + inferred;
    const { control } = this.words;
    if (control !== null && control !== facts.el && hintsOf(facts) !== 0) fields += '\tclicks=' + tokenOf(control);
    const popup = states.includes('\texpanded=true') ? popupOf(facts.el) : null;
    if (popup === null) return fields;
    this.popups.add(popup);
    return fields + '\topens=' + tokenOf(popup);
  }

  /**
   * The role of the line around what is in an element without a role that matters, or null: a popup, a player, or what announces its changes.
   * @param {Facts} facts
   */
  groupOf(facts) {
    if (this.popups.has(facts.el)) return POPUP;
    if (this.layer === facts.el) return DIALOG;
    if (facts.tag === 'tr' && isSeenRow(facts, this.tables)) return ROW;
    if (facts.html && PLAYERS.has(facts.tag)) return facts.tag;
    const live = facts.plain ? null : saidBy(facts, 'aria-live');
    return live === 'polite' || live === 'assertive' ? LIVE : null;
  }

  /**
   * Enters an element with a line around what is in it, if that has lines.
   * @param {Facts} facts
   * @param {string} role
   * @param {number} depth
   * @returns {number} the depth of what is in it
   */
  surround(facts, role, depth) {
    const { walk } = this;
    walk.flush();
    const at = walk.lines.length;
    const { emitting } = walk; // else the walk may be of a part in the element
    if (emitting) walk.push(depth, role, groupFields(facts, role), null);
    walk.onLeave(() => {
      walk.flush();
      if (emitting && walk.lines.length === at + 1) walk.pop();
    });
    return depth + 1;
  }

  /**
   * Enters an element that has a line.
   * @param {Facts} facts
   * @param {string} role
   * @param {string} told what the texts in it would only repeat
   * @param {number} depth
   */
  enter(facts, role, told, depth) {
    if (LISTS.has(role)) {
      this.inLists++;
      this.walk.onLeave(() => {
        this.inLists--;
        this.part(facts.el, role, depth);
      });
    }
    this.words.enter(told);
    this.walk.enter(facts, role, depth);
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
    walk.push(depth, 'part', '\t' + tokenOf(el) + '\t' + part + SPARE, null);
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
    walk.push(depth, 'picture', '\t' + tokenOf(facts.el) + '\t' + text.slice(0, LONGEST) + SPARE, null);
  }

  /**
   * Adds to the lines what only paint and forms tell.
   * @param {Lines} lines
   */
  tell(lines) {
    tellPainted(lines);
    tellBlocked(lines);
    tellUnsaved(lines);
  }

  /**
   * The lines for what cannot be used, or not be heard, and so has none: how many controls a modal dialog keeps from being used, else how many
   * aria-hidden does. Where there is no line at all, those that are inert are counted. Those behind a dialog that only says to be modal are in the walk, too, so that its line names it.
   * @param {Element|null} modal the one that makes the rest of the document inert
   */
  lineless(modal) {
    const { walk } = this;
    if (walk.lines.length === 0) {
      const inert = inertIn(walk.scope ?? document, modal);
      if (inert > 0) walk.push(0, 'behind', '\t\t' + inert + (modal === null ? '\tvalue=inert' : ''), null);
      return;
    }
    const dialog = walk.scope === null ? (this.dialog ?? this.layer) : null;
    if (dialog === null) {
      this.unheard.tell(walk);
      return;
    }
    const count = controlsBehind(dialog);
    if (count > 0)
      walk.push(0, 'behind', '\t' + (modal === null ? tokenOf(dialog) : '') + '\t' + count + (modal === null ? SPARE : ''), null);
  }
}

/**
 * The fields of a line around what is in an element.
 * @param {Facts} facts
 * @param {string} role
 */
function groupFields(facts, role) {
  if (role === CARD) return '\t\t';
  if (role === ROW) return '\t\t\tinferred=row';
  const token = '\t' + tokenOf(facts.el) + '\t';
  if (role === DIALOG) return token + escaped(headingIn(facts.el)) + '\tinferred=dialog';
  return token + (PLAYERS.has(role) ? nameOfFacts(facts) : '') + SPARE;
}

/**
 * The first heading that can be seen in an element.
 * @param {Element} el
 */
function headingIn(el) {
  const heading = Array.from(queryAll(el, HEADINGS)).find(isVisible);
  return heading === undefined ? '' : shownStart(heading, LONGEST);
}

/**
 * The class that three or more children of an element share, each of which holds elements: these are cards, posts, results. Else null.
 * @param {Element} el
 * @param {Element} first of its children
 * @returns {string|null}
 */
export function cardClass(el, first) {
  if (nextElementGet.call(first) === null || elementCountGet.call(el) < FEWEST_CARDS) return null;
  const shared = classOf(first);
  if (shared === null || elementCountGet.call(first) === 0) return null;
  let count = 0; // of those that are shown: of the panels behind tabs, one is
  for (let child = /** @type {Element|null} */ (first); child !== null && count < FEWEST_CARDS; child = nextElementGet.call(child))
    if (classOf(child) === shared && elementCountGet.call(child) > 0 && checkVisibilityOf.call(child)) count++;
  return count < FEWEST_CARDS ? null : shared;
}

// What rows are told apart by and are of one kind all the same: every other one, the first and the last, the one that is chosen.
const APART = /(?:^|(?<=\s))(?:\S*[-_])?(?:odd|even|alt|alternate|first|last|active|selected|current)(?=\s|$)/gi;

/**
 * What equal siblings have in common: the name of the element and its class, without what tells them apart. Null for one without a class.
 * @param {Element} el
 */
export function classOf(el) {
  const name = getAttributeOf.call(el, 'class');
  return name === null || name.trim() === '' ? null : localNameGet.call(el) + '.' + name.replace(APART, '').trim();
}

const NO_ROLES = new Set([null, '', 'none', 'presentation', 'generic']);

/**
 * Whether an element is one of the equal siblings of a class, and has no line of its own by its role.
 * @param {Element} el
 * @param {string} shared
 */
export function isCard(el, shared) {
  return classOf(el) === shared && NO_ROLES.has(getAttributeOf.call(el, 'role'));
}

/**
 * Adds the field "unsaved" to the line of a field that was changed.
 * @param {Lines} walk
 */
function tellUnsaved({ lines, roles, at }) {
  for (let i = 0; i < lines.length; i++) {
    const facts = at[i];
    if (facts?.html && roles[i] !== TEXT_ROLE && isUnsaved(facts.el, facts.tag)) lines[i] += '\tunsaved=true';
  }
}
