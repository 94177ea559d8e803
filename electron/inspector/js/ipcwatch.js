/**
 * @typedef {object} Message
 * @property {number} id
 * @property {number} at milliseconds since 1970
 * @property {'invoke' | 'send' | 'send-sync' | 'post' | 'to-page'} kind
 * @property {string} channel
 * @property {string} args as they are written in JavaScript
 * @property {number} contents the id of the page's webContents; 0: unknown
 * @property {string} [answer]
 * @property {string} [error]
 * @property {number} [took] milliseconds until the answer
 *
 * @typedef {object} WatchState
 * @property {Message[]} messages the oldest first
 * @property {number} dropped messages that are not kept any more
 * @property {() => void} end
 *
 * @typedef {object} WatchWish
 * @property {string[] | null} targetIds of pages
 * @property {'clear' | 'stop'} [move]
 *
 * @typedef {object} Watched
 * @property {boolean} began
 * @property {Message[]} messages
 * @property {number} dropped
 * @property {number[]} contents the ids of the webContents of the targets; 0: none
 */

/**
 * Notes the messages between the app's pages and its main process from now on. It touches no handler: it listens to what
 * Electron tells a page's webContents before it gives a message to the app, and to the reply that Electron sends.
 *
 * @param {(name: string) => any} load
 * @param {WatchWish} wish
 * @returns {Watched}
 */
export default (load, wish) => {
  const KEY = Symbol.for('skua.ipc');
  const MOST = 1000; // messages that are kept
  const MOST_TEXT = 1000; // characters of the arguments of one, and of its answer
  const MOST_DEPTH = 4;
  const SECRET =
    /(token|secret|passw(or)?d|pass(phrase|code)|(api|access|secret|private|write|signing|encryption|auth)_?-?key|credentials?|signature)$|^(x-?)?(proxy-?)?auth(orization)?$|^(bearer|(set-?)?cookie|pass|pwd|j?(php)?session-?id|otp|cvv|cvc|jwt)$/i;
  const { app, webContents } = load('electron');
  const { isAnyArrayBuffer, isDate, isMap, isNativeError, isPromise, isProxy, isRegExp, isSet } = load('util').types;
  const holder = /** @type {any} */ (globalThis);

  /** @type {(value: any) => string} a value as JavaScript writes it. No code of the app runs for it. */
  const written = (value) => {
    let left = MOST_TEXT;
    /** @type {string[]} */
    const parts = [];
    /** @type {(text: string) => void} */
    const put = (text) => {
      if (left <= 0) return;
      parts.push(text.length > left ? text.slice(0, left) + '…' : text);
      left -= text.length;
    };
    /** @type {(array: any[]) => Iterable<any>} the app may have given the array another iterator, and getters */
    const elements = function* (array) {
      for (let i = 0; i < array.length; i++) yield Object.getOwnPropertyDescriptor(array, i)?.value;
    };
    /** @type {(items: Iterable<any>, depth: number) => void} */
    const putAll = (items, depth) => {
      let first = true;
      for (const one of items) {
        if (left <= 0) return;
        if (!first) put(', ');
        first = false;
        write(one, depth);
      }
    };
    /** @type {(object: any, depth: number) => void} */
    const putMembers = (object, depth) => {
      let first = true;
      for (const name of Object.keys(object)) {
        if (left <= 0) return;
        put((first ? '' : ', ') + (/^[\w$]+$/.test(name) ? name : JSON.stringify(name)) + ': ');
        first = false;
        const member = Object.getOwnPropertyDescriptor(object, name);
        if (SECRET.test(name)) put('•••');
        else if (member && 'value' in member) write(member.value, depth);
        else put('(getter)');
      }
    };
    /** @type {(open: string, close: string, inside: () => void) => void} */
    const enclose = (open, close, inside) => {
      put(open);
      inside();
      put(close);
    };
    /** @type {(value: any, depth: number) => void} */
    const write = (value, depth) => {
      if (typeof value === 'string') return put(JSON.stringify(value.length > MOST_TEXT ? value.slice(0, MOST_TEXT) : value));
      if (typeof value === 'bigint') return put(value + 'n');
      if (typeof value === 'function') return put('(function)');
      if (typeof value !== 'object' || value === null) return put(String(value));
      if (isProxy(value)) return put('(proxy)');
      if (isDate(value))
        return put('Date(' + (Number.isNaN(Date.prototype.getTime.call(value)) ? 'invalid' : Date.prototype.toISOString.call(value)) + ')');
      if (isRegExp(value)) return put('(regular expression)');
      if (isPromise(value)) return put('(promise)');
      if (isAnyArrayBuffer(value)) return put('ArrayBuffer(' + value.byteLength + ')');
      if (ArrayBuffer.isView(value)) return put(Object.prototype.toString.call(value).slice(8, -1) + '(' + value.byteLength + ' bytes)');
      if (isNativeError(value)) {
        const message = Object.getOwnPropertyDescriptor(value, 'message');
        return put('Error(' + JSON.stringify(String(message?.value ?? '')) + ')');
      }
      if (depth >= MOST_DEPTH) return put('…');
      if (Array.isArray(value)) return enclose('[', ']', () => putAll(elements(value), depth + 1));
      if (isSet(value)) return enclose('Set(', ')', () => putAll(Set.prototype.values.call(value), depth + 1));
      if (isMap(value)) return enclose('Map(', ')', () => putAll(Map.prototype.entries.call(value), depth + 1));
      enclose('{', '}', () => putMembers(value, depth + 1));
    };
    write(value, 0);
    return parts.join('');
  };

  /** @type {(args: any) => string} arguments, without the brackets of their array */
  const writtenArgs = (args) => written(args).replace(/^\[/, '').replace(/\]$/, '');

  /** @type {(event: any) => boolean} whether Electron sent the message to itself */
  const isOwn = (event) => {
    try {
      return Boolean(load('process')._linkedBinding('electron_common_v8_util').getHiddenValue(event, 'internal'));
    } catch {
      return false;
    }
  };

  /** @type {() => WatchState} */
  const install = () => {
    let last = 0;
    /** @type {Map<any, Record<string, (...words: any[]) => void>>} */
    const listening = new Map();

    /** @type {(kind: Message['kind'], contents: number, channel: unknown, args: any) => Message} */
    const note = (kind, contents, channel, args) => {
      const message = { id: ++last, at: Date.now(), kind, channel: String(channel), args: writtenArgs(args), contents };
      state.messages.push(message);
      if (state.messages.length > MOST) {
        state.messages.shift();
        state.dropped++;
      }
      return message;
    };

    /** @type {(message: Message, event: any, read: (reply: any) => void) => void} notes the reply when Electron sends it */
    const awaitReply = (message, event, read) => {
      const began = performance.now();
      const channel = event._replyChannel ?? event; // older ones reply by the event itself
      const send = channel.sendReply;
      if (typeof send !== 'function') return;
      channel.sendReply = (/** @type {any[]} */ ...reply) => {
        try {
          message.took = performance.now() - began;
          read(reply[0]);
        } catch {} // the app's reply matters more
        return send.apply(channel, reply);
      };
    };

    /** @type {(contents: any, take: (event: any, channel: any, args: any) => void) => (...words: any[]) => void} */
    const hears =
      (contents, take) =>
      (event, ...rest) => {
        try {
          const own = typeof rest[0] === 'boolean' ? rest.shift() : isOwn(event);
          if (!own && !contents.isDestroyed()) take(event, rest[0], rest[1]);
        } catch {} // the app's message matters more
      };

    /** @type {(contents: any) => void} */
    const listen = (contents) => {
      if (listening.has(contents)) return;
      const id = contents.id;
      const heard = {
        '-ipc-invoke': hears(contents, (event, channel, args) => {
          const message = note('invoke', id, channel, args);
          awaitReply(message, event, (reply) => {
            if (reply && 'error' in reply) message.error = String(reply.error).slice(0, MOST_TEXT);
            else message.answer = written(reply?.result);
          });
        }),
        '-ipc-message-sync': hears(contents, (event, channel, args) => {
          const message = note('send-sync', id, channel, args);
          awaitReply(message, event, (reply) => {
            message.answer = written(reply);
          });
        }),
        '-ipc-message': hears(contents, (_, channel, args) => note('send', id, channel, args)),
        '-ipc-ports': hears(contents, (_, channel, message) => note('post', id, channel, [message])),
        destroyed: () => listening.delete(contents),
      };
      for (const [name, listener] of Object.entries(heard)) contents.prependListener(name, listener);
      listening.set(contents, heard);
      hookFrames(contents);
    };

    // What the app sends to a page, by its webContents or by a frame, is sent by a frame.
    let restoreFrames = () => {};
    let hooked = false;
    /** @type {(contents: any) => void} */
    const hookFrames = (contents) => {
      const frames = contents.mainFrame && Object.getPrototypeOf(contents.mainFrame);
      if (hooked || typeof frames?.send !== 'function') return;
      hooked = true;
      const restores = ['send', 'postMessage'].map((name) => {
        const was = Object.getOwnPropertyDescriptor(frames, name);
        if (typeof was?.value !== 'function') return () => {};
        const send = was.value;
        let on = true;
        /** @type {(this: any, ...words: any[]) => any} */
        const sends = function (...words) {
          if (on) {
            try {
              const [channel, ...args] = words;
              note('to-page', webContents.fromFrame?.(this)?.id ?? 0, channel, name === 'send' ? args : args.slice(0, 1));
            } catch {}
          }
          return send.apply(this, words);
        };
        Object.defineProperty(frames, name, { ...was, value: sends });
        return () => {
          on = false;
          if (frames[name] === sends) Object.defineProperty(frames, name, was);
        };
      });
      restoreFrames = () => {
        for (const restore of restores) restore();
      };
    };

    /** @type {(_: unknown, contents: any) => void} */
    const created = (_, contents) => listen(contents);
    /** @type {WatchState} */
    const state = {
      messages: [],
      dropped: 0,
      end: () => {
        app.off('web-contents-created', created);
        for (const [contents, heard] of listening) {
          for (const [name, listener] of Object.entries(heard)) contents.off(name, listener);
        }
        listening.clear();
        restoreFrames();
      },
    };
    app.prependListener('web-contents-created', created);
    if (app.isReady()) for (const contents of webContents.getAllWebContents()) listen(contents); // earlier it breaks the app
    return state;
  };

  const began = !holder[KEY];
  if (began && wish.move === 'stop') return { began: false, messages: [], dropped: 0, contents: [] };
  if (began) Object.defineProperty(holder, KEY, { value: install(), configurable: true });
  /** @type {WatchState} */
  const state = holder[KEY];
  const { messages, dropped } = state;
  if (wish.move === 'clear') Object.assign(state, { messages: [], dropped: 0 });
  if (wish.move === 'stop') {
    state.end();
    delete holder[KEY];
  }
  const contents = (wish.targetIds ?? []).map((targetId) => webContents.fromDevToolsTargetId?.(targetId)?.id ?? 0);
  return { began, messages, dropped, contents };
};
