package testpasskey

// script is what all pages of the site share: they register a passkey, and log in with one.
const script = `<script>
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const ask = async (path, body) => {
  const r = await fetch(path, { method: 'POST', body: JSON.stringify(body ?? {}) });
  const said = await r.json();
  if (!r.ok) throw new Error(said.error);
  return said;
};
const tell = (said) => { document.querySelector('#said').textContent = said; };
async function register(user, rp) {
  try {
    const o = await ask('/api/begin', {});
    const c = await navigator.credentials.create({ publicKey: {
      challenge: bytes(o.challenge), rp: { id: rp ?? location.hostname, name: 'Test' },
      user: { id: bytes(o.user), name: user, displayName: user }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }});
    const r = c.response;
    await ask('/api/register', { id: c.id, user, client: text(r.clientDataJSON), data: text(r.getAuthenticatorData()), key: text(r.getPublicKey()) });
    tell('Passkey created for ' + user);
  } catch (e) { tell('Failed: ' + e.name + ': ' + e.message); }
}
async function login(more) {
  try {
    const o = await ask('/api/begin', { user: more?.user });
    const c = await (more?.from ?? globalThis).navigator.credentials.get({ mediation: more?.mediation, publicKey: {
      challenge: bytes(o.challenge), rpId: more?.rp ?? location.hostname, userVerification: 'required', timeout: more?.timeout ?? 20000,
      allowCredentials: (o.allow ?? []).map((id) => ({ type: 'public-key', id: bytes(id) })),
    }});
    const r = c.response;
    await ask('/api/login', { id: c.id, client: text(r.clientDataJSON), data: text(r.authenticatorData), signature: text(r.signature) });
    if (!more?.popup) { location.href = '/home'; return; }
    localStorage.setItem('signed', crypto.randomUUID()); // the page that opened it waits for another one
    close();
  } catch (e) { tell('Failed: ' + e.name + ': ' + e.message); }
}
</script><p id=said role=status></p>`

// pages are the pages of the site by path.
var pages = map[string]string{
	"/register": `<title>Security</title><h1>Security</h1><button onclick="register('ann')">Create a passkey</button>
		<button onclick="register('bob')">Create one for Bob</button>` + script,
	"/login":  `<title>Sign in</title><h1>Sign in</h1><button onclick="login()">Sign in with a passkey</button>` + script,
	"/button": `<title>Sign in</title><h1>Sign in</h1><form><label>E-mail <input name=email></label><label>Password <input type=password></label><button>Sign in</button></form><button onclick="login()">Use a passkey</button>` + script,
	"/named": `<title>Sign in</title><h1>Sign in</h1><form onsubmit="event.preventDefault(); login({user: u.value})"><label>User name <input id=u autocomplete=username></label>
		<button>Continue</button></form>` + script,
	"/autofill": `<title>Sign in</title><h1>Sign in</h1><form><label>User name <input autocomplete="username webauthn"></label><button>Continue</button></form>` + script +
		`<script>login({mediation: 'conditional'})</script>`,
	"/popup": `<title>Sign in</title><h1>Sign in</h1><button onclick="open('/at-once', 'w', 'width=400,height=400')">Sign in with a passkey</button>
		<button onclick="open('/at-once', '_blank', 'noopener')">Sign in apart</button>` + script +
		`<script>addEventListener('storage', (e) => { if (e.key === 'signed') location.href = '/home' })</script>`,
	"/popup-away": `<title>Sign in</title><h1>Sign in</h1><button onclick="window.open('/leave')">Sign in with a passkey</button>` + script,
	"/at-once":    script + `<script>login({popup: true})</script><title>Passkey</title><h1>Passkey</h1>`,
	"/away":       `<title>Sign in</title><h1>Sign in</h1><button onclick="location.href = '/leave'">Sign in with a passkey</button>` + script,
	// It asks as soon as it may, also when it comes back from a cache, and says the result to its server.
	"/thief": `<title>Other</title><h1>Other</h1>` + script + `<script>const steal = async (from) => {
		await login({rp: 'localhost', timeout: 500, from});
		await fetch('/api/tried', {method: 'POST', body: document.querySelector('#said').textContent});
	};
	const worker = new URLSearchParams(location.search).get('worker');
	addEventListener('pageshow', (e) => { if (!worker && (e.persisted || !location.search)) steal(); });
	if (worker) navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'Ready'; });
	const opened = (url) => { globalThis.w = open(url, 'w'); };
	const blank = () => {
		w.location = 'about:blank';
		const wait = setInterval(() => { try { if (w.location.href === 'about:blank') { clearInterval(wait); steal(w); } } catch {} }, 1);
	};
	if (location.search === '?opener') { globalThis.w = opener; blank(); }
	</script>`,
	"/steal": `<title>Other</title><h1>Other</h1><button onclick="login({timeout: 1500})">As this site</button>
		<button onclick="login({rp: 'localhost', timeout: 1500})">As the other site</button>` + script,
}
