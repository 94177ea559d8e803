package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/internal/loopback"
)

// TaskHeader is the header in which a client names the task that its calls are for. In the address it is TaskParameter:
// a wildcard of the path, or a parameter.
const (
	TaskHeader    = "Skua-Task"
	TaskParameter = "task"
)

// ConnectionHeader is the header by which a client whose requests have no connection, and that names no task, has pages
// of its own: any text that no other client sends. A DELETE with it ends them.
const ConnectionHeader = "Skua-Connection"

// Guard says whom an HTTP handler serves.
type Guard struct {
	Token   string   // the token that each request must carry; if empty, all requests are rejected
	Hosts   []string // names, beside those of loopback and plain addresses, under which the server is reached
	Origins []string // of web pages that may call it; without them no page may
}

// idleConnection is how long a connection without a request is kept. Many clients go away without a word.
const idleConnection = time.Hour

// Handler returns what serves clients over streamable HTTP, to those whom the guard lets in.
func (s *Server) Handler(g Guard) http.Handler {
	one := func(*http.Request) *sdk.Server { return s.server }
	connected := sdk.NewStreamableHTTPHandler(one, &sdk.StreamableHTTPOptions{
		SessionTimeout: idleConnection, Logger: s.log, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, // the guard knows the names that are allowed
	})
	single := sdk.NewStreamableHTTPHandler(one, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		Logger:                       s.log,
		MaxRequestBodyBytes:          maxMessage,
		DisableLocalhostProtection:   true,
	})
	return g.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, task := range []string{r.PathValue(TaskParameter), r.URL.Query().Get(TaskParameter)} {
			if task != "" {
				r.Header.Set(TaskHeader, task)
			}
		}
		switch {
		case isAlone(r.Header) && r.Method == http.MethodDelete && r.Header.Get(ConnectionHeader) != "":
			s.forget(requesterOf(nil, r.Header, nil))
			w.WriteHeader(http.StatusNoContent)
		case isAlone(r.Header):
			single.ServeHTTP(w, r)
		default:
			connected.ServeHTTP(w, r)
		}
	}))
}

// Protect lets requests through that bear the token, and that no web page can have made a browser send.
func (g Guard) Protect(next http.Handler) http.Handler {
	token := loopback.Secret(g.Token)
	return loopback.Guard{
		Host:   g.knowsHost,
		Origin: g.allowsOrigin,
		Secret: token.InHeader,
		Before: answerPreflight,
		Refusals: loopback.Refusals{
			Host:      "Forbidden: the server is not known by this name; allow it with --allow-host.",
			Origin:    "Forbidden: pages of this origin may not call; allow it with --allow-origin.",
			Secret:    "Unauthorized: send the header `Authorization: Bearer <token>`.",
			Challenge: `Bearer realm="skua"`,
		},
	}.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
			w.Header().Set("Vary", "Origin")
		}
		next.ServeHTTP(w, r)
	}))
}

// knowsHost refuses host names that another party can point at this machine (DNS rebinding). IP addresses are safe.
func (g Guard) knowsHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") ||
		slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// allowsOrigin refuses what a page in a browser sends, unless its origin is listed. Programs send no origin.
func (g Guard) allowsOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !slices.ContainsFunc(g.Origins, func(o string) bool {
			return strings.EqualFold(strings.TrimRight(o, "/"), origin)
		}) {
			return false
		}
	}
	return true
}

// answerPreflight answers a browser that asks whether a page may call. It sends no token with that.
func answerPreflight(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodOptions || r.Header.Get("Origin") == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers",
		"Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, "+TaskHeader+
			", "+ConnectionHeader)
	h.Set("Vary", "Origin")
	w.WriteHeader(http.StatusNoContent)
	return true
}
