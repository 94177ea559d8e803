/**
 * @typedef {object} PrintWish
 * @property {string} targetId
 * @property {object} options as webContents.printToPDF takes them
 */

/**
 * Prints the page of a target and returns the document in base64. It is empty if the app shows no such target.
 *
 * @param {(name: string) => any} load
 * @param {PrintWish} wish
 * @returns {Promise<string>}
 */
export default async (load, wish) => {
  const { webContents } = load('electron');
  const contents = webContents.fromDevToolsTargetId ? webContents.fromDevToolsTargetId(wish.targetId) : undefined;
  return contents ? (await contents.printToPDF(wish.options)).toString('base64') : '';
};
