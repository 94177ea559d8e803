/**
 * @typedef {{found: boolean, closed?: boolean, visible?: boolean, minimized?: boolean}} WindowMove
 */

/**
 * Shows, focuses, minimizes or closes a window, and says how it is then.
 *
 * @param {(name: string) => any} load
 * @param {{id: number, move: 'show' | 'focus' | 'minimize' | 'close'}} wish
 * @returns {Promise<WindowMove>}
 */
export default async (load, wish) => {
  const { BrowserWindow } = load('electron');
  const window = BrowserWindow.fromId(wish.id);
  if (!window || window.isDestroyed()) return { found: false };
  if (wish.move === 'focus' && window.isMinimized()) window.restore();
  const closes =
    wish.move === 'close' &&
    new Promise((resolve) => {
      window.once('closed', resolve);
      setTimeout(resolve, 1000); // its page may ask the person first
    });
  window[wish.move]();
  await closes;
  return window.isDestroyed()
    ? { found: true, closed: true }
    : { found: true, visible: window.isVisible(), minimized: window.isMinimized() };
};
