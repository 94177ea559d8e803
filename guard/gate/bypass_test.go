package gate

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rules are Chromium's, so that a request of our own goes the way that the browser's would go.
func TestBypass(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, list, address string
		direct              bool
	}{
		{"nothing", "", "http://a.example:80", false},
		{"this machine", "", "http://127.0.0.1:8080", true},
		{"this machine by name", "", "http://app.localhost:80", true},
		{"link-local", "", "http://169.254.1.1:80", true},
		{"this machine through the proxy", "<-loopback>", "http://127.0.0.1:8080", false},
		{"this machine, by a later rule", "<-loopback>,127.0.0.1", "http://127.0.0.1:8080", true},
		{"host", "a.example", "http://a.example:80", true},
		{"host, not those below it", "a.example", "http://www.a.example:80", false},
		{"those below it", ".a.example", "http://www.a.example:80", true},
		{"pattern", "b.example; *.a.example", "https://www.a.example:443", true},
		{"port", "a.example:8080", "http://a.example:8080", true},
		{"other port", "a.example:8080", "http://a.example:80", false},
		{"scheme", "https://a.example", "https://a.example:443", true},
		{"other scheme", "https://a.example", "http://a.example:80", false},
		{"names without a dot", "<local>", "http://intranet:80", true},
		{"names with a dot", "<local>", "http://a.example:80", false},
		{"addresses", "10.0.0.0/8", "http://10.1.2.3:80", true},
		{"other addresses", "10.0.0.0/8", "http://11.1.2.3:80", false},
		{"IPv6", "[2001:db8::1]:81", "http://[2001:db8::1]:81", true},
		{"all", "*", "http://a.example:80", true},
		{"letters", "A.Example", "http://a.EXAMPLE:80", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(tt.address)
			require.NoError(t, err)
			require.Equal(t, tt.direct, bypasses(parseBypass(tt.list), u))
		})
	}
}
