// The part of an item that is its own. A card has buttons, a node of a tree has other nodes, a label has a link: a press on one of these is for
// that, and not for what it is in.

import { controlOf } from '../dom/access.js';
import { firstChildGet, nextSiblingGet, nodeTypeGet, parentNodeGet, styleOf, TEXT, textContentGet } from '../dom/builtins.js';
import { attr, composedParent, innerRootOf, isElement, localName } from '../dom/dom.js';
import { centre, hasArea, isClippedOff, isInside, overlap, rectOf, viewport } from '../dom/geometry.js';
import { isListening } from '../ax/listening.js';
import { CLICKABLE_ROLES, FIELDS, takesClicks } from './parts.js';
import { roleOf } from '../ax/role.js';

/** @import { Box } from '../dom/geometry.js' */

/** @typedef {{x: number, y: number}} Point */

const NODES_LOOKED_AT = 200;
const TEXTS_TRIED = 8;
const CONTROLS_TRIED = 8;
const BESIDE = 2; // how far beside a control, or within the edge, the item is tried, in pixels

/** What an item is made of, looked at when something in it is hit. */
export class ItemParts {
  /** @param {Element} item */
  constructor(item) {
    this.item = item;
    /** @type {Contents|null} */
    this.known = null;
  }

  /**
   * What has a click of its own where `hit` is in the item, the nearest one; null where the click is the item's.
   * @param {Element|null} hit
   * @returns {Element|null}
   */
  controlAt(hit) {
    const { item } = this;
    for (let node = hit; node !== item; node = composedParent(node)) {
      if (node === null) return null;
      if (keepsItsClicks(node, item)) return isInside(node, item) && isItem(item) && this.face() !== node ? node : null;
    }
    return null;
  }

  contents() {
    return (this.known ??= contentsOf(this.item));
  }

  /** The one control that has all that the item shows of itself, as the link in a tab has: a press on that is one on the item. */
  face() {
    const { texts, controls } = this.contents();
    return texts.length === 0 && controls.length === 1 ? controls[0] : null;
  }

  /**
   * Where the item says what it is.
   * @returns {(() => Point)[]} each says where that is now
   */
  labels() {
    const face = this.face();
    if (face !== null) return [() => centre(rectOf(face))];
    return this.contents()
      .texts.slice(0, TEXTS_TRIED)
      .map((text) => () => centre(rectOfText(text)));
  }

  /**
   * Where it may show beside its controls, and at its edge.
   * @returns {Point[]}
   */
  margins() {
    const controls = this.contents().controls.slice(0, CONTROLS_TRIED);
    const box = overlap(rectOf(this.item), viewport());
    return [...controls.flatMap((control) => around(rectOf(control), BESIDE)), ...(box ? around(box, -BESIDE) : [])];
  }
}

/**
 * The middles of the sides of a box, moved outwards.
 * @param {Box} box
 * @param {number} by
 */
function around({ x, y, width, height }, by) {
  return [
    { x: x + width + by, y: y + height / 2 },
    { x: x - by, y: y + height / 2 },
    { x: x + width / 2, y: y + height + by },
    { x: x + width / 2, y: y - by },
  ];
}

/**
 * @param {Element} node
 * @param {Element} item
 */
function keepsItsClicks(node, item) {
  const tag = localName(node);
  if (tag === 'label') return controlOf(node) !== null && controlOf(node) !== item;
  if (localName(item) === 'label' && controlOf(item) === node) return false;
  return FIELDS.has(tag) || CLICKABLE_ROLES.has(roleOf(node)) || attr(node, 'onclick') !== null;
}

/**
 * Whether it reacts to clicks itself, and not only what is in it. The tree of a custom element is the element's own.
 * @param {Element} el
 */
function isItem(el) {
  if (innerRootOf(el) !== null || FIELDS.has(localName(el))) return false;
  return takesClicks(el) || (attr(el, 'tabindex') ?? '-1') !== '-1' || isListening(el) || styleOf(el).cursor === 'pointer';
}

/**
 * The item's texts outside of the controls and the items in it, and these controls.
 * @typedef {{texts: Text[], controls: Element[]}} Contents
 */

/**
 * @param {Element} item
 * @returns {Contents}
 */
function contentsOf(item) {
  /** @type {Contents} */
  const contents = { texts: [], controls: [] };
  const role = roleOf(item);
  let left = NODES_LOOKED_AT;
  /** @param {Element} parent */
  const gather = (parent) => {
    for (let node = firstChildGet.call(parent); node !== null && left-- > 0; node = nextSiblingGet.call(node)) {
      if (nodeTypeGet.call(node) === TEXT) {
        if (showsText(node)) contents.texts.push(node);
      } else if (isElement(node)) {
        const inner = roleOf(node);
        if (inner === 'group' || (inner === role && inner !== 'generic')) continue; // items of the same kind below this one
        if (!keepsItsClicks(node, item)) gather(node);
        else if (hasArea(rectOf(node))) contents.controls.push(node);
      }
    }
  };
  gather(item);
  return contents;
}

/** @param {Node} text */
function showsText(text) {
  return (
    /\S/.test(/** @type {string} */ (textContentGet.call(text))) && hasArea(rectOfText(text)) && !isClippedOff(parentNodeGet.call(text))
  );
}

/** @param {Node} text */
function rectOfText(text) {
  const range = new Range();
  range.selectNode(text);
  return [...range.getClientRects()].find(hasArea) ?? range.getBoundingClientRect();
}
