package login_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/skua-browser/skua/guard/vault"
)

// loginSite is an app that really checks who logs in, and keeps a log of it.
type loginSite struct {
	*httptest.Server
	t    testing.TB
	totp vault.TOTP

	mu  sync.Mutex
	log []string
}

const (
	loginUser     = "ann@example.com"
	loginPassword = `hunter2 "&<ü`
	loginSecret   = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
)

func startLoginSite(t testing.TB) *loginSite {
	t.Helper()
	s := &loginSite{t: t}
	var err error
	if s.totp, err = vault.ParseTOTP(loginSecret); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { sessiontest.ShowPage(w, html) })
	}
	const form = `<form method=post action=/check><label>E-mail <input name=email></label>
		<label>Password <input type=password name=pass></label><button type=button>Show password</button><button>Sign in</button></form>`
	page("/plain", `<title>Sign in</title><input type=search name=q placeholder=Search>`+form)
	page("/enter",
		`<title>Sign in</title><form method=post action=/check><input name=user autocomplete=username><input type=password name=pass><input type=submit style="display:none"></form>`)
	page("/frame", `<title>Frame</title><h1>Welcome</h1><iframe src=/plain width=600 height=300></iframe>`)
	page("/trap", `<title>Sign in</title><input name=username style="position:absolute;left:-9999px">
		<input type=password name=no style="opacity:0">`+form)
	page("/banner",
		`<title>Sign in</title>`+form+
			`<div style="position:fixed;inset:0;background:#fff">We use cookies <button>Accept</button></div>`)
	page("/none", `<title>Nothing</title><p>There is nothing here.</p>`)
	page("/steps",
		`<title>Who</title><form method=post action=/who><input type=email name=id aria-label="E-mail address"><button>Next</button></form>`)
	page("/spa",
		`<title>App</title><div id=app><form onsubmit="go(event)"><input id=u placeholder=Username><input id=p type=password>
		<button id=b disabled>Log in</button><p id=e role=alert></p></form></div><script>
		addEventListener('input', () => { b.disabled = !u.value || !p.value });
		async function go(event) {
			event.preventDefault(); e.textContent = ''; b.disabled = true;
			const r = await fetch('/api', {method: 'POST', body: new URLSearchParams({email: u.value, pass: p.value})});
			if (!r.ok) { e.textContent = 'Those are not the details that we have for you.'; b.disabled = false; return }
			localStorage.setItem('token', await r.text());
			app.innerHTML = '<h1>Your things</h1><button>Log out</button>';
		}</script>`)
	page("/silent",
		`<title>App</title><form onsubmit="event.preventDefault()"><input id=u placeholder=Username><input id=p type=password><button>Log in</button></form>`)
	page("/captcha", `<title>Sign in</title><div class="h-captcha" style="width:300px;height:70px">I am human</div>`)
	page("/forbidden", `<title>Sign in</title>`+strings.Replace(form, "/check", "/refuse", 1))
	page("/echo", `<title>Sign in</title>`+strings.Replace(form, "/check", "/echoed", 1))
	page("/approve", `<title>Sign in</title>`+strings.Replace(form, "/check", "/push", 1))
	page("/code", `<title>Sign in</title>`+strings.Replace(form, "/check", "/code-after", 1))
	page("/digits", `<title>Sign in</title>`+strings.Replace(form, "/check", "/digits-after", 1))
	page("/renew", `<title>Sign in</title>`+strings.Replace(form, "/check", "/renewed", 1))
	mux.HandleFunc("POST /check", s.check(func(w http.ResponseWriter, r *http.Request) {
		s.in(w, r)
	}, func(w http.ResponseWriter) {
		sessiontest.ShowPage(w, `<title>Sign in</title><div class=error-box>Incorrect e-mail or password.</div>`+form)
	}))
	mux.HandleFunc("POST /api", s.check(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "t0ken")
	}, func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	mux.HandleFunc("POST /who", func(w http.ResponseWriter, r *http.Request) {
		sessiontest.ShowPage(w,
			`<title>Password</title><p>`+loginUser+`</p><form method=post action=/check><input type=hidden name=email value="`+
				r.FormValue("id")+`">
			<input type=password name=pass aria-label=Password><button>Continue</button></form>`)
	})
	mux.HandleFunc("POST /refuse", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `<title>Forbidden</title><h1>Not for you</h1>`)
	})
	mux.HandleFunc("POST /echoed", func(w http.ResponseWriter, r *http.Request) {
		sessiontest.ShowPage(w,
			`<title>Sign in</title><p role=alert>Invalid password: `+
				strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(r.FormValue("pass"))+`</p>`+form)
	})
	mux.HandleFunc("POST /push", func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.ShowPage(w,
			`<title>Two-factor authentication</title><h1>Check your phone</h1><p>Approve the sign-in on your device.</p>`)
	})
	mux.HandleFunc("POST /renewed", func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.ShowPage(w,
			`<title>New password</title><form><input type=password autocomplete=new-password><input type=password autocomplete=new-password><button>Save</button></form>`)
	})
	mux.HandleFunc("POST /code-after", s.check(func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.ShowPage(w,
			`<title>Code</title><form method=post action=/verify><label>Authentication code <input name=code inputmode=numeric></label><button>Verify</button></form>`)
	}, nil))
	mux.HandleFunc("POST /digits-after", s.check(func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.ShowPage(w,
			`<title>Code</title><form method=post action=/verify id=f><input type=hidden name=code>`+
				strings.Repeat(`<input class=d maxlength=1 size=1>`, 6)+`</form><script>
			const all = [...document.querySelectorAll('.d')];
			all.forEach((d, i) => d.addEventListener('input', () => {
				if (d.value && all[i + 1]) all[i + 1].focus();
				if (all.every((d) => d.value)) { f.code.value = all.map((d) => d.value).join(''); f.submit() }
			}));</script>`)
	}, nil))
	mux.HandleFunc("POST /verify", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		if code := r.FormValue("code"); code != s.totp.CodeAt(now) && code != s.totp.CodeAt(now.Add(-s.totp.Period)) {
			s.note("bad code")
			sessiontest.ShowPage(w, `<title>Code</title><p class=error>Invalid code</p>`)
			return
		}
		s.note("code")
		s.in(w, r)
	})
	mux.HandleFunc("GET /home", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || c.Value != "secret-session" {
			http.Redirect(w, r, "/plain", http.StatusSeeOther)
			return
		}
		s.note("home")
		sessiontest.ShowPage(w, `<title>Home</title><h1>Hello Ann</h1><a href=/out>Sign out</a>`)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// check looks at who wants in.
func (s *loginSite) check(right http.HandlerFunc, wrong func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user := r.FormValue("email") + r.FormValue("user")
		if user == loginUser && r.FormValue("pass") == loginPassword {
			s.note("password")
			right(w, r)
			return
		}
		s.note("bad password")
		if wrong != nil {
			wrong(w)
		}
	}
}

func (s *loginSite) in(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: "secret-session", HttpOnly: true, Path: "/"})
	http.Redirect(w, r, "/home", http.StatusSeeOther)
}

func (s *loginSite) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, what)
}

func (s *loginSite) noted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.log...)
}
