/**
 * Runs in the page's own world: what a navigation reports of the new document. It is asked there since it needs nothing installed. The
 * page could lie, about itself alone; but neither what it redefines nor a form of it that is called "title" makes this fail.
 *
 * @returns {{title: string, status: number, readyState: string}}
 */
() => {
  const read = (name) => {
    try {
      return `${Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document)}`;
    } catch {
      const value = document[name];
      return typeof value === 'string' ? value : '';
    }
  };
  let status = 0;
  try {
    status = +performance.getEntriesByType('navigation')[0].responseStatus || 0;
  } catch {
    // no entry, or no performance
  }
  return { title: read('title'), status, readyState: read('readyState') };
}
