/**
 * Reads and changes localStorage or sessionStorage.
 *
 * @param {{area: "local" | "session", op: string, key: string, value: string, entries: number, characters: number}} arg
 */
export default function webStorage(arg) {
  let store;
  try {
    store = arg.area === 'local' ? localStorage : sessionStorage;
    void store.length;
  } catch (e) {
    return { refused: String(/** @type {Error} */ (e).message), origin: location.origin };
  }
  /** @type {{origin: string, count: number, keys: string[], values: string[], dropped: number, value: string|null, failed: string}} */
  const reply = { origin: location.origin, count: store.length, keys: [], values: [], dropped: 0, value: null, failed: '' };
  switch (arg.op) {
    case 'all': {
      let left = arg.characters;
      for (let i = 0; i < store.length; i++) {
        const key = store.key(i);
        const value = key === null ? null : store.getItem(key);
        if (key === null || value === null) {
          continue;
        }
        if (reply.keys.length >= arg.entries || key.length + value.length > left) {
          reply.dropped++;
          continue;
        }
        left -= key.length + value.length;
        reply.keys.push(key);
        reply.values.push(value);
      }
      return reply;
    }
    case 'set':
      try {
        store.setItem(arg.key, arg.value);
      } catch (e) {
        reply.failed = `${/** @type {Error} */ (e).name}: ${/** @type {Error} */ (e).message}`;
      }
      break;
    case 'remove':
      reply.value = store.getItem(arg.key);
      store.removeItem(arg.key);
      return reply;
    case 'clear':
      store.clear();
      reply.dropped = store.length;
      return reply;
  }
  reply.value = store.getItem(arg.key);
  return reply;
}
