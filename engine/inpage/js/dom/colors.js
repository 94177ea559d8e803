// Colors as numbers, in whatever form CSS has them.

/** @type {Map<string, number[]|null>} */
const parsedColors = new Map();

/**
 * Red, green, blue to 255 and alpha to 1, or null if it is not a color.
 * @param {string} text
 */
export function parseColor(text) {
  let color = parsedColors.get(text);
  if (color === undefined) {
    const [red, green, blue, alpha] = /^rgba?\(/.test(text) ? (text.match(/[\d.]+/g) ?? []).map(Number) : drawn(text);
    color = red === undefined ? null : [red, green, blue, alpha ?? 1];
    if (parsedColors.size > 1000) parsedColors.clear();
    parsedColors.set(text, color);
  }
  return color;
}

/** @type {OffscreenCanvasRenderingContext2D|null|undefined} */
let pad;

/**
 * What a color of another form, such as oklch(), is drawn as.
 * @param {string} text
 * @returns {number[]}
 */
function drawn(text) {
  if (!/^(?:color|okl|lab|lch)/.test(text)) return [];
  pad ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (pad === null) return [];
  pad.clearRect(0, 0, 1, 1);
  pad.fillStyle = text;
  pad.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pad.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/**
 * The colors of gradients, or null where a picture is among them.
 * @param {string} image a background or a mask, as computed
 * @returns {number[][]|null}
 */
export function gradientColors(image) {
  if (image === 'none' || /url\(|image|element\(|paint\(/.test(image)) return null;
  const colors = [];
  for (const color of image.match(/(?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)/g) ?? []) colors.push(parseColor(color) ?? UNKNOWN);
  return colors.length > 0 && !colors.includes(UNKNOWN) ? colors : null;
}

/** @type {number[]} */
const UNKNOWN = [];

/**
 * The color of something on an opaque color.
 * @param {number[]} color
 * @param {number[]} ground
 */
export function painted(color, ground) {
  return [0, 1, 2].map((i) => ground[i] + (color[i] - ground[i]) * color[3]).concat(1);
}

/** Less of a color is not seen: so much black on white has a contrast of 1.14. */
export const FAINTEST = 0.06;

// The contrast of text to its background (WCAG 2.2, "contrast ratio") below which it is not seen, unless it differs in hue.
const LEAST_CONTRAST = 1.15;
const SAME_HUE = 24;

/**
 * Whether a person cannot tell a color from the opaque one that it is painted on.
 * @param {number[]} color
 * @param {number[]} ground
 */
export function blendsIn(color, ground) {
  const shown = painted(color, ground).slice(0, 3);
  if (shown.some((part, i) => Math.abs(part - ground[i]) > SAME_HUE)) return false;
  const [a, b] = [luminance(shown), luminance(ground)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < LEAST_CONTRAST;
}

/**
 * The relative luminance (WCAG 2.2).
 * @param {number[]} color
 */
function luminance([red, green, blue]) {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** @param {number} part of a color, to 255 */
function linear(part) {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
