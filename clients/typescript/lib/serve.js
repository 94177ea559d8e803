import { SkuaError, canceledBy, unreachable } from './errors.js';
import { usage } from '../protocol.js';

/** Runs command lines at a `skua serve`, in the pages of a task. */
export class ServeTransport {
  /** @param {{ url: string, token: string, task: string }} options */
  constructor(options) {
    this.url = new URL(`tasks/${encodeURIComponent(options.task)}/run`, options.url.endsWith('/') ? options.url : `${options.url}/`);
    this.token = options.token;
  }

  async ready() {}

  /**
   * @param {import('./line.js').Line} line
   * @returns {Promise<import('./reply.js').Output>}
   */
  async run(line) {
    if (line.stdin !== undefined && typeof line.stdin !== 'string')
      line.stdin = new TextDecoder('utf-8', { fatal: true }).decode(line.stdin);
    let response;
    let text;
    try {
      response = await fetch(this.url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ args: line.words, stdin: line.stdin ?? '' }),
        signal: line.signal ?? null,
      });
      text = await response.text();
    } catch (cause) {
      if (line.signal?.aborted) throw canceledBy(line.signal);
      throw unreachable(
        `The service at ${this.url.origin} cannot be reached: ${/** @type {any} */ (cause).cause?.message ?? cause}.`,
        cause,
      );
    }
    if (response.status === 400) throw new SkuaError(usage, text.trim());
    if (!response.ok) throw unreachable(`The service at ${this.url.origin} refused (${response.status}): ${text.trim()}`);
    return JSON.parse(text);
  }
}
