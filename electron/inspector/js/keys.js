/**
 * @typedef {object} Keys
 * @property {string} targetId of the page that the keys go to
 * @property {string} key as the DOM names it
 * @property {boolean} control
 * @property {boolean} alt
 * @property {boolean} shift
 * @property {boolean} meta
 */

/**
 * Presses the keys of an item of the application menu, as a keyboard does: the page gets them first, and the item is
 * chosen if the page leaves them alone. Nothing is pressed if no item has the keys, or if the page is not shown.
 *
 * @param {(name: string) => any} load
 * @param {Keys} keys
 * @returns {Promise<{item: string, enabled: boolean, chosen: boolean}>} item is empty if none has the keys
 */
export default async (load, keys) => {
  const LIMIT = 1000; // milliseconds that a page may take to handle a key
  const FOCUS_LIMIT = 300; // milliseconds that a display may take to give a window the keyboard
  const { BrowserWindow, Menu, webContents } = load('electron');
  const { platform } = load('process');

  // Electron lets the page edit with these.
  const EDITING = ['undo', 'redo', 'cut', 'copy', 'paste', 'pasteandmatchstyle', 'delete', 'selectall'];

  const MODIFIERS = new Map([
    ['command', 'meta'],
    ['cmd', 'meta'],
    ['super', 'meta'],
    ['meta', 'meta'],
    ['control', 'control'],
    ['ctrl', 'control'],
    ['commandorcontrol', platform === 'darwin' ? 'meta' : 'control'],
    ['cmdorctrl', platform === 'darwin' ? 'meta' : 'control'],
    ['alt', 'alt'],
    ['option', 'alt'],
    ['shift', 'shift'],
  ]);

  // One name for each key, and the key that has a character with Shift, on the layout that accelerators are written for.
  const NAMES = new Map(
    Object.entries({
      arrowup: 'up',
      arrowdown: 'down',
      arrowleft: 'left',
      arrowright: 'right',
      esc: 'escape',
      enter: 'return',
      ' ': 'space',
      plus: '+',
    }),
  );
  const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';
  const PLAIN = "`1234567890-=[]\\;',./";

  /** @type {(key: string, held: Set<string>) => string} one word for a key with its modifiers */
  const word = (key, held) => {
    const lower = key.toLowerCase();
    const name = NAMES.get(lower) ?? lower;
    const at = name.length === 1 ? SHIFTED.indexOf(name) : -1;
    const all = new Set(at >= 0 ? [...held, 'shift'] : held);
    return [...[...all].sort(), at >= 0 ? PLAIN[at] : name].join(' ');
  };

  /** @type {(accelerator: string) => {key: string, word: string} | undefined} */
  const read = (accelerator) => {
    const parts = accelerator.split('+');
    const key = parts.pop() || '+';
    const held = new Set();
    for (const part of parts) {
      if (part === '') continue; // before a plus that is the key
      const modifier = MODIFIERS.get(part.toLowerCase());
      if (!modifier) return undefined;
      held.add(modifier);
    }
    return { key, word: word(key, held) };
  };

  const held = new Set(['control', 'alt', 'shift', 'meta'].filter((name) => /** @type {any} */ (keys)[name]));
  const wanted = word(keys.key, held);

  /** @type {(items: any[], above: string) => {item: any, path: string, key: string} | undefined} */
  const find = (items, above) => {
    for (const item of items) {
      const path = above + String(item.label || '').replace(/&&|&/g, (/** @type {string} */ m) => (m === '&&' ? '&' : ''));
      const accelerator = item.accelerator || item.getDefaultRoleAccelerator?.();
      const keysOfIt = accelerator ? read(String(accelerator)) : undefined;
      const editing = EDITING.includes(String(item.role || '').toLowerCase());
      const works = !editing && item.registerAccelerator !== false && (item.visible || item.acceleratorWorksWhenHidden !== false);
      if (keysOfIt?.word === wanted && works) return { item, path, key: keysOfIt.key };
      const below = item.submenu ? find(item.submenu.items, `${path} > `) : undefined;
      if (below) return below;
    }
    return undefined;
  };

  const menu = Menu.getApplicationMenu();
  const found = menu ? find(menu.items, '') : undefined;
  const contents = webContents.fromDevToolsTargetId(keys.targetId);
  const window = (contents?.hostWebContents ?? contents)?.getOwnerBrowserWindow?.();
  // What is not shown gets no keys from a keyboard.
  if (!found || !window?.isVisible() || window.isMinimized()) return { item: '', enabled: false, chosen: false };

  // A keyboard is that of one window.
  const hasKeyboard = () => BrowserWindow.getFocusedWindow() === window;
  if (!hasKeyboard()) window.focus();
  for (const end = Date.now() + FOCUS_LIMIT; !hasKeyboard() && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, FOCUS_LIMIT / 30)); // its event comes before it holds
  }
  if (!contents.isFocused()) contents.focus();

  const { click, enabled } = found.item;
  /** @type {(chosen: boolean) => void} */
  let decide = () => {};
  /** @type {Promise<boolean>} */
  const decided = new Promise((resolve) => {
    decide = resolve;
  });
  const timer = setTimeout(decide, enabled ? LIMIT : 0, false);
  found.item.click = (/** @type {any} */ event) => {
    decide(true);
    return click.call(found.item, event, window, window.webContents);
  };
  try {
    const modifiers = [...held];
    /** @type {(type: string, keyCode: string) => void} */
    const send = (type, keyCode) => contents.sendInputEvent({ type, keyCode, modifiers });
    const names = modifiers.map((name) => name[0].toUpperCase() + name.slice(1));
    for (const name of names) send('keyDown', name);
    send('keyDown', found.key);
    send('keyUp', found.key);
    for (const name of names.reverse()) send('keyUp', name);
    return { item: found.path, enabled, chosen: await decided };
  } finally {
    clearTimeout(timer);
    found.item.click = click;
  }
};
