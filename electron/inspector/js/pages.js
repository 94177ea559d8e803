/**
 * Gives access to the pages of an app that was started without a debugging port. Electron lets the main process debug a page
 * (webContents.debugger), and the session with one page reaches all other targets of the app, too. So one page carries a
 * whole connection: messages go in as JSON, and come out through a binding of the inspector, an empty one as the last.
 *
 * @param {(name: string) => any} load
 * @param {string} binding the name of the binding; it is taken out of the app's sight
 * @returns {((message: string) => void) | undefined} takes a message, or ends the connection with an empty one; nothing if no page is there
 */
export default (load, binding) => {
  const { app, webContents } = load('electron');
  const globals = /** @type {any} */ (globalThis);
  /** @type {(message: string) => void} */
  const emit = globals[binding];
  delete globals[binding];

  // Connections of ours, by the page that carries them. One whose host was killed is still there.
  const ours = Symbol.for('skua.pages');
  if (!globals[ours]) Object.defineProperty(globals, ours, { value: new Map(), configurable: true });
  /** @type {Map<any, () => void>} */
  const carried = globals[ours];

  // The page that is most likely to stay: a window that is shown, and the largest of those.
  const { BrowserWindow } = load('electron');
  /** @type {(contents: any) => number} */
  const rank = (contents) => {
    const window = BrowserWindow.getAllWindows().find((/** @type {any} */ w) => w.webContents === contents);
    if (!window) return 0;
    const { width, height } = window.getBounds();
    return width * height * (window.isVisible() ? 1e6 : 1);
  };
  const carriers = webContents
    .getAllWebContents()
    .filter(
      (/** @type {any} */ c) =>
        !c.isDestroyed() && !c.isCrashed() && !c.getURL().startsWith('devtools:') && (!c.debugger.isAttached() || carried.has(c)),
    )
    .sort((/** @type {any} */ a, /** @type {any} */ b) => Number(carried.has(a)) - Number(carried.has(b)) || rank(b) - rank(a));
  if (carriers.length === 0) return undefined;
  const contents = carriers[0];
  carried.get(contents)?.();
  const carrier = contents.debugger;
  carrier.attach('1.3');

  let ended = false;
  /** @type {(message: any) => void} */
  const send = (message) => {
    if (!ended) emit(JSON.stringify(message));
  };

  // Electron connects the carrier again when its page gets another process, and what the page says meanwhile is lost: that it shows another document.
  let ownTarget = '';
  const ownSessions = new Set();
  /** @type {Map<string, any[]>} events of sessions that wait for what was lost */
  const held = new Map();

  /** @type {(event: any, method: string, params: any, sessionId: string) => void} */
  const onMessage = (_, method, params, sessionId) => {
    if (!sessionId && method === 'Target.attachedToTarget' && params.targetInfo.targetId === ownTarget) ownSessions.add(params.sessionId);
    if (!sessionId && method === 'Target.detachedFromTarget') ownSessions.delete(params.sessionId);
    const message = sessionId ? { method, params, sessionId } : { method, params };
    const waiting = held.get(sessionId);
    if (waiting) waiting.push(message);
    else send(message);
  };

  const renderer = () => `${contents.mainFrame.processId} ${contents.mainFrame.routingId}`;
  let shownBy = renderer();

  /** @type {(sessionId: string) => Promise<void>} */
  const tellDocument = async (sessionId) => {
    /** @type {any[]} */
    const waiting = [];
    held.set(sessionId, waiting);
    /** @type {any} */
    let frame;
    try {
      ({ frame } = (await carrier.sendCommand('Page.getFrameTree', {}, sessionId)).frameTree);
    } catch {
      // it is closed
    }
    const told = waiting.some(({ method, params }) => method === 'Page.frameNavigated' && params.frame.id === frame?.id);
    if (frame && !told) send({ method: 'Page.frameNavigated', params: { frame, type: 'Navigation' }, sessionId });
    held.delete(sessionId);
    for (const message of waiting) send(message);
    // Which tells again how far the document has come.
    if (frame) carrier.sendCommand('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId).catch(() => {});
  };

  const onNavigated = () => {
    if (ended || renderer() === shownBy) return;
    shownBy = renderer();
    for (const sessionId of ownSessions) tellDocument(sessionId);
  };

  const end = () => {
    if (ended) return;
    ended = true;
    carrier.off('message', onMessage);
    carrier.off('detach', end);
    if (!contents.isDestroyed()) contents.off('did-navigate', onNavigated);
    app.off('will-quit', end);
    app.off('quit', end);
    if (!contents.isDestroyed() && carrier.isAttached()) carrier.detach();
    carried.delete(contents);
    if (carried.size === 0) delete globals[ours];
    emit('');
  };
  if (!globals[ours]) Object.defineProperty(globals, ours, { value: carried, configurable: true });
  carried.set(contents, end);

  carrier.on('message', onMessage);
  carrier.on('detach', end);
  contents.on('did-navigate', onNavigated);
  carrier.sendCommand('Target.getTargetInfo').then(
    (/** @type {any} */ { targetInfo }) => {
      ownTarget = targetInfo.targetId;
    },
    () => {},
  );
  // A process that ends waits for those that inspect it.
  app.on('will-quit', end);
  app.on('quit', end);

  /** @type {(id: number, sessionId: string | undefined, text: string) => void} */
  const refuse = (id, sessionId, text) => send({ id, sessionId, error: { code: -32000, message: text } });

  return (text) => {
    if (text === '') return end();
    const { id, method, params, sessionId } = JSON.parse(text);
    // The session of a page would hold its frames, and none of the new windows.
    if (!sessionId && method === 'Target.setAutoAttach') return refuse(id, undefined, 'Not supported');
    if (ended) return;
    const answer = sessionId ? carrier.sendCommand(method, params || {}, sessionId) : carrier.sendCommand(method, params || {});
    answer.then(
      (/** @type {any} */ result) => send({ id, sessionId, result }),
      (/** @type {Error} */ error) => refuse(id, sessionId, error.message),
    );
  };
};
