// Whether what op capabilities said may have changed. Nothing is observed before it is asked for the first time. What no observer sees is a rule
// of a style sheet that a script rewrites in place.

import { focusedPart, queryAll } from '../dom/dom.js';
import { follow } from '../dom/news.js';
import { documentAdoptedGet, documentSheetsGet } from '../dom/sheets.js';
import { isReferred } from '../walk/screen.js';
import { tokenOf } from '../dom/tokens.js';

/** @import { Walk } from '../walk/walk.js' */

// What changes a page without a mutation. Where the pointer is, styles may show a menu.
const OFFER_EVENTS = [
  'scroll',
  'resize',
  'input',
  'change',
  'beforetoggle',
  'toggle',
  'focusin',
  'focusout',
  'mouseover',
  'transitionend',
  'transitioncancel',
  'animationstart',
  'animationend',
  'animationcancel',
  'hashchange',
  'popstate',
  'load',
  'error',
  'slotchange',
  'fullscreenchange',
  'readystatechange',
];

// So many of the elements that are shown are watched for whether they come above the fold or leave it.
const FOLD_WATCHED = 300;

/** @type {Offer|null} */
let theOffer = null;

export function offer() {
  if (theOffer === null) {
    theOffer = new Offer();
    follow(theOffer);
  }
  return theOffer;
}

class Offer {
  constructor() {
    this.changes = 1;
    this.state = '';
    this.unnamed = 0; // custom elements that were not defined when the page was walked
    this.unreadable = new WeakSet(); // style sheets of other origins
    /** @type {WeakSet<Node>} */
    this.roots = new WeakSet();
    this.mutations = new MutationObserver(() => this.changed());
    this.folds = null;
    const changed = () => this.changed();
    for (const name of OFFER_EVENTS) addEventListener(name, changed, { capture: true, passive: true });
    this.observe(document);
  }

  changed() {
    this.changes++;
  }

  /** Shadow trees are handed in as walks come upon them. @param {Node} root */
  observe(root) {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.mutations.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** A number that is another one when something may have changed since it was asked for last. */
  stamp() {
    if (this.mutations.takeRecords().length > 0) this.changed();
    const state = this.look();
    if (state !== this.state) {
      this.state = state;
      this.changed();
    }
    return this.changes;
  }

  /** What costs little to compare, and may change without a mutation, or before its event comes. */
  look() {
    let rules = '';
    for (const sheets of [documentSheetsGet.call(document), documentAdoptedGet.call(document)]) {
      for (const sheet of sheets) rules += (sheet.disabled ? '-' : '') + this.rulesOf(sheet) + ',';
      rules += ';';
    }
    const focused = focusedPart();
    const focus = focused === null ? 0 : tokenOf(focused);
    const unnamed = this.unnamed > 0 ? queryAll(document, ':not(:defined)').length : 0;
    return [location.href, innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), focus, unnamed, rules].join(' ');
  }

  /** @param {CSSStyleSheet} sheet */
  rulesOf(sheet) {
    if (this.unreadable.has(sheet)) return 0;
    try {
      return sheet.cssRules.length;
    } catch {
      this.unreadable.add(sheet);
      return 0;
    }
  }

  /** Watches what a walk showed. @param {Walk} walk */
  follow(walk) {
    this.unnamed = queryAll(document, ':not(:defined)').length;
    this.folds?.disconnect();
    const before = new Map();
    this.folds = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const was = before.get(target);
          before.set(target, isIntersecting);
          if (was !== undefined && was !== isIntersecting) this.changed();
        }
      },
      { rootMargin: '0px 0px 20% 0px' },
    );
    let left = FOLD_WATCHED;
    for (let i = 0; i < walk.at.length && left > 0; i++) {
      const facts = walk.at[i];
      if (facts === null || !isReferred(walk.lines[i])) continue;
      this.folds.observe(facts.el);
      left--;
    }
    this.state = this.look(); // tokens may have been handed out since
  }
}
