// How an app is started or found, and where the work in it begins.

import process from 'node:process';

import { folder, has, install, StartedApp, until } from '../desk.mjs';

const connects = 'it launches no apps';

export const starts = [
  {
    name: 'launch an app by its path, and see its window',
    async skua(p) {
      has(await p.launch('notes'), 'button');
    },
    async agent(p) {
      await p.launch('notes');
      has(await p.works('snapshot', '-i'), 'button');
      return { partly: 'the app is started by hand, with a port' };
    },
    async playwright(p) {
      await p.launch('notes');
      has(await (await p.page('Held Notes')).locator('body').ariaSnapshot(), 'button');
    },
  },
  {
    name: 'find installed apps',
    async skua(p) {
      const apps = folder();
      const { symlinkSync, mkdirSync } = await import('node:fs');
      mkdirSync(`${apps}/.local/opt`, { recursive: true });
      symlinkSync(install('notes').replace(/\/[^/]*$/, ''), `${apps}/.local/opt/notes`);
      p.env.HOME = apps;
      has(await p.works('electron', 'list'), 'Held Notes');
    },
    agent: 'no such command',
    playwright: 'no such function',
  },
  {
    name: 'the app gets arguments of its own',
    async skua(p) {
      await p.launch('single', ['--document=a.txt']);
      await p.text(/opened: a\.txt/);
    },
    agent: connects,
    async playwright(p) {
      await p.launch('single', ['--document=a.txt']);
      await (await p.page('Held Single')).getByText('opened: a.txt').waitFor();
    },
  },
  {
    name: 'an app whose code is an asar archive',
    async skua(p) {
      has(await p.launch('notes', [], { asar: true }), 'app.asar/index.html');
    },
    async agent(p) {
      await p.launch('notes', [], { asar: true });
      has(await p.works('get', 'url'), 'app.asar/index.html');
    },
    async playwright(p) {
      await p.launch('notes', [], { asar: true });
      has((await p.page('Held Notes')).url(), 'app.asar/index.html');
    },
  },
  {
    name: 'an app whose pages have a scheme of its own (`app://`)',
    async skua(p) {
      has(await p.launch('custom'), 'app://held/index.html');
    },
    async agent(p) {
      await p.launch('custom');
      await p.tab('Held Custom');
      has(await p.works('tab', 'list'), 'app://held/index.html');
    },
    async playwright(p) {
      await p.launch('custom');
      has((await p.page('Held Custom')).url(), 'app://held/index.html');
    },
  },
  {
    name: 'a splash, then the main window: work begins in the main window',
    async skua(p) {
      await p.launch('windows');
      has(await p.works('get', 'title'), 'Held Windows');
    },
    async agent(p) {
      await p.launch('windows');
      const title = await p.works('get', 'title');
      await p.tab('Held Windows');
      if (title !== 'Held Windows') return { partly: `it begins in ${title}` };
      return 'connected when the app had started';
    },
    async playwright(p) {
      await p.launch('windows');
      const first = await (await p.app.firstWindow()).title();
      await p.page('Held Windows');
      if (first !== 'Held Windows') return { partly: `firstWindow is ${first}` };
      return '';
    },
  },
  {
    name: 'work begins in a window that is named',
    async skua(p) {
      await p.launch('windows', [], { flags: ['--target', 'Held Helper'] });
      has(await p.works('get', 'title'), 'Held Helper');
    },
    async agent(p) {
      await p.launch('windows');
      await p.works('tab', await p.tab('Held Helper'));
      return { partly: 'by a switch after it' };
    },
    async playwright(p) {
      await p.launch('windows');
      await p.page('Held Helper');
      return 'script';
    },
  },
  {
    name: 'an app without a window (tray), whose window comes later',
    async skua(p) {
      has(await p.launch('tray'), 'no window yet');
      await p.works('electron', 'main', "process.emit('SIGUSR2')");
      await p.tab('Held Tray');
      has(await p.works('snapshot', '-i'), 'Sync now');
    },
    async agent(p) {
      const app = p.start('tray', ['--remote-debugging-port=0']);
      const file = `${app.profile}/DevToolsActivePort`;
      const { readFileSync, existsSync } = await import('node:fs');
      await until(() => existsSync(file));
      await p.works('connect', readFileSync(file, 'utf8').split('\n')[0]);
      process.kill(app.pid, 'SIGUSR2');
      await p.tab('Held Tray');
      has(await p.works('snapshot', '-i'), 'Sync now');
    },
    async playwright(p) {
      await p.launch('tray');
      await p.app.evaluate(() => process.emit('SIGUSR2'));
      await p.page('Held Tray');
    },
  },
  {
    name: 'single instance: a second start is taken over by the running app',
    async skua(p) {
      await p.launch('single', ['--document=a.txt']);
      const { launches } = JSON.parse(await p.works('electron', 'status', '--json')).data;
      const display = JSON.parse(await p.works('electron', 'main', 'process.env.DISPLAY'));
      const before = process.env.DISPLAY;
      process.env.DISPLAY = display;
      p.start('single', ['--document=b.txt'], launches[0].userDataDir);
      process.env.DISPLAY = before;
      await p.text(/handed over: b\.txt/);
    },
    async agent(p) {
      await p.launch('single', ['--document=a.txt']);
      p.start('single', ['--document=b.txt'], p.app.profile);
      await p.text(/handed over: b\.txt/);
    },
    async playwright(p) {
      await p.launch('single', ['--document=a.txt']);
      const page = await p.page('Held Single');
      const second = new StartedApp(install('single'), ['--document=b.txt'], await p.app.evaluate(({ app }) => app.getPath('userData')));
      await page.getByText('handed over: b.txt').waitFor();
      second.end();
    },
  },
  {
    name: 'single instance: a launch while the app of the user runs',
    async skua(p) {
      p.start('single');
      await p.launch('single', ['--document=a.txt']);
      await p.text(/opened: a\.txt/);
    },
    agent: connects,
    async playwright(p) {
      const running = new StartedApp(install('single'));
      try {
        await p.launch('single', ['--document=a.txt']);
        await (await p.page('Held Single')).getByText('opened: a.txt').waitFor();
        return 'with a profile that the script gives';
      } finally {
        running.end();
      }
    },
  },
  {
    name: 'two apps at once',
    async skua(p) {
      await p.launch('notes');
      const other = install('custom');
      await p.works('--session', 'other', 'electron', 'launch', '--timeout', '30000', other);
      has(await p.works('get', 'title'), 'Held Notes');
      has(await p.works('--session', 'other', 'get', 'title'), 'Held Custom');
    },
    async agent(p) {
      await p.launch('notes');
      const app = p.start('custom', ['--remote-debugging-port=0']);
      await p.works('--session', `${p.env.AGENT_BROWSER_SESSION}b`, 'connect', String(await app.port()));
      has(await p.works('get', 'title'), 'Held Notes');
      await p.works('--session', `${p.env.AGENT_BROWSER_SESSION}b`, 'get', 'title');
      await p.call('--session', `${p.env.AGENT_BROWSER_SESSION}b`, 'close');
    },
    async playwright(p) {
      await p.launch('notes');
      const other = new p.constructor();
      await other.launch('custom');
      await other.page('Held Custom');
      await p.page('Held Notes');
      await other.end();
    },
  },
  {
    name: 'connect to a running app with a debugging port',
    async skua(p) {
      await p.works('connect', String(await p.start('notes', ['--remote-debugging-port=0']).port()));
      has(await p.works('snapshot', '-i'), 'About');
      await p.works('close');
      process.kill(p.started[0].pid, 0);
    },
    async agent(p) {
      await p.launch('notes');
      has(await p.works('snapshot', '-i'), 'About');
      await p.works('close');
      process.kill(p.app.pid, 0);
    },
    async playwright() {
      const { chromium } = (await import('node:module')).createRequire(import.meta.url)(process.env.SKUA_PLAYWRIGHT);
      const app = new StartedApp(install('notes'), ['--remote-debugging-port=0']);
      try {
        const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await app.port()}`, { timeout: 15_000 });
        has(await browser.contexts()[0].pages()[0].title(), 'Held Notes');
        await browser.close();
        return 'connectOverCDP';
      } finally {
        app.end();
      }
    },
  },
  {
    name: 'no port: the main process of a running app',
    async skua(p) {
      const app = p.start('notes', ['--inspect-port=0']);
      await until(async () => (await p.call('electron', 'attach', String(app.pid))).code === 0, 'it attaches');
      await until(async () => (await p.works('electron', 'menu')).includes('File > New'), 'its menu');
    },
    agent: 'needs a port',
    playwright: 'needs to launch the app',
  },
  {
    name: 'no port: the pages of a running app',
    async skua(p) {
      const app = p.start('notes', ['--inspect-port=0']);
      await until(async () => (await p.call('electron', 'attach', String(app.pid))).code === 0, 'it attaches');
      await p.tab('Held Notes');
      await p.works('fill', 'textarea', 'milk');
      has(await p.works('get', 'value', 'textarea'), 'milk');
    },
    agent: 'needs a port',
    playwright: 'needs to launch the app',
  },
  {
    name: 'nothing is left of a launch: process, profile',
    async skua(p) {
      await p.launch('notes');
      const { launches } = JSON.parse(await p.works('electron', 'status', '--json')).data;
      await p.works('electron', 'cleanup');
      const { existsSync } = await import('node:fs');
      if (existsSync(launches[0].userDataDir)) throw new Error('the profile is left');
      await gone(launches[0].pid);
    },
    agent: connects,
    async playwright(p) {
      await p.launch('notes');
      const profile = await p.app.evaluate(({ app }) => app.getPath('userData'));
      const pid = p.app.process().pid;
      await p.app.close();
      await gone(pid);
      const { existsSync } = await import('node:fs');
      if (existsSync(profile)) return { partly: 'the profile stays' };
      return '';
    },
  },
];

const gone = (pid) =>
  until(() => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  }, 'the process ends');
