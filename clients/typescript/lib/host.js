import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, openSync, closeSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  envBeginnings,
  envNames,
  grantMark,
  hostStampVariable,
  log as logName,
  maxSocketPath,
  modelBeginnings,
  providerBeginnings,
  providerNames,
  ready,
  socket as socketName,
  usage,
} from '../protocol.js';
import { SkuaError, unreachable } from './errors.js';

/** @typedef {Record<string, string | undefined>} Env */

const windows = process.platform === 'win32';

/**
 * Where the host of an environment is.
 * @typedef {{ base: string, dir: string, socket: string, namespace: string }} Place
 */

/**
 * @param {Env} env
 * @param {string} cwd
 * @param {{ socketDir?: string, namespace?: string }} options
 * @returns {Place}
 */
export function findPlace(env, cwd, options) {
  const base = path.resolve(cwd, options.socketDir || env.SKUA_SOCKET_DIR || env.AGENT_BROWSER_SOCKET_DIR || usualBase(env));
  const namespace = options.namespace || env.SKUA_NAMESPACE || env.AGENT_BROWSER_NAMESPACE || '';
  if (namespace !== '' && (!/^[-\w\u0080-\u{10ffff}]+$/u.test(namespace) || Buffer.byteLength(namespace) > 64)) {
    throw new SkuaError(usage, `namespace "${namespace}": only letters, digits, - and _ are allowed, at most 64`);
  }
  const dir = namespace === '' ? base : path.join(base, 'namespaces', namespace);
  const socket = path.join(dir, socketName);
  if (!windows && Buffer.byteLength(socket) > maxSocketPath) {
    throw unreachable(
      `The socket path ${socket} is too long (${Buffer.byteLength(socket)} bytes, the systems take ${maxSocketPath}). Set SKUA_SOCKET_DIR to a shorter directory.`,
    );
  }
  return { base, dir, socket, namespace };
}

/** @param {Env} env */
function usualBase(env) {
  if (windows) {
    return env.LOCALAPPDATA ? path.join(env.LOCALAPPDATA, 'skua', 'run') : path.join(env.USERPROFILE ?? '', '.skua', 'run');
  }
  for (const [folder, below, owned] of /** @type {[string | undefined, string, boolean][]} */ ([
    [env.XDG_RUNTIME_DIR, 'skua', true],
    [env.HOME, '.skua/run', false],
    [env.TMPDIR, `skua-${process.geteuid?.()}`, false],
  ])) {
    if (folder?.startsWith('/') && usable(folder, below, owned)) return path.join(folder, below);
  }
  return `/tmp/skua-${process.geteuid?.()}`;
}

/**
 * Whether there is a folder of this user at `below` in a folder of the system, or one can be made there. It says the same as the program's client does,
 * or they would not find each other's hosts.
 * @param {string} folder must be there
 * @param {string} below
 * @param {boolean} owned that `folder` must be the user's
 */
function usable(folder, below, owned) {
  const last = path.resolve(folder);
  let dir = path.join(last, below);
  if (Buffer.byteLength(path.join(dir, socketName)) > maxSocketPath) return false;
  const uid = process.geteuid?.();
  let is = look(dir);
  if (is.folder) {
    return is.uid === uid && (mayWrite(dir) || ['namespaces', socketName].some((name) => !look(path.join(dir, name)).missing));
  }
  while (is.missing && dir !== last) {
    dir = path.dirname(dir);
    is = look(dir);
  }
  return is.folder && (is.uid === uid || !owned) && mayWrite(dir);
}

/** @param {string} file */
function look(file) {
  try {
    const info = statSync(file);
    return { missing: false, folder: info.isDirectory(), uid: info.uid };
  } catch (err) {
    return { missing: /** @type {NodeJS.ErrnoException} */ (err).code === 'ENOENT', folder: false, uid: -1 };
  }
}

/** @param {string} dir */
function mayWrite(dir) {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} file */
function runs(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The host program: the one that is given or SKUA_PATH names (the program, or a folder that has it), else the one on the PATH, by itself or beside the
 * client `skua`. Empty if there is none.
 * @param {Env} env
 * @param {string} [given]
 */
export function findProgram(env, given) {
  const suffix = windows ? '.exe' : '';
  const named = given || env.SKUA_PATH;
  if (named) {
    const found = [named, path.join(named, `skuad${suffix}`), path.join(path.dirname(named), `skuad${suffix}`)].find(
      (file) => path.basename(file) === `skuad${suffix}` && runs(file),
    );
    if (!found) throw unreachable(`SKUA_PATH ${named}: there is no program skuad; name its folder or the program itself`);
    return path.resolve(found);
  }
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((dir) => path.isAbsolute(dir));
  for (const dir of folders) {
    const host = path.join(dir, `skuad${suffix}`);
    if (runs(host)) return host;
    const client = path.join(dir, `skua${suffix}`);
    if (runs(client)) {
      const beside = path.join(path.dirname(realpathSync(client)), `skuad${suffix}`);
      if (runs(beside)) return beside;
    }
  }
  return '';
}

/**
 * @param {string} program
 * @returns {import('./wire.js').Stamp}
 */
export function stampOf(program) {
  if (program === '') return { mtime: 0n, size: 0n };
  const info = statSync(program, { bigint: true });
  return { mtime: info.mtimeNs, size: info.size };
}

/**
 * The variables that the host is told. Others stay here, since environments contain secrets.
 * @param {Env} env
 * @param {string[]} words
 * @param {boolean} model
 */
export function forwarded(env, words, model) {
  const provider = providerNames.some((name) => env[name]) || words.some((word) => word.startsWith('--provider'));
  const begins = [...envBeginnings, ...(provider ? providerBeginnings : []), ...(model ? modelBeginnings : [])];
  const granted = new Set(model ? words.flatMap((word) => (word.includes(grantMark) ? [word.split(grantMark)[1].split('@')[0]] : [])) : []);
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (envNames.includes(name) || granted.has(name) || begins.some((start) => name.startsWith(start)))
      ? [`${name}=${value}`]
      : [],
  );
}

/**
 * Where to connect, and with which token. On Windows the socket's file says so.
 * @param {Place} place
 * @returns {{ address: { path: string } | { host: string, port: number }, token: string } | undefined}
 */
export function addressOf(place) {
  if (!windows) return { address: { path: place.socket }, token: '' };
  let text;
  try {
    text = readFileSync(place.socket, 'utf8');
  } catch {
    return undefined;
  }
  const [address, token] = text.split('\n');
  const [host, port] = address.split(':');
  if (host !== '127.0.0.1' || token === undefined)
    throw unreachable(`${place.socket} is in the way: no host wrote it. Remove it, or set SKUA_SOCKET_DIR to another directory.`);
  return { address: { host, port: Number(port) }, token };
}

/** The size in bytes at which the next host begins a new log. */
const maxLog = 1 << 20;

/**
 * Starts a host that outlives this process, and waits until it listens. Of several that start at once, one stays.
 * @param {Place} place
 * @param {string} program
 * @param {Env} env
 */
export async function startHost(place, program, env) {
  if (program === '') {
    throw unreachable(
      'No host is running, and its program skuad is not on the PATH. Install skua, or set SKUA_PATH to the folder that has it.',
    );
  }
  mkdirSync(place.dir, { recursive: true, mode: 0o700 });
  const owner = statSync(place.dir).uid;
  if (!windows && owner !== process.getuid?.()) {
    throw unreachable(
      `The socket directory ${place.dir} belongs to another user (uid ${owner}). Set SKUA_SOCKET_DIR to a directory of your own.`,
    );
  }
  const logFile = path.join(place.dir, logName);
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const mode =
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (size > maxLog ? constants.O_TRUNC : 0);
  const log = openSync(logFile, mode, 0o600);
  const stamp = stampOf(program);
  try {
    const words = ['daemon', '--socket-dir', place.base, ...(place.namespace === '' ? [] : ['--namespace', place.namespace])];
    const host = spawn(program, words, {
      cwd: windows ? env.SYSTEMROOT : '/',
      detached: true,
      env: { ...env, [hostStampVariable]: `${stamp.mtime}:${stamp.size}` },
      stdio: ['ignore', 'pipe', log],
      windowsHide: true,
    });
    const output = /** @type {import('node:stream').Readable} */ (host.stdout);
    const said = await new Promise((resolve, reject) => {
      let text = '';
      host.once('error', (cause) => reject(unreachable(`The host ${program} cannot be started: ${cause.message}.`, cause)));
      output.on('data', (piece) => {
        text += piece;
        if (text === ready) resolve(text);
      });
      output.once('close', () => resolve(text));
    });
    output.destroy();
    host.unref();
    if (said !== ready) throw unreachable(said.trim() || `The host ${program} ended while it was starting. See its log ${logFile}.`);
  } finally {
    closeSync(log);
  }
}
