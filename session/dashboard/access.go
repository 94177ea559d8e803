package dashboard

import (
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

//go:embed page
var files embed.FS

// policy is the page's content security policy: everything comes from here; screenshots are data URLs of its own
// script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Files returns the files of the dashboard's page, for other pages that show a session live.
func Files() fs.FS {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return page
}

// Restrict sets the headers that keep such a page to what comes from its own server.
func Restrict(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// ParseOrigins reads origins such as https://dashboard.example.com.
func ParseOrigins(words []string) ([]string, error) {
	var origins []string
	for _, word := range words {
		u, err := url.Parse(strings.TrimSuffix(word, "/"))
		if err != nil || u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" ||
			u.User != nil {
			return nil, fault.New(fault.Usage,
				"Invalid dashboard origin '%s'. Expected an exact HTTPS origin such as https://dashboard.example.com.", word)
		}
		origins = append(origins, strings.ToLower(u.Scheme+"://"+u.Host))
	}
	return origins, nil
}

// cookie returns the cookie's name, which contains the port, since all ports of a host share their cookies.
func (s *Server) cookie() string { return "skua_dashboard_" + strconv.Itoa(s.Port()) }

// guard admits requests with the token, for an allowed host, and from an allowed origin.
func (s *Server) guard(next http.Handler) http.Handler {
	protected := loopback.Guard{
		Host:   s.allowedHost,
		Origin: s.fromHere,
		Secret: func(r *http.Request) bool { return s.token.InCookie(r, s.cookie()) },
		Before: s.exchangeToken,
		Refusals: loopback.Refusals{
			Host: "Host not allowed", Origin: "Origin, Referer, or dashboard access token is invalid.",
			Secret: "Open the address that `skua dashboard start` prints: it has a token that lets you in.",
		},
	}.Protect(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Restrict(w.Header())
		protected.ServeHTTP(w, r)
	})
}

// fromHere reports whether a request comes from the dashboard's own page or, if it changes nothing, from a program or
// the address bar, which send no origin.
func (s *Server) fromHere(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		return s.allowedOrigin(origin)
	}
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Upgrade") == ""
}

// exchangeToken turns the token in the address into a cookie.
func (s *Server) exchangeToken(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != "/" || !s.token.Is(r.URL.Query().Get("token")) {
		return false
	}
	http.SetCookie(w, &http.Cookie{
		Name:     s.cookie(),
		Value:    string(s.token),
		Path:     "/",
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		Secure:   !loopback.LocalHost(r.Host),
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return true
}

func (s *Server) allowedHost(host string) bool {
	if loopback.LocalHost(host) {
		return true
	}
	return slices.Contains(s.origins, "https://"+strings.ToLower(host))
}

// allowedOrigin reports whether an origin is that of the page. A page of this machine on another port is not.
func (s *Server) allowedOrigin(origin string) bool {
	if slices.Contains(s.origins, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && loopback.LocalHost(u.Host) && u.Port() == strconv.Itoa(s.Port())
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(Files()))
	mux.HandleFunc("GET /api/events", s.Lasting(s.events))
	mux.HandleFunc("GET /api/sessions/{name}/live", s.Lasting(s.streamSession))
	mux.HandleFunc("GET /api/sessions/{name}/picture", s.Lasting(s.screenshot))
	mux.HandleFunc("GET /api/sessions/{name}/records/{kind}", s.Lasting(s.records))
	mux.HandleFunc("GET /api/sessions/{name}/timeline", s.Lasting(s.timeline))
	mux.HandleFunc("POST /api/sessions/{name}/take", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.take(w, r, true)
	}))
	mux.HandleFunc("POST /api/sessions/{name}/release", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.take(w, r, false)
	}))
	mux.HandleFunc("POST /api/sessions/{name}/confirm/{id}", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.confirm(w, r, true)
	}))
	mux.HandleFunc("POST /api/sessions/{name}/deny/{id}", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.confirm(w, r, false)
	}))
	mux.HandleFunc("POST /api/sessions/{name}/handoff/{id}/{end}", s.Lasting(s.endHandoff))
	s.annotationRoutes(mux)
	return s.guard(mux)
}
