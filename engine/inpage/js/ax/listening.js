// Elements on which scripts listen for clicks. A script cannot ask for the listeners of an element; the engine asks the browser for those of
// the whole document and hands over the elements that have some (engine/world/listeners.go).

import {
  assignedNodesOf,
  ELEMENT,
  firstElementGet,
  firstElementOfTreeGet,
  getRootNodeOf,
  nextElementGet,
  nodeTypeGet,
  ownerDocumentGet,
} from '../dom/builtins.js';
import { hintsOf } from './clickable.js';
import { isElement, isShadowRoot } from '../dom/dom.js';
import { factsOf, shadowIn } from '../dom/facts.js';
import { REF_ROLES } from './included.js';
import { SKIPPED, UNDRAWN } from '../dom/kinds.js';
import { tellNews } from '../dom/news.js';
import { ops } from '../dom/ops.js';
import { registerRoot } from './pierce.js';
import { semanticRole } from './role.js';
import { ABSENT, hidesByARIA, isShutOff, rendering, SHOWN } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

/** @type {WeakSet<Element>} */
const listening = new WeakSet();
/** @type {Map<number, WeakRef<Element>>} them by the number that the browser has for them */
const listeners = new Map();
export let anyListening = false;

/**
 * Whether a script listens for clicks on the element itself.
 * @param {Element} el
 */
export function isListening(el) {
  return anyListening && listening.has(el);
}

/**
 * Takes what has changed since the last call. Elements in closed shadow trees give away the roots of these.
 * @param {{gone: number[], ids: number[], els: Element[]}} change gone = the numbers of elements that listen no more, ids = those of els
 * @returns {number} how many elements and roots are new to the walk
 */
ops.listen = ({ gone, ids, els }) => {
  for (const id of gone) {
    const el = listeners.get(id)?.deref();
    if (el) listening.delete(el);
    listeners.delete(id);
  }
  let found = 0;
  els.forEach((el, i) => {
    if (!el || nodeTypeGet.call(el) !== ELEMENT || ownerDocumentGet.call(el) !== document) return;
    const root = getRootNodeOf.call(el);
    if (isShadowRoot(root) && registerRoot(root)) found++;
    listening.add(el);
    listeners.set(ids[i], new WeakRef(el));
    found++;
  });
  anyListening = listeners.size > 0;
  if (found + gone.length > 0) tellNews();
  return found + gone.length;
};

/**
 * Whether something in the element can be acted on itself. Then the element mostly listens for what happens to that, or to see whether a
 * click is outside of something.
 * @param {Facts} facts
 * @returns {boolean}
 */
export function holdsActors(facts) {
  return (facts.actors ??= findsActor(facts));
}

/** @param {Facts} facts */
function findsActor(facts) {
  const open = [{ facts, inner: elementsIn(facts), at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    let child = /** @type {Facts|null} */ (null);
    if (top.at < top.inner.length) {
      child = factsOf(top.inner[top.at++]);
      if (isPassedOver(child)) continue;
      // Of what listens, it has to be known first what is in it.
      if (child.actors === undefined && (isListening(child.el) || !isActor(child))) {
        open.push({ facts: child, inner: elementsIn(child), at: 0 });
        continue;
      }
    } else {
      child = top.facts;
      child.actors = false;
      open.pop();
      if (open.length === 0) return false;
    }
    if (child.actors !== true && !isActor(child)) continue;
    for (const around of open) around.facts.actors = true;
    return true;
  }
  return false;
}

/**
 * The elements in an element, as it shows them.
 * @param {Facts} facts
 */
function elementsIn(facts) {
  const shadow = shadowIn(facts);
  /** @type {Element[]} */
  const elements = shadow === null && facts.tag === 'slot' ? assignedNodesOf.call(facts.el).filter(isElement) : [];
  let child = shadow === null ? firstElementGet.call(facts.el) : firstElementOfTreeGet.call(shadow);
  for (; child !== null; child = nextElementGet.call(child)) elements.push(child);
  return elements;
}

/**
 * Whether nothing in the element can be acted on, nor it itself.
 * @param {Facts} facts
 */
function isPassedOver(facts) {
  if (facts.html ? SKIPPED.has(facts.tag) : UNDRAWN.has(facts.tag)) return true;
  return isShutOff(facts) || (!facts.plain && hidesByARIA(facts.el)) || rendering(facts) === ABSENT;
}

/**
 * Whether the element itself can be acted on.
 * @param {Facts} facts
 */
function isActor(facts) {
  return rendering(facts) === SHOWN && (hintsOf(facts) !== 0 || REF_ROLES.has(semanticRole(facts)));
}
