package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatterns(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"9.1 the mark stays": {"token=[REDACTED] and more", "token=[REDACTED] and more"},
		"9.1 key of a managed state": {
			"saved as piab-r2-0123456789abcdef0123456789abcdef here",
			"saved as [REDACTED MANAGED STATE] here",
		},
		"9.2 9.3 query parameter": {
			"GET https://x.test/a?token=abc&page=2",
			"GET https://x.test/a?token=[REDACTED]&page=2",
		},
		"9.3 second parameter": {
			"https://x.test/?page=2&client_secret=abc#top",
			"https://x.test/?page=2&client_secret=[REDACTED]#top",
		},
		"9.3 fragment": {
			"https://x.test/#access_token=abc&state=1",
			"https://x.test/#access_token=[REDACTED]&state=1",
		},
		"9.3 code in an address": {"https://x.test/cb?code=4%2F0Ab", "https://x.test/cb?code=[REDACTED]"},
		"9.3 signature": {
			"https://b.test/o?X-Amz-Signature=00ff&X-Amz-Date=1",
			"https://b.test/o?X-Amz-Signature=[REDACTED]&X-Amz-Date=1",
		},
		"9.3 sentry key": {
			"https://o.test/e?sentry_key=77&v=1",
			"https://o.test/e?sentry_key=[REDACTED]&v=1",
		},
		"9.3 harmless parameters": {
			"https://x.test/?q=token&page=2&sort=asc",
			"https://x.test/?q=token&page=2&sort=asc",
		},
		"9.2 user and password of an address": {
			"via http://me:pw1@proxy.test:8080/x",
			"via http://[REDACTED]@proxy.test:8080/x",
		},
		"9.2 an address with an at sign":       {"https://x.test/@me:you", "https://x.test/@me:you"},
		"9.2 bearer":                           {"sent Bearer abc123def, got 401", "sent Bearer [REDACTED], got 401"},
		"9.2 basic":                            {"sent Basic dXNlcjpwYXNz twice", "sent Basic [REDACTED] twice"},
		"9.2 authorization header":             {"Authorization: Custom-1 zzz9", "Authorization: [REDACTED]"},
		"9.2 authorization header with scheme": {"Authorization: Bearer secretword", "Authorization: [REDACTED]"},
		"9.2 cookie header":                    {"Cookie: sid=abc; theme=dark\nHost: x", "Cookie: [REDACTED]\nHost: x"},
		"9.2 inline assignment":                {"API_TOKEN=abc npm start", "API_TOKEN=[REDACTED] npm start"},
		"9.2 inline assignment in quotes":      {`password="a b c" user=me`, `password="[REDACTED]" user=me`},
		"9.2 environment key":                  {"STRIPE_KEY=abc", "STRIPE_KEY=[REDACTED]"},
		"9.4 JSON in a text": {
			`{"user":"me","password":"pw","n":1}`,
			`{"user":"me","password":"[REDACTED]","n":1}`,
		},
		"9.4 JSON in a JSON string": {
			`"{\"accessToken\":\"pw\",\"n\":1}"`,
			`"{\"accessToken\":\"[REDACTED]\",\"n\":1}"`,
		},
		"9.4 web token":        {"is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln ok", "is [REDACTED] ok"},
		"9.4 key of a service": {"use sk-proj-abcdefghij1234567890 now", "use [REDACTED] now"},
		"9.6 basic in prose": {
			"Basic authentication is a Basic plan feature, basic usage: simple",
			"Basic authentication is a Basic plan feature, basic usage: simple",
		},
		"9.6 bearer in prose": {
			"The bearer of this token; Bearer authentication",
			"The bearer of this token; Bearer authentication",
		},
		"references of grants": {
			"--grant password=env:SHOP_PASSWORD, password=vault:shop.otp",
			"--grant password=env:SHOP_PASSWORD, password=vault:shop.otp",
		},
		"not references of grants": {
			"password=env:secret password=env: password=vault:",
			"password=[REDACTED] password=[REDACTED] password=[REDACTED]",
		},
		"9.6 help placeholders": {
			"--password <value>, ?token=<token>, API_KEY=$API_KEY, Authorization: Bearer <token>, A_KEY=$(openssl rand -hex 32)",
			"--password <value>, ?token=<token>, API_KEY=$API_KEY, Authorization: Bearer <token>, A_KEY=$(openssl " +
				"rand -hex 32)",
		},
		"9.6 labels": {
			"Password: must have 8 signs. Token: see below. Cookie: we use them",
			"Password: must have 8 signs. Token: see below. Cookie: we use them",
		},
		"9.6 snapshot lines": {
			`- textbox "Password" [required, ref=e5]` + "\n" +
				`- button "Reset key=Enter" [ref=e6]`,
			`- textbox "Password" [required, ref=e5]` + "\n" + `- button "Reset key=Enter" [ref=e6]`,
		},
		"9.6 source code": {
			"if (a == b) { keys = x; code=404 }",
			"if (a == b) { keys = x; code=404 }",
		},
		"9.6 words that only look like key begins": {"sk-2 mask-like, AKIA, eyJ", "sk-2 mask-like, AKIA, eyJ"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Patterns(tt.in))
			require.Equal(t, tt.want, Patterns(Patterns(tt.in)), "again")
		})
	}
}

func BenchmarkPatterns(b *testing.B) {
	line := `- link "Some product of the shop, number 12345" [ref=e12345]: https://shop.test/items/12345?page=2` + "\n"
	text := strings.Repeat(line, 5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Patterns(text)
	}
}
