/**
 * Runs in the page's own world: what a navigation reports of the new document. It is asked there since it needs nothing installed. The
 * page could lie, about itself alone.
 *
 * @returns {{title: string, status: number, readyState: string}}
 */
() => ({
  title: String(document.title),
  status: Number(performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0),
  readyState: String(document.readyState),
})
