package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/planning"
)

func TestOutside(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ list, page, want string }{
		"3.20 the same host":                    {"a.com", "https://a.com/x", ""},
		"3.20 with a port":                      {"a.com", "http://a.com:8080/x", ""},
		"3.20 a subdomain":                      {"a.com", "https://www.a.com/", ""},
		"3.20 no suffix confusion":              {"a.com", "https://nota.com/", "nota.com"},
		"3.20 no prefix confusion":              {"a.com", "https://a.com.evil.org/", "a.com.evil.org"},
		"3.20 the name of a user is not a host": {"a.com", "https://a.com@evil.org/", "evil.org"},
		"3.20 commas":                           {"b.org,a.com", "https://a.com/", ""},
		"3.20 blanks":                           {"b.org  a.com", "https://a.com/", ""},
		"3.20 a star":                           {"*.a.com", "https://a.com/", ""},
		"3.20 a scheme":                         {"https://a.com/path", "https://a.com/", ""},
		"3.20 capitals":                         {"A.com", "https://a.COM/", ""},
		"3.20 a dot at the end":                 {"a.com", "https://a.com./", ""},
		"3.20 an address with a port in a list": {"127.0.0.1:80", "http://127.0.0.1:99/", ""},
		"3.20 other schemes are not looked at":  {"a.com", "about:blank", ""},
		"an international name":                 {"müller.example", "https://xn--mller-kva.example/", ""},
		"an international subdomain":            {"xn--mller-kva.example", "https://www.müller.example/", ""},
		"an address of version 6":               {"[::1]:80", "http://[::1]:99/", ""},
		"an address has nothing below it":       {"127.0.0.1", "http://x.127.0.0.1/", "x.127.0.0.1"},
		"every host":                            {"*", "https://b.org/", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allowed, err := planning.Domains(tt.list)
			require.NoError(t, err)
			require.Equal(t, tt.want, planning.Outside(allowed, tt.page))
			again, err := planning.Domains(allowed.String())
			require.NoError(t, err, "the list that is handed on")
			require.Equal(t, allowed, again)
		})
	}
	for _, list := range []string{"", " ,", "https://", "a.com,b c%2f", "u@a.com"} {
		_, err := planning.Domains(list)
		require.Error(t, err, list)
	}
	t.Run("3.20 the message", func(t *testing.T) {
		t.Parallel()
		require.Contains(t, planning.OutsideText("a.com,b.org", "evil.org", "https://evil.org/x"),
			"--allowed-domains a.com,b.org does not allow evil.org")
	})
}
