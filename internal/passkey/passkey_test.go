package passkey_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/passkey"
)

func sample(t *testing.T) passkey.Passkey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return passkey.Passkey{ID: "aWQ", RPID: "example.com", UserHandle: "dXNlcg", UserName: "ann", PrivateKey: der}
}

func TestBelongs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, rp, origin string
		want             bool
	}{
		{"its own host", "example.com", "https://example.com", true},
		{"another port", "example.com", "https://example.com:8443", true},
		{"a domain below", "example.com", "https://login.example.com", true},
		{"a domain above", "login.example.com", "https://example.com", false},
		{"a host that ends alike", "example.com", "https://badexample.com", false},
		{"its name in another domain", "example.com", "https://example.com.evil.example", false},
		{"in capitals", "Example.com", "https://EXAMPLE.com", true},
		{"http", "example.com", "http://example.com", false},
		{"http on this machine", "localhost", "http://localhost:8080", true},
		{"an address of this machine", "127.0.0.1", "http://127.0.0.1:8080", false},
		{"no relying party", "", "https://example.com", false},
		{"no origin", "example.com", "null", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := passkey.Passkey{RPID: test.rp}
			require.Equal(t, test.want, p.Belongs(test.origin))
		})
	}
}

func TestPrintsNoKey(t *testing.T) {
	t.Parallel()
	p := sample(t)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q"} {
		for _, value := range []any{p, &p, []passkey.Passkey{p}} {
			said := fmt.Sprintf(verb, value)
			require.NotContains(t, said, base64.StdEncoding.EncodeToString(p.PrivateKey)[:20])
			require.NotContains(t, said, fmt.Sprintf("%x", p.PrivateKey)[:20])
			require.Contains(t, said, "[passkey of example.com]")
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	whole := sample(t)
	require.NoError(t, whole.Check())
	tests := []struct {
		name  string
		spoil func(*passkey.Passkey)
		says  string
	}{
		{"no relying party", func(p *passkey.Passkey) { p.RPID = "" }, "no relying party"},
		{"no id", func(p *passkey.Passkey) { p.ID = "" }, "id"},
		{"an id in another alphabet", func(p *passkey.Passkey) { p.ID = "a+b/" }, "id"},
		{"no user", func(p *passkey.Passkey) { p.UserHandle = "" }, "user handle"},
		{"no key", func(p *passkey.Passkey) { p.PrivateKey = []byte("secret") }, "private key"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := whole
			test.spoil(&p)
			err := p.Check()
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), "secret")
		})
	}
}
