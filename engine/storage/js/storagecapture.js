import { openDatabase } from './opendatabase.js';
import { encode, bytesOf, fromBytes, fromText } from './storagevalues.js';

/**
 * @typedef {{name: string, keyPath: string|string[]|null, autoIncrement: boolean, indexes: Object[], records: {v: unknown, k?: unknown}[]}} StoredStore
 * @typedef {{origin: string, skipped: {what: string, why: string}[], localStorage?: Object[], sessionStorage?: Object[], databases?: Object[],
 *   workers?: {scope: string, script: string, updateViaCache: string}[], caches?: Object[]}} Captured
 */

/**
 * Reads what the document's origin keeps in the browser.
 *
 * @param {{local: boolean, session: boolean, databases: boolean, caches: boolean, workers: boolean, bytes: number}} arg
 */
export default async function captureStorage(arg) {
  const origin = self.origin;
  /** @type {Captured} */
  const out = { origin, skipped: /** @type {{what: string, why: string}[]} */ ([]) };
  if (origin === 'null') {
    return out;
  }
  let left = arg.bytes;
  const skip = (/** @type {string} */ what, /** @type {string} */ why) => out.skipped.push({ what, why });
  /** @type {<T>(request: IDBRequest<T>) => Promise<T>} */
  const settled = (request) =>
    new Promise((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });

  const area = (/** @type {string} */ name) => {
    let store;
    try {
      store = window[/** @type {'localStorage'|'sessionStorage'} */ (name)];
    } catch (e) {
      skip(name, String(/** @type {Error} */ (e).message));
      return [];
    }
    const items = [];
    for (let i = 0; i < store.length; i++) {
      const key = store.key(i);
      const value = key === null ? null : store.getItem(key);
      if (key !== null && value !== null) {
        items.push({
          name: key,
          value,
          ...(key.isWellFormed() && value.isWellFormed() ? {} : { utf16: [fromText(key), fromText(value)] }),
        });
        left -= key.length + value.length;
      }
    }
    return items;
  };

  /** All of a database is read in one transaction, so that what belongs together stays together. */
  const database = async (/** @type {string} */ name) => {
    const db = await openDatabase(name);
    try {
      /** @type {StoredStore[]} */
      const stores = [];
      const names = [...db.objectStoreNames];
      const what = `database ${JSON.stringify(name)}`;
      /** @type {Promise<unknown>[]} */
      const waits = [];
      /** @type {[StoredStore, unknown, unknown][]} */
      const raw = [];
      if (names.length > 0) {
        const tx = db.transaction(names);
        await Promise.all(
          names.map(async (storeName) => {
            const store = tx.objectStore(storeName);
            const indexes = [...store.indexNames].map((n) => {
              const index = store.index(n);
              return { name: n, keyPath: index.keyPath, unique: index.unique, multiEntry: index.multiEntry };
            });
            /** @type {StoredStore} */
            const row = { name: storeName, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, records: [] };
            stores.push(row);
            const batch = 200;
            for (let range = /** @type {IDBKeyRange|null} */ (null); ; ) {
              const [keys, values] = await Promise.all([settled(store.getAllKeys(range, batch)), settled(store.getAll(range, batch))]);
              for (let i = 0; i < keys.length; i++) {
                left -= bytesOf(values[i]) + 16;
                raw.push([row, keys[i], values[i]]);
              }
              if (left < 0) {
                tx.abort();
                throw new Error('too large');
              }
              if (keys.length < batch) {
                return;
              }
              range = IDBKeyRange.lowerBound(keys[keys.length - 1], true);
            }
          }),
        );
      }
      let lost = 0;
      let why = '';
      for (const [row, key, value] of raw) {
        try {
          /** @type {{v: unknown, k?: unknown}} */
          const record = { v: encode(value, waits) };
          if (row.keyPath === null) {
            record.k = encode(key, waits);
          }
          row.records.push(record);
        } catch (e) {
          lost++;
          why = String(e);
        }
      }
      await Promise.all(waits);
      if (lost > 0) {
        skip(`${lost} ${lost === 1 ? 'entry' : 'entries'} of ${what}`, `holds ${why}`);
      }
      stores.sort((a, b) => (a.name < b.name ? -1 : 1));
      return { name, version: db.version, stores };
    } finally {
      db.close();
    }
  };

  const readCaches = async () => {
    const all = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const entries = [];
      let lost = 0;
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        if (!response || response.type === 'opaque' || response.type === 'error' || request.method !== 'GET') {
          lost++;
          continue;
        }
        const body = new Uint8Array(await response.arrayBuffer());
        left -= body.length * 1.4;
        if (left < 0) {
          lost++;
          continue;
        }
        entries.push({
          url: request.url,
          requestHeaders: [...request.headers],
          status: response.status,
          statusText: response.statusText,
          headers: [...response.headers],
          body: fromBytes(body),
        });
      }
      if (lost > 0) {
        skip(
          `${lost} ${lost === 1 ? 'answer' : 'answers'} of cache ${JSON.stringify(name)}`,
          left < 0 ? 'too large' : 'cannot be read by scripts',
        );
      }
      all.push({ name, entries });
    }
    return all;
  };

  if (arg.local) {
    out.localStorage = area('localStorage');
  }
  if (arg.session) {
    out.sessionStorage = area('sessionStorage');
  }
  if (arg.databases) {
    /** @type {Required<IDBDatabaseInfo>[]} */
    let known = [];
    try {
      known = /** @type {Required<IDBDatabaseInfo>[]} */ (await indexedDB.databases());
    } catch (e) {
      skip('databases', String(/** @type {Error} */ (e).message));
    }
    known.sort((a, b) => (a.name < b.name ? -1 : 1));
    out.databases = [];
    for (const { name } of known) {
      const before = left;
      try {
        out.databases.push(await database(name));
      } catch (e) {
        left = before;
        skip(`database ${JSON.stringify(name)}`, String(/** @type {Error} */ (e).message || e));
      }
    }
  }
  if (arg.workers && navigator.serviceWorker) {
    try {
      out.workers = (await navigator.serviceWorker.getRegistrations()).map((r) => ({
        scope: r.scope,
        script: (r.active || r.waiting || r.installing || {}).scriptURL || '',
        updateViaCache: r.updateViaCache,
      }));
      out.workers = out.workers.filter((w) => w.script);
    } catch (e) {
      skip('service workers', String(/** @type {Error} */ (e).message));
    }
  }
  if (typeof caches !== 'undefined') {
    try {
      if (arg.caches) {
        out.caches = await readCaches();
      } else {
        const names = await caches.keys();
        if (names.length > 0) {
          skip(`${names.length} ${names.length === 1 ? 'cache' : 'caches'} of service workers`, 'caches are not asked for');
        }
      }
    } catch (e) {
      skip('caches', String(/** @type {Error} */ (e).message));
    }
  }
  return out;
}
