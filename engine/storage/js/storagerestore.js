import { decode, prepare, toBytes, toText } from './storagevalues.js';

/**
 * utf16: both again, where they are not Unicode.
 * @typedef {{name: string, value: string, utf16?: string[]}} StoredItem
 * @typedef {{name: string, version: number, stores: {name: string, keyPath?: string|string[]|null, autoIncrement: boolean,
 *   indexes?: {name: string, keyPath: string|string[], unique: boolean, multiEntry: boolean}[], records: {v: any, k?: any}[]}[]}} StoredDatabase
 */

/**
 * Puts back what storagecapture.js read. What is there of a kind that comes back goes first. A database comes back whole or not at all.
 *
 * @param {{origin: string, localStorage?: StoredItem[], sessionStorage?: StoredItem[],
 *   databases?: StoredDatabase[],
 *   workers?: {scope: string, script: string, updateViaCache?: ServiceWorkerUpdateViaCache}[],
 *   caches?: {name: string, entries: {url: string, requestHeaders: [string, string][], status: number, statusText: string, headers: [string, string][],
 *   body: string}[]}[], patience: number}} arg
 */
export default async function restoreStorage(arg) {
  const out = {
    origin: self.origin,
    skipped: /** @type {{what: string, why: string}[]} */ ([]),
    local: 0,
    session: 0,
    databases: 0,
    records: 0,
    workers: 0,
    caches: 0,
  };
  if (out.origin !== arg.origin) {
    return out;
  }
  const skip = (/** @type {string} */ what, /** @type {string} */ why) => out.skipped.push({ what, why });
  const soon = (/** @type {Promise<unknown>} */ promise, /** @type {string} */ why) => {
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let timer;
    return Promise.race([
      promise,
      new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error(why)), arg.patience);
      }),
    ]).finally(() => clearTimeout(timer));
  };

  const area = (/** @type {string} */ name, /** @type {StoredItem[]} */ items) => {
    let kept = 0;
    try {
      const store = window[/** @type {'localStorage'|'sessionStorage'} */ (name)];
      store.clear();
      for (const item of items) {
        const [key, value] = item.utf16 ? item.utf16.map(toText) : [item.name, item.value];
        store.setItem(key, value);
        kept++;
      }
    } catch (e) {
      skip(`${items.length - kept} keys of ${name}`, String(/** @type {Error} */ (e).message));
    }
    return kept;
  };

  const remove = (/** @type {string} */ name) =>
    soon(
      new Promise((done, fail) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = () => done(undefined);
        request.onerror = () => fail(request.error);
      }),
      'an open page holds the database that is there',
    );

  const database = async (/** @type {StoredDatabase} */ d) => {
    const keys = new Map();
    for (const s of d.stores) {
      for (const r of s.records) {
        await prepare(r, keys);
      }
    }
    await remove(d.name);
    await new Promise((done, fail) => {
      const request = indexedDB.open(d.name, d.version);
      /** @type {unknown} */
      let cause = null;
      request.onupgradeneeded = () => {
        try {
          for (const s of d.stores) {
            /** @type {IDBObjectStoreParameters} */
            const options = { autoIncrement: s.autoIncrement };
            if (s.keyPath !== null && s.keyPath !== undefined) {
              options.keyPath = s.keyPath;
            }
            const store = request.result.createObjectStore(s.name, options);
            for (const i of s.indexes || []) {
              store.createIndex(i.name, i.keyPath, { unique: i.unique, multiEntry: i.multiEntry });
            }
            for (const r of s.records) {
              const value = decode(r.v, keys);
              if ('k' in r) {
                store.put(value, decode(r.k, keys));
              } else {
                store.put(value);
              }
              out.records++;
            }
          }
        } catch (e) {
          cause = e;
          request.transaction?.abort();
        }
      };
      request.onsuccess = () => {
        request.result.close();
        done(undefined);
      };
      request.onerror = () => fail(cause || request.error);
      request.onblocked = () => fail(new Error('an open page holds the database that is there'));
    });
  };

  if (arg.localStorage) {
    out.local = area('localStorage', arg.localStorage);
  }
  if (arg.sessionStorage) {
    out.session = area('sessionStorage', arg.sessionStorage);
  }
  for (const d of arg.databases || []) {
    const before = out.records;
    try {
      await database(d);
      out.databases++;
    } catch (e) {
      out.records = before;
      skip(`database ${JSON.stringify(d.name)}`, String(/** @type {Error} */ (e).message || e));
    }
  }
  for (const c of arg.caches || []) {
    try {
      await caches.delete(c.name);
      const cache = await caches.open(c.name);
      for (const e of c.entries) {
        const empty = [101, 204, 205, 304].includes(e.status);
        const response = new Response(empty ? null : toBytes(e.body), { status: e.status, statusText: e.statusText, headers: e.headers });
        await cache.put(new Request(e.url, { headers: e.requestHeaders }), response);
      }
      out.caches++;
    } catch (e) {
      skip(`cache ${JSON.stringify(c.name)}`, String(/** @type {Error} */ (e).message || e));
    }
  }
  await Promise.all(
    (arg.workers || []).map(async (w) => {
      const options = { scope: w.scope, updateViaCache: w.updateViaCache || 'imports' };
      try {
        const classic = navigator.serviceWorker.register(w.script, options);
        await soon(
          classic.catch(() => navigator.serviceWorker.register(w.script, { ...options, type: 'module' })),
          'its script has not come in time',
        );
        out.workers++;
      } catch (e) {
        skip(`service worker ${w.script}`, String(/** @type {Error} */ (e).message || e));
      }
    }),
  );
  return out;
}
