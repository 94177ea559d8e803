package storage

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func cookieCommands() []actions.Command {
	only := []actions.Flag{
		{Name: "name", Help: "Only cookies with this name"},
		{Name: "domain", Help: "Only cookies of this domain and its subdomains, whatever page is open"},
		{Name: "url", Value: "address", Help: "Only cookies that a request to this address would carry"},
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "cookies get",
				Aliases: []string{"cookies"},
				Group:   actions.GroupStorage,
				Summary: "List cookies",
				Help:    "Lists the cookies of the active tab's page and its frames, unless you give --all, --domain or --url.",
				Args: []actions.Arg{{
					Name:     "cookie",
					Value:    "name",
					Optional: true,
					Help:     "Only cookies with this name, as --name",
				}},
				Flags: append(slices.Clone(only), actions.Flag{Name: "all", Kind: actions.Bool, Help: "Cookies of all sites"}),
				Examples: []actions.Example{{Line: "cookies"}, {Line: "cookies get sid --json", Note: "with all attributes"}, {
					Line: "cookies --all",
				}},
				Upstream: []string{"cookies [get|set|clear]", "cookies [operation] [args]", "cookies get"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(), Secrets: true},
			Showing:  actions.Showing{Traits: trait.ShowsState},
			Bindings: actions.Bindings{Data: []any{Cookies{}}},
			Run:      runCookiesGet,
		},
		{
			Spec: actions.Spec{
				Name:    "cookies set",
				Group:   actions.GroupStorage,
				Summary: "Set a cookie, or the cookies of a file",
				Help: "Without --url and --domain it is for the page of the active tab. What the browser kept is read back.\n\n" +
					"--curl reads a file: JSON of browser extensions, Playwright, Puppeteer or this program, cookies.txt, a cURL " +
					"command as developer tools copy " +
					"it, header lines, or a bare cookie header. Attributes in the file are kept; --url and --domain apply to " +
					"cookies that have no site in the file.",
				Args: []actions.Arg{{Name: "name", Optional: true, Help: "The cookie's name"}, {
					Name:     "value",
					Optional: true,
					Secret:   true,
					Help:     "Its value",
				}},
				Flags: []actions.Flag{
					{Name: "url", Value: "address", Help: "The address that it is for; one with https makes it secure"},
					{Name: "domain", Help: "The host that it is for; with a dot in front, the hosts below it as well"},
					{Name: "path", Help: "The path that it is for; / when not given"},
					{Name: "http-only", Kind: actions.Bool, Help: "Hide it from scripts"},
					{Name: "secure", Kind: actions.Bool, Help: "Send it over https only"},
					{
						Name:  "same-site",
						Value: "rule",
						OneOf: []string{"Strict", "Lax", "None", "strict", "lax", "none"},
						Help:  "Strict, Lax or None",
					},
					{
						Name:  "expires",
						Value: "unix",
						Kind:  actions.Number,
						Help:  "When it expires, in seconds since 1970; a session cookie when not given",
					},
					{
						Name:  "priority",
						Value: "level",
						OneOf: []string{"Low", "Medium", "High"},
						Help:  "Which cookies are removed first when there are too many",
					},
					{
						Name: "partitioned",
						Kind: actions.Bool,
						Help: "Partition it by the site of the active tab's page (CHIPS); needs --secure",
					},
					{Name: "curl", Value: "file", Kind: actions.Path, Help: "Set the cookies of this file"},
				},
				Examples: []actions.Example{
					{Line: "cookies set sid abc123"},
					{Line: "cookies set sid abc123 --domain example.com --secure --http-only --same-site Lax"},
					{Line: "cookies set --curl request.txt --url https://example.com"},
				},
				Upstream: []string{
					"cookies set <name> <value> [options]", "cookies set --curl <file> [--domain <host>]",
					"cookies set <name> <value> [--url <url>] [--domain <domain>] [--path <path>] [--http-only] [--secure] " +
						"[--same-site <Strict|Lax|None>] [--expires <timestamp>]",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety: actions.Safety{
				Families: policy.Does(),
				Further:  actions.IfGiven(policy.ReadsFiles, "curl"),
				Gives:    actions.ToNamed(nil, "url", "domain"),
			},
			Showing:  actions.Showing{Traits: trait.SecretInput | trait.ShowsState | trait.Sets},
			Bindings: actions.Bindings{Data: []any{CookiesSet{}}},
			Run:      runCookiesSet,
		},
		{
			Spec: actions.Spec{
				Name:    "cookies clear",
				Group:   actions.GroupStorage,
				Summary: "Delete cookies",
				Help:    "Deletes all cookies of the session, or those that match.",
				Flags:   only,
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.ShowsState | trait.Sets},
			Bindings: actions.Bindings{Data: []any{CookiesCleared{}}},
			Run:      runCookiesClear,
		},
	}
}

// cookiesThatFit returns the cookies that the flags ask for.
func cookiesThatFit(
	ctx context.Context, c *actions.Call, tab *actions.Tab, all bool,
) (cookies []storage.Cookie, err error) {
	address, err := cookieURL(c)
	switch {
	case err != nil:
	case address != "":
		cookies, err = storage.CookiesFor(ctx, tab.Page, address)
	case all || c.Has("domain"):
		cookies, err = storage.Cookies(ctx, tab.Page.Context())
	default:
		cookies, err = storage.CookiesFor(ctx, tab.Page)
	}
	if err != nil {
		return nil, err
	}
	name := c.String("name")
	if c.Has("cookie") {
		name = c.String("cookie")
	}
	domain := strings.ToLower(strings.TrimPrefix(c.String("domain"), "."))
	return slices.DeleteFunc(cookies, func(k storage.Cookie) bool {
		host := strings.TrimPrefix(k.Domain, ".")
		return name != "" && k.Name != name || domain != "" && host != domain && !strings.HasSuffix(host, "."+domain)
	}), nil
}

// cookieURL reads --url.
func cookieURL(c *actions.Call) (string, error) {
	if !c.Has("url") {
		return "", nil
	}
	address, err := navigate.Address(c, c.String("url"))
	if err != nil {
		return "", err
	}
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", c.Invalid("--url expects an http or https address, got " + wording.Quote(c.String("url")))
	}
	return address, nil
}

func runCookiesGet(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("cookie") && c.Has("name") {
		return actions.Result{}, c.Invalid("Give the name once, with or without --name.")
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	cookies, err := cookiesThatFit(ctx, c, tab, c.Bool("all"))
	if err != nil {
		return actions.Result{}, err
	}
	var lines []string
	for _, k := range cookies {
		lines = append(lines, k.Name+"="+k.Value)
	}
	if len(cookies) == 0 {
		cookies = []storage.Cookie{}
		if !c.Bool("all") && !c.Has("domain") && !c.Has("url") {
			if all, err := storage.Cookies(ctx, tab.Page.Context()); err == nil && len(all) > 0 {
				c.Note("no cookie matches; `cookies --all` lists " + wording.Plural(len(all), "cookie") + " of this session")
			}
		}
	}
	return actions.Result{Data: Cookies{cookies}, Text: strings.Join(lines, "\n")}, nil
}

func runCookiesClear(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	here := tab.Page.Context()
	cookies, err := cookiesThatFit(ctx, c, tab, true)
	if err != nil {
		return actions.Result{}, err
	}
	if !c.Has("name") && !c.Has("domain") && !c.Has("url") {
		err = storage.ClearCookies(ctx, here)
	} else if len(cookies) > 0 {
		if err = storage.DeleteCookies(ctx, here, cookies); err == nil {
			var left []storage.Cookie
			if left, err = cookiesThatFit(ctx, c, tab, true); err == nil && len(left) > 0 {
				err = fault.New(fault.ValueNotKept, "%s could not be deleted, among them %s.", wording.Plural(len(left), "cookie"),
					wording.Quote(left[0].Name))
			}
		}
	} else {
		c.Note("no cookie fits")
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: CookiesCleared{true, len(cookies)}, Text: "✓ Cookies cleared"}, nil
}
