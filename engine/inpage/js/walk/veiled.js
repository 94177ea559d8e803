// Op text: the text of an element as it is, and how much of it cannot be seen on the page.

import { readText, readWithoutSources } from '../act/read.js';
import { textDataGet } from '../ax/content.js';
import { lastChildGet, nodeTypeGet, previousSiblingGet, TEXT } from '../dom/builtins.js';
import { isElement } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { ops } from '../dom/ops.js';
import { TEXTLESS } from '../dom/text.js';
import { rendering, SHOWN } from '../dom/visibility.js';
import { located, withTarget } from '../find/locate.js';
import { beginLooking, isCutAway, textVeilOf } from './unseen.js';
import { PART, SEEN } from './veils.js';

ops.text = (arg) =>
  withTarget(arg, (found) => {
    const value = arg.veils === true ? readWithoutSources(found.el) : readText(found.el);
    return { ...located(found), value, unseen: arg.veils === true && /\S/.test(value) ? countVeiled(found.el) : 0 };
  });

const LABEL = /^\s*(?:\S[\s\S]{0,59})?\s*$/u;

// So many elements are looked at.
const MOST = 3000;

/**
 * The number of elements that have text of their own which cannot be seen. A few words that are clipped are a label for those who hear the page, as
 * many pages have them: they count only where they are asked for. 1 for an element that is not shown, whose text is that of its markup.
 * @param {Element} root
 */
function countVeiled(root) {
  return remembering(() => {
    beginLooking();
    let count = 0;
    let seen = 0;
    let left = MOST;
    const open = [root];
    for (let el = open.pop(); el !== undefined && left-- > 0; el = open.pop()) {
      const facts = factsOf(el);
      if (TEXTLESS.has(facts.tag)) continue;
      let own = false;
      let label = true;
      for (let node = lastChildGet.call(el); node; node = previousSiblingGet.call(node)) {
        if (isElement(node)) open.push(/** @type {Element} */ (node));
        else if (nodeTypeGet.call(node) === TEXT) {
          own ||= /\S/.test(textDataGet.call(node));
          label &&= LABEL.test(textDataGet.call(node));
        }
      }
      if (!own || rendering(facts) !== SHOWN) continue;
      const veil = textVeilOf(facts);
      if (veil === SEEN || veil === PART || (label && el !== root && isCutAway(facts))) seen++;
      else count++;
    }
    return seen + count === 0 && rendering(factsOf(root)) !== SHOWN ? 1 : count;
  });
}
