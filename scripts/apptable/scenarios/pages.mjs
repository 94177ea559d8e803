// Work in windows, views and webviews.

import http from 'node:http';

import { has, until } from '../desk.mjs';
import { newFile, size } from '../programs.mjs';

const saved = (file) => {
  if (size(file) === 0) throw new Error('no file');
};

/** Serves a page that notes what cookies it gets, as long as a scenario runs. */
async function cookieSite(scenario) {
  let sent = '';
  const server = http.createServer((request, reply) => {
    if (request.url === '/') sent = request.headers.cookie ?? '';
    reply.setHeader('Content-Type', 'text/html').end('<title>Site</title><h1>Site</h1>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await scenario({ address: `http://127.0.0.1:${server.address().port}/`, gotCookie: () => has(sent, 'a=milk') });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const pages = [
  {
    name: 'fill and click',
    async skua(p) {
      await p.launch('windows');
      await p.works('find', 'label', 'Name', 'fill', 'Ada');
      await p.click('Greet');
      has(await p.works('get', 'text', 'output'), 'Hello Ada');
    },
    async agent(p) {
      await p.launch('windows');
      await p.works('tab', await p.tab('Held Windows'));
      await p.works('find', 'label', 'Name', 'fill', 'Ada');
      await p.click('Greet');
      has(await p.works('get', 'text', 'output'), 'Hello Ada');
    },
    async playwright(p) {
      await p.launch('windows');
      const page = await p.page('Held Windows');
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button', { name: 'Greet' }).click();
      has(await page.locator('output').textContent(), 'Hello Ada');
    },
  },
  {
    name: 'a hidden helper window is told as hidden',
    async skua(p) {
      await p.launch('windows');
      await p.tab('Held Helper');
      has(await p.works('tab', 'list'), /Held Helper .*\(hidden\)/);
    },
    async agent(p) {
      await p.launch('windows');
      await p.tab('Held Helper');
      if (!/Held Helper.*hidden/.test(await p.works('tab', 'list'))) return { partly: 'listed as any other' };
      return '';
    },
    async playwright(p) {
      await p.launch('windows');
      const window = await p.app.browserWindow(await p.page('Held Helper'));
      has(String(await window.evaluate((w) => w.isVisible())), 'false');
      return 'script';
    },
  },
  {
    name: 'a modal child window',
    async skua(p) {
      await p.launch('windows');
      await p.click('Open modal');
      await p.works('tab', await p.tab('Held Confirm'));
      has(await p.works('tab', 'list'), /Held Confirm .*\(modal\)/);
      has(await p.works('snapshot'), 'Confirm');
    },
    async agent(p) {
      await p.launch('windows');
      await p.works('tab', await p.tab('Held Windows'));
      await p.click('Open modal');
      await p.works('tab', await p.tab('Held Confirm'));
      has(await p.works('snapshot'), 'Confirm');
      return 'not marked';
    },
    async playwright(p) {
      await p.launch('windows');
      await (await p.page('Held Windows')).getByRole('button', { name: 'Open modal' }).click();
      await (await p.page('Held Confirm')).getByRole('heading').waitFor();
      return 'not marked';
    },
  },
  {
    name: 'a window of a second partition',
    async skua(p) {
      await p.launch('windows');
      await p.click('Open second');
      await p.works('tab', await p.tab('Held Second'));
      has(await p.works('snapshot'), 'Second');
    },
    async agent(p) {
      await p.launch('windows');
      await p.works('tab', await p.tab('Held Windows'));
      await p.click('Open second');
      await p.works('tab', await p.tab('Held Second'));
      has(await p.works('snapshot'), 'Second');
    },
    async playwright(p) {
      await p.launch('windows');
      await (await p.page('Held Windows')).getByRole('button', { name: 'Open second' }).click();
      await (await p.page('Held Second')).getByRole('heading').waitFor();
    },
  },
  {
    name: 'a webview: fill in it',
    async skua(p) {
      await p.launch('custom');
      await p.click('Embed');
      const tab = await p.tab('Held Guest');
      await p.works('--tab', tab, 'fill', 'input', 'milk');
      has(await p.works('--tab', tab, 'get', 'value', 'input'), 'milk');
    },
    async agent(p) {
      await p.launch('custom');
      await p.works('tab', await p.tab('Held Custom'));
      await p.click('Embed');
      await p.works('tab', await p.tab('Held Guest'));
      await p.works('fill', 'input', 'milk');
      if ((await p.works('get', 'value', 'input')) !== 'milk') throw new Error('it says Done, and the field is empty');
    },
    async playwright(p) {
      await p.launch('custom');
      await (await p.page('Held Custom')).getByRole('button').click();
      const page = await p.page('Held Guest');
      await page.locator('input').fill('milk');
      has(await page.locator('input').inputValue(), 'milk');
    },
  },
  {
    name: 'a webview names its window',
    async skua(p) {
      await p.launch('custom');
      await p.click('Embed');
      await p.tab('Held Guest');
      has(await p.works('tab', 'list'), /Held Guest .*\(webview in t\d+\)/);
    },
    async agent(p) {
      await p.launch('custom');
      await p.works('tab', await p.tab('Held Custom'));
      await p.click('Embed');
      await p.tab('Held Guest');
      if (!/Held Guest.* in /.test(await p.works('tab', 'list'))) throw new Error('the list does not say it');
    },
    async playwright(p) {
      await p.launch('custom');
      await (await p.page('Held Custom')).getByRole('button').click();
      await p.page('Held Guest');
      const host = await p.app.evaluate(({ webContents }) => {
        const guest = webContents.getAllWebContents().find((w) => w.getTitle() === 'Held Guest');
        return guest.hostWebContents.getTitle();
      });
      has(host, 'Held Custom');
      return 'script';
    },
  },
  {
    name: 'a BrowserView, and one at 0x0: work begins in the window, and goes on in the view',
    async skua(p) {
      await p.launch('views');
      const tab = await p.tab('Held Side');
      await p.tab('Held Waiting');
      has(await p.works('get', 'title'), 'Held Views');
      await p.works('--tab', tab, 'fill', 'input', 'milk');
      await p.works('--tab', tab, 'find', 'role', 'button', 'click', '--name', 'Filter');
      has(await p.works('--tab', tab, 'get', 'text', 'output'), 'Filtered by milk');
    },
    async agent(p) {
      await p.launch('views');
      const side = await p.tab('Held Side');
      const began = await p.works('get', 'title');
      await p.works('tab', side);
      await p.works('fill', 'input', 'milk');
      await p.click('Filter');
      has(await p.works('get', 'text', 'output'), 'Filtered by milk');
      if (began !== 'Held Views') return { partly: `it begins in ${began}` };
      return '';
    },
    async playwright(p) {
      await p.launch('views');
      const page = await p.page('Held Side');
      const first = await (await p.app.firstWindow()).title();
      await page.locator('input').fill('milk');
      await page.getByRole('button', { name: 'Filter' }).click();
      has(await page.locator('output').textContent(), 'Filtered by milk');
      if (first !== 'Held Views') return { partly: `firstWindow is ${first}` };
      return '';
    },
  },
  {
    name: 'ipc through the preload bridge (`eval`)',
    async skua(p) {
      await p.launch('notes');
      has(await p.works('eval', 'held.info()'), '2.1.0');
    },
    async agent(p) {
      await p.launch('notes');
      has(await p.works('eval', 'held.info()'), '2.1.0');
    },
    async playwright(p) {
      await p.launch('notes');
      has((await (await p.page('Held Notes')).evaluate('held.info()')).version, '2.1.0');
    },
  },
  {
    name: 'the world of a preload script',
    async skua(p) {
      await p.launch('messages');
      has(await p.works('eval', '--world', 'preload', 'secretOfThePreload'), '42');
    },
    agent: 'no such option',
    playwright: 'no such function',
  },
  {
    name: "a page's own confirm box",
    async skua(p) {
      await p.launch('notes');
      await p.works('eval', "setTimeout(() => { document.title = String(confirm('Sure?')) }); 0");
      await p.call('dialog', 'accept');
      await until(async () => (await p.works('get', 'title')) === 'true', 'confirm is accepted');
    },
    async agent(p) {
      await p.launch('notes');
      await p.works('eval', "setTimeout(() => { document.title = String(confirm('Sure?')) }); 0");
      await p.call('dialog', 'accept');
      await until(async () => (await p.works('get', 'title')) === 'true', 'confirm is accepted');
    },
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      page.once('dialog', (dialog) => dialog.accept());
      has(String(await page.evaluate("confirm('Sure?')")), 'true');
    },
  },
  {
    name: 'open an address of the app (`app://`)',
    async skua(p) {
      await p.launch('custom');
      await p.works('open', 'app://held/other.html');
      has(await p.works('get', 'title'), 'Held Other');
    },
    async agent(p) {
      await p.launch('custom');
      await p.works('tab', await p.tab('Held Custom'));
      await p.works('open', 'app://held/other.html');
      has(await p.works('get', 'title'), 'Held Other');
    },
    async playwright(p) {
      await p.launch('custom');
      const page = await p.page('Held Custom');
      await page.goto('app://held/other.html');
      has(await page.title(), 'Held Other');
    },
  },
  {
    name: 'set a cookie, which a site gets, and read it back',
    async skua(p) {
      await cookieSite(async (site) => {
        await p.launch('notes');
        await p.works('open', site.address);
        await p.works('cookies', 'set', 'a', 'milk');
        await p.works('reload');
        site.gotCookie();
        has(await p.works('cookies', 'get'), 'milk');
      });
    },
    async agent(p) {
      await cookieSite(async (site) => {
        await p.launch('notes');
        await p.works('open', site.address);
        await p.works('cookies', 'set', 'a', 'milk');
        await p.works('reload');
        site.gotCookie();
        has(await p.works('cookies', 'get'), 'milk');
      });
    },
    async playwright(p) {
      await cookieSite(async (site) => {
        await p.launch('notes');
        const page = await p.page('Held Notes');
        await page.goto(site.address);
        await p.app.context().addCookies([{ name: 'a', value: 'milk', url: site.address }]);
        await page.reload();
        site.gotCookie();
        has(JSON.stringify(await p.app.context().cookies()), 'milk');
      });
    },
  },
  {
    name: 'save the state of the session',
    async skua(p) {
      await p.launch('custom');
      const file = newFile('state.json');
      await p.works('state', 'save', file);
      saved(file);
    },
    async agent(p) {
      await p.launch('custom');
      const file = newFile('state.json');
      await p.works('state', 'save', file);
      saved(file);
    },
    async playwright(p) {
      await p.launch('custom');
      const file = newFile('state.json');
      await p.app.context().storageState({ path: file });
      saved(file);
    },
  },
  {
    name: 'download a file by a click',
    async skua(p) {
      await p.launch('custom');
      const file = newFile('notes.txt');
      await p.works('download', 'a[download]', file);
      saved(file);
    },
    async agent(p) {
      await p.launch('custom');
      await p.works('tab', await p.tab('Held Custom'));
      const file = newFile('notes.txt');
      await p.works('download', 'a[download]', file);
      saved(file);
    },
    async playwright(p) {
      await p.launch('custom');
      const page = await p.page('Held Custom');
      const file = newFile('notes.txt');
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Save notes').click()]);
      await download.saveAs(file);
      saved(file);
    },
  },
  {
    name: 'pdf of a page',
    async skua(p) {
      await p.launch('notes');
      const file = newFile('notes.pdf');
      await p.works('pdf', file);
      saved(file);
    },
    async agent(p) {
      await p.launch('notes');
      const file = newFile('notes.pdf');
      await p.works('pdf', file);
      saved(file);
    },
    async playwright(p) {
      await p.launch('notes');
      const window = await p.app.browserWindow(await p.page('Held Notes'));
      const length = await window.evaluate(async (w) => (await w.webContents.printToPDF({})).length);
      if (!(length > 0)) throw new Error('no file');
      return 'script';
    },
  },
  ...['Held Notes', 'Held Helper'].map((title) => {
    const app = title === 'Held Notes' ? 'notes' : 'windows';
    return {
      name: title === 'Held Notes' ? 'screenshot' : 'screenshot of a hidden window',
      async skua(p) {
        await p.launch(app);
        const file = newFile('a.png');
        await p.works('--tab', await p.tab(title), 'screenshot', file);
        saved(file);
      },
      async agent(p) {
        await p.launch(app);
        await p.works('tab', await p.tab(title));
        const file = newFile('a.png');
        await p.works('screenshot', file);
        saved(file);
      },
      async playwright(p) {
        await p.launch(app);
        const file = newFile('a.png');
        await (await p.page(title)).screenshot({ path: file });
        saved(file);
      },
    };
  }),
  {
    name: "a page's console",
    async skua(p) {
      await p.launch('notes');
      await p.works('eval', "console.log('milk is gone')");
      has(await p.works('console'), 'milk is gone');
    },
    async agent(p) {
      await p.launch('notes');
      await p.works('eval', "console.log('milk is gone')");
      has(await p.works('console'), 'milk is gone');
    },
    async playwright(p) {
      await p.launch('notes');
      const page = await p.page('Held Notes');
      const line = page.waitForEvent('console');
      await page.evaluate("console.log('milk is gone')");
      has((await line).text(), 'milk is gone');
    },
  },
];
