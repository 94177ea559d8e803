import { openDatabase } from '../../../engine/storage/js/opendatabase.js';

/**
 * Lists, reads and empties the databases of the document's origin. A database is opened as it is, and closed again.
 *
 * @param {{op: "list" | "get" | "clear", database: string, store: string, key: string | null, limit: number, offset: number, characters: number}} arg
 */
export default async function databases(arg) {
  const origin = location.origin;
  let known;
  try {
    known = /** @type {Required<IDBDatabaseInfo>[]} */ (await indexedDB.databases());
  } catch (e) {
    return { refused: String(/** @type {Error} */ (e).message), origin };
  }
  known.sort((a, b) => (a.name < b.name ? -1 : 1));

  /** @type {<T>(request: IDBRequest<T>) => Promise<T>} */
  const settled = (request) =>
    new Promise((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
  const describe = async (/** @type {string} */ name) => {
    const db = await openDatabase(name);
    try {
      const stores = [];
      for (const storeName of db.objectStoreNames) {
        const store = db.transaction(storeName).objectStore(storeName);
        const count = settled(store.count());
        const indexes = [...store.indexNames].map((n) => {
          const index = store.index(n);
          return { name: n, keyPath: index.keyPath, unique: index.unique, multiEntry: index.multiEntry };
        });
        const { keyPath, autoIncrement } = store;
        stores.push({ name: storeName, keyPath, autoIncrement, count: await count, indexes });
      }
      return { name, version: db.version, stores };
    } finally {
      db.close();
    }
  };

  let left = arg.characters;
  const binary = (/** @type {Uint8Array} */ bytes, /** @type {string} */ kind) => {
    const most = 256;
    const shown = bytes.subarray(0, most);
    left -= shown.length * 2;
    return {
      $binary: btoa(String.fromCharCode(...shown)),
      type: kind,
      size: bytes.length,
      ...(bytes.length > most ? { shortened: true } : {}),
    };
  };
  /** @type {(v: any, within: unknown[]) => any} turns what a database can hold into JSON */
  const plain = (v, within) => {
    if (left <= 0) {
      return { $shortened: true };
    }
    left -= 4;
    switch (typeof v) {
      case 'string':
        if (v.length > left) {
          v = v.slice(0, Math.max(0, left)) + '…';
        }
        left -= v.length;
        return v;
      case 'number':
        return Number.isFinite(v) ? v : { $number: String(v) };
      case 'bigint':
        left -= String(v).length;
        return { $bigint: String(v) };
      case 'boolean':
        return v;
      case 'undefined':
        return { $undefined: true };
    }
    if (v === null) {
      return null;
    }
    if (within.includes(v) || within.length > 50) {
      return { $cycle: true };
    }
    const inside = [...within, v];
    const kind = Object.prototype.toString.call(v).slice(8, -1);
    switch (kind) {
      case 'Array':
        return v.map((/** @type {any} */ x) => plain(x, inside));
      case 'Date':
        return { $date: Number.isNaN(v.getTime()) ? null : v.toISOString() };
      case 'Map':
        return { $map: [...v].map(([k, x]) => [plain(k, inside), plain(x, inside)]) };
      case 'Set':
        return { $set: [...v].map((x) => plain(x, inside)) };
      case 'ArrayBuffer':
        return binary(new Uint8Array(v), kind);
      case 'Blob':
      case 'File':
        return { $blob: v.type, size: v.size, ...(kind === 'File' ? { name: v.name } : {}) };
      case 'RegExp':
      case 'Error':
        return { [`$${kind.toLowerCase()}`]: String(v) };
      case 'Boolean':
      case 'Number':
      case 'String':
        return plain(v.valueOf(), inside);
    }
    if (ArrayBuffer.isView(v)) {
      return binary(new Uint8Array(v.buffer, v.byteOffset, v.byteLength), kind);
    }
    if (kind !== 'Object') {
      return { $object: kind };
    }
    const out = {};
    for (const key of Object.keys(v)) {
      left -= key.length;
      Object.defineProperty(out, key, { value: plain(v[key], inside), enumerable: true, configurable: true, writable: true });
      if (left <= 0) {
        break;
      }
    }
    return out;
  };

  const entries = async () => {
    const db = await openDatabase(arg.database);
    try {
      const names = [...db.objectStoreNames];
      const storeName = arg.store || (names.length === 1 ? names[0] : '');
      if (!names.includes(storeName)) {
        return { origin, stores: names };
      }
      const total = await settled(db.transaction(storeName).objectStore(storeName).count());
      /** @type {{key: unknown, value: unknown}[]} */
      const found = [];
      await new Promise((done, fail) => {
        const request = db.transaction(storeName).objectStore(storeName).openCursor();
        let skip = arg.key === null ? arg.offset : 0;
        request.onerror = () => fail(request.error);
        request.onsuccess = () => {
          const cursor = request.result;
          if (!cursor || found.length >= arg.limit || left <= 0) {
            done(undefined);
            return;
          }
          if (skip > 0) {
            const by = skip;
            skip = 0;
            cursor.advance(by);
            return;
          }
          if (arg.key === null || String(cursor.key) === arg.key) {
            found.push({ key: plain(cursor.key, []), value: plain(cursor.value, []) });
          }
          cursor.continue();
        };
      });
      return { origin, found: true, store: storeName, total, entries: found };
    } finally {
      db.close();
    }
  };

  const clear = async () => {
    let removed = 0;
    const cleared = [];
    for (const { name } of known) {
      if (arg.database && name !== arg.database) {
        continue;
      }
      const db = await openDatabase(name);
      try {
        const names = [...db.objectStoreNames].filter((n) => !arg.store || n === arg.store);
        if (arg.store && names.length === 0) {
          return { origin, stores: [...db.objectStoreNames] };
        }
        if (names.length > 0) {
          const t = db.transaction(names, 'readwrite');
          for (const n of names) {
            removed += await settled(t.objectStore(n).count());
            t.objectStore(n).clear();
          }
          await new Promise((done, fail) => {
            t.oncomplete = done;
            t.onerror = t.onabort = () => fail(t.error);
          });
        }
        cleared.push(name);
      } finally {
        db.close();
      }
    }
    return { origin, found: true, cleared, removed };
  };

  try {
    if (arg.database && !known.some((d) => d.name === arg.database)) {
      return { origin, databases: known.map((d) => ({ name: d.name })) };
    }
    switch (arg.op) {
      case 'list': {
        const databases = [];
        for (const d of known) {
          databases.push(await describe(d.name));
        }
        return { origin, found: true, databases };
      }
      case 'get':
        return await entries();
    }
    return await clear();
  } catch (e) {
    return { origin, failed: `${/** @type {Error} */ (e)?.name}: ${/** @type {Error} */ (e)?.message}` };
  }
}
