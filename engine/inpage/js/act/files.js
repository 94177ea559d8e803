// Ops fileInput and filesKept: the field that takes a person's files, and the state of the files that were put into it. The files are put
// there by the browser (DOM.setFileInputFiles), since no script can.

import { isConnected } from '../dom/access.js';
import { getterOf } from '../dom/builtins.js';
import { attr, deepQueryAll, isHTMLElement, shadowOf } from '../dom/dom.js';
import { after, isNativeDisabled } from './edit.js';
import { watchEffects, withEffects } from './effects.js';
import { labelledControl } from '../dom/geometry.js';
import { pathOf } from './landed.js';
import { located, withTarget } from '../find/locate.js';
import { ops } from '../dom/ops.js';
import { inputTypeGet } from '../ax/role.js';
import { inputFilesGet } from '../ax/state.js';
import { elementOf, tokenOf } from '../dom/tokens.js';
import { fail, until } from '../dom/until.js';

/** @import { Target } from '../find/locate.js' */
/** @import { Probed } from '../dom/until.js' */
/** @import { KeptFilesSaid, Looked } from '../ops.js' */

const fileSizeGet = getterOf(Blob.prototype, 'size');
const fileNameGet = getterOf(File.prototype, 'name');
const filePathGet = getterOf(File.prototype, 'webkitRelativePath');
const inputMultipleGet = getterOf(HTMLInputElement.prototype, 'multiple');

/** @param {Element} el */
export function isFileInput(el) {
  return isHTMLElement(el, 'input') && inputTypeGet.call(el) === 'file';
}

/**
 * The field that the element stands for: itself, the control of its label, or the only one in it. Hidden ones count, since pages hide them
 * behind buttons of their own. Null: only a click can tell.
 * @param {Element} el
 */
function fileInputOf(el) {
  if (isFileInput(el)) return el;
  const labelled = labelledControl(el);
  if (labelled) return isFileInput(labelled) ? labelled : null;
  const inner = deepQueryAll(shadowOf(el) ?? el, 'input[type=file]');
  if (inner.length === 0 && shadowOf(el)) inner.push(...deepQueryAll(el, 'input[type=file]'));
  return inner.length === 1 ? inner[0] : null;
}

/** What the last op fileInput answers, or will. @type {Probed|Promise<Probed>|null} */
let found = null;

ops.fileInput = (arg) => {
  found = null; // it may throw
  const answer = lookForInput(arg);
  found = answer;
  return answer;
};

/** The field that the op found which this one is sent behind. */
ops.foundInput = () => after(found, (one) => (one !== null && !one.error && one.input ? elementOf(one.input.token) : null));

/** @param {{target: Target, watch?: boolean}} arg */
function lookForInput(arg) {
  return withTarget(arg, (found) => {
    const input = fileInputOf(found.el);
    if (input && isNativeDisabled(input)) return fail('target-disabled', () => located(found));
    if (arg.watch) watchEffects(input ?? found.el);
    if (!input) return { ...located(found), input: null };
    return { ...located(found), input: fileFacts(input) };
  });
}

/** The field that a click has the browser ask for files for. */
ops.chosenInput = ({ token }) => {
  const input = elementOf(token);
  return { input: input && isFileInput(input) ? fileFacts(input) : null };
};

/** @param {Element} input */
function fileFacts(input) {
  awaitFiles(input);
  return {
    token: tokenOf(input),
    multiple: inputMultipleGet.call(input),
    accept: attr(input, 'accept') ?? '',
    directory: attr(input, 'webkitdirectory') !== null,
  };
}

/** @type {{input: Element, before: FileList|null, seen: {name: string, size: number, path?: string}[] | null, end: () => void} | null} */
let awaitedFiles = null;

/**
 * Notes what the field holds when the page hears of it: pages may read the files and empty the field.
 * @param {Element} input
 */
function awaitFiles(input) {
  awaitedFiles?.end();
  const note = (/** @type {Event} */ event) => {
    if (!pathOf(event).includes(input)) return;
    const files = filesIn(input);
    if (files.length >= (awaited.seen?.length ?? 0)) awaited.seen = files; // of input and change, the one before the page emptied it
  };
  /** @type {{input: Element, before: FileList|null, seen: {name: string, size: number, path?: string}[]|null, end: () => void}} */
  const awaited = {
    input,
    before: inputFilesGet.call(input),
    seen: null,
    end: () => {
      clearTimeout(late);
      for (const name of ['input', 'change']) removeEventListener(name, note, { capture: true });
      if (awaitedFiles === awaited) awaitedFiles = null;
    },
  };
  const late = setTimeout(() => awaited.end(), 60_000);
  for (const name of ['input', 'change']) addEventListener(name, note, { capture: true, passive: true });
  awaitedFiles = awaited;
}

/**
 * @param {Element} input
 * @returns {{name: string, size: number, path?: string}[]}
 */
function filesIn(input) {
  return Array.from(inputFilesGet.call(input) ?? [], (file) => {
    const path = filePathGet.call(file);
    return { name: fileNameGet.call(file), size: fileSizeGet.call(file), ...(path === '' ? {} : { path }) };
  });
}

/** What the field holds now, and what it held when the page was told; null when it was not. */
ops.filesKept = (arg) => withEffects(arg, filesKept(arg));

/** @param {{token: number, count: number, wait?: number}} arg */
function filesKept({ token, count, wait = 0 }) {
  const input = elementOf(token);
  if (!input || !isFileInput(input)) return fail('ref-stale', { candidates: [] });
  const awaited = awaitedFiles?.input === input ? awaitedFiles : null;
  /** @type {KeptFilesSaid & {error?: undefined}} */
  let answer = {};
  const result = until(wait, () => {
    const now = filesIn(input);
    answer = { now, seen: awaited?.seen ?? null, connected: isConnected(input) };
    // The files of a folder are looked up first; until then the field holds what it held.
    const isNew = awaited === null || inputFilesGet.call(input) !== awaited.before;
    return answer.seen || (isNew && now.length >= count) ? answer : fail('value-not-kept');
  });
  return after(result, () => {
    awaited?.end();
    return answer;
  });
}
