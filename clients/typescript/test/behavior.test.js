// What the library does around commands: node --test behavior.test.js, with SKUA_PATH and a SKUA_SOCKET_DIR of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { SkuaError, session } from '../index.js';
import { forwarded } from '../lib/host.js';
import { speak } from '../lib/speech.js';
import { Frames } from '../lib/wire.js';

const host = path.join(process.env.SKUA_PATH ?? '', 'skuad');

/** @param {Promise<unknown>} call */
async function failure(call) {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof SkuaError, String(error));
    return error;
  }
  assert.fail('it did not fail');
}

test('a reply that comes in many pieces is whole', async () => {
  const page = await session('large');
  const { result } = await page.eval("'🙂'.repeat(500000) + 'end'");
  assert.equal(Buffer.byteLength(/** @type {string} */ (result)), 2000003);
  await page.close();
});

test('sessions that begin at once share one host', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const pages = await Promise.all(names.map((name) => session(`beside-${name}`)));
  await Promise.all(pages.map((page, i) => page.open(`data:text/html,<title>${names[i]}</title>`)));
  assert.deepEqual(await Promise.all(pages.map(async (page) => (await page.getTitle()).title)), names);
  const { sessions } = await pages[0].sessionList();
  for (const name of names) assert.ok(sessions.includes(`beside-${name}`), String(sessions));
  await Promise.all(pages.map((page) => page.close()));
});

test('an aborted call is canceled in the browser, too', async () => {
  const page = await session('aborted');
  await page.open('data:text/html,<title>still here</title>');
  const canceled = await failure(page.wait('#never', { timeout: '1m', signal: AbortSignal.timeout(200) }));
  assert.equal(canceled.code, 'canceled');
  assert.equal(/** @type {Error} */ (canceled.cause).name, 'TimeoutError');
  assert.equal((await page.getTitle({ timeout: 5000 })).title, 'still here'); // which waits for the session's turn
  const before = new AbortController();
  before.abort();
  assert.equal((await failure(page.getTitle({ signal: before.signal }))).code, 'canceled');
  await page.close();
});

test('a host that has ended is started again', async () => {
  const page = await session('again');
  await page.open('data:text/html,<title>before</title>');
  assert.equal(spawnSync(host, ['stop']).status, 0);
  await page.open('data:text/html,<title>after</title>');
  assert.equal((await page.getTitle()).title, 'after');
  await page.close();
});

test('a session is closed at the end of its block, unless it is kept', async () => {
  const dispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
  const other = await session('other');
  for (const keep of [false, true]) {
    const page = await session('block', { keep });
    await page.open('about:blank');
    await /** @type {any} */ (page)[dispose]();
    assert.equal((await other.sessionList()).sessions.includes('block'), keep);
  }
  await (await session('block')).close();
});

test('notices are in the result, at the session and handed out', async () => {
  const told = /** @type {string[]} */ ([]);
  const page = await session('notes', { onNotice: (text) => told.push(text) });
  await page.open('data:text/html,<p id=x>x');
  page.notices();
  const { value, notices } = await page.getAttr('#x', 'nothing');
  assert.equal(value, null);
  assert.deepEqual(notices, ['#x has no attribute "nothing"']);
  assert.deepEqual(page.notices(), notices);
  assert.deepEqual(page.notices(), []);
  assert.ok(told.includes('#x has no attribute "nothing"'), String(told));
  assert.equal((await page.getAttr('#x', 'id')).notices, undefined);
  await page.close();
});

const shop = `data:text/html,${encodeURIComponent('<title>Shop</title><h1>Tea</h1><a href=/x>More</a><button id=b aria-pressed=false onclick="this.setAttribute(`aria-pressed`,true);p.hidden=false">Buy</button><p id=p hidden>In the cart</p>')}`;

test('a snapshot is the short text, with what refs stand for as data', async () => {
  const page = await session('short');
  await page.open(shop);
  const snap = await page.snapshot({ interactive: true, boxes: true });
  assert.match(snap.text, /^page "Shop" data:text\/html.* \[tab t1\]\n- h1 "Tea" @e1 /);
  assert.equal('snapshot' in snap, false);
  const [ref, buy] = Object.entries(snap.refs).find(([, { name }]) => name === 'Buy') ?? assert.fail();
  assert.equal(buy.role, 'button');
  assert.equal(buy.pressed, 'false');
  assert.ok(buy.box && buy.box.width > 10);
  assert.equal(snap.page?.title, 'Shop');
  const clicked = await page.click(`@${ref}`, { observe: true });
  assert.match(clicked.text ?? '', /^✓ Done/);
  assert.match(clicked.text ?? '', /In the cart/);
  assert.match(clicked.observed?.text ?? '', /pressed=true/);
  assert.equal(clicked.lifecycle, undefined);
  await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button>Button</button>'.repeat(300))");
  const whole = (await page.snapshot({ interactive: true, maxChars: 0 })).text.length;
  const cut = (await page.snapshot({ interactive: true, maxChars: 1000 })).text.length;
  assert.ok(cut < whole / 3, `${cut} of ${whole}`);
  await page.close();
});

test('values are as one expects them', async () => {
  const page = await session('values');
  await page.open(shop);
  assert.equal(await page.title(), 'Shop');
  assert.ok((await page.url()).startsWith('data:'));
  assert.equal(await page.text('h1'), 'Tea');
  assert.equal(await page.isVisible('#p'), false);
  assert.equal(await page.count('button'), 1);
  assert.equal(await page.attr('#b', 'nothing'), null);
  assert.equal(await page.evaluate((a, { b }) => a + b, 1, { b: 2 }), 3);
  assert.deepEqual(
    await page.evaluate((x) => x, JSON.parse('{"__proto__": 1, "a": ["\\u2028"]}')),
    JSON.parse('{"__proto__": 1, "a": ["\\u2028"]}'),
  );
  assert.equal(await page.evaluate(async () => 'late'), 'late');
  const methods = {
    add(/** @type {number} */ a) {
      return a + 1;
    },
    async later(/** @type {number} */ a) {
      return a + 2;
    },
  };
  assert.equal(await page.evaluate(methods.add, 1), 2);
  assert.equal(await page.evaluate(methods.later, 1), 3);
  assert.equal(await page.evaluate('document.title'), 'Shop');
  assert.equal(await page.evaluate(() => undefined), undefined);
  assert.ok(Number.isNaN(await page.evaluate('0/0')));
  assert.equal(await page.evaluate('2n ** 64n'), 2n ** 64n);
  assert.equal((await page.eval((/** @type {number} */ a) => a * 2, 4)).result, 8);
  assert.match((await failure(page.evaluate(Math.max, 1))).message, /no text/);
  const png = await page.screenshotBytes();
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const file = path.join(mkdtempSync('/tmp/sk'), 'page.pdf');
  assert.equal(new TextDecoder().decode((await page.pdfBytes(file)).subarray(0, 5)), '%PDF-');
  assert.ok(existsSync(file)); // since the caller named it
  rmSync(path.dirname(file), { recursive: true });
  await page.scrollIntoView('#b');
  await page.close();
});

test('objects are given as objects', async () => {
  const page = await session('objects');
  await page.setHeaders({ 'X-From': 'library' });
  await page.networkRoute('http://shop.test/api', {
    body: { name: 'x', list: [1] },
    header: { 'X-A': '1', 'X-B': '2, 3' },
    allowOrigin: '*',
  });
  await page.networkRoute('http://shop.test/page', { body: '<title>Shop</title>' });
  await page.open('http://shop.test/page');
  const answer = await page.evaluate(async () => {
    const response = await fetch('/api');
    return { body: await response.json(), type: response.headers.get('content-type'), b: response.headers.get('x-b') };
  });
  assert.deepEqual(answer.body, { name: 'x', list: [1] });
  assert.match(String(answer.type), /json/);
  assert.equal(answer.b, '2, 3');
  await page.close();
});

test('errors speak of methods and options', async () => {
  const page = await session('speech');
  await page.open(shop);
  const both = await failure(page.snapshot({ maxTokens: 1, maxChars: 1 }));
  assert.equal(both.message, 'maxTokens and maxChars say the same: give one of them');
  const far = await failure(page.mouseWheel(/** @type {any} */ ('far')));
  assert.doesNotMatch(far.message, /Usage|--/);
  assert.equal(
    speak('Take `snapshot -i`, or `get title --tab t1`: "--max-tokens" --max-tokens'),
    'Take `snapshot(-i)`, or `getTitle(tab, t1)`: "--max-tokens" maxTokens',
  );
  await page.close();
});

test('a command that waits for a person is an error', async () => {
  const page = await session('held', { confirmActions: ['click'] });
  await page.open('data:text/html,<button onclick="document.title=1">Go</button>');
  const held = await failure(page.click('button'));
  assert.equal(held.code, 'confirmation-required');
  assert.match(String(held.facts.confirmation_id), /\w/);
  assert.equal((await page.getTitle()).title, '');
  await page.close();
});

test('what cannot be meant is refused before anything is sent', async () => {
  const page = /** @type {any} */ (await session('refused'));
  assert.match((await failure(page.open('about:blank', { wrong: 1 }))).message, /open has no option "wrong"/);
  assert.match((await failure(page.click('a', 'b', 'c'))).message, /takes 1 arguments, not 3/);
  assert.match((await failure(page.getAttr(undefined, 'x'))).message, /selector is missing/);
  assert.match((await failure(/** @type {any} */ (session)('x', { wrong: 1 }))).message, /a session has no option "wrong"/);
});

test('what keeps a host from being reached is said', async () => {
  const folder = mkdtempSync('/tmp/sk');
  const env = { HOME: folder, PATH: folder, SKUA_SOCKET_DIR: folder };
  const missing = await failure(session('x', { env }));
  assert.equal(missing.code, 'host-unreachable');
  assert.match(missing.message, /SKUA_PATH/);
  assert.match((await failure(session('x', { env, skuad: folder }))).message, /there is no program skuad/);
  assert.match((await failure(session('x', { env, namespace: 'a b' }))).message, /namespace "a b"/);
  assert.match((await failure(session('x', { env, socketDir: folder + '/x'.repeat(60) }))).message, /too long/);
  const other = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(path.join(folder, 'skua.socket'));
  assert.match((await failure(session('x', { env }))).message, /not a skua host/);
  other.close();
  const mute = net.createServer((socket) => socket.resume().on('end', () => socket.end())).listen(path.join(folder, 'skua.socket'));
  mute.on('connection', (socket) => socket.once('data', () => socket.end()));
  assert.match((await failure(session('x', { env }))).message, /may or may not have run/);
  mute.close();
  rmSync(folder, { recursive: true });
});

const deep = process.env.SKUA_TEST_DEEP ? false : 'it takes half a minute, and belongs to the deep tier';

/**
 * Stops a process, and waits until all of its threads have stopped: on a busy machine they go on for a while.
 * @param {number} pid
 */
async function stop(pid) {
  const tasks = `/proc/${pid}/task`;
  const goesOn = () =>
    existsSync(tasks)
      ? readdirSync(tasks).some((id) => !/\) T [^)]*$/.test(readFileSync(`${tasks}/${id}/stat`, 'utf8')))
      : !spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T');
  process.kill(pid, 'SIGSTOP');
  while (goesOn()) await new Promise((resolve) => setImmediate(resolve));
}

test('a host that hangs is told from one that works for long', { skip: deep }, async () => {
  const page = await session('long');
  await page.open('data:text/html,<title>long</title>');
  await page.wait(12_000);
  const log = readFileSync(path.join(process.env.SKUA_SOCKET_DIR ?? '', 'skua.log'), 'utf8');
  const pid = Number(
    log
      .match(/host started.*pid=(\d+)/g)
      ?.at(-1)
      ?.replace(/.*=/, ''),
  );
  await stop(pid);
  try {
    const hung = await failure(page.getTitle());
    assert.equal(hung.code, 'host-unreachable');
    assert.match(hung.message, /does not answer/);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await page.close();
});

test('secrets of the environment stay here', () => {
  const env = { HOME: '/h', SKUA_X: '1', SECRET: 's', AWS_KEY: 'k', OPENAI_API_KEY: 'o', SHOP_PASSWORD: 'p' };
  assert.deepEqual(forwarded(env, ['click', '#x=env:SECRET'], false), ['HOME=/h', 'SKUA_X=1']);
  assert.deepEqual(forwarded(env, ['--provider=browserbase', 'open'], false), ['HOME=/h', 'SKUA_X=1', 'AWS_KEY=k']);
  assert.deepEqual(forwarded(env, ['--grant=pw=env:SHOP_PASSWORD@shop.example'], true), [
    'HOME=/h',
    'SKUA_X=1',
    'OPENAI_API_KEY=o',
    'SHOP_PASSWORD=p',
  ]);
});

test('frames are put together from pieces of any size', () => {
  const reply = Buffer.concat([Buffer.from([1, 0x82, 0x01]), Buffer.alloc(130, 'x'), Buffer.from([2, 1, 33, 3, 1, 7])]);
  for (let size = 1; size < reply.length; size++) {
    const frames = new Frames();
    const got = [];
    for (let at = 0; at < reply.length; at += size) got.push(...frames.take(reply.subarray(at, at + size)));
    assert.deepEqual(
      got.map(({ kind, payload }) => [kind, payload.length]),
      [
        [1, 130],
        [2, 1],
        [3, 1],
      ],
      `pieces of ${size}`,
    );
  }
  assert.throws(() => [...new Frames().take(Buffer.from('HTTP/1.1'))], RangeError);
});
