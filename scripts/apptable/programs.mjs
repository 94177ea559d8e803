// The three programs. Each scenario gets a new one of each, and ends it.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

import { folder, install, run, StartedApp, until } from './desk.mjs';

/** The files of windows, by their titles: agent-browser keeps the title a window had when it connected. */
const files = {
  Confirm: 'modal',
  Guest: 'guest',
  Helper: 'helper',
  Second: 'second',
  Side: 'side',
  Waiting: 'waiting',
  Windows: 'main',
};

/** Whether a line of a list of tabs is about the window with a title. */
const isAbout = (line, title) => line.includes(title) || line.includes(`/${files[title.replace('Held ', '')] ?? 'index'}.html`);

const programs = process.env.SKUA_PROGRAMS;

/** Commands of a command line, in a session of its own. */
class CommandLine {
  started = [];

  /** Runs a command, and fails with what it says if it fails. */
  async works(...args) {
    const got = await this.call(...args);
    if (got.code !== 0) throw new Error((got.err || got.out).split('\n')[0] || `exit status ${got.code}`);
    return got.out;
  }

  click(name) {
    return this.works('find', 'role', 'button', 'click', '--name', name, '--exact');
  }

  /** The tab whose line in the list has a text. */
  tab(text) {
    return until(
      async () => /\[(t\d+)\]/.exec((await this.works('tab', 'list')).split('\n').find((line) => isAbout(line, text)) ?? '')?.[1],
      `a tab ${text}`,
    );
  }

  text(pattern) {
    return until(async () => pattern.test(await this.works('get', 'text', 'body')), `the page says ${pattern}`);
  }

  /** Starts an app as its user does. */
  start(name, args = [], profile = undefined) {
    const app = new StartedApp(install(name), args, profile);
    this.started.push(app);
    return app;
  }

  endApps() {
    for (const app of this.started) app.end();
  }
}

export class Skua extends CommandLine {
  env = { SKUA_SOCKET_DIR: folder(), SKUA_HOME: folder(), SKUA_SESSION: 'default', PATH: `${programs}:${process.env.PATH}` };

  call(...args) {
    return run(path.join(programs, 'skua'), args, this.env);
  }

  /** Launches an app, and returns what the launch says. */
  async launch(name, args = [], { asar = false, flags = [] } = {}) {
    const got = await this.call('electron', 'launch', '--timeout', '30000', ...flags, '--', install(name, { asar }), ...args);
    if (got.code !== 0) throw new Error(got.err.split('\n')[0]);
    return got.all;
  }

  async end() {
    await this.call('electron', 'cleanup', '--all');
    await this.call('close', '--all');
    this.endApps();
  }
}

let sessions = 0;

export class AgentBrowser extends CommandLine {
  env = { AGENT_BROWSER_SESSION: `t${process.pid}-${++sessions}`, HOME: folder(), AGENT_BROWSER_SOCKET_DIR: folder() };

  call(...args) {
    return run(process.env.SKUA_UPSTREAM, args, this.env);
  }

  /** Starts an app with a port, which agent-browser does not do, and connects to it. */
  async launch(name, args = [], { asar = false } = {}) {
    this.app = new StartedApp(install(name, { asar }), ['--remote-debugging-port=0', ...args]);
    this.started.push(this.app);
    return this.works('connect', String(await this.app.port()));
  }

  async end() {
    await this.call('close');
    this.endApps();
  }
}

const { _electron } = createRequire(import.meta.url)(process.env.SKUA_PLAYWRIGHT);

export class Playwright {
  said = '';

  async launch(name, args = [], { asar = false } = {}) {
    this.app = await _electron.launch({
      executablePath: install(name, { asar }),
      args: ['--no-sandbox', `--user-data-dir=${folder()}`, ...args],
      timeout: 30_000,
    });
    this.app.process().stderr?.on('data', (data) => {
      this.said += data;
    });
    this.app.context().setDefaultTimeout(15_000);
    return '';
  }

  /** The page whose title is given. */
  page(title) {
    return until(async () => {
      for (const page of this.app.windows()) if ((await page.title()) === title) return page;
      return undefined;
    }, `a page ${title}`);
  }

  async end() {
    const child = this.app?.process();
    const closed = this.app?.close().catch(() => {});
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3000))]);
    child?.kill('SIGKILL');
  }
}

/** A file that is not there yet. */
export const newFile = (name) => path.join(folder(), name);

export const size = (file) => (fs.existsSync(file) ? fs.statSync(file).size : 0);
