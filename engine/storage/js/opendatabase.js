/**
 * Opens a database of the document's origin as it is. It is closed when the page wants to change it.
 *
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
export function openDatabase(name) {
  return new Promise((done, fail) => {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction?.abort(); // the page deleted it meanwhile; it is not created again
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();
      done(request.result);
    };
    request.onerror = () => fail(request.error);
    request.onblocked = () => fail(new Error('it is being changed by the page'));
  });
}
