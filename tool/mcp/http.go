package mcp

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TaskHeader is the header in which a client names the task that its calls are for. In the address it is TaskParameter: a wildcard of the path,
// or a parameter.
const (
	TaskHeader    = "Skua-Task"
	TaskParameter = "task"
)

// Guard says whom an HTTP handler serves.
type Guard struct {
	Token   string   // that each request has to bear; empty: none is let in
	Hosts   []string // names, beside those of loopback and plain addresses, under which the server is reached
	Origins []string // of web pages that may call it; without them no page may
}

// idleConnection is how long a connection without a request is kept. Many clients go away without a word.
const idleConnection = time.Hour

// Handler returns what serves clients over streamable HTTP, to those whom the guard lets in.
func (s *Server) Handler(g Guard) http.Handler {
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server }, &sdk.StreamableHTTPOptions{
		SessionTimeout: idleConnection, Logger: s.log, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, // the guard knows the names that are allowed
	})
	return g.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, task := range []string{r.PathValue(TaskParameter), r.URL.Query().Get(TaskParameter)} {
			if task != "" {
				r.Header.Set(TaskHeader, task)
			}
		}
		streamable.ServeHTTP(w, r)
	}))
}

// Protect lets requests through that bear the token, and that no web page can have made a browser send.
func (g Guard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !g.knowsHost(r.Host):
			http.Error(w, "Forbidden: the server is not known by the name "+r.Host+"; allow it with --allow-host.", http.StatusForbidden)
		case !g.allowsOrigin(r):
			http.Error(w, "Forbidden: pages of this origin may not call; allow it with --allow-origin.", http.StatusForbidden)
		case r.Method == http.MethodOptions && r.Header.Get("Origin") != "": // a browser asks whether the page may; it sends no token with that
			answerPreflight(w, r)
		case !g.bears(r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="skua"`)
			http.Error(w, "Unauthorized: send the header `Authorization: Bearer <token>`.", http.StatusUnauthorized)
		default:
			if origin := r.Header.Get("Origin"); origin != "" {
				w.Header().Set("Access-Control-Allow-Origin", origin)
				w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
				w.Header().Set("Vary", "Origin")
			}
			next.ServeHTTP(w, r)
		}
	})
}

// knowsHost refuses names that somebody else can point at this machine (DNS rebinding). An address is none.
func (g Guard) knowsHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// allowsOrigin refuses what a page in a browser sends, unless its origin is listed. Programs send no origin.
func (g Guard) allowsOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !slices.ContainsFunc(g.Origins, func(o string) bool { return strings.EqualFold(strings.TrimRight(o, "/"), origin) }) {
			return false
		}
	}
	return true
}

func answerPreflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, "+TaskHeader)
	h.Set("Vary", "Origin")
	w.WriteHeader(http.StatusNoContent)
}

func (g Guard) bears(r *http.Request) bool {
	kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return ok && strings.EqualFold(kind, "Bearer") && g.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(g.Token)) == 1
}
