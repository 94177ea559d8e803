package testpasskey

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Site is the relying party. Its domain is localhost.
type Site struct {
	*httptest.Server
	Base  string // http://localhost:port
	Leave string // where the pages /away and /popup-away lead; set it before it is used

	mu         sync.Mutex
	challenges map[string]bool // that have not been used
	keys       map[string]*key
	log        []string
}

type key struct {
	user   string
	public *ecdsa.PublicKey
	count  uint32
}

// New starts the site, which ends with the test.
func New(t testing.TB) *Site {
	t.Helper()
	s := &Site{challenges: map[string]bool{}, keys: map[string]*key{}}
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { show(w, page) })
	}
	mux.HandleFunc("GET /leave", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.Leave, http.StatusFound)
	})
	mux.HandleFunc("GET /worker.js", worker)
	mux.HandleFunc("GET /home", s.home)
	mux.HandleFunc("POST /api/tried", s.tried)
	mux.HandleFunc("POST /api/begin", s.begin)
	mux.HandleFunc("POST /api/register", s.answer("registered", s.register))
	mux.HandleFunc("POST /api/login", s.answer("logged in", s.login))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	s.Base = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	return s
}

// Log is what the site has accepted and refused.
func (s *Site) Log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// tried notes what a page that tried to use a passkey has seen.
func (s *Site) tried(w http.ResponseWriter, r *http.Request) {
	said, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, "tried: "+string(said))
	reply(w, http.StatusOK, nil)
}

// worker serves a service worker that answers requests to the site with the attacker's page.
func worker(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript")
	page, _ := json.Marshal("<!doctype html>" + pages["/thief"])
	fmt.Fprintf(w, `oninstall = () => skipWaiting();
onactivate = (e) => e.waitUntil(clients.claim());
onfetch = (e) => {
	if (e.request.mode === 'navigate') e.respondWith(new Response(%s, { headers: { 'Content-Type': 'text/html' } }));
};`, page)
}

func show(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Supports-Loading-Mode", "credentialed-prerender")
	fmt.Fprint(w, "<!doctype html>"+page)
}

func (s *Site) home(w http.ResponseWriter, r *http.Request) {
	user, err := r.Cookie("user")
	if err != nil {
		http.Redirect(w, r, "/login", http.StatusFound)
		return
	}
	show(w, `<title>Home</title><h1>Welcome `+html.EscapeString(user.Value)+`</h1><button>Sign out</button>`)
}

// begin hands out a challenge, and the passkeys of a user when one is named.
func (s *Site) begin(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		User string `json:"user"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	s.mu.Lock()
	defer s.mu.Unlock()
	challenge := random()
	s.challenges[challenge] = true
	var allow []string
	for id, k := range s.keys {
		if asked.User != "" && k.user == asked.User {
			allow = append(allow, id)
		}
	}
	reply(w, http.StatusOK, map[string]any{"challenge": challenge, "user": random(), "allow": allow})
}

func random() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

func reply(w http.ResponseWriter, status int, data any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(data)
}

// said is what a page sends of a registration, which has a key, or of a login, which has a signature.
type said struct {
	ID        string `json:"id"`
	User      string `json:"user"`
	Client    string `json:"client"`
	Data      string `json:"data"`
	Key       string `json:"key"`
	Signature string `json:"signature"`
}

func (s *Site) answer(done string, check func(said) (user string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var got said
		err := json.NewDecoder(r.Body).Decode(&got)
		var user string
		s.mu.Lock()
		defer s.mu.Unlock()
		if err == nil {
			user, err = check(got)
		}
		if err != nil {
			s.log = append(s.log, "refused: "+err.Error())
			reply(w, http.StatusForbidden, map[string]string{"error": err.Error()})
			return
		}
		s.log = append(s.log, done+" "+user)
		if done == "logged in" {
			http.SetCookie(w, &http.Cookie{Name: "user", Value: user, Path: "/", HttpOnly: true})
		}
		reply(w, http.StatusOK, map[string]string{"user": user})
	}
}

func (s *Site) register(got said) (string, error) {
	if _, err := s.verify(got, "webauthn.create"); err != nil {
		return "", err
	}
	der, err := base64.RawURLEncoding.DecodeString(got.Key)
	if err != nil {
		return "", err
	}
	public, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return "", err
	}
	ec, ok := public.(*ecdsa.PublicKey)
	if !ok {
		return "", errors.New("not a key of the asked kind")
	}
	s.keys[got.ID] = &key{user: got.User, public: ec}
	return got.User, nil
}

func (s *Site) login(got said) (string, error) {
	k := s.keys[got.ID]
	if k == nil {
		return "", errors.New("unknown passkey")
	}
	signed, err := s.verify(got, "webauthn.get")
	if err != nil {
		return "", err
	}
	signature, err := base64.RawURLEncoding.DecodeString(got.Signature)
	if err != nil {
		return "", err
	}
	if hash := sha256.Sum256(signed); !ecdsa.VerifyASN1(k.public, hash[:], signature) {
		return "", errors.New("wrong signature")
	}
	data, _ := base64.RawURLEncoding.DecodeString(got.Data) // verified
	count := binary.BigEndian.Uint32(data[33:37])
	if count <= k.count {
		return "", fmt.Errorf("the counter fell from %d to %d", k.count, count)
	}
	k.count = count
	return k.user, nil
}

// verify checks what both kinds have in common, and returns what a signature is over.
func (s *Site) verify(got said, kind string) (signed []byte, err error) {
	client, err := base64.RawURLEncoding.DecodeString(got.Client)
	if err != nil {
		return nil, err
	}
	var c struct{ Type, Challenge, Origin string }
	if err := json.Unmarshal(client, &c); err != nil {
		return nil, err
	}
	data, err := base64.RawURLEncoding.DecodeString(got.Data)
	if err != nil {
		return nil, err
	}
	rp := sha256.Sum256([]byte("localhost"))
	switch {
	case c.Type != kind:
		return nil, errors.New("wrong type " + c.Type)
	case !s.challenges[c.Challenge]:
		return nil, errors.New("unknown challenge")
	case c.Origin != s.Base:
		return nil, errors.New("wrong origin " + c.Origin)
	case len(data) < 37 || !slices.Equal(data[:32], rp[:]):
		return nil, errors.New("wrong relying party")
	case data[32]&1 == 0 || data[32]&4 == 0:
		return nil, errors.New("the user was not present, or not verified")
	}
	delete(s.challenges, c.Challenge)
	hash := sha256.Sum256(client)
	return append(data, hash[:]...), nil
}
