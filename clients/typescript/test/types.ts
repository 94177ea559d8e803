// What is a mistake in a program is one for the compiler. This file is compiled and not run: each line that has to be refused is marked, and one that is
// not refused is an error, too.
import { type ErrorCode, type Session, SkuaError, type SnapshotData, session } from 'skua-client';

export async function right(): Promise<void> {
  const page: Session = await session('shop', { headed: true, timeout: '10s', extension: ['a', 'b'], colorScheme: 'dark' });
  const opened = await page.open('https://example.com', { waitUntil: 'load' });
  const title: string = opened.title;
  const launched: boolean = (await page.open()).launched;
  const snap: SnapshotData = await page.snapshot({ interactive: true, timeout: 5000 });
  const name: string | undefined = snap.refs.e1?.name;
  const changes: number | undefined = (await page.snapshot({ delta: true })).snapshot.baseRevision;
  const clicked = await page.click('@e2', { button: 'right', signal: AbortSignal.timeout(1000) });
  const went: string | undefined = clicked.effect?.navigation?.to;
  await page.click({ at: '10,20' });
  const tab: string = (await page.click('@e2', { newTab: true })).tabId;
  const box: number = (await page.getBox('@e2')).width;
  await page.wait(500);
  const url: string = (await page.wait({ url: '*/done' })).url;
  await page.select('@e3', ['red', 'green']);
  await page.setViewport(800, 600);
  const rows = await page.batch([], { input: '[["back"]]' });
  const failed: string | null | undefined = rows[0]?.error;
  const launches: boolean | undefined = clicked.lifecycle?.launched;
  const error = new SkuaError('ref-stale', 'gone');
  const code: ErrorCode = error.code;
  const hint: string = error.hint;
  const text: string = snap.text;
  const pressed: string | undefined = snap.refs.e1?.pressed;
  const heading: string = await page.title();
  const visible: boolean = await page.isVisible('#x');
  const sum: number = await page.evaluate((a: number, b: number) => a + b, 1, 2);
  const png: Uint8Array = await page.screenshotBytes();
  await page.setHeaders({ 'X-A': '1' });
  await page.networkRoute('*', { body: { a: 1 }, header: { 'X-A': '1' } });
  const notices: string[] = page.notices();
  await page.close();
  void [
    text,
    pressed,
    heading,
    visible,
    sum,
    png,
    notices,
    title,
    launched,
    name,
    changes,
    went,
    tab,
    box,
    url,
    failed,
    launches,
    code,
    hint,
  ];
}

export async function wrong(page: Session): Promise<void> {
  // @ts-expect-error a session has no such option
  await session('shop', { heeded: true });
  // @ts-expect-error not a color scheme
  await session('shop', { colorScheme: 'green' });
  // @ts-expect-error an address is a text
  await page.open(5);
  // @ts-expect-error an element has to be named, or a point
  await page.click();
  // @ts-expect-error there is no such button
  await page.click('@e2', { button: 'upper' });
  // @ts-expect-error click has no such option
  await page.click('@e2', { buton: 'left' });
  // @ts-expect-error one argument too many
  await page.click('@e2', '@e3');
  // @ts-expect-error a number of pixels
  await page.setViewport('800', 600);
  // @ts-expect-error not a direction
  await page.scroll('sideways');
  // @ts-expect-error there is no such command
  await page.clack('@e2');
  // @ts-expect-error the result of a click has no title
  (await page.click('@e2')).title.trim();
  // @ts-expect-error a box has no depth
  (await page.getBox('@e2')).depth.toFixed();
  // @ts-expect-error the title is a string
  (await page.title()).title;
  // @ts-expect-error the function takes a number
  await page.evaluate((a: number) => a, 'one');
  // @ts-expect-error headers are no number
  await page.setHeaders(5);
  // @ts-expect-error there is no such code
  if (new SkuaError('usage', '').code === 'ref-stail') return;
  // @ts-expect-error nor here
  new SkuaError('ref-stail', '');
}
