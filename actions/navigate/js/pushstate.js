/**
 * Runs in the page's own world, for `pushstate`: leads the page to an address of its own without loading it, by the page's router where there
 * is one that can be asked (Next.js), else by its history, with the events that tell routers of it.
 *
 * The page's own pushState is called, not the browser's: routers put theirs in its place.
 *
 * @param {string} address may be relative
 * @returns {Promise<{url?: string, by?: 'router'|'history', elsewhere?: string, failed?: string}>}
 */
export default async function pushState(address) {
  let to;
  try {
    to = new URL(address, document.baseURI);
  } catch {
    return { failed: 'it is not an address' };
  }
  const from = location.href;
  const same = to.origin === location.origin && to.protocol === location.protocol && to.origin !== 'null';
  if (!same && to.href.split('#')[0] !== from.split('#')[0]) return { elsewhere: to.href };
  const { router } = /** @type {{next?: {router?: {push?: (address: string) => unknown}}}} */ (globalThis).next ?? {};
  if (router && typeof router.push === 'function') {
    try {
      await router.push(to.href.slice(to.origin.length));
    } catch (thrown) {
      return { failed: String(thrown) };
    }
    return { url: location.href, by: 'router' };
  }
  try {
    history.pushState(null, '', to.href);
  } catch (thrown) {
    return { failed: String(thrown) };
  }
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  dispatchEvent(new Event('navigate'));
  const [path, hash] = from.split('#');
  if (to.href.split('#')[0] === path && to.hash.slice(1) !== (hash ?? ''))
    dispatchEvent(new HashChangeEvent('hashchange', { oldURL: from, newURL: location.href }));
  return { url: location.href, by: 'history' };
}
