// The main process, and what only that has: windows, the menu bar, native dialogs, ipc.

import fs from 'node:fs';
import path from 'node:path';

import { base, has, until } from '../desk.mjs';

const pagesOnly = 'it sees pages only';

export const main = [
  {
    name: 'run a script in the main process',
    async skua(p) {
      await p.launch('notes');
      has(await p.works('electron', 'main', "require('electron').app.getVersion()"), '2.1.0');
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('notes');
      has(await p.app.evaluate(({ app }) => app.getVersion()), '2.1.0');
    },
  },
  {
    name: 'a script with `require` after `await`',
    async skua(p) {
      await p.launch('notes');
      const script = "await require('electron').app.whenReady(); require('path').basename('/a/b')";
      has(await p.works('electron', 'main', script), 'b');
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('notes');
      const name = await p.app.evaluate(async ({ app }) => {
        await app.whenReady();
        return require('path').basename('/a/b');
      });
      has(name, 'b');
    },
  },
  {
    name: 'list windows: shown, focused, bounds',
    async skua(p) {
      await p.launch('windows');
      has(await p.works('electron', 'windows'), /Held Helper .* 400x300 at .*\(hidden\)/);
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('windows');
      await p.page('Held Helper');
      const all = await p.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((w) => [w.getTitle(), w.isVisible(), w.getBounds().width]),
      );
      has(JSON.stringify(all), '["Held Helper",false,400]');
      return 'script';
    },
  },
  {
    name: 'show a hidden window',
    async skua(p) {
      await p.launch('windows');
      const id = /^(\d+) .*Held Helper/m.exec(await p.works('electron', 'windows'))[1];
      await p.works('electron', 'window', 'show', id);
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('windows');
      const window = await p.app.browserWindow(await p.page('Held Helper'));
      await window.evaluate((w) => w.show());
      return 'script';
    },
  },
  {
    name: 'the menu bar: list, and choose an item',
    async skua(p) {
      await p.launch('notes');
      has(await p.works('electron', 'menu'), 'File > Save As…');
      await p.works('electron', 'menu', 'click', 'File > New');
      await p.text(/menu: new/);
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      await p.app.evaluate(({ Menu }) => Menu.getApplicationMenu().items[0].submenu.items[0].click());
      await page.getByText('menu: new').waitFor();
      return 'script';
    },
  },
  {
    name: 'the keys of a menu item (Control+N)',
    async skua(p) {
      await p.launch('notes');
      await p.works('press', 'Control+n');
      await p.text(/menu: new/).catch(() => {
        throw new Error('the key reaches the page only; `electron menu click` chooses the item');
      });
    },
    async agent(p) {
      await p.launch('notes');
      await p.works('press', 'Control+n');
      await p.text(/menu: new/).catch(() => {
        throw new Error('nothing happens');
      });
    },
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      await page.keyboard.press('Control+n');
      const seen = await page
        .getByText('menu: new')
        .waitFor({ timeout: 2000 })
        .then(
          () => true,
          () => false,
        );
      if (seen) return '';
      const window = await p.app.browserWindow(page);
      await window.evaluate((w) => w.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'N', modifiers: ['control'] }));
      await page.getByText('menu: new').waitFor();
      return { partly: 'script; `press` does nothing' };
    },
  },
  ...[
    ['Ask', 'chose'],
    ['Ask at once', 'chose at once'],
  ].map(([button, answer]) => ({
    name: button === 'Ask' ? 'answer a native message box' : 'answer a native message box that stops the main process',
    async skua(p) {
      await p.launch('notes');
      await p.works('electron', 'dialog', 'message', "Don't Save");
      await p.click(button);
      await p.text(new RegExp(`${answer} Don't Save`));
      has(await p.works('electron', 'dialogs'), 'Save changes?');
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      await p.app.evaluate(({ dialog }) => {
        dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
        dialog.showMessageBoxSync = () => 1;
      });
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText(`${answer} Don't Save`).waitFor();
      return 'script';
    },
  })),
  {
    name: 'answer a native open dialog, and a save dialog',
    async skua(p) {
      await p.launch('notes');
      fs.writeFileSync(path.join(base, 'a.txt'), 'milk');
      await p.works('electron', 'dialog', 'open', 'a.txt');
      await p.click('Open');
      await p.text(/1 files/);
      await p.works('electron', 'dialog', 'save', 'b.txt');
      await p.click('Save');
      await p.text(/saved to .*b\.txt/);
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      await p.app.evaluate(({ dialog }) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['a.txt'] });
        dialog.showSaveDialog = async () => ({ canceled: false, filePath: 'b.txt' });
      });
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('1 files').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('saved to b.txt').waitFor();
      return 'script';
    },
  },
  {
    name: 'ipc: list the channels, call a handler',
    async skua(p) {
      await p.launch('messages');
      has(await p.works('electron', 'ipc'), 'login (handler)');
      has(await p.works('electron', 'ipc', 'call', 'login', 'ada', '{"password": "x"}'), 'ada');
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('messages');
      const user = await p.app.evaluate(async ({ ipcMain }) => {
        const handlers = ipcMain._invokeHandlers;
        if (!handlers.has('login')) throw new Error('not listed');
        return (await handlers.get('login')({}, 'ada', { password: 'x' }))?.user ?? 'no answer';
      });
      if (user !== 'ada') return { partly: "script, through Electron's internals: listed; the call gives no answer" };
      return "script, through Electron's internals";
    },
  },
  {
    name: 'ipc: watch messages, with answers and times',
    async skua(p) {
      await p.launch('messages');
      await p.works('electron', 'ipc', 'watch', '--clear');
      await p.click('Note');
      await until(async () => (await p.works('electron', 'ipc', 'watch')).includes('send note ("milk")'), 'the message');
    },
    agent: pagesOnly,
    playwright: 'nothing built in',
  },
  {
    name: 'the console of the main process',
    async skua(p) {
      await p.launch('faults');
      await p.click('Log');
      await until(async () => (await p.works('electron', 'logs')).includes('synced 1'), 'the line');
    },
    agent: pagesOnly,
    async playwright(p) {
      await p.launch('faults');
      const page = await p.page('Held Faults');
      const line = p.app.waitForEvent('console', { timeout: 15_000 });
      await page.getByRole('button', { name: 'Log' }).click();
      has((await line).text(), 'synced 1');
    },
  },
];
