// node names.mjs SKUA AGENT-BROWSER PLAYWRIGHT ACCNAME ARIA-QUERY BROWSER FOLDER [DOCUMENT]: asks all of them for the roles, names and descriptions of all
// cases and prints how many of these are as the suites want them. FOLDER gets misses.md, which lists each that is not, and DOCUMENT the table.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentBrowserAsker, askChrome, playwrightAsker, skuaAsker } from './nameanswers.mjs';
import { accnameSuites, ownSuites, rolesSuite } from './namecases.mjs';
import { verdicts, WHO } from './nameverdicts.mjs';

/** @import { Answer, Send } from './nameanswers.mjs' */

const [skua, agentBrowser, playwright, accname, ariaQuery, program, folder, report] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const suites = [...ownSuites(join(root, 'testdata/names')), ...accnameSuites(accname), rolesSuite(ariaQuery)];

let document = '';
const site = http.createServer((_, reply) => {
  reply.setHeader('content-type', 'text/html; charset=utf-8').end(document);
});
await new Promise((listening) => site.listen(0, '127.0.0.1', () => listening(undefined)));
const at = site.address();
const address = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : at}/`;

const profile = mkdtempSync(join(tmpdir(), 'conformance-names-'));
const options = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--remote-debugging-port=0',
  `--user-data-dir=${profile}`,
  'about:blank',
];
const browser = spawn(program, options, { stdio: 'ignore' });
const ended = new Promise((done) => browser.on('exit', done));
try {
  await main();
} finally {
  browser.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true });
  site.close();
}

async function main() {
  const portFile = join(profile, 'DevToolsActivePort');
  for (const end = Date.now() + 30000; !existsSync(portFile) || readFileSync(portFile, 'utf8').split('\n').length < 2; ) {
    if (Date.now() > end) throw new Error(`${program} does not open its debugging port`);
    await new Promise((later) => setTimeout(later, 50));
  }
  const [port] = readFileSync(portFile, 'utf8').split('\n');
  const { chromium } = createRequire(import.meta.url)(playwright);
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const page = connected.contexts()[0].pages()[0];
  const session = await page.context().newCDPSession(page);
  /** @type {Send} */
  const send = (method, params) => session.send(method, params);
  const theirs = agentBrowserAsker(agentBrowser, port, `names-${process.pid}`);
  await theirs.connect();
  const ours = skuaAsker(skua, port, root);
  await ours.connect();
  const byPlaywright = playwrightAsker(playwright);
  const rows = [];
  const misses = ['# What is not as the suites want it\n'];
  try {
    for (const suite of suites) {
      const counts = verdicts(suite.name);
      for (const one of suite.cases) {
        document = `<!doctype html><html lang=en><title>Case</title><body>${one.html}`;
        await page.goto(address);
        const { frameTree } = await send('Page.getFrameTree', {});
        /** @type {{[who: string]: Answer | null}} */
        const answers = {};
        // The two that are programs take their time, and neither changes anything.
        [answers.Chrome, answers.Playwright, answers.skua, answers['agent-browser']] = await Promise.all([
          askChrome(send),
          byPlaywright(send),
          ours.ask(send, frameTree.frame.id),
          theirs.ask(),
        ]);
        misses.push(...counts.judge(one, answers));
      }
      rows.push(...counts.rows());
    }
  } finally {
    await Promise.allSettled([ours.close(), theirs.close()]);
    await connected.close();
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'misses.md'), `${misses.join('\n')}\n`);
  const table = `| suite | | cases | ${WHO.join(' | ')} |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
  console.log(table);
  if (report) write(report, table);
}

/**
 * Writes the table between the marks that the document has for it.
 * @param {string} path
 * @param {string} table
 */
function write(path, table) {
  const text = readFileSync(path, 'utf8');
  const [begin, end] = [
    '<!-- scripts/conformance-names writes what follows -->\n',
    '<!-- end of what scripts/conformance-names writes -->\n',
  ];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place for the table`);
  writeFileSync(path, text.slice(0, from + begin.length) + table + text.slice(to));
}
