// Runs each scenario with each program, for real, and prints the table.

import fs from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { base, startDisplay } from './desk.mjs';
import { AgentBrowser, Playwright, Skua } from './programs.mjs';
import { ends } from './scenarios/ends.mjs';
import { main } from './scenarios/main.mjs';
import { pages } from './scenarios/pages.mjs';
import { starts } from './scenarios/starts.mjs';

const page = fileURLToPath(new URL('../../docs/electron-comparison.md', import.meta.url));
const only = parseArgs({ options: { only: { type: 'string', default: '' } } }).values.only;

/** A cell: how it went, as ✓, ◐, ✗ or –, and a remark. */
async function cell(Program, scenario) {
  if (typeof scenario === 'string') return { mark: '–', remark: scenario };
  const program = new Program();
  const limit = new Promise((_, reject) => setTimeout(reject, 120_000, new Error('not within 120 s')).unref());
  try {
    const remark = await Promise.race([scenario(program), limit]);
    if (remark?.partly) return { mark: '◐', remark: remark.partly };
    return { mark: '✓', remark: typeof remark === 'string' ? remark : '' };
  } catch (error) {
    return { mark: '✗', remark: plain(error.message) };
  } finally {
    await program.end().catch(() => {});
  }
}

/** The first line of a message, without what differs from run to run. */
function plain(message) {
  const line = message
    .split('\n')
    .find((l) => l.trim())
    .replaceAll(base, '')
    .replace(/^✗ /, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, 'ID')
    .replace(/(process|port) \d+/g, '$1 N')
    .trim();
  return line.length > 110 ? `${line.slice(0, 109).replace(/\s\S*$/, '')}…` : line;
}

const rank = { '✓': 2, '◐': 1, '✗': 0, '–': 0 };
const shown = (c) => `${c.mark} ${c.remark}`.trim().replaceAll('|', '\\|').replaceAll('<', '&lt;');

const groups = [
  ['Start', starts],
  ['Windows and pages', pages],
  ['The main process and native UI', main],
  ['Faults and ends', ends],
];

const stopDisplay = await startDisplay();
const lines = [];
const count = { rows: 0, behind: 0, ahead: 0 };
for (const [title, scenarios] of groups) {
  lines.push(`## ${title}`, '', '| Scenario | skua | agent-browser | Playwright |', '|---|---|---|---|');
  for (const s of scenarios) {
    if (!s.name.includes(only)) continue;
    const cells = [await cell(Skua, s.skua), await cell(AgentBrowser, s.agent), await cell(Playwright, s.playwright)];
    const [ours, ...theirs] = cells.map((c) => rank[c.mark]);
    count.rows++;
    if (ours < Math.max(...theirs)) count.behind++;
    if (ours > Math.max(...theirs)) count.ahead++;
    process.stderr.write(`${s.name}: ${cells.map(shown).join(' | ')}\n`);
    lines.push(`| ${s.name}${ours < Math.max(...theirs) ? ' **(behind)**' : ''} | ${cells.map(shown).join(' | ')} |`);
  }
  lines.push('');
}
stopDisplay();
fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 });

const head = `# Electron apps: comparison with agent-browser and Playwright

<!-- scripts/electron-comparison writes this page: it runs each scenario with each program in an app of a real Electron. -->

This page compares what skua, agent-browser 0.41.2 (\`connect\`) and Playwright 1.65.1 (\`_electron\`) do in apps of a real
Electron (25.1, Chromium 114; Linux). Each cell is a run. agent-browser does not launch apps, so each app is started with a
debugging port for it. [Electron apps](electron.md) shows how to do these things with skua.

- ✓: it works. A remark says how, if there is more than one way. "script" is a script of the user that calls Electron's own API,
  to which the program gives access.
- ◐: a part works.
- ✗: it fails. The remark is the first line of what the program says.
- –: the program has nothing for it.

${count.rows} scenarios. skua is behind one of the others in ${count.behind}, and ahead of both in ${count.ahead}.

`;
const text = head + lines.join('\n');
if (only) process.stdout.write(text);
else fs.writeFileSync(page, `${text.trimEnd()}\n`);
if (count.behind > 0) process.stderr.write(`skua is behind in ${count.behind}\n`);
process.exit(count.behind > 0 ? 1 : 0); // a page that hangs must not keep this from ending
