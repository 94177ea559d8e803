package states_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"
)

// tokenSite is an app whose pages keep what proves a login: a token in a database at /app, a cookie that scripts cannot
// read at /door. It has a clock of its own and a log of who was let in.
type tokenSite struct {
	*httptest.Server

	mu     sync.Mutex
	behind time.Duration        // how far its clock is behind
	ends   map[string]time.Time // by token
	log    []string
}

const tokenLife = 30 * time.Minute

func startTokenSite(t testing.TB) *tokenSite {
	t.Helper()
	s := &tokenSite{ends: map[string]time.Time{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /app", func(w http.ResponseWriter, _ *http.Request) { sessiontest.ShowPage(w, tokenApp) })
	mux.HandleFunc("POST /enter", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, s.issue()) })
	mux.HandleFunc("GET /me", func(w http.ResponseWriter, r *http.Request) {
		if !s.check("token", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("GET /door", func(w http.ResponseWriter, r *http.Request) {
		k, err := r.Cookie("sid")
		if err == nil && s.check("cookie", k.Value) {
			sessiontest.ShowPage(w, `<title>In</title><a href=/leave>Leave</a>`)
			return
		}
		sessiontest.ShowPage(w, `<title>Out</title><form method=post action=/door><button>Sign in</button></form>`)
	})
	mux.HandleFunc("POST /door", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w,
			&http.Cookie{
				Name: "sid", Value: s.issue(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
				MaxAge: 86400,
			})
		http.Redirect(w, r, "/door", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /leave", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Path: "/", MaxAge: -1})
		http.Redirect(w, r, "/app#leave", http.StatusSeeOther)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// tokenApp asks the server who its user is with the token that its database has.
const tokenApp = `<title>Loading</title><button onclick=enter()>Sign in</button><script>
	const store = (mode) => new Promise((done, fail) => {
		const r = indexedDB.open('app', 3)
		r.onupgradeneeded = () => r.result.createObjectStore('auth', {keyPath: 'id'}).createIndex('by user', 'user')
		r.onsuccess = () => done(r.result.transaction('auth', mode).objectStore('auth'))
		r.onerror = () => fail(r.error)
	})
	const over = (r) => new Promise((done, fail) => { r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error) })
	async function look() {
		if (location.hash == '#leave') await over((await store('readwrite')).clear())
		const [kept] = await over((await store('readonly')).index('by user').getAll('ann'))
		const r = kept && await fetch('/me', {headers: {Authorization: 'Bearer ' + new TextDecoder().decode(kept.token)}})
		document.title = r && r.ok && kept.since instanceof Date ? 'In' : 'Out'
	}
	async function enter() {
		const token = await (await fetch('/enter', {method: 'POST'})).text()
		await over((await store('readwrite')).put({id: 1, user: 'ann', since: new Date(), accessToken: token, token: new TextEncoder().encode(token)}))
		await look()
	}
	look().catch((e) => { document.title = String(e) })
</script>`

// setBehind sets how far the site's clock is behind.
func (s *tokenSite) setBehind(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behind = d
}

// forget ends all logins.
func (s *tokenSite) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.ends)
}

// issue makes a token that tells when it ends.
func (s *tokenSite) issue() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ends := time.Now().Add(tokenLife - s.behind)
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	token := part(`{"alg":"none"}`) + "." +
		part(fmt.Sprintf(`{"sub":"ann","jti":%d,"exp":%d}`, len(s.ends), ends.Unix())) + "." + part("signature")
	s.ends[token] = ends
	return token
}

func (s *tokenSite) check(by, token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ends, issued := s.ends[token]
	in := issued && time.Now().Add(-s.behind).Before(ends)
	if in {
		s.log = append(s.log, by+" let in")
	} else {
		s.log = append(s.log, by+" refused")
	}
	return in
}

// taken returns what was logged since the last time.
func (s *tokenSite) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// tokens returns what was issued.
func (s *tokenSite) tokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for token := range s.ends {
		all = append(all, token)
	}
	return all
}
