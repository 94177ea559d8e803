package loopback

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Guard decides which requests reach a handler: those that pass the checks Host, Origin and Secret, in this order.
type Guard struct {
	// Host accepts a Host header. It prevents DNS rebinding, where a web page's own host name resolves to this machine.
	Host func(host string) bool
	// Origin accepts a request by its Origin header, which browsers set and pages cannot change.
	Origin func(r *http.Request) bool
	// Secret reports whether the request has the secret.
	Secret func(r *http.Request) bool
	// Before answers requests that need no secret, and reports whether it did; nil means that all requests need it.
	Before func(w http.ResponseWriter, r *http.Request) bool
	// Refusals are the replies to rejected requests.
	Refusals Refusals
}

// Refusals are the texts for rejected requests. They say what is wrong and what to do.
type Refusals struct {
	Host, Origin, Secret string
	Hide                 bool   // answer a request without the secret with 404
	Challenge            string // the header WWW-Authenticate for a request without the secret
}

// Protect returns the handler behind the guard.
func (g Guard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !g.Host(r.Host):
			refuse(w, g.Refusals.Host, http.StatusForbidden)
		case !g.Origin(r):
			refuse(w, g.Refusals.Origin, http.StatusForbidden)
		case g.Before != nil && g.Before(w, r):
		case !g.Secret(r):
			g.ask(w)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (g Guard) ask(w http.ResponseWriter) {
	if g.Refusals.Hide {
		refuse(w, "404 page not found", http.StatusNotFound)
		return
	}
	if g.Refusals.Challenge != "" {
		w.Header().Set("WWW-Authenticate", g.Refusals.Challenge)
	}
	refuse(w, g.Refusals.Secret, http.StatusUnauthorized)
}

// refuse answers a request whose body is not wanted. The server reads what is left of the body before it answers, for
// which it has no limit of its own: a body that does not come would hold the connection.
func refuse(w http.ResponseWriter, text string, status int) {
	// where that is not possible there is no connection either
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(HeaderLimit))
	http.Error(w, text, status)
}

// LocalHost reports whether a Host header, or the host of an origin, names this machine's loopback.
func LocalHost(host string) bool {
	u, err := url.Parse("http://" + host)
	if err != nil {
		return false
	}
	switch name := strings.ToLower(u.Hostname()); name {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// LocalOrigin reports whether an Origin header is local: empty, as programs other than browsers send it, a file, or a
// page of this machine.
func LocalOrigin(origin string) bool {
	if origin == "" || origin == "file://" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && LocalHost(u.Host)
}
