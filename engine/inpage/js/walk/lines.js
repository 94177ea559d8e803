// The lines of a walk, and the texts between elements, which become lines.

import { tidy } from '../ax/name.js';
import { textVeilOf } from './unseen.js';
import { SEEN, FALLBACK } from './veils.js';

/** The field of a line whose token stands for what is in the element, which has no ref of its own. */
export const SPARE = '\tspare=true';

// The role of the lines that are texts.
export const TEXT_ROLE = 'StaticText';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Generated } from '../dom/generated.js'
 */

export class Lines {
  constructor() {
    /** @type {number[]} */
    this.depths = [];
    /** @type {string[]} */
    this.roles = [];
    /** @type {string[]} what follows the role: a TAB, the token if there is one, a TAB, the name, and the fields */
    this.lines = [];
    /** @type {(Facts|null)[]} the element of each line, of a text the one around it */
    this.at = [];
    this.emitting = true;
    this.inCanvas = false;
    this.undrawn = false; // in what a canvas has for those who do not see it
    this.text = ''; // the run of text that is not written yet
    this.textDepth = 0;
    /** @type {Facts|null} */
    this.textIn = null;
    this.textVeil = SEEN;
  }

  /**
   * @param {number} depth
   * @param {string} role
   * @param {string} line without both
   * @param {Facts|null} facts
   */
  push(depth, role, line, facts) {
    this.depths.push(depth);
    this.roles.push(role);
    this.lines.push(line);
    this.at.push(facts);
  }

  /** Takes the last line back. */
  pop() {
    this.depths.pop();
    this.roles.pop();
    this.lines.pop();
    this.at.pop();
  }

  /**
   * Puts a line around all lines from index at on, if these are several nodes.
   * @param {number} at
   * @param {number} depth
   */
  wrap(at, depth) {
    const { depths, lines } = this;
    if (depths.indexOf(depth, at + 1) < 0) return;
    for (let i = at; i < depths.length; i++) depths[i]++;
    depths.splice(at, 0, depth);
    this.roles.splice(at, 0, 'generic');
    lines.splice(at, 0, '\t\t');
    this.at.splice(at, 0, null);
  }

  /**
   * @param {Facts} facts the element around the text
   * @param {string} text
   * @param {number} depth
   */
  addText(text, depth, facts) {
    if (text === '' || !this.emitting) return;
    const veil = this.veilOfText(text, facts);
    if (veil !== this.textVeil) {
      this.flush();
      this.textVeil = veil;
    }
    if (this.text === '') {
      this.textDepth = depth;
      this.textIn = facts;
    }
    this.text += text;
  }

  /**
   * Why a text is not seen. White space has no reason of its own, nor has what is in a control that draws it.
   * @param {string} text
   * @param {Facts} facts
   */
  veilOfText(text, facts) {
    if (!/\S/.test(text)) return this.textVeil;
    if (this.undrawn || facts.tag === 'canvas') return FALLBACK;
    return this.inCanvas ? this.textVeil : textVeilOf(facts);
  }

  /** @param {Generated | null} generated @param {number} depth @param {Facts} facts */
  addGenerated(generated, depth, facts) {
    if (generated === null) return;
    if (generated.apart) this.flush();
    if (generated.picture) this.picture(generated.text, depth);
    else this.addText(generated.text, depth, facts);
    if (generated.apart) this.flush();
  }

  /**
   * An image from CSS, which is not an element.
   * @param {string} text
   * @param {number} depth
   */
  picture(text, depth) {
    if (!this.emitting) return;
    this.push(depth, 'image', '\t\t' + tidy(text), null);
  }

  /** Writes the text so far. */
  flush() {
    if (this.text === '') return;
    const text = tidy(this.text);
    this.text = '';
    if (text === '') return;
    this.push(this.textDepth, TEXT_ROLE, '\t\t' + text + (this.textVeil === SEEN ? '' : '\tunseen=' + this.textVeil), this.textIn);
  }
}
