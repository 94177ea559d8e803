package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

// A host is compared as a whole, and label by label with a wildcard: what only ends like an entry is another site.
func TestDomainsAllow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, list string
		allowed    []string
		refused    []string
	}{
		{
			"one host", "example.com",
			[]string{"example.com", "EXAMPLE.com", "example.com."},
			[]string{"www.example.com", "notexample.com", "example.com.evil.test", "example.co"},
		},
		{
			"a host and those below it", "*.example.com",
			[]string{"example.com", "www.example.com", "a.b.example.com"},
			[]string{"notexample.com", "example.com.evil.test", "com"},
		},
		{"several", "a.test, *.b.test", []string{"a.test", "b.test", "x.b.test"}, []string{"x.a.test", "ab.test"}},
		{"a name in another script", "bücher.test", []string{"bücher.test", "xn--bcher-kva.test"}, []string{"bucher.test"}},
		{
			"an address", "10.1.2.3 [::1]",
			[]string{"10.1.2.3", "::1", "[::1]", "0:0:0:0:0:0:0:1"},
			[]string{"10.1.2.30", "110.1.2.3", "::2"},
		},
		{"every host", "*", []string{"example.com", "10.1.2.3"}, nil},
		{"a scheme without hosts", "file:", nil, []string{"example.com", "file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := policy.ParseDomains("allowed-domains", tt.list)
			require.NoError(t, err)
			for _, host := range tt.allowed {
				require.True(t, d.Allows(host, 443), host)
			}
			for _, host := range tt.refused {
				require.False(t, d.Allows(host, 443), host)
			}
		})
	}
	d, err := policy.ParseDomains("allowed-domains", "example.com:8443")
	require.NoError(t, err)
	require.True(t, d.Allows("example.com", 8443))
	require.False(t, d.Allows("example.com", 443), "one port is allowed")
}
