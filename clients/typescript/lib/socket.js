import net from 'node:net';
import { maxRequest, usage } from '../protocol.js';
import { SkuaError, canceledBy, unreachable } from './errors.js';
import { addressOf, findPlace, findProgram, forwarded, stampOf, startHost } from './host.js';
import { Frames, ask, encodeRequest, exit, noAnswer, ping, pong, refused, retry, run, stderr, stdout } from './wire.js';

/** How often a call starts a host, and how often it sends its request, each time but the last of which ran nothing. */
const maxStarts = 3;
const maxRequests = 2 * maxStarts;

/** After how many milliseconds of silence the host is asked whether it is there, and how many it has to answer. */
const quietLimit = 10_000;
const pingLimit = 5_000;

/** What is left to do when there was no host, or it did not run the request. */
const again = Symbol('again');

/** Runs command lines at the host of this user, which it starts if there is none. */
export class HostTransport {
  /** @param {{ env: import('./host.js').Env, cwd: string, skuad?: string, socketDir?: string, namespace?: string }} options */
  constructor(options) {
    this.env = options.env;
    this.cwd = options.cwd;
    this.place = findPlace(options.env, options.cwd, options);
    this.skuad = options.skuad;
  }

  /** Makes sure that a host is running. */
  async ready() {
    await this.#exchange({ kind: ping });
  }

  /**
   * @param {import('./line.js').Line} line
   * @returns {Promise<import('./reply.js').Output>}
   */
  async run(line) {
    return this.#exchange(
      { kind: run, cwd: this.cwd, args: line.words, env: forwarded(this.env, line.words, line.model), stdin: line.stdin },
      line.signal,
    );
  }

  /**
   * @param {Omit<import('./wire.js').Request, 'stamp'>} request
   * @param {AbortSignal} [signal]
   */
  async #exchange(request, signal) {
    const program = findProgram(this.env, this.skuad);
    let stamp = stampOf(program);
    let starts = 0;
    for (let requests = 0; requests < maxRequests; ) {
      if (signal?.aborted) throw canceledBy(signal);
      const at = addressOf(this.place);
      const connection = at && (await connect(at.address, this.place, signal));
      if (!connection) {
        if (++starts > maxStarts) break;
        await startHost(this.place, program, this.env);
        continue;
      }
      requests++;
      const message = encodeRequest({ ...request, stamp, token: at.token });
      if (message.length > maxRequest) {
        connection.destroy();
        throw new SkuaError(usage, 'The request is larger than 64 MiB. Pass large input as a file.');
      }
      const result = await converse(connection, message, () => this.#alive(at), this.place, signal);
      if (result !== again) return result;
      stamp = { mtime: 0n, size: 0n }; // any next host will do
    }
    throw unreachable(`The host behind ${this.place.socket} closes every connection. End its process and try again.`);
  }

  /**
   * Whether the host answers at all.
   * @param {NonNullable<ReturnType<typeof addressOf>>} at
   */
  async #alive(at) {
    const signal = AbortSignal.timeout(pingLimit);
    try {
      const connection = await connect(at.address, this.place, signal);
      if (!connection) return false;
      await converse(
        connection,
        encodeRequest({ kind: ping, stamp: { mtime: 0n, size: 0n }, token: at.token }),
        async () => true,
        this.place,
        signal,
      );
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * A connection to the host; undefined if none listens.
 * @param {{ path: string } | { host: string, port: number }} address
 * @param {import('./host.js').Place} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<net.Socket | undefined>}
 */
function connect(address, place, signal) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    const stop = () => {
      socket.destroy();
      reject(canceledBy(/** @type {AbortSignal} */ (signal)));
    };
    signal?.addEventListener('abort', stop, { once: true });
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ cause) => {
      signal?.removeEventListener('abort', stop);
      if (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED' || cause.code === 'ENOTSOCK') resolve(undefined);
      else reject(unreachable(`The host behind ${place.socket} cannot be used: ${cause.message}.`, cause));
    });
    socket.once('connect', () => {
      signal?.removeEventListener('abort', stop);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/**
 * Sends a request and takes its reply.
 * @param {net.Socket} socket
 * @param {Buffer} message
 * @param {() => Promise<boolean>} alive
 * @param {import('./host.js').Place} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./reply.js').Output | typeof again>}
 */
function converse(socket, message, alive, place, signal) {
  return new Promise((resolve, reject) => {
    const frames = new Frames();
    const out = /** @type {Buffer[]} */ ([]);
    const err = /** @type {Buffer[]} */ ([]);
    let began = false;
    let asking = false;
    /** @type {NodeJS.ErrnoException | undefined} */
    let failed;

    const end = (/** @type {() => void} */ settle) => {
      signal?.removeEventListener('abort', abort);
      socket.destroy();
      settle();
    };
    const abort = () => end(() => reject(canceledBy(/** @type {AbortSignal} */ (signal))));
    const output = (/** @type {number} */ exitCode) => ({
      stdout: Buffer.concat(out).toString(),
      stderr: Buffer.concat(err).toString(),
      exitCode,
    });

    signal?.addEventListener('abort', abort, { once: true });
    socket.setTimeout(quietLimit, async () => {
      if (asking) return;
      asking = true;
      const answers = await alive();
      asking = false;
      if (answers) socket.setTimeout(quietLimit);
      else
        end(() =>
          reject(
            unreachable(
              `The host behind ${place.socket} takes connections and does not answer: its process is stopped or hangs. The command may or may not have run.`,
            ),
          ),
        );
    });
    socket.on('error', (cause) => {
      failed = cause;
    });
    socket.on('data', (piece) => {
      began = true;
      try {
        for (const { kind, payload } of frames.take(piece)) {
          switch (kind) {
            case stdout:
              out.push(payload);
              break;
            case stderr:
              err.push(payload);
              break;
            case ask:
              socket.write(noAnswer);
              break;
            case exit:
              return end(() => resolve(output(payload[0])));
            case pong:
              return end(() => resolve(output(0)));
            case retry:
              return end(() => resolve(again));
            case refused:
              return end(() => reject(unreachable(payload.toString())));
          }
        }
      } catch (cause) {
        end(() =>
          reject(
            unreachable(
              `What listens on ${place.socket} is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory.`,
              cause,
            ),
          ),
        );
      }
    });
    socket.on('close', () => {
      if (!began && (failed?.code === 'ECONNRESET' || failed?.code === 'EPIPE'))
        end(() => resolve(again)); // nothing was run
      else if (began)
        end(() => reject(unreachable('The host ended before the command was done. Look at the page before going on.', failed)));
      else
        end(() =>
          reject(
            unreachable(
              'The host ended without an answer: the command may or may not have run. Look at the page before trying again.',
              failed,
            ),
          ),
        );
    });
    socket.write(message);
  });
}
