import { ask, exit, ping, pong, refused, retry, run, stderr, stdout, wireVersion } from '../protocol.js';

/** @param {number | bigint} value */
function uvarint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/** @param {string | Uint8Array} value */
function bytes(value) {
  const data = Buffer.from(value);
  return Buffer.concat([uvarint(data.length), data]);
}

/** @param {string[]} list */
function strings(list) {
  return Buffer.concat([uvarint(list.length), ...list.map(bytes)]);
}

/**
 * The build of a host program: when its file was written, and its size. Zeros say nothing.
 * @typedef {{ mtime: bigint, size: bigint }} Stamp
 */

/**
 * @typedef {{ kind: number, stamp: Stamp, token?: string, cwd?: string, args?: string[], env?: string[], stdin?: string | Uint8Array }} Request
 */

/** @param {Request} request */
export function encodeRequest(request) {
  const body = Buffer.concat([
    uvarint(wireVersion),
    uvarint(request.kind),
    uvarint(request.stamp.mtime),
    uvarint(request.stamp.size),
    bytes(request.token ?? ''),
    bytes('skua'),
    bytes(request.cwd ?? ''),
    uvarint(0),
    strings(request.args ?? []),
    strings(request.env ?? []),
    Buffer.from([request.stdin === undefined ? 0 : 1]),
    bytes(request.stdin ?? ''),
  ]);
  return Buffer.concat([Buffer.from('skua'), uvarint(body.length), body]);
}

/** What a client answers to a question when no person is there. */
export const noAnswer = Buffer.from([0, 0]);

const kinds = new Set([stdout, stderr, exit, pong, retry, refused, ask]);

/** Frames collects the frames of a reply from the pieces in which they arrive. */
export class Frames {
  #pieces = /** @type {Buffer[]} */ ([]);
  #size = 0;

  /**
   * The frames that a piece completes.
   * @param {Buffer} piece
   * @returns {Generator<{ kind: number, payload: Buffer }>}
   */
  *take(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    for (;;) {
      const head = this.#head();
      if (!head || this.#size < head.from + head.length) return;
      const all = Buffer.concat(this.#pieces);
      const end = head.from + head.length;
      this.#pieces = end < all.length ? [all.subarray(end)] : [];
      this.#size = all.length - end;
      yield { kind: head.kind, payload: all.subarray(head.from, end) };
    }
  }

  /** The start of the next frame; undefined while that has not arrived. */
  #head() {
    if (this.#size < 2) return undefined;
    if (this.#pieces[0].length < 11 && this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    const first = this.#pieces[0];
    if (!kinds.has(first[0])) throw new RangeError(`a frame of kind ${first[0]}`);
    let length = 0;
    for (let i = 1; i < first.length; i++) {
      if (i > 7) throw new RangeError('a frame without end');
      length += (first[i] & 0x7f) * 2 ** (7 * (i - 1));
      if (first[i] < 0x80) return { kind: first[0], length, from: i + 1 };
    }
    return undefined;
  }
}

export { ask, exit, ping, pong, refused, retry, run, stderr, stdout };
