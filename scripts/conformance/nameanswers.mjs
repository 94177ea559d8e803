// Who is asked for the role, the name and the description of an element: skua's script, Chrome's accessibility tree, Playwright and agent-browser.
// All look at the same document in the same browser.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What one of them says; null where it cannot be asked or has no line for the element.
 * @typedef {{role: string, name: string, description: string}} Answer
 * @typedef {(method: string, params?: object) => Promise<any>} Send
 */

const FIND = `(function find(root) {
  let found = root.getElementById('test');
  for (const el of root.querySelectorAll('*')) if (!found && el.shadowRoot) found = find(el.shadowRoot);
  return found;
})(document)`;

/**
 * Chrome's accessibility tree.
 * @param {Send} send
 * @returns {Promise<Answer | null>}
 */
export async function askChrome(send) {
  const { result } = await send('Runtime.evaluate', { expression: FIND });
  if (result.objectId === undefined) return null;
  const { node } = await send('DOM.describeNode', { objectId: result.objectId });
  const { nodes } = await send('Accessibility.getFullAXTree');
  const found = nodes.find((/** @type {any} */ one) => one.backendDOMNodeId === node.backendNodeId);
  if (found === undefined) return { role: '', name: '', description: '' };
  const says = (/** @type {string} */ key) => String(found[key]?.value ?? '');
  return { role: found.ignored ? 'none' : says('role'), name: says('name'), description: says('description') };
}

/**
 * skua, by the first line of its snapshot of the element. What has no line there has the role and the name by which actions know it, which the
 * script that skua runs in pages tells.
 * @param {string} program
 * @param {string} port of the browser
 * @param {string} root of the project
 */
export function skuaAsker(program, port, root) {
  const bundle = readFileSync(join(root, 'engine/inpage/bundle/main.js'), 'utf8');
  const bring = `Object.defineProperty(globalThis, '__skuaInstall', { configurable: true, value: (docID => { 'use strict'; ${bundle}\nreturn docID; }) }), 0`;
  const call = async (/** @type {string[]} */ ...words) =>
    JSON.parse((await run(program, ['--session', 'names', '--json', ...words], { timeout: 30000 })).stdout);
  /** @param {Send} send @param {string} frame */
  async function known(send, frame) {
    const { executionContextId: contextId } = await send('Page.createIsolatedWorld', { frameId: frame, worldName: 'names' });
    const evaluate = async (/** @type {string} */ expression) => {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        contextId,
        awaitPromise: true,
        returnByValue: true,
      });
      return exceptionDetails ? null : result.value;
    };
    await evaluate(bring);
    await evaluate(`globalThis.__skuaInstall('doc')`);
    return evaluate(`globalThis.__skua.ops.read({ target: { css: '#test' }, what: 'visible' })`);
  }
  return {
    connect: () => call('connect', port),
    close: () => call('close'),
    /** @param {Send} send @param {string} frame @returns {Promise<Answer | null>} */
    async ask(send, frame) {
      const told = await known(send, frame);
      if (told === null || told.error) return null;
      const reply = await call('snapshot', '-s', '#test', '--tree');
      // An area of an image is drawn with that, and has no scope of its own.
      const empty = (reply.data?.tree ?? []).length === 0;
      const line = empty ? within((await call('snapshot', '--tree')).data?.tree ?? [], told) : reply.data.tree[0];
      if (line === undefined || line.role !== told.role) return { role: told.role, name: told.name, description: '' };
      return { role: line.role, name: line.name ?? '', description: line.description ?? '' };
    },
  };
}

/**
 * The line of an element by what actions know it by.
 * @param {any[]} tree
 * @param {{role: string, name: string}} told
 * @returns {any}
 */
function within(tree, told) {
  for (const line of tree) {
    const found = line.role === told.role && line.name === told.name && told.name !== '' ? line : within(line.children ?? [], told);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Playwright's own computation, which is in the script that it puts into pages.
 * @param {string} folder of playwright-core
 * @returns {(send: Send) => Promise<Answer | null>}
 */
export function playwrightAsker(folder) {
  const library = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8');
  const at = library.indexOf('"packages/playwright-core/src/generated/injectedScriptSource.ts"() {');
  const literal = /\n\s*source\d* = ('(?:[^'\\]|\\.)*');/.exec(library.slice(at));
  if (at < 0 || literal === null) throw new Error('playwright-core: the script that it puts into pages is not where it was');
  const source = String(Function(`return ${literal[1]}`)());
  const options = {
    isUnderTest: false,
    sdkLanguage: 'javascript',
    testIdAttributeName: 'data-testid',
    stableRafCount: 1,
    browserName: 'chromium',
  };
  const expression = `(() => {
    const module = {};
    ${source}
    const { utils } = new (module.exports.InjectedScript())(globalThis, ${JSON.stringify({ ...options, customEngines: [] })});
    const el = ${FIND};
    return {
      role: utils.getAriaRole(el) ?? '',
      name: utils.getElementAccessibleNameText(el, false),
      description: utils.getElementAccessibleDescription(el, false).text,
    };
  })()`;
  return async (send) => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
}

/**
 * agent-browser, by the first line of its snapshot of the element. It has no line for what has neither a name nor a role that matters.
 * @param {string} program
 * @param {string} port of the browser
 * @param {string} session
 */
export function agentBrowserAsker(program, port, session) {
  const call = async (/** @type {string[]} */ ...words) =>
    JSON.parse((await run(program, ['--session', session, '--json', ...words], { timeout: 30000 })).stdout);
  return {
    connect: () => call('connect', port),
    close: () => call('close'),
    /** @returns {Promise<Answer | null>} */
    async ask() {
      const reply = await call('snapshot', '-s', '#test').catch(() => null);
      const [line = ''] = String(reply?.data?.snapshot ?? '').split('\n');
      const told = /^- ([\w-]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line);
      return told === null ? null : { role: told[1], name: told[2] === undefined ? '' : JSON.parse(`"${told[2]}"`), description: '' };
    },
  };
}
