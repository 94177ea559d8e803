/**
 * Runs in the page's own world: what a navigation reports of the new document. It is asked there since it needs nothing installed. The
 * page could lie, about itself alone; but neither what it redefines nor a form of it that is called "title" makes this fail.
 *
 * @returns {{title: string, status: number, readyState: string}}
 */
export default function documentInfo() {
  const read = (/** @type {string} */ name) => {
    try {
      const get = Object.getOwnPropertyDescriptor(Document.prototype, name)?.get;
      if (get) return `${get.call(document)}`;
    } catch {
      // what the page has put in its place throws
    }
    const value = /** @type {Object<string, unknown>} */ (/** @type {unknown} */ (document))[name];
    return typeof value === 'string' ? value : '';
  };
  let status = 0;
  try {
    status = +(performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0) || 0;
  } catch {
    // no entry, or no performance
  }
  return { title: read('title'), status, readyState: read('readyState') };
}
