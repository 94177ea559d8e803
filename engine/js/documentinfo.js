/**
 * Runs in the page's own world: what a navigation reports of the new document. It is asked there since it needs nothing installed. The
 * page could lie, about itself alone; but neither what it redefines nor a form of it that is called "title" makes this fail.
 *
 * @returns {{title: string, status: number, readyState: string, suspect: boolean}}
 */
export default function documentInfo() {
  const read = (/** @type {string} */ name) => {
    try {
      const get = Object.getOwnPropertyDescriptor(Document.prototype, name)?.get;
      if (get) return `${get.call(document)}`;
    } catch {
      // what the page has put in its place throws
    }
    try {
      const value = /** @type {Object<string, unknown>} */ (/** @type {unknown} */ (document))[name];
      return typeof value === 'string' ? value : '';
    } catch {
      return ''; // this, too
    }
  };
  let status = 0;
  try {
    status = +(performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0) || 0;
  } catch {
    // no entry, or no performance
  }
  // What keeps visitors from a page has a status that says so, little else on the page, or a dialog of a known system. All other pages are not asked.
  let suspect = status >= 400;
  try {
    const all = (/** @type {string} */ css) => Document.prototype.querySelectorAll.call(document, css).length;
    const dialogs =
      '[id*=onetrust],#CybotCookiebotDialog,[id^=usercentrics],[id^=didomi],[class*=qc-cmp2],[id^=sp_message],[class*=truste],#truste-consent-track,' +
      '[class*=cky-],#iubenda-cs-banner,[id^=cmplz],#BorlabsCookieBox,.klaro,[class*=osano-cm],[id*=age],[class*=age-],[class*=agegate i],' +
      '[class*=tp-modal],[id*=poool],[class*=zephr],[class*=paywall i],[id*=paywall i],[data-testid*=paywall i]';
    suspect ||= (all('a[href]') <= 12 && all('input:not([type=hidden])') <= 8) || all(dialogs) > 0;
  } catch {
    suspect = true; // the page has taken the query away, which the in-page script still has
  }
  return { title: read('title'), status, readyState: read('readyState'), suspect };
}
