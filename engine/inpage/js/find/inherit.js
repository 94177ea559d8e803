// Refs of a document in the one that was loaded in its place: the equal element, if the page still says what it said, and if there was and is only one.

import { elementRoot } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { nameOf } from '../ax/name.js';
import { searchHidden } from '../ax/pierce.js';
import { withRole } from './find.js';
import { IN_ITEM, IN_SERIES, TWIN } from './leaving.js';
import { countedHash, eachText, groupHash, groupOf, ownHash, textHash } from './likeness.js';
import { itemName, placeAt } from './place.js';
import { insteadOfRef, routeNow, VALUE_ROLES } from './refs.js';
import { fail, failFinal } from '../dom/until.js';

/**
 * @import { Found, Ref } from './locate.js'
 * @import { LeftElement } from './leaving.js'
 * @import { Failure } from '../dom/until.js'
 *
 * @typedef {{url: string, element: LeftElement, texts: number[][], counted: number[]}} Inherited  of one element, see Left
 */

/**
 * @param {Ref} ref
 * @param {Inherited} left
 * @returns {Found | Failure}
 */
export function inherit(ref, left) {
  if (left.url !== routeNow()) return failFinal('ref-stale', { why: 'route', candidates: [] });
  const { why, el } = remembering(() => heirOf(ref, left));
  if (el !== undefined) return { el, count: 1, healed: true, item: remembering(() => itemName(placeAt(factsOf(el)))) };
  searchHidden(true);
  return fail('ref-stale', () => ({ why, ...insteadOfRef(ref) }));
}

/**
 * @param {Ref} ref
 * @param {Inherited} left
 * @returns {{why?: string, el?: Element}}
 */
function heirOf(ref, left) {
  const [, place, own, group, , bits] = left.element;
  if (bits & TWIN) return { why: 'twins' };
  const equals = withRole(ref.role, (el) => nameOf(el).toWellFormed() === ref.name);
  const alike = equals.filter((el) => placeAt(factsOf(el)).hash === place && ownHash(el) === own);
  const grouped = (bits & (IN_ITEM | IN_SERIES)) !== 0;
  const fits = grouped ? alike.filter((el) => isInGroup(el, group, (bits & IN_ITEM) !== 0)) : alike;
  if (fits.length === 0) return { why: equals.length > 0 ? 'elsewhere' : 'gone' };
  if (fits.length > 1) return { why: 'several' };
  return saysTheSame(ref, left) ? { el: fits[0] } : { why: 'page' };
}

/**
 * @param {Element} el
 * @param {number} hash
 * @param {boolean} inItem
 */
function isInGroup(el, hash, inItem) {
  const { group, item } = groupOf(factsOf(el));
  return group !== null && item === inItem && groupHash(group.el) === hash;
}

/**
 * Whether the page says all that it said. What it says besides may be a message about what was sent. Of a row, the others of its list may have gone;
 * what has a value does nothing with what the page counts.
 * @param {Ref} ref
 * @param {Inherited} left
 */
function saysTheSame(ref, left) {
  const [, , , , list, bits] = left.element;
  const exact = new Set();
  const counted = new Set();
  const root = elementRoot();
  const visit = (/** @type {string} */ text) => {
    exact.add(textHash(text));
    counted.add(countedHash(text));
  };
  if (root === null || !eachText(root, visit)) return false;
  if (!(bits & IN_ITEM) && VALUE_ROLES.has(ref.role)) return left.counted.every((hash) => counted.has(hash));
  return left.texts.every((texts, i) => ((bits & IN_ITEM) !== 0 && i === list) || texts.every((hash) => exact.has(hash)));
}
