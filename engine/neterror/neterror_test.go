package neterror

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A server that refuses a client without a certificate may end the connection without the browser seeing why.
func TestConnectionsThatEnd(t *testing.T) {
	t.Parallel()
	const certificate = "client certificate"
	for _, tt := range []struct {
		name, url, code string
		certificate     bool
	}{
		{"http, closed", "http://a/", "net::ERR_CONNECTION_CLOSED", false},
		{"http, not connected", "http://a/", "net::ERR_SOCKET_NOT_CONNECTED", false},
		{"https, not connected", "https://a/", "net::ERR_SOCKET_NOT_CONNECTED", true},
		{"https, reset", "https://a/", "net::ERR_CONNECTION_RESET", true},
		{"https, empty", "https://a/", "net::ERR_EMPTY_RESPONSE", true},
		{"https, refused", "https://a/", "net::ERR_CONNECTION_REFUSED", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := New(tt.url, tt.code)
			require.NotEmpty(t, e.Hint)
			if tt.certificate {
				require.Contains(t, e.Hint, certificate)
				return
			}
			require.NotContains(t, e.Hint, certificate)
		})
	}
}
