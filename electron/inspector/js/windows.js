/**
 * @typedef {{x: number, y: number, width: number, height: number}} Bounds
 *
 * @typedef {object} WindowInfo
 * @property {number} id of the BrowserWindow
 * @property {string} title
 * @property {string} url of its page
 * @property {boolean} visible
 * @property {boolean} focused
 * @property {boolean} minimized
 * @property {boolean} modal
 * @property {boolean} onTop stays above other windows
 * @property {boolean} resizable
 * @property {boolean} crashed its page has, and shows nothing
 * @property {number} [parent] the id of the window that it belongs to
 * @property {Bounds} bounds
 *
 * @typedef {object} ContentsInfo
 * @property {string} targetId
 * @property {string} type window, browserView, webview, offscreen, backgroundPage or remote
 * @property {boolean} focused it has the keyboard in its window
 * @property {number} [window] the id of the window that shows it
 * @property {Bounds} [bounds] of a view
 */

/**
 * Describes the windows of the app, and which window each target of its debugging port belongs to.
 *
 * @param {(name: string) => any} load
 * @param {string[]} targetIds
 * @returns {{windows: WindowInfo[], contents: ContentsInfo[]}}
 */
export default (load, targetIds) => {
  const { BrowserWindow, webContents } = load('electron');
  const all = BrowserWindow.getAllWindows().filter((/** @type {any} */ w) => !w.isDestroyed());
  const windows = all.map((/** @type {any} */ w) => {
    const parent = w.getParentWindow();
    return {
      id: w.id,
      title: w.getTitle(),
      url: w.webContents.getURL(),
      visible: w.isVisible(),
      focused: w.isFocused(),
      minimized: w.isMinimized(),
      modal: w.isModal(),
      onTop: w.isAlwaysOnTop(),
      resizable: w.isResizable(),
      crashed: w.webContents.isCrashed(),
      parent: parent ? parent.id : undefined,
      bounds: w.getBounds(),
    };
  });

  /** @type {(w: any) => any[]} */
  const viewsOf = (w) => {
    if (w.contentView && w.contentView.children) return w.contentView.children;
    return w.getBrowserViews ? w.getBrowserViews() : [];
  };

  /** @type {(contents: any) => {window?: number, bounds?: Bounds}} */
  const placeOf = (contents) => {
    if (contents.hostWebContents) return { window: placeOf(contents.hostWebContents).window };
    for (const w of all) {
      if (w.webContents === contents) return { window: w.id };
      for (const view of viewsOf(w)) {
        if (view.webContents === contents) return { window: w.id, bounds: view.getBounds() };
      }
    }
    return {};
  };

  const contents = [];
  for (const targetId of targetIds) {
    const found = webContents.fromDevToolsTargetId ? webContents.fromDevToolsTargetId(targetId) : undefined;
    if (!found) continue;
    const place = placeOf(found);
    const type = place.bounds ? 'browserView' : found.getType(); // newer Electrons call the contents of a view a window
    contents.push({ targetId, type, focused: found.isFocused(), ...place });
  }
  return { windows, contents };
};
