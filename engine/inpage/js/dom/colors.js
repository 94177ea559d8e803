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

/** Less of a color is not seen. */
export const FAINTEST = 0.03;

/**
 * Whether a person cannot tell one from the other.
 * @param {number[]} a
 * @param {number[]} b
 */
export function isSameColor(a, b) {
  return Math.abs(a[0] - b[0]) <= 8 && Math.abs(a[1] - b[1]) <= 8 && Math.abs(a[2] - b[2]) <= 8;
}
