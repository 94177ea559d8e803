package dashboard

import (
	"crypto/subtle"
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/stream"
)

//go:embed page
var files embed.FS

// policy lets the page use what comes from here and nothing else. Pictures of sessions are data of its own script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// ParseOrigins reads origins such as https://dashboard.example.com.
func ParseOrigins(words []string) ([]string, error) {
	var origins []string
	for _, word := range words {
		u, err := url.Parse(strings.TrimSuffix(word, "/"))
		if err != nil || u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return nil, fault.New(fault.Usage, "Invalid dashboard origin '%s'. Expected an exact HTTPS origin such as https://dashboard.example.com.", word)
		}
		origins = append(origins, strings.ToLower(u.Scheme+"://"+u.Host))
	}
	return origins, nil
}

// cookie is named after the port, since cookies of a host are shared by all its ports.
func (s *Server) cookie() string { return "skua_dashboard_" + strconv.Itoa(s.port) }

func (s *Server) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// guard lets in who has the token, came by a name of ours, and is no page of somebody else's.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if !s.ours(r.Host) {
			http.Error(w, "Host not allowed", http.StatusForbidden)
			return
		}
		origin := r.Header.Get("Origin")
		changes := r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Upgrade") != ""
		if origin != "" && !s.ourOrigin(origin) || origin == "" && changes {
			http.Error(w, "Origin, Referer, or dashboard access token is invalid.", http.StatusForbidden)
			return
		}
		if given := r.URL.Query().Get("token"); r.URL.Path == "/" && given != "" && s.knows(given) {
			http.SetCookie(w, &http.Cookie{
				Name: s.cookie(), Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: !stream.LocalHost(r.Host),
			})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(s.cookie()); err != nil || !s.knows(c.Value) {
			http.Error(w, "Open the address that `skua dashboard start` prints: it has a token that lets you in.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) ours(host string) bool {
	if stream.LocalHost(host) {
		return true
	}
	return slices.Contains(s.origins, "https://"+strings.ToLower(host))
}

// ourOrigin reports whether an origin is that of the page: a page of this machine on another port is somebody else's.
func (s *Server) ourOrigin(origin string) bool {
	if slices.Contains(s.origins, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && stream.LocalHost(u.Host) && u.Port() == strconv.Itoa(s.port)
}

func (s *Server) handler() http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("GET /api/events", s.lasting(s.events))
	mux.HandleFunc("GET /api/sessions/{name}/live", s.lasting(s.live))
	mux.HandleFunc("GET /api/sessions/{name}/picture", s.lasting(s.picture))
	mux.HandleFunc("GET /api/sessions/{name}/records/{kind}", s.lasting(s.records))
	mux.HandleFunc("POST /api/sessions/{name}/take", s.lasting(func(w http.ResponseWriter, r *http.Request) { s.take(w, r, true) }))
	mux.HandleFunc("POST /api/sessions/{name}/release", s.lasting(func(w http.ResponseWriter, r *http.Request) { s.take(w, r, false) }))
	return s.guard(mux)
}

// lasting has the end of the server wait for the handler.
func (s *Server) lasting(fn http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if leave, ok := s.enter(); ok {
			defer leave()
			fn(w, r)
		}
	}
}
