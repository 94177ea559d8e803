/**
 * @typedef {object} DialogAnswer
 * @property {'open' | 'save' | 'message'} kind of the dialog that it answers
 * @property {string[]} [files] of an open dialog
 * @property {string} [path] of a save dialog
 * @property {string} [button] the label of a button of a message
 *
 * @typedef {object} Asked
 * @property {'open' | 'save' | 'message' | 'error'} kind
 * @property {number} at milliseconds since 1970
 * @property {string} title
 * @property {string} message
 * @property {string[]} buttons
 * @property {string[]} filters
 * @property {string[]} properties
 * @property {string} defaultPath
 * @property {boolean} open a person has to answer it
 * @property {string} [answer] what the app got; absent as long as it is open
 * @property {string} [unfit] why an answer that was armed was not given
 *
 * @typedef {object} DialogState
 * @property {'native' | 'cancel'} policy what happens to dialogs for which no answer is armed
 * @property {DialogAnswer[]} armed
 * @property {Asked[]} asked the newest last
 *
 * @typedef {object} DialogWish
 * @property {DialogAnswer} [arm]
 * @property {'native' | 'cancel'} [policy]
 */

/**
 * Answers the native dialogs that the app asks for from now on, and keeps what it asked.
 *
 * @param {(name: string) => any} load
 * @param {DialogWish} wish
 * @returns {DialogState}
 */
export default (load, wish) => {
  const KEY = Symbol.for('skua.dialogs');
  const MOST = 50; // dialogs that are remembered
  const { dialog } = load('electron');
  const holder = /** @type {any} */ (globalThis);

  /** @type {(label: unknown) => string} */
  const plain = (label) => String(label ?? '').replace(/&&|&/g, (mark) => (mark === '&&' ? '&' : ''));

  /** @type {(label: string) => string} */
  const folded = (label) => plain(label).trim().toLowerCase();

  /** @type {() => DialogState} */
  const install = () => {
    /** @type {DialogState} */
    const state = { policy: 'native', armed: [], asked: [] };

    /** @type {(kind: Asked['kind'], o: any) => Asked} */
    const note = (kind, o) => {
      /** @type {Asked} */
      const asked = {
        kind,
        at: Date.now(),
        title: String(o.title ?? ''),
        message: [o.message, o.detail].filter(Boolean).join('\n'),
        buttons: kind === 'message' ? (o.buttons?.length ? o.buttons : ['OK']).map(plain) : [],
        filters: (o.filters ?? []).map((/** @type {any} */ f) => `${f.name} (${(f.extensions ?? []).join(', ')})`),
        properties: [...(o.properties ?? [])],
        defaultPath: String(o.defaultPath ?? ''),
        open: true,
      };
      state.asked.push(asked);
      if (state.asked.length > MOST) state.asked.shift();
      return asked;
    };

    /** @type {(asked: Asked, answer: string) => void} */
    const close = (asked, answer) => {
      asked.open = false;
      asked.answer = answer;
    };

    /** @type {(o: any, buttons: string[]) => number} the button that means to cancel, as Electron chooses it */
    const cancelOf = (o, buttons) => {
      if (Number.isInteger(o.cancelId)) return o.cancelId;
      const found = buttons.findIndex((label) => ['cancel', 'no'].includes(folded(label)));
      return Math.max(found, 0);
    };

    /** @type {(asked: Asked) => DialogAnswer | undefined} takes the oldest answer for a dialog of the kind */
    const take = (asked) => {
      const i = state.armed.findIndex((one) => one.kind === asked.kind);
      if (i < 0) return undefined;
      const { button } = state.armed[i];
      if (button !== undefined && !asked.buttons.some((label) => folded(label) === folded(button))) {
        asked.unfit = `there is no button ${JSON.stringify(button)}`;
        return undefined;
      }
      return state.armed.splice(i, 1)[0];
    };

    /** @type {(asked: Asked, o: any) => any} the result without a dialog, or undefined if a person is to answer */
    const decide = (asked, o) => {
      const answer = take(asked);
      if (!answer && state.policy === 'native') return undefined;
      switch (asked.kind) {
        case 'open': {
          const files = answer?.files ?? [];
          close(asked, files.length ? files.join(', ') : 'canceled');
          return { canceled: files.length === 0, filePaths: files };
        }
        case 'save':
          close(asked, answer?.path ?? 'canceled');
          return { canceled: !answer, filePath: answer?.path ?? '' };
        case 'message': {
          const pressed = answer
            ? asked.buttons.findIndex((label) => folded(label) === folded(answer.button ?? ''))
            : cancelOf(o, asked.buttons);
          close(asked, asked.buttons[pressed] ?? String(pressed));
          return { response: pressed, checkboxChecked: Boolean(o.checkboxChecked) };
        }
        default:
          close(asked, 'closed');
          return {};
      }
    };

    /** @type {(asked: Asked, result: any) => void} what a person answered */
    const tell = (asked, result) => {
      if (asked.kind === 'message') close(asked, asked.buttons[result.response] ?? String(result.response));
      else close(asked, result.canceled ? 'canceled' : (result.filePaths?.join(', ') ?? result.filePath));
    };

    // A window may stand before the options.
    /** @type {(args: any[]) => any} */
    const optionsOf = (args) => (args.length > 1 || args[0]?.webContents ? args[1] : args[0]) ?? {};

    /** @type {(name: string, kind: Asked['kind'], simple: (result: any) => any, full: (result: any) => any) => void} */
    const replace = (name, kind, simple, full) => {
      const ask = dialog[name];
      const askSync = dialog[name + 'Sync'];
      dialog[name] = async (/** @type {any[]} */ ...args) => {
        const asked = note(kind, optionsOf(args));
        const decided = decide(asked, optionsOf(args));
        if (decided) return decided;
        try {
          const result = await ask.apply(dialog, args);
          tell(asked, result);
          return result;
        } catch (err) {
          close(asked, String(err));
          throw err;
        }
      };
      dialog[name + 'Sync'] = (/** @type {any[]} */ ...args) => {
        const asked = note(kind, optionsOf(args));
        const decided = decide(asked, optionsOf(args));
        if (decided) return simple(decided);
        try {
          const result = askSync.apply(dialog, args);
          tell(asked, full(result));
          return result;
        } catch (err) {
          close(asked, String(err));
          throw err;
        }
      };
    };
    replace(
      'showOpenDialog',
      'open',
      (result) => (result.canceled ? undefined : result.filePaths),
      (files) => ({ canceled: !files, filePaths: files }),
    );
    replace(
      'showSaveDialog',
      'save',
      (result) => (result.canceled ? undefined : result.filePath),
      (path) => ({ canceled: !path, filePath: path }),
    );
    replace(
      'showMessageBox',
      'message',
      (result) => result.response,
      (response) => ({ response }),
    );
    const showError = dialog.showErrorBox;
    dialog.showErrorBox = (/** @type {string} */ title, /** @type {string} */ content) => {
      const asked = note('error', { title, message: content });
      if (decide(asked, {})) return;
      showError.call(dialog, title, content);
      close(asked, 'closed');
    };
    return state;
  };

  if (!holder[KEY]) Object.defineProperty(holder, KEY, { value: install() });
  /** @type {DialogState} */
  const state = holder[KEY];
  if (wish.arm) state.armed.push(wish.arm);
  if (wish.policy) state.policy = wish.policy;
  return state;
};
