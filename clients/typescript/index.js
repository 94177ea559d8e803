import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Commands } from './commands.js';
import { SkuaError } from './lib/errors.js';
import { commandLine, flagsWords } from './lib/line.js';
import { readReply } from './lib/reply.js';
import { ServeTransport } from './lib/serve.js';
import { HostTransport } from './lib/socket.js';
import { usage } from './protocol.js';
import { callFlags, sessionFlags } from './specs.js';

export { SkuaError };
export { version } from './protocol.js';

/** How many notices are kept for a caller who has not asked for them. */
const mostNotices = 200;

/**
 * A value that JSON has no word for.
 * @param {string} text
 */
function special(text) {
  if (text === 'undefined') return undefined;
  return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}

const words = { ...sessionFlags, session: ['session', 'value'] };

export class Session extends Commands {
  #transport;
  #options;
  /** @type {string[]} */
  #notices = [];
  #onNotice;
  #keep;
  #cwd;

  /**
   * @param {string} name
   * @param {HostTransport | ServeTransport} transport
   * @param {Record<string, unknown>} options
   * @param {{ onNotice?: (text: string) => void, keep?: boolean, cwd: string }} manner
   */
  constructor(name, transport, options, manner) {
    super();
    this.name = name;
    this.#transport = transport;
    this.#options = { session: name, ...options };
    this.#onNotice = manner.onNotice;
    this.#keep = manner.keep ?? false;
    this.#cwd = manner.cwd;
    flagsWords(words, this.#options, 'a session');
  }

  /**
   * @param {import('./lib/line.js').Spec} spec
   * @param {unknown[]} given
   */
  async runCommand(spec, given) {
    const output = await this.#transport.run(commandLine(spec, given, callFlags, this.#options, words));
    let said = /** @type {string[]} */ ([]);
    try {
      const { data, notices } = readReply(output);
      said = notices;
      return data;
    } catch (error) {
      if (error instanceof SkuaError) said = error.notices;
      throw error;
    } finally {
      this.#notices = [...this.#notices, ...said].slice(-mostNotices);
      if (this.#onNotice) for (const text of said) this.#onNotice(text);
    }
  }

  /**
   * @param {import('./lib/line.js').Spec} spec
   * @param {import('./lib/line.js').Value} value
   * @param {unknown[]} given
   */
  async runForValue(spec, value, given) {
    if (value.file && this.#transport instanceof ServeTransport)
      throw new SkuaError(usage, `the file is on the service's machine; ${value.of} returns its path there`);
    const data = await this.runCommand(spec, given);
    if (value.file) return this.#content(data[value.member], given);
    return 'unserializable' in data ? special(data.unserializable) : data[value.member];
  }

  /**
   * The content of a file. One whose path the caller did not choose is removed.
   * @param {string | undefined} path
   * @param {unknown[]} given
   */
  async #content(path, given) {
    if (path === undefined) throw new SkuaError(usage, 'no file was written');
    const content = new Uint8Array(await readFile(path));
    if (!given.some((one) => typeof one === 'string' && resolve(this.#cwd, one) === path)) await rm(path, { force: true });
    return content;
  }

  notices() {
    const told = this.#notices;
    this.#notices = [];
    return told;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    if (!this.#keep) await /** @type {any} */ (this).close();
  }
}

/**
 * @param {string} [name]
 * @param {Record<string, any>} [options]
 */
export async function session(name = 'default', options = {}) {
  const { env = process.env, cwd = process.cwd(), skuad, socketDir, namespace, serve, onNotice, keep, ...flags } = options;
  if (serve && (skuad || socketDir || namespace))
    throw new SkuaError(usage, 'serve: a service has its own host; leave out skuad, socketDir and namespace');
  const transport = serve
    ? new ServeTransport({ url: serve.url, token: serve.token ?? env.SKUA_MCP_TOKEN ?? '', task: serve.task })
    : new HostTransport({ env, cwd, skuad, socketDir, namespace });
  const made = new Session(name, transport, flags, { onNotice, keep, cwd });
  await transport.ready();
  return made;
}
