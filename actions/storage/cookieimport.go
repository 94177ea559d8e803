package storage

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/engine/storage"
)

// importedCookies is what a file of cookies holds. Messages about such files never show what is in them.
type importedCookies struct {
	form    string // what the file was taken for
	cookies []storage.NewCookie
	address string // of a cURL command: where it goes
	skipped int    // entries that are not cookies
}

// Bounds of a file of cookies.
const (
	mostCookieFile = 8 << 20
	mostCookies    = 10_000
)

// parseCookies reads a file of cookies: JSON of browsers' extensions and of tools, cookies.txt, a cURL command, header
// lines, or what is behind `Cookie:`.
func parseCookies(content []byte) (importedCookies, error) {
	text := strings.TrimSpace(strings.TrimPrefix(string(bytes.ToValidUTF8(content, []byte("\uFFFD"))), "\uFEFF"))
	if text == "" {
		return importedCookies{}, errors.New("it is empty")
	}
	var got importedCookies
	var err error
	switch {
	case text[0] == '[' || text[0] == '{':
		got, err = jsonCookies([]byte(text))
	case isCurl(text):
		got, err = curlCookies(text)
	case isNetscape(text):
		got = netscapeCookies(text)
	case hasCookieLine(text):
		got = headerCookies(text)
	default:
		got = importedCookies{form: "a cookie header"}
		got.pairs(strings.ReplaceAll(text, "\n", ";"))
	}
	switch {
	case err != nil:
		return importedCookies{}, err
	case len(got.cookies) == 0:
		return importedCookies{}, fmt.Errorf("it was read as %s, but has no cookies", got.form)
	case len(got.cookies) > mostCookies:
		return importedCookies{}, fmt.Errorf("it has %d cookies; the limit is %d", len(got.cookies), mostCookies)
	}
	return got, nil
}

// pairs adds the cookies of a header: a=1; b=2.
func (i *importedCookies) pairs(line string) {
	for part := range strings.SplitSeq(line, ";") {
		part = strings.TrimSpace(part)
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case part == "":
		case !ok || !header.IsToken(name):
			i.skipped++
		default:
			i.cookies = append(i.cookies, storage.NewCookie{Name: name, Value: value})
		}
	}
}

// cookieLine returns what follows `Cookie:` or `Set-Cookie:` in a line.
func cookieLine(line string) (value string, set, ok bool) {
	name, value, found := strings.Cut(line, ":")
	if !found {
		return "", false, false
	}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "cookie":
		return value, false, true
	case "set-cookie":
		return value, true, true
	}
	return "", false, false
}

func hasCookieLine(text string) bool {
	for line := range strings.Lines(text) {
		if _, _, ok := cookieLine(line); ok {
			return true
		}
	}
	return false
}

// headerCookies reads the lines of a request's or an answer's header.
func headerCookies(text string) importedCookies {
	got := importedCookies{form: "header lines"}
	for line := range strings.Lines(text) {
		value, set, ok := cookieLine(strings.TrimSpace(line))
		switch {
		case !ok:
		case set:
			got.setCookie(value)
		default:
			got.pairs(value)
		}
	}
	return got
}

// setCookie adds the cookie that an answer sets.
func (i *importedCookies) setCookie(value string) {
	c, err := http.ParseSetCookie(strings.TrimSpace(value))
	if err != nil {
		i.skipped++
		return
	}
	n := storage.NewCookie{
		Name:     c.Name,
		Value:    c.Value,
		Domain:   c.Domain,
		Path:     c.Path,
		HTTPOnly: c.HttpOnly,
		Secure:   c.Secure,
	}
	if c.Quoted {
		n.Value = `"` + c.Value + `"`
	}
	switch {
	case c.MaxAge > 0:
		n.Expires = float64(time.Now().Unix() + int64(c.MaxAge))
	case c.MaxAge < 0:
		n.Expires = 1
	case !c.Expires.IsZero():
		n.Expires = max(1, float64(c.Expires.Unix()))
	}
	switch c.SameSite {
	case http.SameSiteLaxMode:
		n.SameSite = "Lax"
	case http.SameSiteStrictMode:
		n.SameSite = "Strict"
	case http.SameSiteNoneMode:
		n.SameSite = "None"
	}
	i.cookies = append(i.cookies, n)
}

// isNetscape reports whether a text has the form of cookies.txt: seven fields in a line, with tabs between them.
func isNetscape(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "#") && strings.Contains(first, "Cookie File") {
		return true
	}
	for line := range strings.Lines(text) {
		if strings.Count(line, "\t") >= 6 {
			return true
		}
	}
	return false
}

func netscapeCookies(text string) importedCookies {
	got := importedCookies{form: "cookies.txt"}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		line, httpOnly := strings.CutPrefix(line, "#HttpOnly_")
		if !httpOnly && (strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "") {
			continue
		}
		fields := strings.SplitN(line, "\t", 7)
		if len(fields) < 6 || fields[0] == "" || !header.IsToken(fields[5]) {
			got.skipped++
			continue
		}
		c := storage.NewCookie{
			Name:     fields[5],
			Path:     fields[2],
			Secure:   strings.EqualFold(fields[3], "TRUE"),
			HTTPOnly: httpOnly,
		}
		if len(fields) == 7 {
			c.Value = fields[6]
		}
		c.Expires, _ = strconv.ParseFloat(fields[4], 64)
		c.Expires = usableTime(c.Expires)
		place(&c, fields[0], !strings.EqualFold(fields[1], "TRUE"))
		got.cookies = append(got.cookies, c)
	}
	return got
}

// place puts a cookie where it belongs: into a domain with the hosts below it, or on one host.
func place(c *storage.NewCookie, domain string, hostOnly bool) {
	host := strings.TrimPrefix(domain, ".")
	if !hostOnly {
		c.Domain = "." + host
		return
	}
	u := url.URL{Scheme: "http", Host: host, Path: "/"}
	if c.Secure {
		u.Scheme = "https"
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		u.Host = "[" + host + "]"
	}
	c.URL = u.String()
}

// usableTime takes the ways in which tools write the end of a cookie: seconds, milliseconds, and something below 1 for
// none.
func usableTime(t float64) float64 {
	switch {
	case t <= 0 || t != t:
		return 0
	case t > 1e14: // microseconds, as browsers keep them on disk
		return t / 1e6
	case t > 1e11:
		return t / 1e3
	}
	return t
}
