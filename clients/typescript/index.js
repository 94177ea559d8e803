import { Commands, callFlags, sessionFlags } from './commands.js';
import { SkuaError } from './lib/errors.js';
import { commandLine, flagsWords } from './lib/line.js';
import { readReply } from './lib/reply.js';
import { ServeTransport } from './lib/serve.js';
import { HostTransport } from './lib/socket.js';
import { usage } from './protocol.js';

export { SkuaError };
export { version } from './protocol.js';

const words = { ...sessionFlags, session: ['session', 'value'] };

export class Session extends Commands {
  #transport;
  #options;
  #warn;
  #keep;

  /**
   * @param {string} name
   * @param {HostTransport | ServeTransport} transport
   * @param {Record<string, unknown>} options
   * @param {{ onWarning?: (text: string) => void, keep?: boolean }} manner
   */
  constructor(name, transport, options, manner) {
    super();
    this.name = name;
    this.#transport = transport;
    this.#options = { session: name, ...options };
    this.#warn = manner.onWarning ?? ((text) => process.emitWarning(text, 'SkuaWarning'));
    this.#keep = manner.keep ?? false;
    flagsWords(words, this.#options, 'a session');
  }

  /**
   * @param {import('./lib/line.js').Spec} spec
   * @param {unknown[]} given
   */
  async runCommand(spec, given) {
    const output = await this.#transport.run(commandLine(spec, given, callFlags, this.#options, words));
    const { data, warnings } = readReply(output);
    for (const text of warnings) this.#warn(text);
    return data;
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
  const { env = process.env, cwd = process.cwd(), skuad, socketDir, namespace, serve, onWarning, keep, ...flags } = options;
  if (serve && (skuad || socketDir || namespace))
    throw new SkuaError(usage, 'serve: a service has its own host; leave out skuad, socketDir and namespace');
  const transport = serve
    ? new ServeTransport({ url: serve.url, token: serve.token ?? env.SKUA_MCP_TOKEN ?? '', task: serve.task })
    : new HostTransport({ env, cwd, skuad, socketDir, namespace });
  const made = new Session(name, transport, flags, { onWarning, keep });
  await transport.ready();
  return made;
}
