package storage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/engine/storage"
)

func TestParseCookies(t *testing.T) {
	t.Parallel()
	ab := []storage.NewCookie{{Name: "a", Value: "1"}, {Name: "b", Value: "2=3"}}
	for name, test := range map[string]struct {
		file    string
		want    []storage.NewCookie
		address string
		skipped int
	}{
		"bare header":         {file: "a=1; b=2=3", want: ab},
		"bare, several lines": {file: "\ufeffa=1\nb=2=3;\r\n", want: ab},
		"empty value":         {file: "a=", want: []storage.NewCookie{{Name: "a"}}},
		"no pair":             {file: "a=1; junk; b=2=3", want: ab, skipped: 1},
		"Cookie line":         {file: "Cookie: a=1; b=2=3\n", want: ab},
		"header lines": {
			file: "GET / HTTP/1.1\r\nHost: example.com\r\ncookie: a=1\r\nX-Not: c=3\r\nCookie: b=2=3\r\n\r\n", want: ab,
		},
		"Set-Cookie": {
			file: "HTTP/1.1 200 OK\nSet-Cookie: a=1; Path=/x; Secure; HttpOnly; SameSite=Lax; Domain=example.com; " +
				"Expires=Wed, 01 Jan 2031 00:00:00 GMT\nset-cookie: b=2=3\n",
			want: []storage.NewCookie{
				{
					Name: "a", Value: "1", Path: "/x", Secure: true, HTTPOnly: true, SameSite: "Lax", Domain: "example.com",
					Expires: 1924992000,
				},
				{Name: "b", Value: "2=3"},
			},
		},
		"curl, -H": {
			file: `curl 'https://example.com/x' -H 'accept: */*' -H 'cookie: a=1; b=2=3' --compressed`,
			want: ab, address: "https://example.com/x",
		},
		"curl, -b": {
			file: "curl \"https://example.com/x\" \\\n  -b 'a=1; b=2=3' \\\n --data-raw '{\"x\":1}'", want: ab,
			address: "https://example.com/x",
		},
		"curl, in one": {
			file: `curl -sSHCookie:\ a=1 -b'b=2=3' -X POST example.com/x`,
			want: []storage.NewCookie{{Name: "b", Value: "2=3"}}, address: "http://example.com/x",
		},
		"curl, --url": {
			file: `$ curl -d x=y --cookie "a=1;b=2=3" --url https://example.com/`, want: ab,
			address: "https://example.com/",
		},
		"curl, $'…'": {
			file: `curl 'https://e.com/' -H $'cookie: a=\u0031; b=2\x3d3' -H $'x: \'y'`, want: ab,
			address: "https://e.com/",
		},
		"curl, Windows": {
			file: "curl ^\"https://e.com/?q=^%^20^\" ^\r\n  -H ^\"accept: x^\" ^\r\n  -b ^\"a=1; b=2=3^\"",
			want: ab, address: "https://e.com/?q=%20",
		},
		"cookies.txt": {
			file: "# Netscape HTTP Cookie File\n# " +
				"comment\n\n.example.com\tTRUE\t/\tTRUE\t1900000000\ta\t1\n#HttpOnly_example.com\tFALSE\t/x\tFALSE\t0\tb\t2=3\n" +
				"broken line\n",
			want: []storage.NewCookie{
				{Name: "a", Value: "1", Domain: ".example.com", Path: "/", Secure: true, Expires: 1900000000},
				{Name: "b", Value: "2=3", URL: "http://example.com/", Path: "/x", HTTPOnly: true},
			}, skipped: 1,
		},
		"cookies.txt, no header": {
			file: "example.com\tFALSE\t/\tTRUE\t0\ta\t1",
			want: []storage.NewCookie{{Name: "a", Value: "1", URL: "https://example.com/", Path: "/", Secure: true}},
		},
		"JSON pairs":  {file: `[{"name":"a","value":"1"},{"name":"b","value":"2=3"}]`, want: ab},
		"JSON object": {file: `{"a":"1"}`, want: ab[:1]},
		"JSON, one":   {file: `{"name":"a","value":"1"}`, want: ab[:1]},
		"JSON, not cookies": {
			file: `[{"name":"a","value":"1"},{"name":"x"},7,{"name":"a b","value":"1"}]`, want: ab[:1],
			skipped: 3,
		},
		"our own reply": {
			file: `{"success":true,"data":{"cookies":[{"name":"a","value":"1","domain":"example.com","expires":-1,"session":true,"httpOnly":false,"path":"/"}]}}`,
			want: []storage.NewCookie{{Name: "a", Value: "1", URL: "http://example.com/", Path: "/"}},
		},
		"storage state": {
			file: `{"cookies":[{"name":"a","value":"1","domain":".example.com","path":"/","expires":1900000000.5,"httpOnly":true,"secure":true,"sameSite":"None"}],"origins":[]}`,
			want: []storage.NewCookie{{
				Name: "a", Value: "1", Domain: ".example.com", Path: "/", Expires: 1900000000.5,
				HTTPOnly: true, Secure: true, SameSite: "None",
			}},
		},
		"EditThisCookie": {
			file: `[{"domain":".example.com","expirationDate":1900000000,"hostOnly":false,"httpOnly":false,"name":"a","path":"/","sameSite":"no_restriction","secure":true,"session":false,"storeId":"0","value":"1","id":1},
			{"domain":"www.example.com","hostOnly":true,"name":"b","sameSite":"unspecified","session":true,"expirationDate":1900000000,"value":"2=3","path":"/"}]`,
			want: []storage.NewCookie{
				{Name: "a", Value: "1", Domain: ".example.com", Path: "/", Expires: 1900000000, Secure: true, SameSite: "None"},
				{Name: "b", Value: "2=3", URL: "http://www.example.com/", Path: "/"},
			},
		},
		"Puppeteer": {
			file: `[{"name":"a","value":"1","url":"https://example.com/","sameSite":"Strict","partitionKey":"https://top.example","priority":"High"}]`,
			want: []storage.NewCookie{{
				Name: "a", Value: "1", URL: "https://example.com/", SameSite: "Strict", Priority: "High",
				PartitionKey: &storage.CookiePartition{TopLevelSite: "https://top.example"},
			}},
		},
		"milliseconds": {
			file: `[{"name":"a","value":1,"expires":1900000000000},{"name":"b","value":"2=3","expires":"2031-01-01T00:00:00Z"}]`,
			want: []storage.NewCookie{
				{Name: "a", Value: "1", Expires: 1900000000},
				{Name: "b", Value: "2=3", Expires: 1924992000},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseCookies([]byte(test.file))
			require.NoError(t, err)
			require.Equal(t, test.want, got.cookies)
			require.Equal(t, test.address, got.address)
			require.Equal(t, test.skipped, got.skipped)
		})
	}
}

// What cannot be read is an error that does not show what is in the file.
func TestParseCookiesMistakes(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"empty": " \n", "no pair": "secret", "broken JSON": `[{"name":"secret"`, "JSON of something else": `{"secret":[1]}`,
		"empty array":             "[]",
		"curl with an open quote": "curl 'https://secret", "curl without cookies": "curl https://secret/",
		"curl with a cookie file": "curl -b secret https://e.com",
		"Cookie line without any": "Cookie: secret",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parseCookies([]byte(file))
			require.Error(t, err)
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

// FuzzParseCookies checks that no file makes the reader fail otherwise than with an error, and that what it finds can
// be a cookie.
func FuzzParseCookies(f *testing.F) {
	for _, seed := range []string{
		"a=1; b=2", "Cookie: a=1", "Set-Cookie: a=1; Max-Age=5", "curl 'https://e.com' -H 'Cookie: a=1' -b x=y",
		`curl $'\x41\u00e4\101' -b "a=1"`,
		"curl ^\"x^\" ^\r\n -b ^\"a=1^\"", "e.com\tTRUE\t/\tTRUE\t0\ta\t1",
		`[{"name":"a","value":"1","domain":"::1","expires":1e300}]`, `{"cookies":[{}]}`, "\x00\xff=;",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := parseCookies(file)
		if err != nil {
			require.Empty(t, got.cookies)
			return
		}
		require.NotEmpty(t, got.cookies)
		for _, k := range got.cookies {
			require.True(t, header.IsToken(k.Name), "%q", k.Name)
			require.False(t, k.Expires < 0 || k.Expires != k.Expires)
		}
	})
}

// FuzzParseHeader checks that what is accepted is a header that nothing else hides in.
func FuzzParseHeader(f *testing.F) {
	for _, seed := range []string{
		"A: b", "A:", ":", "A b: c", "A: b\r\nC: d", "Ä: b", "A : b", `{"A":"b"}`,
		`{"A":1e5,"B":true}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if h, err := header.Parse(word); err == nil {
			require.True(t, header.IsToken(h.Name))
			require.False(t, strings.ContainsAny(h.Value, "\r\n\x00"))
			again, err := header.Parse(h.Name + ": " + h.Value)
			require.NoError(t, err)
			require.Equal(t, h, again)
		}
		headers, err := header.ParseJSON(word)
		if err != nil {
			return
		}
		for _, h := range headers {
			require.True(t, header.IsToken(h.Name))
			require.False(t, strings.ContainsAny(h.Value, "\r\n\x00"))
		}
	})
}
