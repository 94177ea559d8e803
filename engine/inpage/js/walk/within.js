// What is in an element that a walk has entered.

import { ELEMENT, nodeTypeGet } from '../dom/builtins.js';
import { cased } from '../dom/casing.js';
import { ChildCursor } from '../dom/facts.js';
import { textDataGet } from '../ax/content.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Walk } from './walk.js'
 */

/** A frame of a walk: of what is in an element, the texts are added and the elements are visited. */
export class Within {
  /**
   * @param {Walk} walk
   * @param {Facts} facts
   * @param {number} depth
   * @param {boolean} text whether its texts are shown
   */
  constructor(walk, facts, depth, text) {
    this.walk = walk;
    this.facts = facts;
    this.depth = depth;
    this.text = text;
    this.children = new ChildCursor(facts);
  }

  step() {
    const { walk, children, facts, depth, text } = this;
    const { frames } = walk.descent;
    const { length } = frames;
    for (let node = children.next(); node !== null; node = children.next()) {
      if (nodeTypeGet.call(node) !== ELEMENT) {
        if (text) walk.addText(cased(textDataGet.call(node), facts), depth, facts);
        continue;
      }
      walk.visit(children.factsOf(node), depth);
      if (frames.length > length) return true;
    }
    return false;
  }
}
