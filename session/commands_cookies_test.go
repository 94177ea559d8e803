package session_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// sent is the Cookie header with which the page asks for a path of the folder.
func (s *serverLog) sent(c *client, path string) string {
	c.t.Helper()
	c.page(fmt.Sprintf("fetch(%q, {credentials: 'include'}).then(r => r.text(), e => e.name)", path))
	return s.header(c.t, path[strings.LastIndex(path, "/")+1:], "Cookie")
}

func TestCookies(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := openedFresh(t, server.folder+"page.html")
	require.Equal(t, printed{}, printedReply(c.do("cookies")))
	require.Equal(t, object{"set": true, "count": 1.0}, c.data("cookies", "set", "a", "1"))
	require.Equal(t, "✓ Done", c.do("cookies", "set", "b", "2 3=4", "--http-only", "--same-site", "Strict").Result.Text)
	require.ElementsMatch(t, []string{"a=1", "b=2 3=4"}, strings.Split(server.sent(c, "x"), "; "))
	require.Equal(t, "a=1", c.page("document.cookie"))
	require.Equal(t, "a=1\nb=2 3=4", c.do("cookies").Result.Text)
	require.Equal(t, "b=2 3=4", c.do("cookies", "get", "b").Result.Text)
	require.Equal(t, "b=2 3=4", c.do("cookies", "b").Result.Text)
	all := decode[struct{ Cookies []object }](t, c.do("cookies", "get", "--name", "b").Result.Data).Cookies
	require.Len(t, all, 1)
	for key, want := range (object{
		"domain": "127.0.0.1", "expires": -1.0, "httpOnly": true, "name": "b", "path": "/", "secure": false, "session": true,
		"size": 6.0, "value": "2 3=4", "sameSite": "Strict",
	}) {
		require.Equal(t, want, all[0][key], key)
	}
	c.do("tab", "new", site.url(server.folder+"tab.html"))
	require.ElementsMatch(t, []string{"a=1", "b=2 3=4"}, strings.Split(server.header(t, "tab.html", "Cookie"), "; "), "in another tab")
	c.do("cookies", "set", "a", "")
	require.ElementsMatch(t, []string{"a=", "b=2 3=4"}, strings.Split(server.sent(c, "y"), "; "), "set again")
	require.Equal(t, object{"cleared": true, "count": 2.0}, c.data("cookies", "clear"))
	require.Empty(t, server.sent(c, "z"))
	require.Empty(t, c.do("cookies", "--all").Result.Text)
	require.Equal(t, "✓ Cookies cleared", c.do("cookies", "clear").Result.Text)
}

func TestCookiePlaces(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := openedFresh(t, server.folder+"page.html")
	c.do("cookies", "set", "here", "1")
	c.do("cookies", "set", "there", "2", "--url", site.elsewhere("/x/y"))
	c.do("cookies", "set", "far", "3", "--domain", ".example.com", "--path", "/deep", "--secure", "--same-site", "none")
	require.Equal(t, "here=1", c.do("cookies").Result.Text, "those of the page")
	require.Equal(t, "there=2", c.do("cookies", "get", "--url", site.elsewhere("/")).Result.Text)
	require.Equal(t, "far=3", c.do("cookies", "get", "--domain", "example.com").Result.Text)
	require.Equal(t, "far=3", c.do("cookies", "get", "--url", "https://www.example.com/deep/x").Result.Text, "hosts below get it")
	require.Empty(t, c.do("cookies", "get", "--url", "https://www.example.com/").Result.Text)
	require.Empty(t, c.do("cookies", "get", "--url", "http://www.example.com/deep").Result.Text)
	require.Len(t, c.data("cookies", "--all")["cookies"], 3)
	c.do("open", site.elsewhere(server.folder+"elsewhere.html"))
	require.Equal(t, "there=2", server.header(t, "elsewhere.html", "Cookie"))
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.data("cookies", "clear", "--domain", "example.com"))
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.data("cookies", "clear", "--name", "there"))
	require.Empty(t, c.page("document.cookie"))
	require.Contains(t, notes(c.do("cookies")), "`cookies --all` lists 1 cookie")
	require.Contains(t, notes(c.do("cookies", "clear", "--name", "absent")), "no cookie fits")
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.data("cookies", "clear", "--url", site.url("/")))
	require.Empty(t, c.data("cookies", "--all")["cookies"])
}

// What the browser does not keep is not a success.
func TestCookiesNotKept(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, "<p>page")
	long := strings.Repeat("x", 5000)
	for name, test := range map[string]struct {
		args []string
		code fault.Code
		says string
	}{
		"no value":         {[]string{"a"}, fault.Usage, "Missing arguments"},
		"nothing":          {nil, fault.Usage, "Missing arguments"},
		"unknown flag":     {[]string{"a", "1", "--bogus"}, fault.Usage, "--bogus"},
		"surplus":          {[]string{"a", "1", "2"}, fault.Usage, "2"},
		"name":             {[]string{"a b", "1"}, fault.Usage, `"a b"`},
		"rule":             {[]string{"a", "1", "--same-site", "Bogus"}, fault.Usage, "Strict"},
		"path":             {[]string{"a", "1", "--path", "x"}, fault.Usage, "begins with /"},
		"url":              {[]string{"a", "1", "--url", "file:///x"}, fault.Usage, "--url"},
		"domain":           {[]string{"a", "1", "--domain", "http://x/"}, fault.Usage, "--domain"},
		"None":             {[]string{"a", "1", "--url", "http://example.com/", "--same-site", "None"}, fault.ValueNotKept, "SameSite=None requires --secure"},
		"host prefix":      {[]string{"__Host-a", "1", "--domain", ".example.com", "--secure"}, fault.ValueNotKept, "__Host-"},
		"secure prefix":    {[]string{"__Secure-a", "1", "--url", "http://example.com/"}, fault.ValueNotKept, "__Secure-"},
		"too long":         {[]string{"a", long, "--url", "https://example.com/"}, fault.ValueNotKept, "4096"},
		"semicolon":        {[]string{"a", "1; b=2", "--url", "https://example.com/"}, fault.ValueNotKept, "character"},
		"partitioned only": {[]string{"a", "1", "--partitioned", "--url", "http://example.com/"}, fault.ValueNotKept, "secure"},
	} {
		t.Run(name, func(t *testing.T) {
			e := c.in(t).fails(test.code, append([]string{"cookies", "set"}, test.args...)...)
			require.Contains(t, e.Error(), test.says)
		})
	}
	require.Empty(t, c.data("cookies", "--all")["cookies"])
	c.do("open", "about:blank")
	require.Contains(t, c.fails(fault.Usage, "cookies", "set", "a", "1").Error(), "--url or --domain")
	c.do("cookies", "set", "a", "1", "--domain", "example.com")
}

// A secure cookie for an address without TLS is kept and not sent, which is said.
func TestCookieSecure(t *testing.T) {
	t.Parallel()
	c := showing(t, "<p>page")
	require.Contains(t, notes(c.do("cookies", "set", "a", "1", "--url", "http://example.com/", "--secure")), "http://example.com does not get it")
	require.Empty(t, c.do("cookies", "get", "--url", "http://example.com/").Result.Text)
	require.Equal(t, "a=1", c.do("cookies", "get", "--url", "https://example.com/").Result.Text)
	require.Empty(t, notes(c.do("cookies", "set", "b", "2", "--url", "https://example.com/")))
	require.Empty(t, c.do("cookies", "get", "--url", "http://example.com/").Result.Text, "https makes it secure")
}

// What a cookie is asked to be and is not is an error, though there is a cookie then.
func TestCookieNotAsAsked(t *testing.T) {
	t.Parallel()
	c := showing(t, "<p>page")
	e := c.fails(fault.ValueNotKept, "cookies", "set", "c", "3", "--domain", ".co.uk")
	require.Contains(t, e.Error(), "co.uk alone")
	require.Equal(t, "c=3", c.do("cookies", "get", "--url", "https://co.uk/").Result.Text)
	c.file("cookies", `[{"name":"d","value":"4","domain":".co.uk"},{"name":"f","value":"6","domain":".example.com"}]`)
	reply := c.try("cookies", "set", "--curl", "cookies")
	require.Equal(t, fault.ValueNotKept, fault.CodeOf(reply.Err), "%v", reply.Err)
	require.Equal(t, actions.OutcomeDone, reply.Result.Outcome)
	require.Contains(t, reply.Err.Error(), "the cookie d for co.uk alone")
	require.NotContains(t, reply.Err.Error(), "cookie f")
}

func TestCookieExpires(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := opened(t, server.folder+"page.html")
	soon := time.Now().Add(24 * time.Hour).Unix()
	c.do("cookies", "set", "a", "1", "--expires", fmt.Sprint(soon))
	require.Equal(t, float64(soon), decode[struct{ Cookies []object }](t, c.do("cookies").Result.Data).Cookies[0]["expires"])
	require.Contains(t, notes(c.do("cookies", "set", "late", "1", "--expires", fmt.Sprint(soon+10*365*24*3600))), "no longer than until")
	require.Contains(t, notes(c.do("cookies", "set", "a", "1", "--expires", "1000")), "expired")
	require.Equal(t, "late=1", c.do("cookies").Result.Text)
	c.do("cookies", "set", "b", "2", "--expires", "-1")
	require.Equal(t, true, decode[struct{ Cookies []object }](t, c.do("cookies", "b").Result.Data).Cookies[0]["session"])
}

func TestCookiePartitioned(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, "<p>page")
	c.do("cookies", "set", "a", "1", "--partitioned", "--secure", "--same-site", "None", "--url", "https://example.com/", "--priority", "High")
	all := decode[struct{ Cookies []object }](t, c.do("cookies", "--all").Result.Data).Cookies
	require.Len(t, all, 1)
	require.Equal(t, "http://127.0.0.1", all[0]["partitionKey"].(object)["topLevelSite"])
	require.Equal(t, "High", all[0]["priority"])
	require.Equal(t, 1.0, c.data("cookies", "clear", "--name", "a")["count"])
	require.Empty(t, c.data("cookies", "--all")["cookies"])
}

// Cookies that a server sets are listed and can be deleted, those below a path as well.
func TestCookiesOfAServer(t *testing.T) {
	t.Parallel()
	folder := site.answering(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s", HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "wide", Value: "w", Path: "/", MaxAge: 3600})
		writePage(w, "<!doctype html><title>Set</title>")
	})
	c := opened(t, folder+"deep/page")
	require.Equal(t, "wide=w\nsession=s", c.do("cookies").Result.Text)
	require.Equal(t, 1.0, c.data("cookies", "clear", "--name", "session")["count"])
	require.Equal(t, "wide=w", c.do("cookies").Result.Text)
}

func TestCookiesFromFile(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := opened(t, server.folder+"page.html")
	write := func(content string) {
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "cookies"), []byte(content), 0o600))
		c.do("cookies", "clear")
	}
	origin := site.url("/")
	for name, file := range map[string]string{
		"bare":        "k1=v1; k2=v2",
		"Cookie line": "Cookie: k1=v1; k2=v2",
		"curl":        fmt.Sprintf("curl '%s' \\\n -H 'Cookie: k1=v1; k2=v2'", origin),
		"pairs":       `[{"name":"k1","value":"v1"},{"name":"k2","value":"v2"}]`,
		"cookies.txt": "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tk1\tv1\n127.0.0.1\tFALSE\t/\tFALSE\t0\tk2\tv2\n",
		"state":       `{"cookies":[{"name":"k1","value":"v1","domain":"127.0.0.1","path":"/","expires":-1},{"name":"k2","value":"v2","domain":"127.0.0.1","path":"/"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := c.in(t)
			write(file)
			require.Equal(t, object{"set": true, "count": 2.0}, c.data("cookies", "set", "--curl", "cookies"))
			require.ElementsMatch(t, []string{"k1=v1", "k2=v2"}, strings.Split(server.sent(c, "x"), "; "))
		})
	}
	t.Run("attributes", func(t *testing.T) {
		c := c.in(t)
		write(`[{"name":"k1","value":"v1","domain":".example.com","path":"/p","httpOnly":true,"secure":true,"sameSite":"no_restriction","expirationDate":` +
			fmt.Sprint(time.Now().Add(time.Hour).Unix()) + `}]`)
		c.do("cookies", "set", "--curl", "cookies")
		k := decode[struct{ Cookies []object }](t, c.do("cookies", "--all").Result.Data).Cookies[0]
		for key, want := range (object{"domain": ".example.com", "path": "/p", "httpOnly": true, "secure": true, "sameSite": "None", "session": false}) {
			require.Equal(t, want, k[key], key)
		}
	})
	t.Run("a curl command says where", func(t *testing.T) {
		c := c.in(t)
		write("curl https://api.example.com/x -b k1=v1")
		c.do("cookies", "set", "--curl", "cookies")
		require.Equal(t, "k1=v1", c.do("cookies", "get", "--url", "https://api.example.com/").Result.Text)
		write("k1=v1")
		c.do("cookies", "set", "--curl", "cookies", "--domain", ".example.org")
		require.Equal(t, "k1=v1", c.do("cookies", "get", "--url", "https://www.example.org/").Result.Text)
	})
	t.Run("some are dropped", func(t *testing.T) {
		c := c.in(t)
		write(`[{"name":"k1","value":"v1"},{"name":"__Secure-x","value":"1","url":"http://example.com/"},{"nothing":1}]`)
		err := c.fails(fault.ValueNotKept, "cookies", "set", "--curl", "cookies")
		require.ErrorContains(t, err, "Not all cookies are set: of the file, which was read as JSON, 1 could not be read as a cookie, and the browser did not keep 1 cookie of 2")
		require.ErrorContains(t, err, "__Secure-x")
		require.Equal(t, "k1=v1", c.do("cookies").Result.Text)
	})
	t.Run("mistakes", func(t *testing.T) {
		c := c.in(t)
		require.Contains(t, c.fails(fault.File, "cookies", "set", "--curl", "nofile").Error(), "cookies --curl: cannot read 'nofile': ")
		require.Contains(t, c.fails(fault.File, "cookies", "set", "--curl", ".").Error(), "is a directory")
		write("secret")
		e := c.fails(fault.File, "cookies", "set", "--curl", "cookies")
		require.NotContains(t, e.Error(), "secret")
		c.fails(fault.Usage, "cookies", "set", "a", "b", "--curl", "cookies")
		require.Empty(t, c.data("cookies", "--all")["cookies"])
	})
}

// Sessions have cookies of their own.
func TestCookiesOfSessions(t *testing.T) {
	t.Parallel()
	c, other := showingFresh(t, "<p>page"), showingFresh(t, "<p>page")
	c.do("cookies", "set", "a", "1")
	require.Empty(t, other.data("cookies", "--all")["cookies"])
	other.do("cookies", "clear")
	require.Equal(t, "a=1", c.do("cookies").Result.Text)
}
