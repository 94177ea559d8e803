// Op capabilities: what can be done on the page. It is the walk for what can be acted on, with what that does not say: which fields are
// sent together, and which parts of the page are items of one list.

import { getterOf } from '../dom/builtins.js';
import { formsOf } from './capabilitiesforms.js';
import { listsOf } from './capabilitieslists.js';
import { offer } from './capabilitieswatch.js';
import { attr, bodyOf, composedParent, elementRoot, queryAll } from '../dom/dom.js';
import { remembering } from '../dom/facts.js';
import { beginInternals } from '../ax/internals.js';
import { tidy } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { suspectNobody } from '../ax/pierce.js';
import { forgetSheets } from '../dom/sheets.js';
import { Walk } from '../walk/walk.js';

/** @import { Facts } from '../dom/facts.js' */

/**
 * @typedef {Object} CapabilitiesArg
 * @property {number} [have]    the stamp of the answer that the caller has
 * @property {boolean} [fresh]  walk even if nothing seems to have changed
 */

// What is less than a fifth of a screen below it counts as above the fold.
export const FOLD = 1.2;

/**
 * The answer is "=" and the stamp when nothing has changed since the one with this stamp. Else it has a line with the stamp, one with JSON, and
 * the lines of the walk, where inview stands for above the fold.
 * @param {CapabilitiesArg} arg
 * @returns {string}
 */
ops.capabilities = (arg = {}) => {
  const stamp = offer().stamp();
  if (arg.fresh === true) forgetSheets();
  else if (arg.have === stamp) return '=' + stamp;
  return remembering(() => {
    suspectNobody();
    beginInternals();
    const walk = new Walk({ interactive: true, urls: true, viewFrom: 0, fold: FOLD });
    const lines = walk.run();
    const said = JSON.stringify(saidBesides(walk));
    offer().follow(walk);
    return stamp + '\n' + said + '\n' + lines;
  });
};

/** @param {Walk} walk */
function saidBesides(walk) {
  const shown = new Shown(walk);
  const lists = listsOf(shown);
  return {
    title: tidy(documentTitleGet.call(document)),
    width: innerWidth,
    height: innerHeight,
    login: loginHint(),
    forms: formsOf(shown),
    lists,
  };
}

const documentTitleGet = getterOf(Document.prototype, 'title');

/** What a walk shows: the elements that have lines, and how these are nested, with all between them left out that leads to none. */
export class Shown {
  /** @param {Walk} walk */
  constructor(walk) {
    /** @type {Map<Element, Facts>} the elements that have lines, in the order of these */
    this.els = new Map();
    /** @type {Map<Element, Element[]>} the children in the flat tree in which, or as which, something is shown */
    this.kids = new Map();
    /** @type {Element|null} */
    this.top = null;
    const reached = new Set();
    for (const facts of walk.at) {
      if (facts === null || this.els.has(facts.el)) continue;
      this.els.set(facts.el, facts);
      this.reach(facts.el, reached);
    }
  }

  /**
   * @param {Element} el
   * @param {Set<Element>} reached
   */
  reach(el, reached) {
    for (let node = el; !reached.has(node); ) {
      reached.add(node);
      const parent = composedParent(node);
      if (parent === null) {
        this.top ??= node;
        return;
      }
      const kids = this.kids.get(parent);
      if (kids === undefined) this.kids.set(parent, [node]);
      else kids.push(node);
      node = parent;
    }
  }

  /**
   * The elements with lines in an element, that one among them, in order.
   * @param {Element} el
   */
  in(el) {
    const found = [];
    const open = [el];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (this.els.has(node)) found.push(node);
      const kids = this.kids.get(node);
      if (kids !== undefined) for (let i = kids.length - 1; i >= 0; i--) open.push(kids[i]);
    }
    return found;
  }
}

/**
 * The words by which authors name an element for themselves.
 * @param {Element} el
 */
export function wordsOf(el) {
  const words = [];
  for (const name of ['id', 'name', 'class', 'itemtype', 'data-testid']) {
    const value = attr(el, name);
    if (value) words.push(value.slice(0, 80));
  }
  return tidy(words.join(' '));
}

// Without a login there is no logout control; a closed menu may contain it.
const LOGOUT =
  'a[href*="logout" i], a[href*="signout" i], a[href*="sign_out" i], a[href*="sign-out" i], a[href*="log_out" i], form[action*="logout" i], form[action*="signout" i], form[action*="sign_out" i]';

/** Signs of a login in the page's data, besides what it shows. */
function loginHint() {
  const user = queryAll(document, 'meta[name="user-login"], meta[name="current-user"]')[0];
  if (user !== undefined) return attr(user, 'content') ? 'in' : 'out';
  for (const el of [elementRoot(), bodyOf()]) {
    if (el === null) continue;
    const said = ((attr(el, 'class') ?? '') + ' ' + (attr(el, 'data-auth') ?? '')).toLowerCase();
    if (/(^|\s)(logged[-_]?out|not-logged-in|signed[-_]?out|anonymous)(\s|$)/.test(said)) return 'out';
    if (/(^|\s)(logged[-_]?in|signed[-_]?in|authenticated)(\s|$)/.test(said)) return 'in';
  }
  return queryAll(document, LOGOUT).length > 0 ? 'in' : '';
}
