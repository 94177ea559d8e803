package storage_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

func TestCookies(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.OpenedFresh(t, server.Folder+"page.html")
	require.Equal(t, sessiontest.Printed{}, sessiontest.PrintedReply(c.Do("cookies")))
	require.Equal(t, object{"set": true, "count": 1.0}, c.Data("cookies", "set", "a", "1"))
	require.Equal(t, "✓ Done", c.Do("cookies", "set", "b", "2 3=4", "--http-only", "--same-site", "Strict").Result.Text)
	require.ElementsMatch(t, []string{"a=1", "b=2 3=4"}, strings.Split(server.Sent(c, "x"), "; "))
	require.Equal(t, "a=1", c.Page("document.cookie"))
	require.Equal(t, "a=1\nb=2 3=4", c.Do("cookies").Result.Text)
	require.Equal(t, "b=2 3=4", c.Do("cookies", "get", "b").Result.Text)
	require.Equal(t, "b=2 3=4", c.Do("cookies", "b").Result.Text)
	all := sessiontest.Decode[struct{ Cookies []object }](t, c.Do("cookies", "get", "--name", "b").Result.Data).Cookies
	require.Len(t, all, 1)
	for key, want := range (object{
		"domain": "127.0.0.1", "expires": -1.0, "httpOnly": true, "name": "b", "path": "/", "secure": false, "session": true,
		"size": 6.0, "value": "2 3=4", "sameSite": "Strict",
	}) {
		require.Equal(t, want, all[0][key], key)
	}
	c.Do("tab", "new", site.URL(server.Folder+"tab.html"))
	require.ElementsMatch(t, []string{"a=1", "b=2 3=4"}, strings.Split(server.Header(t, "tab.html", "Cookie"), "; "),
		"in another tab")
	c.Do("cookies", "set", "a", "")
	require.ElementsMatch(t, []string{"a=", "b=2 3=4"}, strings.Split(server.Sent(c, "y"), "; "), "set again")
	require.Equal(t, object{"cleared": true, "count": 2.0}, c.Data("cookies", "clear"))
	require.Empty(t, server.Sent(c, "z"))
	require.Empty(t, c.Do("cookies", "--all").Result.Text)
	require.Equal(t, "✓ Cookies cleared", c.Do("cookies", "clear").Result.Text)
}

func TestCookiePlaces(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.OpenedFresh(t, server.Folder+"page.html")
	c.Do("cookies", "set", "here", "1")
	c.Do("cookies", "set", "there", "2", "--url", site.Elsewhere("/x/y"))
	c.Do("cookies", "set", "far", "3", "--domain", ".example.com", "--path", "/deep", "--secure", "--same-site", "none")
	require.Equal(t, "here=1", c.Do("cookies").Result.Text, "those of the page")
	require.Equal(t, "there=2", c.Do("cookies", "get", "--url", site.Elsewhere("/")).Result.Text)
	require.Equal(t, "far=3", c.Do("cookies", "get", "--domain", "example.com").Result.Text)
	require.Equal(t, "far=3", c.Do("cookies", "get", "--url", "https://www.example.com/deep/x").Result.Text,
		"hosts below get it")
	require.Empty(t, c.Do("cookies", "get", "--url", "https://www.example.com/").Result.Text)
	require.Empty(t, c.Do("cookies", "get", "--url", "http://www.example.com/deep").Result.Text)
	require.Len(t, c.Data("cookies", "--all")["cookies"], 3)
	c.Do("open", site.Elsewhere(server.Folder+"elsewhere.html"))
	require.Equal(t, "there=2", server.Header(t, "elsewhere.html", "Cookie"))
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.Data("cookies", "clear", "--domain", "example.com"))
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.Data("cookies", "clear", "--name", "there"))
	require.Empty(t, c.Page("document.cookie"))
	require.Contains(t, sessiontest.Notes(c.Do("cookies")), "`cookies --all` lists 1 cookie")
	require.Contains(t, sessiontest.Notes(c.Do("cookies", "clear", "--name", "absent")), "no cookie fits")
	require.Equal(t, object{"cleared": true, "count": 1.0}, c.Data("cookies", "clear", "--url", site.URL("/")))
	require.Empty(t, c.Data("cookies", "--all")["cookies"])
}

// What the browser does not keep is not a success.
func TestCookiesNotKept(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, "<p>page")
	long := strings.Repeat("x", 5000)
	for name, test := range map[string]struct {
		args []string
		code fault.Code
		says string
	}{
		"no value":     {[]string{"a"}, fault.Usage, "Missing arguments"},
		"nothing":      {nil, fault.Usage, "Missing arguments"},
		"unknown flag": {[]string{"a", "1", "--bogus"}, fault.Usage, "--bogus"},
		"surplus":      {[]string{"a", "1", "2"}, fault.Usage, "2"},
		"name":         {[]string{"a b", "1"}, fault.Usage, `"a b"`},
		"rule":         {[]string{"a", "1", "--same-site", "Bogus"}, fault.Usage, "Strict"},
		"path":         {[]string{"a", "1", "--path", "x"}, fault.Usage, "begins with /"},
		"url":          {[]string{"a", "1", "--url", "file:///x"}, fault.Usage, "--url"},
		"domain":       {[]string{"a", "1", "--domain", "http://x/"}, fault.Usage, "--domain"},
		"None": {
			[]string{"a", "1", "--url", "http://example.com/", "--same-site", "None"},
			fault.ValueNotKept,
			"SameSite=None requires --secure",
		},
		"host prefix": {
			[]string{"__Host-a", "1", "--domain", ".example.com", "--secure"},
			fault.ValueNotKept,
			"__Host-",
		},
		"secure prefix": {[]string{"__Secure-a", "1", "--url", "http://example.com/"}, fault.ValueNotKept, "__Secure-"},
		"too long":      {[]string{"a", long, "--url", "https://example.com/"}, fault.ValueNotKept, "4096"},
		"semicolon":     {[]string{"a", "1; b=2", "--url", "https://example.com/"}, fault.ValueNotKept, "character"},
		"partitioned only": {
			[]string{"a", "1", "--partitioned", "--url", "http://example.com/"},
			fault.ValueNotKept,
			"secure",
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := c.In(t).Fails(test.code, append([]string{"cookies", "set"}, test.args...)...)
			require.Contains(t, e.Error(), test.says)
		})
	}
	require.Empty(t, c.Data("cookies", "--all")["cookies"])
	c.Do("open", "about:blank")
	require.Contains(t, c.Fails(fault.Usage, "cookies", "set", "a", "1").Error(), "--url or --domain")
	c.Do("cookies", "set", "a", "1", "--domain", "example.com")
}

// A secure cookie for an address without TLS is kept and not sent, which is said.
func TestCookieSecure(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	require.Contains(t, sessiontest.Notes(c.Do("cookies", "set", "a", "1", "--url", "http://example.com/", "--secure")),
		"http://example.com does not get it")
	require.Empty(t, c.Do("cookies", "get", "--url", "http://example.com/").Result.Text)
	require.Equal(t, "a=1", c.Do("cookies", "get", "--url", "https://example.com/").Result.Text)
	require.Empty(t, sessiontest.Notes(c.Do("cookies", "set", "b", "2", "--url", "https://example.com/")))
	require.Empty(t, c.Do("cookies", "get", "--url", "http://example.com/").Result.Text, "https makes it secure")
}

// What a cookie is asked to be and is not is an error, though there is a cookie then.
func TestCookieNotAsAsked(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	e := c.Fails(fault.ValueNotKept, "cookies", "set", "c", "3", "--domain", ".co.uk")
	require.Contains(t, e.Error(), "co.uk alone")
	require.Equal(t, "c=3", c.Do("cookies", "get", "--url", "https://co.uk/").Result.Text)
	c.WriteFile("cookies", `[{"name":"d","value":"4","domain":".co.uk"},{"name":"f","value":"6","domain":".example.com"}]`)
	reply := c.Try("cookies", "set", "--curl", "cookies")
	require.Equal(t, fault.ValueNotKept, fault.CodeOf(reply.Err), "%v", reply.Err)
	require.Equal(t, actions.OutcomeDone, reply.Result.Outcome)
	require.Contains(t, reply.Err.Error(), "the cookie d for co.uk alone")
	require.NotContains(t, reply.Err.Error(), "cookie f")
}

func TestCookieExpires(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Opened(t, server.Folder+"page.html")
	soon := time.Now().Add(24 * time.Hour).Unix()
	c.Do("cookies", "set", "a", "1", "--expires", fmt.Sprint(soon))
	require.Equal(t, float64(soon), sessiontest.Decode[struct {
		Cookies []object
	}](t, c.Do("cookies").Result.Data).Cookies[0]["expires"])
	require.Contains(t,
		sessiontest.Notes(c.Do("cookies", "set", "late", "1", "--expires", fmt.Sprint(soon+10*365*24*3600))),
		"no longer than until")
	require.Contains(t, sessiontest.Notes(c.Do("cookies", "set", "a", "1", "--expires", "1000")), "expired")
	require.Equal(t, "late=1", c.Do("cookies").Result.Text)
	c.Do("cookies", "set", "b", "2", "--expires", "-1")
	require.Equal(t, true, sessiontest.Decode[struct {
		Cookies []object
	}](t, c.Do("cookies", "b").Result.Data).Cookies[0]["session"])
}

func TestCookiePartitioned(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, "<p>page")
	c.Do("cookies", "set", "a", "1", "--partitioned", "--secure", "--same-site", "None", "--url", "https://example.com/",
		"--priority", "High")
	all := sessiontest.Decode[struct{ Cookies []object }](t, c.Do("cookies", "--all").Result.Data).Cookies
	require.Len(t, all, 1)
	require.Equal(t, "http://127.0.0.1", all[0]["partitionKey"].(object)["topLevelSite"])
	require.Equal(t, "High", all[0]["priority"])
	require.Equal(t, 1.0, c.Data("cookies", "clear", "--name", "a")["count"])
	require.Empty(t, c.Data("cookies", "--all")["cookies"])
}

// Cookies that a server sets are listed and can be deleted, those below a path as well.
func TestCookiesOfAServer(t *testing.T) {
	t.Parallel()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s", HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "wide", Value: "w", Path: "/", MaxAge: 3600})
		sessiontest.WritePage(w, "<!doctype html><title>Set</title>")
	})
	c := host.Opened(t, folder+"deep/page")
	require.Equal(t, "wide=w\nsession=s", c.Do("cookies").Result.Text)
	require.Equal(t, 1.0, c.Data("cookies", "clear", "--name", "session")["count"])
	require.Equal(t, "wide=w", c.Do("cookies").Result.Text)
}

func TestCookiesFromFile(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Opened(t, server.Folder+"page.html")
	write := func(content string) {
		require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "cookies"), []byte(content), 0o600))
		c.Do("cookies", "clear")
	}
	origin := site.URL("/")
	for name, file := range map[string]string{
		"bare":        "k1=v1; k2=v2",
		"Cookie line": "Cookie: k1=v1; k2=v2",
		"curl":        fmt.Sprintf("curl '%s' \\\n -H 'Cookie: k1=v1; k2=v2'", origin),
		"pairs":       `[{"name":"k1","value":"v1"},{"name":"k2","value":"v2"}]`,
		"cookies.txt": "# Netscape HTTP Cookie " +
			"File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tk1\tv1\n127.0.0.1\tFALSE\t/\tFALSE\t0\tk2\tv2\n",
		"state": `{"cookies":[{"name":"k1","value":"v1","domain":"127.0.0.1","path":"/","expires":-1},{"name":"k2","value":"v2","domain":"127.0.0.1","path":"/"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := c.In(t)
			write(file)
			require.Equal(t, object{"set": true, "count": 2.0}, c.Data("cookies", "set", "--curl", "cookies"))
			require.ElementsMatch(t, []string{"k1=v1", "k2=v2"}, strings.Split(server.Sent(c, "x"), "; "))
		})
	}
	t.Run("attributes", func(t *testing.T) {
		c := c.In(t)
		write(`[{"name":"k1","value":"v1","domain":".example.com","path":"/p","httpOnly":true,"secure":true,"sameSite":"no_restriction","expirationDate":` +
			fmt.Sprint(time.Now().Add(time.Hour).Unix()) + `}]`)
		c.Do("cookies", "set", "--curl", "cookies")
		k := sessiontest.Decode[struct{ Cookies []object }](t, c.Do("cookies", "--all").Result.Data).Cookies[0]
		for key, want := range (object{
			"domain": ".example.com", "path": "/p", "httpOnly": true, "secure": true,
			"sameSite": "None", "session": false,
		}) {
			require.Equal(t, want, k[key], key)
		}
	})
	t.Run("a curl command says where", func(t *testing.T) {
		c := c.In(t)
		write("curl https://api.example.com/x -b k1=v1")
		c.Do("cookies", "set", "--curl", "cookies")
		require.Equal(t, "k1=v1", c.Do("cookies", "get", "--url", "https://api.example.com/").Result.Text)
		write("k1=v1")
		c.Do("cookies", "set", "--curl", "cookies", "--domain", ".example.org")
		require.Equal(t, "k1=v1", c.Do("cookies", "get", "--url", "https://www.example.org/").Result.Text)
	})
	t.Run("some are dropped", func(t *testing.T) {
		c := c.In(t)
		write(`[{"name":"k1","value":"v1"},{"name":"__Secure-x","value":"1","url":"http://example.com/"},{"nothing":1}]`)
		err := c.Fails(fault.ValueNotKept, "cookies", "set", "--curl", "cookies")
		require.ErrorContains(t, err,
			"Not all cookies are set: of the file, which was read as JSON, 1 could not be read as a cookie, and the browser "+
				"did not keep 1 cookie of 2")
		require.ErrorContains(t, err, "__Secure-x")
		require.Equal(t, "k1=v1", c.Do("cookies").Result.Text)
	})
	t.Run("mistakes", func(t *testing.T) {
		c := c.In(t)
		require.Contains(t, c.Fails(fault.File, "cookies", "set", "--curl", "nofile").Error(),
			"cookies --curl: cannot read 'nofile': ")
		require.Contains(t, c.Fails(fault.File, "cookies", "set", "--curl", ".").Error(), "is a directory")
		write("secret")
		e := c.Fails(fault.File, "cookies", "set", "--curl", "cookies")
		require.NotContains(t, e.Error(), "secret")
		c.Fails(fault.Usage, "cookies", "set", "a", "b", "--curl", "cookies")
		require.Empty(t, c.Data("cookies", "--all")["cookies"])
	})
}

// Sessions have cookies of their own.
func TestCookiesOfSessions(t *testing.T) {
	t.Parallel()
	c, other := host.ShowingFresh(t, "<p>page"), host.ShowingFresh(t, "<p>page")
	c.Do("cookies", "set", "a", "1")
	require.Empty(t, other.Data("cookies", "--all")["cookies"])
	other.Do("cookies", "clear")
	require.Equal(t, "a=1", c.Do("cookies").Result.Text)
}
