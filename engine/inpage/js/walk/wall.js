// What keeps a visitor from a page: a bot check, a login, a consent dialog … It is told by structure: status, widgets of known systems, what the page
// has besides, and what covers it. No word alone makes a page a wall.

import { innerTextGet, readyStateGet } from '../dom/access.js';
import {
  bodyGet,
  containsOf,
  documentElementGet,
  getAttributeOf,
  parentElementGet,
  queryAllOf,
  rootQueryOf,
  styleOf,
  textContentGet,
} from '../dom/builtins.js';
import { getElementByIdIn } from '../dom/dom.js';
import { elementAt, rectOf } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { escaped } from '../ax/states.js';
import { checkVisibilityOf } from '../dom/visibility.js';

/**
 * @typedef {object} Wall
 * @property {string} kind
 * @property {string} [by]   the system whose wall it is
 * @property {string} why    what told
 */

/** @typedef {{by: string, css?: string, src?: RegExp, code?: RegExp, alone?: boolean}} Sign */

const elementsOf = Document.prototype.getElementsByTagName;

/**
 * Bot checks. `css` and `src` (of scripts and frames) are of the check itself, `code` is in a script of the page; all that are given have to be there.
 * A widget that forms of ordinary pages have, too, counts only `alone`: the page has nothing else.
 * @type {Sign[]}
 */
const CHECKS = [
  { by: 'Cloudflare', code: /_cf_chl_opt\s*=/, src: /\/cdn-cgi\/challenge-platform\/.*orchestrate/ },
  { by: 'Cloudflare', code: /_cf_chl_opt\s*=/, css: '#challenge-form, #challenge-error-text, #challenge-stage, .main-wrapper' },
  { by: 'Cloudflare Turnstile', css: '.cf-turnstile, iframe[src*="challenges.cloudflare.com"]', alone: true },
  { by: 'reCAPTCHA', css: 'form#captcha-form #recaptcha', alone: true },
  { by: 'reCAPTCHA', css: '.g-recaptcha, iframe[src*="/recaptcha/"]', alone: true },
  { by: 'hCaptcha', css: '.h-captcha, iframe[src*="hcaptcha.com"]', alone: true },
  { by: 'DataDome', src: /^https:\/\/[\w.-]*captcha-delivery\.com\// },
  { by: 'DataDome', code: /\bdd\s*=\s*\{[^}]*captcha-delivery\.com/ },
  { by: 'HUMAN (PerimeterX)', css: '#px-captcha', code: /_px(AppId|Uuid|Vid)\b/ },
  { by: 'HUMAN (PerimeterX)', css: '#px-captcha', src: /px-cdn\.net|px-cloud\.net|\/captcha\/captcha\.js/ },
  { by: 'Akamai', css: '#sec-cpt-if, #sec-if-cpt-container, #sec-if-container' },
  { by: 'Akamai', src: /\/_sec\/(cp_challenge|verify)/ },
  { by: 'Imperva', css: 'iframe#main-iframe[src*="_Incapsula_Resource"]' },
  { by: 'Imperva', src: /\/_Incapsula_Resource\?SWJIYLWA/, alone: true },
  { by: 'AWS WAF', src: /\.awswaf\.com\//, code: /AwsWafIntegration|gokuProps/, alone: true },
  { by: 'Kasada', code: /\bKPSDK\b/, src: /\/ips\.js\?/ },
  { by: 'Arkose Labs', css: '#FunCaptcha, iframe[src*="arkoselabs.com"], iframe[src*="funcaptcha.com"]', alone: true },
  { by: 'GeeTest', css: '[class*="geetest_"]', src: /geetest\.com/, alone: true },
  { by: 'Friendly Captcha', css: '.frc-captcha', alone: true },
  { by: 'Sucuri', code: /sucuri_cloudproxy_js/ },
  { by: 'DDoS-Guard', src: /\/\.well-known\/ddos-guard\//, alone: true },
  { by: 'Vercel', src: /\/\.well-known\/vercel\/security\//, alone: true },
  { by: 'Anubis', css: '#anubis_challenge, script[src*="/.within.website/x/cmd/anubis/"]' },
];

/** Dialogs that ask for consent, by the systems that make them. They are walls where they cover the page. @type {Sign[]} */
const CONSENT = [
  { by: 'OneTrust', css: '#onetrust-banner-sdk, #onetrust-pc-sdk' },
  { by: 'Cookiebot', css: '#CybotCookiebotDialog' },
  { by: 'Usercentrics', css: '#usercentrics-root, #usercentrics-cmp-ui' },
  { by: 'Didomi', css: '#didomi-popup, .didomi-popup-open' },
  { by: 'Quantcast', css: '.qc-cmp2-container, #qc-cmp2-container' },
  { by: 'Sourcepoint', css: '[id^="sp_message_container_"]' },
  { by: 'TrustArc', css: '#truste-consent-track, .truste_box_overlay' },
  { by: 'CookieYes', css: '.cky-modal, .cky-consent-container' },
  { by: 'iubenda', css: '#iubenda-cs-banner' },
  { by: 'Complianz', css: '#cmplz-cookiebanner-container .cmplz-cookiebanner' },
  { by: 'Borlabs', css: '#BorlabsCookieBox' },
  { by: 'Klaro', css: '.klaro .cookie-modal' },
  { by: 'Osano', css: '.osano-cm-window' },
  { by: 'Google', css: 'form[action*="consent.google."]' },
];

/** Offers in front of articles. @type {Sign[]} */
const PAYWALLS = [
  { by: 'Piano', css: '.tp-modal, iframe[src*="tinypass.com/checkout"], iframe[src*="piano.io/checkout"]' },
  { by: 'Poool', css: '#poool-widget' },
  { by: 'Zephr', css: '.zephr-modal, [id^="zephr-paywall"]' },
  { by: '', css: '[data-testid*="paywall" i], [id*="paywall" i], [class*="paywall" i]' },
];

const AGE_GATES =
  '[id*="age-gate" i], [class*="age-gate" i], [id*="agegate" i], [class*="agegate" i], [id*="age-verif" i], [class*="age-verif" i]';

/** Parameters with which a login page says where it came from. */
const RETURNS =
  /^(next|return|returnto|return_to|returnurl|return_url|redirect|redirect_to|redirect_uri|redirecturl|continue|service|goto|rd|ref_url)$/i;

/** What a page with many elements is asked alone, so that this costs nothing there: for the dialogs that an id or a class tells. */
const LARGE = 1000;

/** @param {Sign[]} signs */
const anyOf = (signs) => signs.flatMap((one) => one.css ?? []).join(',');

/**
 * A list of selectors as it is searched for. To try each of them on each element of a page took a tenth of its snapshot: nearly no page has an
 * id, a class or a name for tests that one of them asks for.
 * @typedef {object} Search
 * @property {string[]} names   ids, classes and the like, in small letters, of which each selector in named asks for one
 * @property {string} named
 * @property {{tag: string, css: string}[]} others   those that ask for none
 */

const ADDRESS = /\[(?:src|action)[^\]]*\]/g;
const NAME = /[#.]([\w-]+)|\[(?:id|class|data-testid)[*^]="([\w-]+)"/g;

/** @param {string} css @returns {Search} */
function searchFor(css) {
  const names = [];
  const named = [];
  const others = [];
  for (const one of css.split(',').map((each) => each.trim())) {
    const [, name, part] = [...one.replace(ADDRESS, '').matchAll(NAME)].pop() ?? [];
    if (name || part) {
      names.push((name ?? part).toLowerCase());
      named.push(one);
    } else others.push({ tag: one.replace(/\W.*/, '') || '*', css: one });
  }
  return { names, named: named.join(','), others };
}

const ANY_CHECK = searchFor(anyOf(CHECKS));
const ANY_DIALOG = searchFor(anyOf(CONSENT));
const ANY_PAYWALL = searchFor(anyOf(PAYWALLS));
const ANY_AGE_GATE = searchFor(AGE_GATES);
const QUICK_DIALOGS = anyOf(CONSENT)
  .split(',')
  .map((css) => css.trim())
  .filter((css) => /^[#.][\w-]+$/.test(css));
const QUICK_IDS = QUICK_DIALOGS.filter((css) => css.startsWith('#')).map((css) => css.slice(1));
const QUICK_CLASSES = QUICK_DIALOGS.filter((css) => css.startsWith('.')).join(',');

/** Whether one of the dialogs is there that an id or a class tells. An id is not searched for, so that all of them cost less than one class. */
function hasQuickDialog() {
  return QUICK_IDS.some((id) => getElementByIdIn(document, id) !== null) || rootQueryOf.call(document, QUICK_CLASSES).length > 0;
}

/** A page that has more than this is not made of one widget. */
const BARE = { text: 1500, links: 12, fields: 3 };

/** What a page has, looked at once. */
class Seen {
  constructor() {
    this.status = Number(/** @type {any} */ (performance.getEntriesByType('navigation')[0])?.responseStatus ?? 0);
    this.sources = /** @type {string[]} */ ([]);
    this.codes = /** @type {string[]} */ ([]);
    for (const el of this.all('script, iframe')) {
      const src = getAttributeOf.call(el, 'src');
      if (src) this.sources.push(src.slice(0, 500));
      else if (this.codes.length < 60) this.codes.push(String(textContentGet.call(el)).slice(0, 4000));
      if (this.sources.length > 300) break;
    }
  }

  /** @param {string} css @returns {Element[]} */
  all(css) {
    return [...rootQueryOf.call(document, css)];
  }

  /** Whether the page has something of it. @param {Search} search */
  any({ names, named, others }) {
    const mayHave = names.some((name) => this.names.includes(name));
    if (mayHave && this.all(named).length > 0) return true;
    return others.some(({ tag, css }) => elementsOf.call(document, tag).length > 0 && this.all(css).length > 0);
  }

  /** The ids, classes and names for tests of all elements, in small letters. */
  get names() {
    if (this.named === undefined) {
      const names = new Set();
      for (const attribute of ['id', 'class', 'data-testid']) {
        const having = rootQueryOf.call(document, '[' + attribute + ']');
        const count = having.length;
        for (let i = 0; i < count; i++) names.add(getAttributeOf.call(having[i], attribute));
      }
      this.named = [...names].join('\n').toLowerCase();
    }
    return this.named;
  }

  /** The elements that a visitor sees. @param {string} css */
  shown(css) {
    return this.all(css).filter(
      (el) => checkVisibilityOf.call(el, { visibilityProperty: true, opacityProperty: true }) && rectOf(el).height > 0,
    );
  }

  /** The text that a visitor sees, about; without scripts and styles. */
  get text() {
    if (this.words === undefined) {
      const body = bodyGet.call(document);
      this.words = body instanceof HTMLElement ? String(innerTextGet.call(body)).replace(/\s+/g, ' ').trim() : '';
    }
    return this.words;
  }

  /** Whether the page has little besides one widget. */
  get bare() {
    if (this.isBare === undefined) {
      const links = this.all('a[href]').length;
      const fields = this.all(
        'input:not([type=hidden]):not([type=submit]):not([type=button]), select, textarea:not([name*="captcha" i])',
      ).length;
      this.isBare = links <= BARE.links && fields <= BARE.fields && this.text.length <= BARE.text;
    }
    return this.isBare;
  }

  /** @param {Sign} sign */
  has(sign) {
    if (sign.css && this.all(sign.css).length === 0) return false;
    const { src, code } = sign;
    if (src && !this.sources.some((one) => src.test(one))) return false;
    if (code && !this.codes.some((one) => code.test(one))) return false;
    return !sign.alone || this.bare;
  }

  /** The element that covers the middle of the page, if it is one of these or in one. @param {string} css */
  covering(css) {
    const parts = this.shown(css);
    if (parts.length === 0) return undefined;
    const scrollLocked = [documentElementGet.call(document), bodyGet.call(document)].some(
      (el) => el instanceof Element && /hidden|clip/.test(styleOf(el).overflowY),
    );
    for (let hit = elementAt(innerWidth / 2, innerHeight / 2); hit; hit = parentElementGet.call(hit)) {
      for (const el of parts)
        if (
          el === hit ||
          containsOf.call(el, hit) ||
          (scrollLocked && hit !== bodyGet.call(document) && containsOf.call(hit, el) && styleOf(hit).position === 'fixed')
        )
          return el;
    }
    return undefined;
  }
}

/** @param {Element} el @param {string} css */
function hasWithin(el, css) {
  return queryAllOf.call(el, css).length > 0;
}

/** @param {Seen} seen @returns {Wall|undefined} */
function botCheck(seen) {
  const shown = seen.any(ANY_CHECK);
  const sign = CHECKS.find((one) => (shown || !one.css) && seen.has(one));
  if (!sign) return undefined;
  return { kind: 'bot-check', by: sign.by, why: sign.alone ? 'the page has its widget and little else' : 'the page is its challenge' };
}

/** @param {Seen} seen @returns {Wall|undefined} */
function refused(seen) {
  const { status } = seen;
  if (status === 429) return { kind: 'rate-limit', why: 'HTTP 429' };
  if (status === 503 && seen.bare) return { kind: 'maintenance', why: 'HTTP 503, and a page that says no more' };
  if (status !== 403 && status !== 451 && status !== 406) return undefined;
  if (seen.all('#cf-error-details, .cf-error-details').length > 0 && /\b(1005|1006|1007|1008|1009|1010|1012|1015|1020)\b/.test(seen.text)) {
    return {
      kind: /\b1015\b/.test(seen.text) ? 'rate-limit' : 'ban',
      by: 'Cloudflare',
      why: 'HTTP ' + status + ' with the error page of Cloudflare',
    };
  }
  if (/Reference\s*#?\s*[\da-f]+\.[\da-f]+/i.test(seen.text) && seen.bare)
    return { kind: 'ban', by: 'Akamai', why: 'HTTP ' + status + ' with a reference of Akamai' };
  if (/Generated by cloudfront/i.test(seen.text) && seen.bare)
    return { kind: 'ban', by: 'CloudFront', why: 'HTTP ' + status + ' with the error page of CloudFront' };
  if (/Incapsula incident ID/i.test(seen.text) && seen.bare)
    return { kind: 'ban', by: 'Imperva', why: 'HTTP ' + status + ' with an incident of Imperva' };
  if (seen.bare && seen.all('form').length === 0) return { kind: 'ban', why: 'HTTP ' + status + ', and a page that says no more' };
  return undefined;
}

/** @param {Seen} seen @returns {Wall|undefined} */
function login(seen) {
  const fields = seen.shown('input[type=password], input[autocomplete~="username"], input[autocomplete~="webauthn"]');
  if (seen.status === 401) return { kind: 'login', why: fields.length > 0 ? 'HTTP 401, and a login form' : 'HTTP 401' };
  if (fields.length === 0 || seen.shown('input[type=password]').length > 1) return undefined;
  const controls = seen.all('input:not([type=hidden]), select, textarea').length;
  if (controls > 8 || seen.text.length > 3000 || seen.all('article').length > 0) return undefined;
  const entry = /** @type {any} */ (performance.getEntriesByType('navigation')[0]);
  const back = [...new URLSearchParams(location.search)].find(([name, value]) => RETURNS.test(name) && /^(\/|https?:)/.test(value));
  if (back) return { kind: 'login', why: 'a login form that leads back to ' + back[1].slice(0, 100) };
  if (entry?.redirectCount > 0 && /log-?in|sign-?in|auth|sso|account/i.test(location.pathname))
    return { kind: 'login', why: 'a login form that another address led to' };
  return undefined;
}

/** @param {Seen} seen @returns {Wall|undefined} */
function covered(seen) {
  for (const sign of seen.any(ANY_DIALOG) ? CONSENT : []) {
    if (sign.css && (sign.by === 'Google' ? seen.bare && seen.all(sign.css).length > 0 : seen.covering(sign.css))) {
      return { kind: 'consent', by: sign.by, why: sign.by === 'Google' ? 'the page asks for nothing else' : 'its dialog covers the page' };
    }
  }
  if (seen.any(ANY_AGE_GATE)) {
    const gate = seen.covering(AGE_GATES);
    const asks =
      gate instanceof HTMLElement &&
      (/\b(1[6-9]|2[01])\b/.test(String(textContentGet.call(gate))) ||
        hasWithin(gate, 'select, input[type=date], input[autocomplete^=bday]'));
    if (gate && asks && hasWithin(gate, 'button, a, input[type=submit], input[type=button]'))
      return { kind: 'age', why: 'a dialog that asks for the age covers the page' };
  }
  if (!seen.any(ANY_PAYWALL)) return undefined;
  const free = seen
    .all('script[type="application/ld+json"]')
    .some((el) => /"isAccessibleForFree"\s*:\s*"?false/i.test(String(textContentGet.call(el))));
  for (const sign of PAYWALLS) {
    const part = sign.css && seen.shown(sign.css).find((el) => hasWithin(el, 'a[href], button, iframe') || el instanceof HTMLIFrameElement);
    if (part && (free || (sign.by !== '' && seen.covering(/** @type {string} */ (sign.css))))) {
      return {
        kind: 'paywall',
        ...(sign.by ? { by: sign.by } : {}),
        why: free ? 'the article says that it is not free, and an offer is shown' : 'its offer covers the page',
      };
    }
  }
  return undefined;
}

/** An application that never drew anything, long after the page had loaded. @param {Seen} seen @returns {Wall|undefined} */
function empty(seen) {
  const entry = /** @type {any} */ (performance.getEntriesByType('navigation')[0]);
  if (readyStateGet.call(document) !== 'complete' || !(entry?.loadEventEnd > 0) || performance.now() - entry.loadEventEnd < 3000)
    return undefined;
  if (seen.sources.length === 0) return undefined;
  const root = seen.all('#root, #app, #__next, #__nuxt, app-root, [data-reactroot]')[0];
  if (!root || String(textContentGet.call(root)).trim().length > 20 || hasWithin(root, 'img, svg, canvas, video, iframe, input, button'))
    return undefined;
  if (seen.text.length > 40) return undefined;
  return { kind: 'empty', why: 'the application in #' + (getAttributeOf.call(root, 'id') ?? 'root') + ' has drawn nothing' };
}

/** What keeps a visitor from the page; nothing on ordinary pages, for which this costs a few queries. @returns {Wall|undefined} */
export function wall() {
  try {
    if (elementsOf.call(document, '*').length > LARGE) return hasQuickDialog() ? covered(new Seen()) : undefined;
    const seen = new Seen();
    return botCheck(seen) ?? refused(seen) ?? login(seen) ?? covered(seen) ?? empty(seen);
  } catch {
    return undefined; // a page whose objects are in the way is read without this
  }
}

ops.wall = () => wall() ?? null;

/** The wall as a field of the line about the document; empty: there is none. */
export function wallField() {
  const found = wall();
  return found ? 'wall=' + escaped(JSON.stringify(found)) : '';
}
