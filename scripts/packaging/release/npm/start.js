#!/usr/bin/env node
// Starts the program of this system that has the name of this file. It is in a package of its own that npm has installed beside this one.
// Where npm links that package's programs, as in a project's node_modules/.bin, this file is not used at all.
const { spawn } = require('node:child_process');
const { readlinkSync, realpathSync, renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { constants } = require('node:os');
const { basename, dirname, relative, resolve } = require('node:path');

const name = `@skua-browser/${process.platform}-${process.arch}`;
const called = basename(__filename);
const program = process.platform === 'win32' ? `${called}.exe` : called;

let path = '';
try {
  path = require.resolve(`${name}/bin/${program}`);
} catch {
  process.stderr.write(
    `${called}: the package ${name} is not installed; install skua again without --omit=optional or --no-optional, ` +
      'or see https://github.com/skua-browser/skua#install if there is none for this system\n',
  );
  process.exit(1);
}

// The next command can do without Node: where npm or Yarn made a link to this file, the program can as well be there, and so this file gives its place to
// a link to it. Scripts of package managers, which have Node read this file, go on doing so, and a folder that cannot be written stays as it is.
const links = [`../lib/node_modules/skua/bin/${called}`, `../skua/bin/${called}`];
if (links.includes(lastLink(process.argv[1]))) {
  const fresh = `${__filename}.${process.pid}`;
  try {
    symlinkSync(relative(dirname(realpathSync(__filename)), path), fresh);
    try {
      renameSync(fresh, __filename); // at once: a command that starts meanwhile finds the one or the other
    } catch {
      unlinkSync(fresh);
    }
  } catch {}
}

// lastLink returns what the last one of the links from a path to a file says.
function lastLink(at) {
  let last = '';
  try {
    for (;;) {
      last = readlinkSync(at);
      at = resolve(dirname(at), last);
    }
  } catch {
    return last; // the file itself is not a link
  }
}

// Signals of the terminal reach both processes; those for this one alone are passed on. It ends as the program ends. It listens before the
// program starts, or a signal in between would end it alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (err) => {
  process.stderr.write(`${called}: ${path} does not start: ${err.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});
