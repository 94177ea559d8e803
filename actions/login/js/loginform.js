// Looks for what a login needs in one document: its fields, the button that sends them, what the page says, and signs that a user is logged in. It runs
// in the isolated world, reads no field's content, and changes nothing. Pages decide how forms are called by what they put in them, so that a form's own
// properties are read by the prototypes' getters.
/** @param {{username?: string, password?: string, submit?: string}} arg */
export default function loginForm(arg) {
  const skua = globalThis.__skua;
  const formOf = (/** @type {Element} */ el) => Element.prototype.closest.call(el, 'form');
  const holds = (/** @type {Node | null} */ outer, /** @type {Element} */ el) => Boolean(outer) && Node.prototype.contains.call(outer, el);
  const queryAll = (/** @type {Document|ShadowRoot|Element} */ root, /** @type {string} */ css) => {
    const proto = root instanceof Document ? Document.prototype : root instanceof Element ? Element.prototype : DocumentFragment.prototype;
    return [...proto.querySelectorAll.call(root, css)];
  };
  const ofDocument = (/** @type {string} */ name) => Reflect.get(Document.prototype, name, document);
  const MOST = 20000;

  /** All elements that match, open shadow trees included, in document order. */
  const all = (/** @type {string} */ css) => {
    /** @type {Element[]} */
    const found = [];
    const visit = (/** @type {ShadowRoot|Document} */ root) => {
      for (const el of queryAll(root, '*')) {
        if (found.length > MOST) return;
        if (Element.prototype.matches.call(el, css)) found.push(el);
        const shadow = Reflect.get(Element.prototype, 'shadowRoot', el);
        if (shadow) visit(shadow);
      }
    };
    visit(document);
    return found;
  };
  const attr = (/** @type {Element} */ el, /** @type {string} */ name) => Element.prototype.getAttribute.call(el, name) ?? '';
  const text = (/** @type {Element} */ el, most = 200) => {
    const raw =
      el instanceof HTMLElement ? Reflect.get(HTMLElement.prototype, 'innerText', el) : Reflect.get(Node.prototype, 'textContent', el);
    return String(raw ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, most);
  };

  /** Whether a person can see it: traps for programs lie outside of the page, are transparent, or have no size. */
  const seen = (/** @type {Element} */ el) => {
    if (!Element.prototype.checkVisibility.call(el, { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }))
      return false;
    const box = Element.prototype.getBoundingClientRect.call(el);
    if (box.width < 3 || box.height < 3) return false;
    return box.right + scrollX > 0 && box.bottom + scrollY > 0;
  };
  const open = (/** @type {Element} */ el) => seen(el) && !Element.prototype.matches.call(el, ':disabled, [aria-disabled="true"]');

  const labels = (/** @type {Element} */ el) => {
    const parts = [attr(el, 'aria-label'), attr(el, 'placeholder'), attr(el, 'title')];
    const labelled = 'labels' in el.constructor.prototype ? Reflect.get(el.constructor.prototype, 'labels', el) : null;
    for (const label of labelled ?? []) parts.push(text(label, 80));
    for (const id of attr(el, 'aria-labelledby').split(/\s+/)) {
      const other = id && /** @type {Document} */ (el.getRootNode()).getElementById?.(id);
      if (other) parts.push(text(other, 80));
    }
    return parts.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
  };
  const nameOf = (/** @type {Element} */ el) => {
    const shown =
      labels(el) || text(el, 80) || (el instanceof HTMLInputElement ? attr(el, 'value') || attr(el, 'alt') : '') || attr(el, 'title');
    return shown.slice(0, 80);
  };
  const says = (/** @type {Element} */ el) =>
    [attr(el, 'name'), attr(el, 'id'), attr(el, 'data-testid'), labels(el)].join(' ').toLowerCase();
  const completes = (/** @type {Element} */ el, /** @type {string[]} */ ...words) =>
    attr(el, 'autocomplete')
      .toLowerCase()
      .split(/\s+/)
      .some((word) => words.includes(word));
  const typeOf = (/** @type {Element} */ el) => (el instanceof HTMLInputElement ? Reflect.get(HTMLInputElement.prototype, 'type', el) : '');
  const field = (/** @type {Element} */ el) => {
    const form = formOf(el);
    return {
      token: skua.tokenOf(el),
      label: labels(el).slice(0, 60) || attr(el, 'name') || attr(el, 'id') || typeOf(el),
      form: form ? skua.tokenOf(form) : 0,
      password: typeOf(el) === 'password',
    };
  };

  // Where a field's content would be sent: by the form that owns the field, which may be elsewhere in the document, and by the button that sends it.
  const SENDS = ['submit', 'image'];
  const sendsForm = (/** @type {Element} */ el) =>
    el instanceof HTMLButtonElement ? Reflect.get(HTMLButtonElement.prototype, 'type', el) === 'submit' : SENDS.includes(typeOf(el));
  const ownerOf = (/** @type {Element} */ el) => {
    const proto =
      el instanceof HTMLButtonElement ? HTMLButtonElement.prototype : el instanceof HTMLInputElement ? HTMLInputElement.prototype : null;
    return /** @type {HTMLFormElement | null} */ (proto ? Reflect.get(proto, 'form', el) : null);
  };
  const originOf = (/** @type {string} */ address) => {
    try {
      const url = new URL(address, ofDocument('baseURI'));
      if (url.protocol === 'javascript:') return self.origin; // the page's own script
      return ['http:', 'https:'].includes(url.protocol) ? url.origin : url.protocol;
    } catch {
      return self.origin; // it is sent nowhere
    }
  };
  const targetsOf = (/** @type {Element | null | undefined} */ el, /** @type {Element | null | undefined} */ button) => {
    const form = el ? ownerOf(el) : null;
    if (!form) return [];
    const action = attr(form, 'action');
    const targets = [action.trim() === '' ? self.origin : originOf(action)];
    const first = all('button, input').find((other) => sendsForm(other) && ownerOf(other) === form); // the one that Enter presses
    for (const sender of [button, first]) {
      const own = sender && ownerOf(sender) === form ? attr(sender, 'formaction') : '';
      if (own.trim() !== '') targets.push(originOf(own));
    }
    return [...new Set(targets)];
  };

  if (innerWidth < 3 || innerHeight < 3) return { doc: skua.doc, origin: self.origin, shown: false };

  const chosen = (/** @type {string | undefined} */ css, /** @type {string} */ what) => {
    if (!css) return undefined;
    let els;
    try {
      els = all(css);
    } catch {
      throw new TypeError('skua: bad selector for ' + what);
    }
    return els.find(open) ?? null;
  };
  /** @type {{username?: Element|null, password?: Element|null, submit?: Element|null}} */
  const wanted = {};
  try {
    for (const what of /** @type {const} */ (['username', 'password', 'submit'])) wanted[what] = chosen(arg[what], what);
  } catch (thrown) {
    return {
      doc: skua.doc,
      origin: self.origin,
      shown: true,
      invalid: String(/** @type {Error} */ (thrown).message).replace('skua: bad selector for ', ''),
    };
  }

  const inputs = all('input').filter(
    (el) => ['text', 'email', 'tel', 'url', 'number', 'password', 'search'].includes(typeOf(el)) && open(el),
  );
  const writable = (/** @type {Element} */ el) => !Element.prototype.matches.call(el, '[readonly]');
  const CODE =
    /\b(otp|totp|2fa|mfa|tfa)\b|(one|single)[ -_]?time|(verification|auth(entication|enticator)?|security|access|login|2-step|two-?step|sms|e-?mail|mobile|app|6-digit|six-digit)[ -_]?(code|pin|token)|pass ?code|bestätigungscode|sicherheitscode|code de (vérification|sécurité)|código de (verificación|seguridad)|codice di verifica|認証コード|код подтверждения/;
  const NO_CODE = /coupon|promo|discount|voucher|gift|zip|postal|post ?code|country|area code|referral|invite/;
  const short = (/** @type {Element} */ el) => {
    const most = Number(attr(el, 'maxlength') || 99);
    return most <= 12 || attr(el, 'inputmode') === 'numeric' || typeOf(el) === 'number';
  };
  const isCode = (/** @type {Element} */ el) => {
    if (completes(el, 'one-time-code')) return true;
    const words = says(el).replace(/_/g, ' ');
    if (NO_CODE.test(words) || !writable(el)) return false;
    if (CODE.test(words)) return typeOf(el) !== 'email';
    return /\bcode\b|\btoken\b|\bpin\b/.test(words) && short(el) && typeOf(el) !== 'password';
  };

  // A code that is typed into a field for each digit.
  const single = inputs.filter((el) => attr(el, 'maxlength') === '1' && typeOf(el) !== 'search' && writable(el));
  /** @type {Element[]} */
  let codes = [];
  for (let i = 0; i < single.length; ) {
    const within = (/** @type {Element} */ box) => single.filter((el) => holds(box, el));
    let around = single[i].parentElement;
    for (let up = 0; up < 3 && around && within(around).length < 4; up++) around = around.parentElement;
    const group = around ? within(around) : [];
    if (group.length >= 4 && group.length <= 10) {
      codes = group;
      break;
    }
    i++;
  }
  if (codes.length === 0) codes = inputs.filter(isCode).slice(0, 1);

  const passwords = inputs.filter(
    (el) => (typeOf(el) === 'password' || completes(el, 'current-password')) && !codes.includes(el) && writable(el),
  );
  const current = passwords.filter((el) => !completes(el, 'new-password'));
  const choosing =
    wanted.password === undefined &&
    ((passwords.length >= 2 && !passwords.some((el) => completes(el, 'current-password'))) ||
      (passwords.length > 0 && current.length === 0));
  const password =
    wanted.password !== undefined
      ? wanted.password
      : choosing
        ? null
        : (current.find((el) => completes(el, 'current-password')) ?? current[0] ?? null);

  const USER =
    /user|login|e-?mail|account|identif|member|customer|phone|mobile|benutzer|anmeld|kunden|utilisateur|identifiant|usuario|correo|cuenta|utente|gebruiker|usuário|логин|пользовател|почт|ユーザ|メール|用户|账号|邮箱/;
  const NO_USER =
    /search|query|newsletter|subscribe|coupon|promo|captcha|first ?name|last ?name|full ?name|company|subject|message|zip|city|address line/;
  const score = (/** @type {Element} */ el) => {
    const type = typeOf(el);
    if (!['text', 'email', 'tel', 'url'].includes(type) || codes.includes(el) || el === password) return -1000;
    const words = says(el);
    let n = 0;
    if (completes(el, 'username', 'email', 'webauthn')) n += 100;
    if (type === 'email') n += 40;
    if (USER.test(words)) n += 50;
    if (NO_USER.test(words)) n -= 100;
    if (type === 'search' || attr(el, 'role') === 'searchbox' || attr(el, 'role') === 'combobox') n -= 60;
    if (!writable(el)) n -= 200;
    if (password) {
      if (formOf(el) === formOf(password) && formOf(el)) n += 30;
      n += el.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING ? 20 : -60;
    } else {
      const form = formOf(el);
      const around = (
        form ? attr(form, 'action') + ' ' + attr(form, 'id') + ' ' + attr(form, 'class') + ' ' + attr(form, 'name') : ''
      ).toLowerCase();
      if (/newsletter|subscribe|search|contact|comment/.test(around)) n -= 120;
      if (/login|log-in|signin|sign-in|sign_in|session|auth|anmeld/.test(around + ' ' + location.pathname.toLowerCase())) n += 20;
    }
    return n;
  };
  const best = (/** @type {Element[]} */ els, /** @type {(el: Element) => number} */ rate, /** @type {number} */ least) => {
    let found = null;
    let most = least;
    for (const el of els) {
      const n = rate(el);
      if (
        n > most ||
        (n === most &&
          found &&
          password &&
          formOf(el) === formOf(password) &&
          el.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_PRECEDING)
      ) {
        found = el;
        most = n;
      }
    }
    return found;
  };
  const username = wanted.username !== undefined ? wanted.username : choosing ? null : best(inputs, score, password ? 25 : 45);

  // What was named and is not there, while the form is.
  const missing =
    wanted.password === null && passwords.length > 0 ? 'password' : wanted.username === null && password && !username ? 'username' : '';

  // The button that sends the form, by what it is and what it is called.
  const anchor = codes.length > 0 && !password ? codes.at(-1) : (password ?? username);
  const SEND =
    /^(sign|log)[ -]?(me )?in\b|^log ?on\b|^(anmelden|einloggen|connexion|se connecter|iniciar|acceder|entrar|accedi|inloggen|войти|ログイン|登录|登入)|^(continue|next|weiter|suivant|siguiente|avanti|volgende|submit|verify|confirm|send|go|ok|bestätigen|absenden|далее|次へ|下一步)\b/i;
  const OTHER =
    /google|facebook|apple|github|gitlab|microsoft|twitter|linkedin|\bsso\b|saml|passkey|security key|forgot|reset|lost|sign ?up|register|create|join|cancel|back|\bshow\b|\bhide\b|toggle|resend|help|another|different|other way|cookie|accept|search|language|menu|qr/i;
  let submit = null;
  if (wanted.submit !== undefined) submit = wanted.submit;
  else if (anchor) {
    const form = formOf(anchor);
    let scope = form;
    if (!scope) {
      scope = anchor.parentElement;
      const button = 'button, input[type="submit"], input[type="image"], input[type="button"], [role="button"]';
      for (let up = 0; up < 6 && scope && !queryAll(scope, button).some((el) => seen(el) && !OTHER.test(nameOf(el))); up++)
        scope = scope.parentElement;
    }
    const id = form ? attr(form, 'id') : '';
    const buttons = all('button, input[type="submit"], input[type="image"], input[type="button"], [role="button"]').filter(
      (el) => seen(el) && (holds(scope, el) || (id !== '' && attr(el, 'form') === id)),
    );
    submit = best(
      buttons,
      (el) => {
        const name = nameOf(el);
        const native =
          form &&
          (el instanceof HTMLButtonElement
            ? Reflect.get(HTMLButtonElement.prototype, 'type', el) === 'submit'
            : ['submit', 'image'].includes(typeOf(el)));
        let n = native ? 40 : 0;
        if (SEND.test(name)) n += 50;
        if (OTHER.test(name)) n -= 100;
        if (anchor.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) n += 10;
        return n;
      },
      30,
    );
  }

  // What offers to log in with a passkey.
  const PASSKEY =
    /pass-?keys?\b|security key|web ?authn|\bfido2?\b|touch ?id|face ?id|windows hello|password-?less|without (a )?password|biometric|fingerprint|passschlüssel|sicherheitsschlüssel|ohne passwort|clé (d.accès|de sécurité)|llave de (acceso|seguridad)|chiave di (accesso|sicurezza)|sleutel|パスキー|通行密钥|ключ доступа/i;
  const NO_PASSKEY =
    /create|\badd\b|register|set ?up|enrol|manage|remove|delete|learn|what (is|are)|about|rename|erstellen|anlegen|hinzufügen|einrichten|verwalten|créer|ajouter|crear|añadir/i;
  const offer = all('button, a, input[type="submit"], input[type="button"], [role="button"]').find(
    (el) => PASSKEY.test(nameOf(el)) && !NO_PASSKEY.test(nameOf(el)) && open(el),
  );

  // What the page says.
  const BAD =
    /incorrect|invalid|wrong|fail|denied|locked|blocked|suspend|disabled|expired|not recogni|do(es)?n.t (match|exist|recogni)|didn.t|unable|could ?n.t|cannot|can.t|no (account|user)|unknown|try again|too many|error|required|ungültig|falsch|fehlgeschlagen|gesperrt|incorrect[oa]|inválid|erreur|incorrecte|échou|errat[oa]|ongeldig|onjuist|неверн|ошибк|間違|错误/i;
  /** @type {{text: string, bad: boolean}[]} */
  const told = [];
  const hear = (/** @type {Element} */ el, /** @type {boolean} */ sure) => {
    if (!seen(el)) return;
    const said = text(el, 300);
    if (said.length < 3 || told.some((t) => t.text.includes(said) || (said.includes(t.text) && said.length < t.text.length + 20))) return;
    told.push({ text: said, bad: sure || BAD.test(said) });
  };
  for (const el of all('[aria-invalid="true"]')) {
    for (const id of (attr(el, 'aria-errormessage') + ' ' + attr(el, 'aria-describedby')).split(/\s+/)) {
      const other = id && /** @type {Document} */ (el.getRootNode()).getElementById?.(id);
      if (other) hear(other, true);
    }
  }
  for (const el of all(
    '[role="alert"], [aria-live="assertive"], [class*="error" i], [id*="error" i], [class*="danger" i], [class*="invalid" i], [class*="alert" i], [class*="flash" i], [role="status"]',
  )) {
    if (told.length >= 5) break;
    if (queryAll(el, 'input, form, body').length > 0) continue;
    hear(el, false);
  }

  // Signs that a user is logged in.
  const OUT =
    /^(log|sign)[ -]?(out|off)\b|^(abmelden|ausloggen|déconnexion|se déconnecter|cerrar sesión|salir|esci|disconnetti|uitloggen|afmelden|sair|выйти|выход|ログアウト|サインアウト|退出)/i;
  let logout = '';
  for (const el of all('a, button, input[type="submit"], input[type="button"], [role="button"], [role="menuitem"]')) {
    const name = nameOf(el) || (Reflect.get(Node.prototype, 'textContent', el) ?? '').trim().slice(0, 40);
    const form = formOf(el);
    const way = el instanceof HTMLAnchorElement ? attr(el, 'href') : el instanceof HTMLElement && form ? attr(form, 'action') : '';
    if (OUT.test(name) || /(^|\/)(log|sign)[-_]?out(\b|\/|$)/i.test(way.split(/[?#]/)[0])) {
      logout = name || way;
      break;
    }
  }

  let captcha = '';
  /** @type {[RegExp, string][]} */
  const guards = [
    [/recaptcha/, 'reCAPTCHA'],
    [/h-?captcha/, 'hCaptcha'],
    [/challenges\.cloudflare|turnstile/, 'Turnstile'],
    [/arkoselabs|funcaptcha/, 'Arkose'],
    [/captcha|geetest/, 'captcha'],
  ];
  for (const el of all(
    'iframe, [class*="captcha" i], [id*="captcha" i], [class*="turnstile" i], img[src*="captcha" i], input[name*="captcha" i]',
  )) {
    const box = Element.prototype.getBoundingClientRect.call(el);
    const words = (
      attr(el, 'src') +
      ' ' +
      attr(el, 'class') +
      ' ' +
      attr(el, 'id') +
      ' ' +
      attr(el, 'name') +
      ' ' +
      attr(el, 'title')
    ).toLowerCase();
    if (!seen(el) || box.width < 60 || box.height < 15 || /badge|invisible/.test(words)) continue;
    const guard = guards.find(([pattern]) => pattern.test(words));
    if (guard) captcha = guard[1];
    if (guard) break;
  }

  const heading = [
    ofDocument('title'),
    ...all('h1, h2, [role="heading"]')
      .filter(seen)
      .slice(0, 3)
      .map((el) => text(el, 80)),
  ].join(' | ');
  const body = ofDocument('body') ? text(ofDocument('body'), 1500) : '';
  const second =
    /two[- ]?factor|2-?step|two-?step|multi-?factor|verif(y|ication)|authenticat(or|ion) (app|code)|check your (e-?mail|phone|device|inbox)|approve (the|this|your)? ?(sign|log|request|notification)|security key|one-?time|we (have )?sent (you )?(a|an)|zwei-?faktor|bestätig|vérification en deux|verificación en dos/i;

  const stored = [];
  for (const area of ['localStorage', 'sessionStorage']) {
    try {
      stored.push(...Object.keys(globalThis[/** @type {'localStorage'|'sessionStorage'} */ (area)]));
    } catch {
      // a document without an origin has none
    }
  }
  return {
    doc: skua.doc,
    origin: self.origin,
    shown: true,
    status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
    username: username ? field(username) : null,
    password: password ? field(password) : null,
    codes: codes.map(field),
    submit: submit ? { token: skua.tokenOf(submit), label: nameOf(submit) } : null,
    passkey: offer ? { token: skua.tokenOf(offer), label: nameOf(offer) } : null,
    targets: targetsOf(password ?? codes[0] ?? username, submit),
    choosing,
    missing,
    told: told.slice(0, 5),
    logout,
    captcha,
    second: second.test(heading) || (body.length < 600 && second.test(body)) ? heading.slice(0, 200) : '',
    title: ofDocument('title'),
    stored: stored.sort().slice(0, 200).join('\n'),
  };
}
