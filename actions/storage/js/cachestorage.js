/**
 * Lists, reads and empties the caches of the document's origin that its service workers use.
 *
 * @param {{op: "list" | "get" | "clear", cache: string, url: string, limit: number, characters: number}} arg
 */
export default async function cacheStorage(arg) {
  const origin = location.origin;
  if (typeof caches === 'undefined') {
    return { origin, refused: isSecureContext ? 'the document has no caches' : 'caches need https, or a local host' };
  }
  let names;
  try {
    names = await caches.keys();
  } catch (e) {
    return { origin, refused: String(/** @type {Error} */ (e).message) };
  }
  const sizeOf = async (/** @type {Response} */ response) => (response.type === 'opaque' ? null : (await response.blob()).size);
  try {
    if (arg.cache && !names.includes(arg.cache)) {
      return { origin, caches: names.map((name) => ({ name })) };
    }
    switch (arg.op) {
      case 'list': {
        const all = [];
        for (const name of names) {
          all.push({ name, count: (await (await caches.open(name)).keys()).length });
        }
        return { origin, found: true, caches: all };
      }
      case 'clear':
        for (const name of arg.cache ? [arg.cache] : names) {
          await caches.delete(name);
        }
        return { origin, found: true, removed: arg.cache ? 1 : names.length };
    }
    const cache = await caches.open(arg.cache);
    const keys = (await cache.keys()).filter((r) => !arg.url || r.url.includes(arg.url));
    const entries = [];
    let left = arg.characters;
    for (const request of keys.slice(0, arg.limit)) {
      const response = await cache.match(request, { ignoreMethod: true });
      if (!response) {
        continue;
      }
      /** @type {Object<string, any>} */
      const entry = {
        url: request.url,
        method: request.method,
        status: response.status,
        type: response.type,
        contentType: response.headers.get('content-type'),
        size: await sizeOf(response.clone()),
      };
      if (arg.url) {
        entry.headers = Object.fromEntries(response.headers);
        if (
          response.type !== 'opaque' &&
          /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml)))/.test(entry.contentType || '')
        ) {
          const text = await response.text();
          entry.body = text.slice(0, Math.max(0, left));
          entry.shortened = entry.body.length < text.length;
          left -= entry.body.length;
        }
      }
      entries.push(entry);
    }
    return { origin, found: true, total: keys.length, entries };
  } catch (e) {
    return { origin, failed: `${/** @type {Error} */ (e)?.name}: ${/** @type {Error} */ (e)?.message}` };
  }
}
