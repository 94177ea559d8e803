// Ops catchClip and caught: one copy, cut or paste event that is about to come, seen or served by us. The events of the browser's own editing
// commands work in every page, also where navigator.clipboard is missing (insecure ones) or would ask a person for permission.

import { getterOf } from '../dom/builtins.js';
import { bodyOf, isElement } from '../dom/dom.js';
import { INSERTION_WITHIN } from './edit.js';
import { clipboardDataGet, defaultPreventedGet, selectedIn } from './editor.js';
import { pathOf } from './landed.js';
import { ops } from '../dom/ops.js';
import { moveTaken } from './typed.js';

const setDataOf = DataTransfer.prototype.setData;
const getDataOf = DataTransfer.prototype.getData;
const filesGet = getterOf(DataTransfer.prototype, 'files');

/** @type {Catch | null} */
let catching = null;

/**
 * What is done with the event: `give` puts text on the clipboard and `take` reads it, both without the page; `see` only looks on while the
 * page has it.
 */
class Catch {
  /**
   * @param {string} type @param {string} text
   * @param {string} how
   */
  constructor(type, how, text) {
    this.type = type;
    this.how = how;
    this.text = text;
    this.seen = null;
    this.whenSeen = () => {};
    this.note = (/** @type {Event} */ event) => this.on(event);
    this.mute = (/** @type {Event} */ event) => {
      if (event.isTrusted && /** @type {KeyboardEvent} */ (event).key === '') event.stopImmediatePropagation();
    };
    this.enable = (/** @type {Event} */ event) => event.preventDefault();
    this.alone = how !== 'see';
    // What the page makes of it is known after the page's own handlers.
    addEventListener(type, this.note, { capture: this.alone });
    if (this.alone) for (const name of ['keydown', 'keyup']) addEventListener(name, this.mute, { capture: true });
    if (this.alone) addEventListener('before' + type, this.enable, { capture: true });
    this.timer = setTimeout(() => this.end(), INSERTION_WITHIN);
  }

  /** @param {Event} event */
  on(event) {
    if (!event.isTrusted) return;
    const data = clipboardDataGet.call(event);
    const handled = defaultPreventedGet.call(event);
    if (this.alone) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (this.how === 'give') setDataOf.call(data, 'text/plain', this.text);
    const target = pathOf(event)[0];
    const own = !this.alone && this.type !== 'paste' && !handled; // the browser is going to copy what is selected
    const text = own ? selectedIn(isElement(target) ? target : bodyOf()) : getDataOf.call(data, 'text/plain');
    this.seen = { text, handled, files: filesGet.call(data).length };
    this.end();
    this.whenSeen();
  }

  end() {
    clearTimeout(this.timer);
    removeEventListener(this.type, this.note, { capture: this.alone });
    for (const name of ['keydown', 'keyup']) removeEventListener(name, this.mute, { capture: true });
    removeEventListener('before' + this.type, this.enable, { capture: true });
  }
}

ops.catchClip = ({ type, how, text = '' }) => {
  catching?.end();
  catching = new Catch(type, how, text);
  const taken = type === 'paste' && how === 'see' ? moveTaken() : null;
  return taken ? taken.then(() => ({})) : {};
};

/** What the event was like; `seen: false` when none came within `wait` ms. */
ops.caught = ({ wait = 0 }) => {
  const one = catching;
  if (!one) return { seen: false };
  if (one.seen) return { seen: true, ...one.seen };
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(late);
      one.end();
      resolve({ seen: one.seen !== null, ...one.seen });
    };
    const late = setTimeout(done, wait);
    one.whenSeen = done;
  });
};
