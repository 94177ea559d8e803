/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {string} type normal, separator, submenu, checkbox or radio
 * @property {string} [accelerator]
 * @property {string} [role]
 * @property {boolean} enabled
 * @property {boolean} visible
 * @property {boolean} [checked]
 * @property {MenuItem[]} [items]
 */

/**
 * Describes the application menu, or clicks the item at a path of labels and describes that one.
 *
 * @param {(name: string) => any} load
 * @param {{path?: string[]}} wish
 * @returns {{items: MenuItem[], clicked?: MenuItem, missing?: string, among?: string[]}}
 */
export default (load, wish) => {
  const { Menu, BrowserWindow } = load('electron');
  const menu = Menu.getApplicationMenu();

  /** @type {(label: string) => string} */
  const shown = (label) => String(label || '').replace(/&&|&/g, (m) => (m === '&&' ? '&' : '')); // one ampersand marks the key

  /** @type {(label: string) => string} */
  const plain = (label) =>
    shown(label)
      .replace(/(…|\.\.\.)$/, '')
      .trim()
      .toLowerCase();

  /** @type {(item: any) => MenuItem} */
  const describe = (item) => ({
    label: shown(item.label),
    type: item.type,
    accelerator: item.accelerator || item.getDefaultRoleAccelerator?.() || undefined,
    role: item.role || undefined,
    enabled: item.enabled,
    visible: item.visible,
    checked: item.type === 'checkbox' || item.type === 'radio' ? item.checked : undefined,
    items: item.submenu ? item.submenu.items.map(describe) : undefined,
  });

  const items = menu ? menu.items : [];
  if (!wish.path) return { items: items.map(describe) };

  let among = items;
  let found;
  for (const label of wish.path) {
    found = among.find((/** @type {any} */ item) => plain(item.label) === plain(label));
    if (!found) return { items: [], missing: label, among: among.map((/** @type {any} */ item) => shown(item.label)).filter(Boolean) };
    among = found.submenu ? found.submenu.items : [];
  }
  if (found.enabled && !found.submenu) {
    const window = BrowserWindow.getFocusedWindow() || BrowserWindow.getAllWindows().find((/** @type {any} */ w) => w.isVisible());
    found.click({}, window, window ? window.webContents : undefined);
  }
  return { items: [], clicked: describe(found) };
};
