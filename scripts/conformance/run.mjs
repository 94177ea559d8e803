// node run.mjs SKUA SUITE FOLDER: runs the scenarios of the conformance suite (its package is in SUITE) that any server can pass against `skua mcp --http`,
// and reads what they found. All other scenarios call tools, prompts and resources of a server that is made for the suite.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';

const [skua, suite, folder] = process.argv.slice(2);
const token = 'conformance-of-skua';

/** By the revision of the protocol. */
const scenarios = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'logging-set-level',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
};

/** @type {URL} */
let served;

/** The suite sends no token: this adds it, and passes everything else on. */
const relay = http.createServer((request, answer) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  if (headers.host === new URL(address).host) headers.host = served.host;
  const on = http.request(served, { method: request.method, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  on.on('error', () => answer.destroy());
  answer.on('close', () => on.destroy());
  request.pipe(on);
});
await new Promise((listening) => relay.listen(0, '127.0.0.1', () => listening(undefined)));
const at = relay.address();
const address = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : at}`;

const server = spawn(skua, ['mcp', '--http', '127.0.0.1:0', '--tools', 'browser', '--allow-origin', address], {
  env: { ...process.env, SKUA_MCP_TOKEN: token },
  stdio: ['ignore', 'ignore', 'pipe'],
});
process.on('exit', () => server.kill());
served = await new Promise((found, failed) => {
  let said = '';
  server.on('exit', () => failed(new Error(`skua mcp has ended: ${said}`)));
  server.stderr.on('data', (data) => {
    said += data;
    const serving = /Serving MCP on (\S+)/.exec(said);
    if (serving) found(new URL(serving[1]));
  });
});

const program = ['--import', new URL('hook.mjs', import.meta.url).href, join(suite, 'dist/index.js')];
for (const [revision, names] of Object.entries(scenarios)) {
  const into = join(folder, revision);
  const asked = ['server', '--url', `${address}/mcp`, '--suite', 'all', '--spec-version', revision, '--timeout', '10000', '-o', into];
  let said = '';
  const run = spawn(process.execPath, [...program, ...asked], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (data) => (said += data));
  await new Promise((ended) => run.on('close', ended)); // its exit code is 1, by the scenarios that are not for us
  for (const name of names) check(revision, name, into, said);
}
relay.close();
server.kill();

/**
 * What the suite writes of one check.
 * @typedef {{id: string, status: string, errorMessage?: string, details?: {untestable?: boolean}}} Check
 */

/**
 * Reads the checks of a scenario. Those that need a tool of the suite's own server say so.
 * @param {string} revision
 * @param {string} name
 * @param {string} into the folder of the results
 * @param {string} said what the suite printed
 */
function check(revision, name, into, said) {
  let found;
  try {
    found = readdirSync(into).find((one) => new RegExp(`^server-${name}-\\d{4}-`).test(one));
  } catch {
    // the suite has written nothing
  }
  if (!found) {
    console.error(`conform-mcp: ${revision}: ${name} did not run\n${said.slice(-2000)}`);
    process.exit(1);
  }
  /** @type {Check[]} */
  const all = JSON.parse(readFileSync(join(into, found, 'checks.json'), 'utf8'));
  const checks = all.filter((one) => !one.details?.untestable);
  const failed = checks.filter((one) => one.status === 'FAILURE');
  const passed = checks.filter((one) => one.status === 'SUCCESS').length;
  if (failed.length > 0 || passed === 0) {
    for (const one of failed)
      console.error(`conform-mcp: ${revision}: ${name}: ${one.id}: ${one.errorMessage} ${JSON.stringify(one.details)}`);
    if (passed === 0) console.error(`conform-mcp: ${revision}: ${name}: nothing passed`);
    process.exitCode = 1;
    return;
  }
  console.log(`ok  ${revision}  ${name} (${passed})`);
}
