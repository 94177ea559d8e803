package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func runCookiesSet(ctx context.Context, c *actions.Call) (actions.Result, error) {
	asked, err := newCookies(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	cookies := asked.cookies
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	if err := placeCookies(c, cookies, asked.address, tab.Page.URL()); err != nil {
		return actions.Result{}, err
	}
	here := tab.Page.Context()
	refused, err := storage.SetCookies(ctx, here, cookies)
	if err != nil {
		return actions.Result{}, err
	}
	kept, err := storage.Cookies(ctx, here)
	if err != nil {
		return actions.Result{}, err
	}
	var dropped []CookieDropped
	var changed []string
	for i := range cookies {
		if why := cookieDropped(&cookies[i], refused[i], kept); why != "" {
			dropped = append(dropped, CookieDropped{cookies[i].Name, why})
			continue
		}
		have := findCookie(&cookies[i], kept)
		noteKept(c, &cookies[i], have)
		if how := cookieChanged(&cookies[i], have); how != "" {
			changed = append(changed, "the browser keeps the cookie "+cookies[i].Name+" "+how)
		}
	}
	data := CookiesSet{len(cookies) - len(dropped), dropped, true}
	if len(dropped) == len(cookies) {
		e := fault.New(fault.ValueNotKept, "The browser did not keep the cookie %s: %s.", wording.Quote(cookies[0].Name),
			dropped[0].Reason)
		if len(dropped) > 1 {
			e = fault.New(fault.ValueNotKept, "The browser kept none of %s; the first is %s: %s.",
				wording.Plural(len(cookies), "cookie"),
				wording.Quote(cookies[0].Name), dropped[0].Reason)
		}
		return actions.Result{}, e.With("dropped", dropped)
	}
	var lacking []string
	if asked.unread != "" {
		lacking = append(lacking, asked.unread)
	}
	if len(dropped) > 0 {
		var names []string
		for _, d := range dropped[:min(len(dropped), 5)] {
			names = append(names, d.Name+" ("+d.Reason+")")
		}
		lacking = append(lacking,
			fmt.Sprintf("the browser did not keep %s of %d: %s", wording.Plural(len(dropped), "cookie"), len(cookies),
				strings.Join(names, ", ")))
	}
	if len(lacking) > 0 {
		e := fault.New(fault.ValueNotKept, "Not all cookies are set: %s. The others are.",
			strings.Join(append(lacking, clipped(changed)...), ", and "))
		return actions.Result{}, e.With("dropped", dropped).With("set", data.Count).With(actions.FactDone, true)
	}
	if len(changed) > 0 {
		e := fault.New(fault.ValueNotKept, "%s set, but not as asked: %s.", setWords(data.Count),
			strings.Join(clipped(changed), ", and "))
		return actions.Result{}, e.With("set", data.Count).With(actions.FactDone, true).
			WithHint("`cookies --json` shows what the browser has.")
	}
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

// askedCookies are the cookies to set: one, or those of a file.
type askedCookies struct {
	cookies []storage.NewCookie
	address string // where the cURL command in the file goes to
	unread  string // what of the file could not be read, as part of a sentence
}

func newCookies(ctx context.Context, c *actions.Call) (askedCookies, error) {
	if c.Has("curl") {
		if c.Has("name") {
			return askedCookies{}, c.Invalid("--curl takes the cookies from the file; leave out name and value.")
		}
		return fileCookies(ctx, c)
	}
	if !c.Has("value") {
		return askedCookies{}, c.Missing("name", "value")
	}
	k := storage.NewCookie{
		Name:     c.String("name"),
		Value:    c.String("value"),
		Path:     c.String("path"),
		HTTPOnly: c.Bool("http-only"),
		Secure:   c.Bool("secure"),
		SameSite: sameSite(c.String("same-site")),
		Expires:  c.Float("expires"),
		Priority: c.String("priority"),
	}
	if k.Name != "" && !header.IsToken(k.Name) {
		return askedCookies{}, c.Invalid("A cookie cannot have the name " + wording.Quote(k.Name) + ".")
	}
	if c.Has("expires") && k.Expires <= 0 {
		if k.Expires == -1 { // as lists of cookies write it
			k.Expires = 0
		} else {
			k.Expires = 1
		}
	}
	return askedCookies{cookies: []storage.NewCookie{k}}, nil
}

func fileCookies(ctx context.Context, c *actions.Call) (askedCookies, error) {
	named := c.String("curl")
	content, err := files.Read(ctx, c, named, mostCookieFile)
	if err != nil {
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Code == fault.File {
			e.Message = "cookies --curl: cannot read '" + named + "': " +
				strings.TrimPrefix(e.Message, "Failed to read "+named+": ")
		}
		return askedCookies{}, err
	}
	got, err := parseCookies(content)
	if err != nil {
		return askedCookies{}, fault.New(fault.File, "cookies --curl: no cookies in '%s': %v", named, err).
			About(c.Path(named)).
			WithHint("JSON, cookies.txt, a cURL command, header lines and a bare cookie header can be read.")
	}
	unread := ""
	if got.skipped > 0 {
		unread = fmt.Sprintf("of the file, which was read as %s, %d could not be read as a cookie", got.form, got.skipped)
	}
	for i := range got.cookies {
		k := &got.cookies[i]
		k.HTTPOnly, k.Secure = k.HTTPOnly || c.Bool("http-only"), k.Secure || c.Bool("secure")
		if k.Path == "" {
			k.Path = c.String("path")
		}
		if k.SameSite == "" {
			k.SameSite = sameSite(c.String("same-site"))
		}
		if k.Expires == 0 && c.Has("expires") {
			k.Expires = max(0, c.Float("expires"))
		}
	}
	return askedCookies{got.cookies, got.address, unread}, nil
}

// placeCookies says of cookies that do not say it themselves where they belong: --url and --domain, else where the
// file's request goes, else the page.
func placeCookies(c *actions.Call, cookies []storage.NewCookie, asked, page string) error {
	address, err := cookieURL(c)
	if err != nil {
		return err
	}
	domain := c.String("domain")
	if c.Has("domain") && !isDomain(domain) {
		return c.Invalid("--domain expects a host such as example.com, got " + wording.Quote(domain))
	}
	from := address
	for _, other := range []string{asked, page} {
		if from == "" && domain == "" && (strings.HasPrefix(other, "http://") || strings.HasPrefix(other, "https://")) {
			from = other
		}
	}
	for i := range cookies {
		k := &cookies[i]
		if k.Path != "" && !strings.HasPrefix(k.Path, "/") {
			return c.Invalid("The path of a cookie begins with /, got " + wording.Quote(k.Path))
		}
		if k.URL == "" && k.Domain == "" {
			k.URL, k.Domain = from, domain
			if from == "" && domain == "" {
				return c.Invalid("The page " + wording.Quote(page) +
					" cannot have cookies; open another one first, or give --url or --domain.")
			}
		}
		if k.Path == "" {
			k.Path = "/"
		}
		if c.Bool("partitioned") && k.PartitionKey == nil {
			site := topLevelSite(page)
			if site == "" {
				return c.Invalid("--partitioned needs the site of the active tab's page, but " + wording.Quote(page) + " has none.")
			}
			k.PartitionKey = &storage.CookiePartition{TopLevelSite: site}
		}
	}
	return nil
}

func isDomain(s string) bool {
	s = strings.TrimPrefix(s, ".")
	return s != "" && !strings.ContainsAny(s, "/ \t\r\n;,@?#\\") && (!strings.Contains(s, ":") || strings.Contains(s, "["))
}

// topLevelSite is the partition of cookies under a page; empty means that it can have none.
func topLevelSite(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Hostname()
}

// cookieHost is the host that a cookie is for.
func cookieHost(k *storage.NewCookie) string {
	if k.Domain != "" {
		return strings.ToLower(strings.TrimPrefix(k.Domain, "."))
	}
	u, err := url.Parse(k.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// findCookie returns the stored cookie that corresponds to k.
func findCookie(k *storage.NewCookie, kept []storage.Cookie) *storage.Cookie {
	host := cookieHost(k)
	for i := range kept {
		have := &kept[i]
		if have.Name == k.Name && have.Path == k.Path &&
			strings.Trim(strings.TrimPrefix(have.Domain, "."), "[]") == strings.Trim(host, "[]") &&
			(have.PartitionKey != nil) == (k.PartitionKey != nil) {
			return have
		}
	}
	return nil
}

// cookieDropped says why a cookie is not there, or is another one; empty when all is well.
func cookieDropped(k *storage.NewCookie, refused error, kept []storage.Cookie) string {
	have := findCookie(k, kept)
	if have != nil && have.Value == k.Value && refused == nil {
		return ""
	}
	expired := k.Expires > 0 && k.Expires <= float64(time.Now().Unix())
	if expired && have == nil && refused == nil {
		return "" // which deletes it
	}
	lower := strings.ToLower(k.Name)
	switch {
	case strings.HasPrefix(lower, "__secure-") && !k.Secure:
		return "the prefix __Secure- requires --secure"
	case strings.HasPrefix(lower, "__host-") && (!k.Secure || k.Domain != "" || k.Path != "/"):
		return "the prefix __Host- requires --secure, the path / and no domain"
	case k.SameSite == "None" && !k.Secure:
		return "SameSite=None requires --secure"
	case k.PartitionKey != nil && !k.Secure:
		return "a partitioned cookie must be secure"
	case len(k.Name)+len(k.Value) > 4096:
		return "name and value are longer than 4096 bytes"
	case strings.ContainsAny(k.Value, ";\r\n\x00"):
		return "its value has a character that cookies cannot have"
	case have != nil:
		return "it does not replace an existing one of the same name"
	case refused != nil:
		return "the browser takes no such cookie for " + cookieHost(k) + ": " + reason(refused)
	}
	return "the browser dropped it, without saying why; " + cookieHost(k) + " may be no domain that cookies can be for"
}

// reason is the browser's own word.
func reason(err error) string {
	text := err.Error()
	if _, after, ok := strings.Cut(text, ": "); ok {
		return after
	}
	return text
}

// noteKept returns a note about a cookie that was set as requested, or nil if it was requested to expire.
func noteKept(c *actions.Call, k *storage.NewCookie, have *storage.Cookie) {
	if have == nil {
		c.Note("the cookie " + k.Name + " has expired, so there is no longer one of this name")
		return
	}
	if k.Expires > 0 && !have.Session && math.Abs(have.Expires-k.Expires) > 1 { // browsers bound the life of every cookie
		c.Note("the browser keeps the cookie " + k.Name + " no longer than until " +
			time.Unix(int64(have.Expires), 0).UTC().Format(time.RFC3339))
	}
	if u, err := url.Parse(k.URL); err == nil && have.Secure && u.Scheme == "http" && !navigate.IsLocal(u.Host) {
		c.Note("the cookie " + k.Name + " is secure, so that " + u.Scheme + "://" + u.Host + " does not get it; https://" +
			u.Host + " does")
	}
}

// cookieChanged returns how a cookie that the browser kept differs from the one that was asked for, "" where it does
// not. Have is nil for an expired one.
func cookieChanged(k *storage.NewCookie, have *storage.Cookie) string {
	if have == nil {
		return ""
	}
	var how []string
	if strings.HasPrefix(k.Domain, ".") && !strings.HasPrefix(have.Domain, ".") {
		how = append(how, "for "+have.Domain+" alone, without the hosts below it")
	}
	implied := strings.HasPrefix(k.URL, "https:") // which makes a cookie secure
	for _, attr := range []struct {
		name      string
		want, got any
	}{
		{"Secure", k.Secure || implied, have.Secure},
		{"HttpOnly", k.HTTPOnly, have.HTTPOnly},
		{"SameSite", cmp.Or(k.SameSite, have.SameSite), have.SameSite},
		{"Priority", cmp.Or(k.Priority, have.Priority), have.Priority},
		{"session", k.Expires == 0, have.Session},
	} {
		if attr.want != attr.got {
			how = append(how, fmt.Sprintf("with %s=%v in place of %v", attr.name, attr.got, attr.want))
		}
	}
	return strings.Join(how, " and ")
}

// mostNamed is how many cookies an error names.
const mostNamed = 5

func clipped(words []string) []string { return words[:min(len(words), mostNamed)] }

func setWords(n int) string {
	if n == 1 {
		return "The cookie is"
	}
	return wording.Plural(n, "cookie") + " are"
}
