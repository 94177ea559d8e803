// Small pictures of what the page showed behind each command. They are made of the frames that come for the live view anyway, so that they cost the
// session nothing, and there are none of what ran while no page of the dashboard showed the session.

/** @import { Command } from '../types' */
import { penOf } from './live.js';

const width = 240;
const keptFrames = 16;
const keptPictures = 300;
/** How long a frame may take from when it was painted until it is here. */
const paintTime = 250;
/** How long the picture of the newest command follows the page, and how often at most it is taken again. */
const followTime = 5000,
  followPause = 500;

export class Thumbs {
  /** @type {{ at: number, small: HTMLCanvasElement }[]} */
  #frames = [];
  /** @type {Map<string, { url: string, at: number, taken: number, final: boolean }>} */
  #pictures = new Map();
  #name = '';
  #waiting = 0;

  /**
   * frame keeps a frame of a session for a while.
   * @param {string} name
   * @param {HTMLCanvasElement} canvas
   * @param {number} at
   */
  frame(name, canvas, at) {
    if (name !== this.#name) {
      this.#name = name;
      this.#frames = [];
    }
    const oldest = this.#frames.length < keptFrames ? undefined : this.#frames.shift();
    const small = oldest?.small ?? document.createElement('canvas');
    small.width = width;
    small.height = Math.max(1, Math.round((canvas.height / canvas.width) * width));
    penOf(small).drawImage(canvas, 0, 0, small.width, small.height);
    this.#frames.push({ at, small });
  }

  /**
   * of returns the picture of a command, or undefined.
   * @param {string} name
   * @param {number} id
   */
  of(name, id) {
    return this.#pictures.get(`${name} ${id}`)?.url;
  }

  /**
   * settle gives pictures to the commands of a session that have ended, and calls changed when there are more.
   * @param {string} name
   * @param {Command[]} commands
   * @param {() => void} changed
   */
  settle(name, commands, changed) {
    clearTimeout(this.#waiting);
    if (name !== this.#name) return;
    const now = Date.now();
    let added = false,
      later = Infinity;
    for (const [i, c] of commands.entries()) {
      const key = `${name} ${c.id}`,
        old = this.#pictures.get(key);
      if (old?.final || c.state === 'running') continue;
      const end = c.begun + c.ms,
        next = commands[i + 1]?.begun ?? Infinity;
      const wait = Math.max(end + paintTime, (old?.taken ?? 0) + followPause) - now;
      if (wait > 0) {
        later = Math.min(later, wait);
        continue;
      }
      const frame = this.#frames.findLast((f) => f.at <= next);
      if (!frame) continue;
      const final = now > Math.min(next + paintTime, end + followTime);
      if (!final) later = Math.min(later, followPause);
      if (old?.at === frame.at) old.final = final;
      else {
        this.#pictures.set(key, { url: frame.small.toDataURL('image/jpeg', 0.7), at: frame.at, taken: now, final });
        added = true;
      }
    }
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= keptPictures) break;
      this.#pictures.delete(oldest);
    }
    if (later < Infinity) this.#waiting = setTimeout(() => this.settle(name, commands, changed), later);
    if (added) changed();
  }

  /**
   * latest returns the newest frame of a session, or undefined.
   * @param {string} name
   */
  latest(name) {
    return name === this.#name ? this.#frames.at(-1)?.small.toDataURL('image/jpeg', 0.7) : undefined;
  }
}
