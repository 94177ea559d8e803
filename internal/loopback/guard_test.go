package loopback

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	asked := open()
	asked.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusAccepted)
			return true
		}
		return false
	}
	asked.Refusals = Refusals{Host: "host", Origin: "origin", Secret: "secret", Challenge: "Bearer"}
	hidden := asked
	hidden.Refusals.Hide = true
	tests := []struct {
		name                       string
		guard                      Guard
		method, path, host, origin string
		want                       int
		says                       string
	}{
		{"secret", asked, "GET", "/yes/x", "localhost:1", "", http.StatusOK, "in"},
		{"secret alone", asked, "GET", "/yes", "[::1]", "http://127.0.0.1:9", http.StatusOK, "in"},
		{"no secret", asked, "GET", "/", "localhost", "", http.StatusUnauthorized, "secret\n"},
		{"begins as the secret", asked, "GET", "/yesterday", "localhost", "", http.StatusUnauthorized, "secret\n"},
		{"secret further on", asked, "GET", "/x/yes", "localhost", "", http.StatusUnauthorized, "secret\n"},
		{"hidden", hidden, "GET", "/", "localhost", "", http.StatusNotFound, "404 page not found\n"},
		{"before the secret", asked, "OPTIONS", "/", "localhost", "", http.StatusAccepted, ""},
		{"another name", asked, "OPTIONS", "/yes", "evil.example", "", http.StatusForbidden, "host\n"},
		{"another page", asked, "OPTIONS", "/yes", "localhost", "https://evil.example", http.StatusForbidden, "origin\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(tt.method, tt.path, nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			tt.guard.Protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("in"))
			})).ServeHTTP(w, r)
			require.Equal(t, tt.want, w.Code)
			require.Equal(t, tt.says, w.Body.String())
			require.Equal(t, tt.want == http.StatusUnauthorized, w.Header().Get("WWW-Authenticate") != "")
		})
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, NewSecret(), NewSecret())
	tests := []struct {
		name   string
		secret Secret
		header http.Header
		want   bool
	}{
		{"header", "s", http.Header{"Authorization": {"Bearer s"}}, true},
		{"scheme in small letters", "s", http.Header{"Authorization": {"bearer s"}}, true},
		{"another scheme", "s", http.Header{"Authorization": {"Basic s"}}, false},
		{"another secret", "s", http.Header{"Authorization": {"Bearer t"}}, false},
		{"longer", "s", http.Header{"Authorization": {"Bearer ss"}}, false},
		{"none was made", "", http.Header{"Authorization": {"Bearer "}}, false},
		{"cookie", "s", http.Header{"Cookie": {"name=s"}}, true},
		{"another cookie", "s", http.Header{"Cookie": {"other=s"}}, false},
		{"cookie, and none was made", "", http.Header{"Cookie": {"name="}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header = tt.header
			require.Equal(t, tt.want, tt.secret.InHeader(r) || tt.secret.InCookie(r, "name"))
		})
	}
	_, ok := Secret("").InPath(httptest.NewRequest(http.MethodGet, "/", nil))
	require.False(t, ok)
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:80": true, "127.0.0.1:1": true, "[::1]:9": true,
		"": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false,
		"127.0.0.2": false, "a b": false,
	} {
		require.Equal(t, want, LocalHost(host), host)
	}
	for origin, want := range map[string]bool{
		"": true, "file://": true, "http://localhost:3000": true, "https://[::1]": true,
		"null": false, "https://evil.example": false, "http://localhost.evil.example": false,
		"chrome-extension://localhost": false,
	} {
		require.Equal(t, want, LocalOrigin(origin), origin)
	}
}
