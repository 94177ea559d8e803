// What the declarations of a style, a rule's or an element's own, may do to an element, as bits. What one with a variable does is known only when it is computed.

import { getterOf } from './builtins.js';

export const BEFORE = 1; // ::before with content
export const AFTER = 2;
export const POINTS = 4; // cursor
export const CASES = 8; // text-transform, -webkit-text-security
export const REPLACES = 16; // content of the element itself, which is an image
export const LOCKS = 32; // content-visibility
export const BARS = 64; // interactivity
export const VEILS = 128; // what may keep text from being seen: clip, clip-path, masks, text-indent, letter-spacing, almost no opacity, filters
export const SHAPES = 256; // what may take an element out of sight: sizes, places, transforms
export const COLORS = 512; // color, background
export const HIDES = 1024; // display, visibility, opacity, content-visibility, animations
export const CLIPS = 2048; // overflow that is hidden
export const GROUNDS = 4096; // background, which may cover what lies below
export const LIES = 8192; // position: absolute or fixed
export const LEAVES = 65536; // what takes an element out of its place in the flow, or over others: positions, transforms, negative margins, cells
export const SINKS = 32768; // z-index below 0
export const OF_ELEMENTS =
  HIDES | CLIPS | POINTS | CASES | REPLACES | LOCKS | BARS | VEILS | SHAPES | COLORS | GROUNDS | LIES | LEAVES | SINKS; // and not of what is before or after
export const LIES_OVER = 16384; // ::before or ::after that is positioned
export const ALL_BITS = OF_ELEMENTS | BEFORE | AFTER | LIES_OVER;

const { getPropertyValue, item } = CSSStyleDeclaration.prototype;
const lengthGet = getterOf(CSSStyleDeclaration.prototype, 'length');

/**
 * @callback Effect
 * @param {string} value
 * @param {number} count  of the declarations of the style
 * @returns {number} bits
 */

/** @type {Map<string, Effect>} by the name of the property, which is never a shorthand */
const EFFECTS = new Map();

/** @param {string} names separated by spaces @param {Effect} effect */
function on(names, effect) {
  for (const name of names.split(' ')) EFFECTS.set(name, effect);
}

const UNKNOWN = /var\(/;
const TINY = /^-?0?(\.[0-2]\d*)?(px|em|rem|%|vh|vw|pt)?$|^[12](\.\d+)?px$|var|calc/; // 2px at most
const FAR = /^-\d{2}|var|calc|[0-9](v[wh]|%)$/;
const HEAPED = /^-(?!0?\.[0-2]\d*r?em$|[0-2](?:\.\d+)?p[xt]$)|var|calc/; // letter-spacing of -0.3em, or -3px, or less

on('content', (value) => {
  if (value === 'none' || value === 'normal' || value === '""') return 0;
  return BEFORE | AFTER | (/url\(|image\(|var\(/.test(value) ? REPLACES : 0);
});
on('cursor', (value) => (/pointer|var\(|url\(/.test(value) ? POINTS : 0));
on('text-transform -webkit-text-security', () => CASES);
on('interactivity', () => BARS);
on('color -webkit-text-fill-color', () => COLORS);
on('background-color background-image', () => COLORS | GROUNDS);
// Scripts also change rules in place, without an event: a rule that shows an element now may hide it the next time.
on('display', (value, count) => (value === 'none' || UNKNOWN.test(value) || count === 1 ? HIDES : 0));
on('visibility animation-name', () => HIDES);
on('all', () => ALL_BITS);
on('content-visibility', (value) => HIDES | (value === 'hidden' || UNKNOWN.test(value) ? LOCKS : 0));
on('opacity', (value) => HIDES | (/^0\.[0-2]|e-|var|calc/.test(value) ? VEILS : 0)); // see FAINTEST; two of 0.24 leave no more; an opacity of 0 hides
on('filter', (value) => (/opacity|var/.test(value) ? VEILS : 0));
on('clip', (value) => (value === 'auto' ? 0 : VEILS));
on('clip-path', (value) => (value === 'none' ? 0 : VEILS));
on('mask-image -webkit-mask-image', (value) => (/gradient|var/.test(value) ? VEILS : 0));
on('letter-spacing', (value) => (HEAPED.test(value) ? VEILS : 0));
on('text-indent', (value) => (/^-|^\d{3}|%$|v[wh]$|calc|var/.test(value) ? VEILS : 0));
on('overflow-x overflow-y overflow-inline overflow-block', (value) => (/hidden|clip|var/.test(value) ? CLIPS : 0));
on('position', (value) => {
  if (value === 'static') return 0;
  return LEAVES | (/fixed|absolute|var/.test(value) ? LIES : 0) | (/fixed|var/.test(value) ? SHAPES : 0);
});
on('grid-row-start grid-column-start', (value) => (value === 'auto' ? 0 : LEAVES));
on('z-index', (value) => LEAVES | (/^-|var|calc/.test(value) ? SINKS : 0));
on('backface-visibility', (value) => (value === 'visible' ? 0 : VEILS));
on('zoom', () => SHAPES);
on('transform scale rotate translate', (value) => (value === 'none' ? 0 : SHAPES | LEAVES));
on('width height max-width max-height inline-size block-size max-inline-size max-block-size font-size', (value) =>
  TINY.test(value) ? SHAPES : 0,
);
on('left top right bottom inset-inline-start inset-inline-end inset-block-start inset-block-end', (value) =>
  FAR.test(value) ? SHAPES : 0,
);
on(
  'margin-left margin-top margin-right margin-inline-start margin-inline-end margin-block-start',
  (value) => (FAR.test(value) ? SHAPES : 0) | (/^-|var|calc/.test(value) ? LEAVES : 0),
);
on('margin-bottom margin-block-end', (value) => (/^-|var|calc/.test(value) ? LEAVES : 0));

/**
 * What the declarations of a style may do. Only those that are there are looked at: to ask for each that matters takes several times as long.
 * @param {CSSStyleDeclaration} style
 */
export function effectsOf(style) {
  const count = lengthGet.call(style);
  let bits = 0;
  for (let i = 0; i < count; i++) {
    const name = item.call(style, i);
    const effect = EFFECTS.get(name);
    // A property that a shorthand sets by a variable has no value yet.
    if (effect !== undefined) bits |= effect(getPropertyValue.call(style, name) || 'var()', count);
  }
  return bits;
}
