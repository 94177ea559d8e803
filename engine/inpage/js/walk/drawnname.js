// What a control in a drawing may be for, which has no name of its own: "output port 1 of 2 of Motion". What it is comes from its class, whose it is from
// the text beside it, and of a line from what lies at its ends.

import { tidy } from '../ax/name.js';
import { getAttributeOf, getterOf, localNameGet, parentElementGet, queryAllOf, textContentGet } from '../dom/builtins.js';
import { remembered, factsOf } from '../dom/facts.js';
import { rectOf } from '../dom/geometry.js';
import { isElement } from '../dom/dom.js';
import { rendering, SHOWN } from '../dom/visibility.js';
import { veilOf } from './unseen.js';
import { SEEN } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @typedef {{box: DOMRect, name: string}} Labelled
 */

const { getTotalLength, getPointAtLength } = SVGGeometryElement.prototype;
const { getScreenCTM } = SVGGraphicsElement.prototype;
const ownerGet = getterOf(SVGElement.prototype, 'ownerSVGElement');

// What a class says of a part of a drawing. The last one counts: "node-port" is a port.
const LINES = ['link', 'edge', 'wire', 'connection', 'connector'];
const KIND = new RegExp(
  `(?<![a-z])(${LINES.join('|')}|port|handle|anchor|socket|pin|node|button|bar|column|slice|arc|sector|segment|point|marker|dot|region|country|state)s?(?![a-z])`,
  'gi',
);
const SIDE = /(?<![a-z])(input|output|source|target|in|out|left|right|top|bottom)(?![a-z])/i;

// So many texts has what one thing is made of, so far around a part of it, and so many of them does a drawing have that are looked at.
const MOST_TEXTS = 3;
const MOST_LEVELS = 4;
const MOST_LABELS = 200;
const MOST_PEERS = 500;
const LONGEST = 40;

// How far beside a thing a line may end, in pixels.
const BESIDE = 12;

/**
 * Some words, or ''.
 * @param {Facts} facts
 */
export function drawnName({ el, html }) {
  if (html || !(el instanceof SVGElement)) return '';
  const drawing = ownerGet.call(el);
  if (drawing === null) return '';
  const own = textIn(el);
  if (own !== '') return own;
  const { kind, side } = kindOf(el);
  if (LINES.includes(kind)) return `${kind}${endsOf(el, drawing)}`;
  const group = groupAround(el);
  const whose = group === null ? '' : textIn(group);
  if (kind === '') return whose || calledOf(el);
  if (kind === 'node' && whose !== '') return `node ${whose}`;
  const what = `${side}${kind}${placeAmongPeers(el, group ?? drawing)}`;
  return whose === '' ? what : `${what} of ${whose}`;
}

/** @param {Element} el */
function kindOf(el) {
  let kind = '';
  let side = '';
  for (const one of [el, parentElementGet.call(el)]) {
    const said = one === null ? '' : (getAttributeOf.call(one, 'class') ?? '').replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2');
    kind ||= [...said.matchAll(KIND)].at(-1)?.[1].toLowerCase() ?? '';
    side ||= SIDE.exec(said)?.[1].toLowerCase() ?? '';
  }
  if (side === 'in' || side === 'out') side += 'put';
  return { kind, side: side === '' ? '' : side + ' ' };
}

/**
 * What an element is called in the page, if that are words.
 * @param {Element} el
 */
function calledOf(el) {
  const id = getAttributeOf.call(el, 'id') ?? '';
  return /^\p{L}{2,}(?:[-_ ]\p{L}+)*$/u.test(id) && id.length <= LONGEST ? id.replace(/[-_]/g, ' ').toLowerCase() : '';
}

/**
 * The group that is one thing with its text, and which an element is a part of.
 * @param {Element} el
 */
function groupAround(el) {
  let around = parentElementGet.call(el);
  for (let i = 0; i < MOST_LEVELS && around !== null && localNameGet.call(around) === 'g'; i++, around = parentElementGet.call(around)) {
    const texts = textsIn(around).length;
    if (texts > MOST_TEXTS) return null;
    if (texts > 0) return around;
  }
  return null;
}

/** @param {Element} el */
function textsIn(el) {
  return [...queryAllOf.call(el, 'text')].slice(0, MOST_LABELS).filter((text) => rendering(factsOf(text)) === SHOWN);
}

/**
 * The first text that is seen in an element.
 * @param {Element} el
 */
function textIn(el) {
  for (const text of textsIn(el)) {
    const said = veilOf(factsOf(text)) === SEEN ? tidy(textContentGet.call(text) ?? '').replace(/[^\p{L}\p{N}\p{M}\p{P} ]+/gu, ' ') : '';
    if (/[\p{L}\p{N}]/u.test(said)) return said.length <= LONGEST ? said.trim() : said.slice(0, LONGEST) + '…';
  }
  return '';
}

/**
 * The number of an element among those of its kind in a group; '' for the only one.
 * @param {Element} el
 * @param {Element} within
 */
function placeAmongPeers(el, within) {
  const peers = [...queryAllOf.call(within, localNameGet.call(el))].slice(0, MOST_PEERS).filter((one) => signOf(one) === signOf(el));
  const at = peers.indexOf(el);
  return peers.length > 1 && at >= 0 ? ` ${at + 1} of ${peers.length}` : '';
}

/** @param {Element} el */
function signOf(el) {
  const parent = parentElementGet.call(el);
  return `${getAttributeOf.call(el, 'class')} in ${parent === null ? '' : getAttributeOf.call(parent, 'class')}`;
}

/**
 * What lies at the ends of a line.
 * @param {Element} el
 * @param {Element} drawing
 */
function endsOf(el, drawing) {
  const line = el instanceof SVGGeometryElement ? el : Array.from(queryAllOf.call(el, 'path, line, polyline'))[0];
  if (!(line instanceof SVGGeometryElement)) return '';
  const matrix = getScreenCTM.call(line);
  const length = getTotalLength.call(line);
  if (matrix === null || !(length > 0)) return '';
  const [from, to] = [0, length].map((at) => {
    const { x, y } = getPointAtLength.call(line, at);
    return labelAt(matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f, drawing);
  });
  return (from === '' ? '' : ` from ${from}`) + (to === '' ? '' : ` to ${to}`);
}

/**
 * The name of the smallest thing at a point, or right beside it.
 * @param {number} x @param {number} y
 * @param {Element} drawing
 */
function labelAt(x, y, drawing) {
  let found = '';
  let least = Infinity;
  for (const { box, name } of labelsOf(drawing)) {
    const { left, right, top, bottom, width, height } = box;
    if (x < left - BESIDE || x > right + BESIDE || y < top - BESIDE || y > bottom + BESIDE || width * height >= least) continue;
    least = width * height;
    found = name;
  }
  return found;
}

/** @type {WeakMap<Map<Element, Facts>, Map<Element, Labelled[]>>} */
const known = new WeakMap();

/**
 * The things in a drawing that have a text: the outermost groups around each with no more than that.
 * @param {Element} drawing
 * @returns {Labelled[]}
 */
function labelsOf(drawing) {
  const ofWalk = (remembered && known.get(remembered)) ?? new Map();
  if (remembered) known.set(remembered, ofWalk);
  let labels = ofWalk.get(drawing);
  if (labels) return labels;
  labels = [];
  const most = rectOf(drawing);
  for (const text of textsIn(drawing)) {
    let thing = null;
    let around = parentElementGet.call(text);
    for (
      let i = 0;
      i < MOST_LEVELS && isElement(around) && localNameGet.call(around) === 'g';
      i++, around = parentElementGet.call(around)
    ) {
      const { width, height } = rectOf(around);
      if (queryAllOf.call(around, 'text').length > MOST_TEXTS || width * height > (most.width * most.height) / 3) break;
      thing = around;
    }
    const name = thing === null ? '' : textIn(thing);
    if (thing !== null && name !== '') labels.push({ box: rectOf(thing), name });
  }
  ofWalk.set(drawing, labels);
  return labels;
}
