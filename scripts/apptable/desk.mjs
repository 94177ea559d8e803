// The machine that the scenarios run on: a display, folders, apps of a real Electron, and programs that are run to their end.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const electron = process.env.SKUA_ELECTRON;

/** All that this run makes is in here. The path is short: sockets have a limit. */
export const base = fs.mkdtempSync(path.join(os.tmpdir(), 'at-'));

/** A fresh folder. */
export const folder = () => fs.mkdtempSync(path.join(base, 'd'));

/** Starts a display that the apps are shown on, and returns what ends it. */
export async function startDisplay() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.stdio[3].once('data', (data) => resolve(String(data).trim()));
  });
  process.env.DISPLAY = `:${number}`;
  return () => server.kill();
}

const installed = new Map();

/** The executable of an app of testdata/electron/real; as an archive if asar is set. */
export function install(name, { asar = false } = {}) {
  const key = name + (asar ? '.asar' : '');
  if (!installed.has(key)) {
    const dir = path.join(base, 'apps', key);
    link(electron, dir);
    fs.renameSync(path.join(dir, '@wingconsoledesktop'), path.join(dir, name));
    const code = path.join(root, 'testdata/electron/real/apps', name);
    if (asar) fs.writeFileSync(path.join(dir, 'resources', 'app.asar'), archive(code));
    else fs.cpSync(code, path.join(dir, 'resources', 'app'), { recursive: true });
    installed.set(key, path.join(dir, name));
  }
  return installed.get(key);
}

function link(from, to) {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else {
      try {
        fs.linkSync(source, target);
      } catch {
        fs.copyFileSync(source, target); // on another file system
      }
    }
  }
}

/** An asar archive of the files of a folder. */
function archive(dir) {
  const bodies = [];
  let offset = 0;
  const listed = (at) => {
    const files = {};
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) files[entry.name] = listed(file);
      else {
        const body = fs.readFileSync(file);
        files[entry.name] = { size: body.length, offset: String(offset) };
        offset += body.length;
        bodies.push(body);
      }
    }
    return { files };
  };
  const header = Buffer.from(JSON.stringify(listed(dir)));
  const padded = header.length + ((4 - (header.length % 4)) % 4);
  const head = Buffer.alloc(16 + padded);
  head.writeUInt32LE(4, 0);
  head.writeUInt32LE(padded + 8, 4);
  head.writeUInt32LE(padded + 4, 8);
  head.writeUInt32LE(header.length, 12);
  header.copy(head, 16);
  return Buffer.concat([head, ...bodies]);
}

/** Runs a program to its end, for at most a minute. */
export function run(program, args, env = {}, limit = 60_000) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, cwd: base, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limit);
    const done = (code) => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code: code ?? 124, out: out.trim(), err: err.trim(), all: `${out}\n${err}`.trim() });
    };
    child.once('error', (error) => {
      err += error.message;
      done(127);
    });
    child.once('exit', (code) => setTimeout(done, 50, code)); // a host that it started keeps its pipes
  });
}

/** An app that is started as its user does, with what it prints. */
export class StartedApp {
  constructor(executable, args = [], profile = folder()) {
    this.profile = profile;
    this.child = spawn(executable, ['--no-sandbox', `--user-data-dir=${profile}`, ...args], {
      cwd: base,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.said = '';
    this.child.stdout.on('data', (data) => {
      this.said += data;
    });
    this.child.stderr.on('data', (data) => {
      this.said += data;
    });
    this.child.on('error', () => {});
  }

  get pid() {
    return this.child.pid;
  }

  /** The debugging port that it opened. */
  async port() {
    const file = path.join(this.profile, 'DevToolsActivePort');
    const port = await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').split('\n')[0], 'it opens its port');
    await until(
      async () =>
        (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()).some((t) => t.type === 'page' && /^(file|app):/.test(t.url)),
      'its window is listed',
    );
    return port;
  }

  end() {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}

/** Waits until a function returns something true, and returns that. */
export async function until(look, what = 'it is so', limit = 15_000) {
  let last = '';
  for (const end = Date.now() + limit; Date.now() < end; ) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = `: ${error.message}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not within ${limit / 1000} s: ${what}${last}`);
}

export const has = (text, pattern) => {
  if (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)) return;
  throw new Error(text.split('\n').find((line) => line.trim()) ?? 'it says nothing');
};
