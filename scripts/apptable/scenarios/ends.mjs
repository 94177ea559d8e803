// Apps that fail, hang, crash, restart or end.

import process from 'node:process';

import { has, until } from '../desk.mjs';

const connects = 'it launches no apps';

/** The text of what a promise fails with. */
const failure = (promise) =>
  promise.then(
    () => {
      throw new Error('it does not fail');
    },
    (error) => error.message,
  );

/** What is printed in the next seconds of a program that may hang. */
const within = (promise, ms) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms, undefined))]);

export const ends = [
  {
    name: 'an app that ends at its start: its exit code and last words',
    async skua(p) {
      const said = (
        await p.call('electron', 'launch', '--timeout', '20000', '--', (await import('../desk.mjs')).install('faults'), '--fault=early')
      ).all;
      has(said, /exit status 9.*the license is missing/);
    },
    agent: connects,
    async playwright(p) {
      const said = await failure(p.launch('faults', ['--fault=early']));
      if (!said.includes('the license is missing')) return { partly: 'it fails; neither exit code nor last words' };
      if (!/\b9\b/.test(said)) return { partly: 'the last words, not the exit code' };
      return '';
    },
  },
  {
    name: 'an error in the main process at its start',
    async skua(p) {
      has(await p.launch('faults', ['--fault=throw']), 'main exploded at start');
    },
    agent: connects,
    async playwright(p) {
      const launched = p.launch('faults', ['--fault=throw']).then(
        () =>
          within(
            p.app.firstWindow().then(() => 'a window'),
            10_000,
          ),
        (error) => error.message,
      );
      const said = String((await launched) ?? '') + p.said;
      if (!said.includes('main exploded')) throw new Error('no word of the error');
      if (!String(await launched).includes('main exploded')) return { partly: 'only in what the app prints' };
      return '';
    },
  },
  {
    name: 'the main process hangs: where',
    async skua(p) {
      await p.launch('faults', ['--hang=60000']);
      await p.call('find', 'role', 'button', 'click', '--name', 'Hang main', '--timeout', '2000');
      has(await p.works('electron', 'status'), /does not return: .*main\.js:/);
    },
    agent: 'it sees pages only',
    async playwright(p) {
      await p.launch('faults', ['--hang=20000']);
      const page = await p.page('Held Faults');
      await within(
        page
          .getByRole('button', { name: 'Hang main' })
          .click()
          .catch(() => {}),
        8000,
      );
      if (
        (await within(
          p.app.evaluate(() => 1),
          5000,
        )) === undefined
      )
        throw new Error('evaluate waits, and nothing says why');
    },
  },
  {
    name: 'a native box is open and stops the app: it is told',
    async skua(p) {
      await p.launch('faults');
      await p.call('find', 'role', 'button', 'click', '--name', 'Sync box', '--timeout', '2000');
      has(await p.works('electron', 'status'), 'a native dialog is open');
    },
    agent: 'it sees pages only',
    async playwright(p) {
      await p.launch('faults');
      const page = await p.page('Held Faults');
      await within(
        page
          .getByRole('button', { name: 'Sync box' })
          .click()
          .catch(() => {}),
        8000,
      );
      if (
        (await within(
          p.app.evaluate(() => 1),
          5000,
        )) === undefined
      )
        throw new Error('evaluate waits, and nothing says why');
    },
  },
  {
    name: 'the process of a page crashes: it is told, and mended',
    async skua(p) {
      await p.launch('faults');
      const said =
        (await p.call('find', 'role', 'button', 'click', '--name', 'Crash page')).all + ' ' + (await p.call('get', 'text', 'h1')).all;
      has(said, /crash/i);
      await p.works('reload');
      has(await p.works('get', 'text', 'h1'), 'Faults');
    },
    async agent(p) {
      await p.launch('faults');
      const said =
        (await p.call('find', 'role', 'button', 'click', '--name', 'Crash page')).all + ' ' + (await p.call('get', 'text', 'h1')).all;
      has(said, /crash/i);
      await p.works('reload');
      has(await p.works('get', 'text', 'h1'), 'Faults');
    },
    async playwright(p) {
      await p.launch('faults');
      const page = await p.page('Held Faults');
      const crash = page.waitForEvent('crash', { timeout: 15_000 });
      await page
        .getByRole('button', { name: 'Crash page' })
        .click()
        .catch(() => {});
      await crash;
      await page.reload({ timeout: 10_000 }).catch(() => {});
      const text = await within(
        page
          .locator('h1')
          .textContent()
          .catch(() => undefined),
        5000,
      );
      if (text !== 'Faults') return { partly: 'told; the page stays unusable' };
      return '';
    },
  },
  {
    name: 'the process of a page crashes: its reason and exit code',
    async skua(p) {
      await p.launch('faults');
      await p.call('find', 'role', 'button', 'click', '--name', 'Crash page');
      await until(async () => /(crashed|killed).*\d/.test((await p.call('electron', 'logs')).all), 'the logs have it');
    },
    agent: 'it sees pages only',
    async playwright(p) {
      await p.launch('faults');
      const page = await p.page('Held Faults');
      const gone = p.app.evaluate(
        ({ app }) => new Promise((resolve) => app.once('render-process-gone', (_, __, details) => resolve(details))),
      );
      await page
        .getByRole('button', { name: 'Crash page' })
        .click()
        .catch(() => {});
      has(JSON.stringify(await within(gone, 10_000)), 'exitCode');
      return 'script';
    },
  },
  {
    name: 'the app ends by a click: exit code and last words',
    async skua(p) {
      await p.launch('faults');
      has((await p.call('find', 'role', 'button', 'click', '--name', 'Quit')).all, /exit status 9.*giving up/);
    },
    async agent(p) {
      await p.launch('faults');
      const said = (await p.call('find', 'role', 'button', 'click', '--name', 'Quit')).all + ' ' + (await p.call('get', 'title')).all;
      has(said, /exit/i);
    },
    async playwright(p) {
      await p.launch('faults');
      const page = await p.page('Held Faults');
      const code = new Promise((resolve) => p.app.process().once('exit', resolve));
      await page
        .getByRole('button', { name: 'Quit' })
        .click()
        .catch(() => {});
      has(String(await within(code, 10_000)), '9');
      has(p.said, 'giving up');
      return 'script: of the process that it gives';
    },
  },
  {
    name: 'the app restarts itself (`app.relaunch()`): work goes on',
    async skua(p) {
      await p.launch('windows');
      await p.click('Relaunch');
      has(await p.works('snapshot', '-i'), 'Greet');
    },
    async agent(p) {
      await p.launch('windows');
      await p.works('tab', await p.tab('Held Windows'));
      await p.call('find', 'role', 'button', 'click', '--name', 'Relaunch');
      has(await p.works('snapshot', '-i'), 'Greet');
    },
    async playwright(p) {
      await p.launch('windows');
      const page = await p.page('Held Windows');
      const ended = new Promise((resolve) => p.app.once('close', resolve));
      await page
        .getByRole('button', { name: 'Relaunch' })
        .click()
        .catch(() => {});
      if (
        (await within(
          ended.then(() => 1),
          5000,
        )) === 1
      )
        throw new Error('the application object is closed');
      await (await p.page('Held Windows')).getByRole('button', { name: 'Greet' }).waitFor();
    },
  },
  {
    name: 'the app is killed: the next command says so',
    async skua(p) {
      await p.launch('notes');
      const { launches } = JSON.parse(await p.works('electron', 'status', '--json')).data;
      process.kill(launches[0].pid, 'SIGKILL');
      has((await p.call('snapshot', '-i')).all, 'has ended');
    },
    async agent(p) {
      await p.launch('notes');
      p.app.end();
      const got = await p.call('snapshot', '-i');
      if (got.code === 0) throw new Error(`it says: ${got.out.split('\n')[0]}`);
      has(got.all, /ended|exited|closed|gone|refused/i);
    },
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      p.app.process().kill('SIGKILL');
      has(await failure(page.locator('h1').textContent()), /closed/i);
    },
  },
];
