// Tells how the document came, and what its links say of themselves that a summary of the page does not have.
/** @param {{most: number}} arg */
export default function links({ most }) {
  const find = Document.prototype.querySelectorAll; // a document's own properties may be shadowed by what has a name in it
  const get = Element.prototype.getAttribute;
  const address = /** @type {() => string} */ (Object.getOwnPropertyDescriptor(HTMLAnchorElement.prototype, 'href')?.get);
  const areaAddress = /** @type {() => string} */ (Object.getOwnPropertyDescriptor(HTMLAreaElement.prototype, 'href')?.get);
  const marked = [];
  for (const link of find.call(
    document,
    'a[href][download], area[href][download], a[href][rel~="nofollow" i], area[href][rel~="nofollow" i]',
  )) {
    if (marked.length >= most) break;
    const url = link instanceof HTMLAnchorElement ? address.call(link) : link instanceof HTMLAreaElement ? areaAddress.call(link) : '';
    if (url === '') continue;
    const download = get.call(link, 'download') !== null;
    marked.push({ url, download, nofollow: /(^|\s)nofollow(\s|$)/i.test(get.call(link, 'rel') ?? '') });
  }
  let nofollow = false;
  for (const meta of find.call(document, 'meta[name="robots" i]')) {
    if (/(^|[\s,])(nofollow|none)([\s,]|$)/i.test(get.call(meta, 'content') ?? '')) nofollow = true;
  }
  return { status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0, marked, nofollow };
}
