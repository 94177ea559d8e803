// Whether a picture lets through what is below it.

import { localNameGet, getterOf } from '../dom/builtins.js';
import { OPAQUE } from './ground.js';

const naturalWidthGet = getterOf(HTMLImageElement.prototype, 'naturalWidth');
const currentSrcGet = getterOf(HTMLImageElement.prototype, 'currentSrc');
const videoWidthGet = getterOf(HTMLVideoElement.prototype, 'videoWidth');
const posterGet = getterOf(HTMLVideoElement.prototype, 'poster');

// A kind of picture that has no transparent parts.
const JPEG = /^data:image\/jpe?g|\.jpe?g(?:[?#]|$)/i;

const SAMPLES = 8; // points across that are looked at

/**
 * Whether it shows no part of what is below. A picture of another site cannot be looked at, except for its kind.
 * @param {Element} el an img, a video or a canvas
 */
export function isOpaquePicture(el) {
  const tag = localNameGet.call(el);
  if (tag === 'video') return videoWidthGet.call(el) > 0 || posterGet.call(el) !== '';
  if (tag === 'img') {
    if (!(naturalWidthGet.call(el) > 0)) return false;
    if (JPEG.test(currentSrcGet.call(el))) return true;
  }
  return isFilled(/** @type {CanvasImageSource} */ (/** @type {unknown} */ (el)));
}

/** @param {CanvasImageSource} source */
function isFilled(source) {
  try {
    const pad = new OffscreenCanvas(SAMPLES, SAMPLES).getContext('2d', { willReadFrequently: true });
    if (pad === null) return false;
    pad.drawImage(source, 0, 0, SAMPLES, SAMPLES);
    const { data } = pad.getImageData(0, 0, SAMPLES, SAMPLES);
    for (let i = 3; i < data.length; i += 4) if (data[i] < OPAQUE * 255) return false;
    return true;
  } catch {
    return false; // of another site
  }
}
