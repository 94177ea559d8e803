/**
 * @typedef {object} Channel
 * @property {string} name
 * @property {boolean} handler it answers ipcRenderer.invoke
 * @property {number} listeners of ipcRenderer.send and sendSync
 * @property {number} [page] the place, in the targets that were given, of the page whose own ipc has it; absent: ipcMain
 *
 * @typedef {object} IPCWish
 * @property {string[] | null} [targetIds] of pages
 * @property {string} [call] the channel to call
 * @property {any[]} [args]
 * @property {string} [from] the target of the page that calls
 *
 * @typedef {object} IPCAnswer
 * @property {Channel[]} channels
 * @property {'none' | 'no-page' | 'answered' | 'unanswered' | 'failed' | 'unsendable'} [outcome] of a call
 * @property {string} [answer] JSON
 * @property {string} [error]
 */

/**
 * Lists the channels on which the app listens, or calls one as a page does.
 *
 * @param {(name: string) => any} load
 * @param {IPCWish} wish
 * @returns {Promise<IPCAnswer>}
 */
export default async (load, wish) => {
  const { Buffer } = load('buffer');
  const { BrowserWindow, ipcMain, webContents } = load('electron');
  const { isAnyArrayBuffer, isBoxedPrimitive, isDate, isMap, isNativeError, isRegExp, isSet } = load('util').types;

  /** @type {(targetId?: string) => any} */
  const contentsOf = (targetId) => (targetId && webContents.fromDevToolsTargetId ? webContents.fromDevToolsTargetId(targetId) : undefined);

  /** @type {(contents: any) => any[]} what a page's messages come to before ipcMain */
  const ownOf = (contents) => [contents.mainFrame?.ipc, contents.ipc].filter(Boolean);

  /** @type {Channel[]} */
  const channels = [];

  /** @type {(emitter: any, page?: number) => void} */
  const list = (emitter, page) => {
    const handlers = emitter._invokeHandlers ?? new Map();
    const names = new Set([...handlers.keys(), ...emitter.eventNames()].filter((name) => typeof name === 'string'));
    if (emitter.listenerCount('error') === 1) names.delete('error'); // Electron's own
    for (const name of names) channels.push({ name, handler: handlers.has(name), listeners: emitter.listenerCount(name), page });
  };

  /** @type {(value: any, above?: any[]) => any} a value that was sent, in a form that JSON has */
  const plain = (value, above = []) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '(circular)';
    if (isDate(value)) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (isNativeError(value) || isRegExp(value)) return String(value);
    if (isBoxedPrimitive(value)) return plain(value.valueOf());
    if (isAnyArrayBuffer(value)) return Buffer.from(value).toString('base64');
    if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    const inside = [...above, value];
    if (isMap(value)) return [...value].map((pair) => pair.map((/** @type {any} */ one) => plain(one, inside)));
    if (Array.isArray(value) || isSet(value)) return Array.from(value, (one) => plain(one, inside));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, inside)]));
  };

  /** @type {(sent: any) => IPCAnswer} what the page would get. It gets a copy, or an error where there is none. */
  const arrived = (sent) => {
    try {
      return { channels: [], outcome: 'answered', answer: JSON.stringify(plain(structuredClone(sent))) ?? 'null' };
    } catch (err) {
      return { channels: [], outcome: 'unsendable', error: String(err) };
    }
  };

  if (wish.call === undefined) {
    list(ipcMain);
    for (const [page, targetId] of (wish.targetIds ?? []).entries()) {
      const contents = contentsOf(targetId);
      if (contents) for (const emitter of ownOf(contents)) list(emitter, page);
    }
    return { channels };
  }

  const { call, args = [] } = wish;
  const shown = BrowserWindow.getAllWindows().filter((/** @type {any} */ w) => !w.isDestroyed());
  const contents = contentsOf(wish.from) ?? (BrowserWindow.getFocusedWindow() ?? shown[0])?.webContents;
  if (!contents) return { channels, outcome: 'no-page' };
  const emitters = [...ownOf(contents), ipcMain];
  const invoked = emitters.some((emitter) => emitter._invokeHandlers?.has(call));
  if (!invoked && !emitters.some((emitter) => emitter.listenerCount(call))) return { channels, outcome: 'none' };

  /** @type {(value: any) => void} */
  let reply = () => {};
  const frame = contents.mainFrame;
  const replyChannel = { sendReply: (/** @type {any} */ value) => reply(value) };
  const event = {
    type: 'frame',
    sender: contents,
    senderFrame: frame,
    processId: frame?.processId,
    frameId: frame?.routingId,
    defaultPrevented: false,
    preventDefault: () => {},
    _replyChannel: replyChannel,
    sendReply: replyChannel.sendReply,
  };
  // Electron's own dispatch, which is a listener of the page's. Older ones are told whether the message is their own.
  const name = invoked ? '-ipc-invoke' : '-ipc-message-sync';
  const takesOwn = contents.listeners(name).at(-1)?.length > 3;
  const words = takesOwn ? [event, false, call, args] : [event, call, args];
  if (!invoked) {
    /** @type {IPCAnswer} */
    let answer = { channels, outcome: 'unanswered' };
    reply = (value) => {
      answer = arrived(value);
    };
    contents.emit(name, ...words);
    return answer;
  }
  return new Promise((resolve) => {
    reply = (value) => resolve('error' in value ? { channels, outcome: 'failed', error: String(value.error) } : arrived(value.result));
    contents.emit(name, ...words);
  });
};
