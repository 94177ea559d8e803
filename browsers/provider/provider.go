package provider

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Request says which browser is wanted.
type Request struct {
	Name   string              // as after --provider: a name of Names, or an address
	Getenv func(string) string // the caller's environment: keys and settings of the provider
	Launch Launch
}

// Launch is what the caller said about how the browser is started. A provider that cannot pass an option on refuses it.
type Launch struct {
	Given          []string // names of the flags that were given, among them those of the fields below
	Headed         bool
	Args           []string
	ExecutablePath string
	Proxy          string
	ProxyBypass    string
}

// Browser is one that a provider gave. Release ends it.
type Browser struct {
	Name    string      // the provider's, one of Names, or "address"
	About   string      // what it is, in a few words for people, without secrets
	Address string      // where it is: a ws, wss, http or https address, which may hold secrets
	Header  http.Header // for connecting to it, which may hold secrets; may be nil

	hide    func(error) error
	once    sync.Once
	release func(context.Context) error // nil means that there is nothing to end
	err     error
}

// Hide takes the secrets that are known about the browser out of an error of connecting to it, and adds the fact
// `provider`.
func (b *Browser) Hide(err error) error { return b.hide(err) }

// releaseLimit bounds the end of a browser at its provider.
const releaseLimit = 10 * time.Second

// Release ends the browser at its provider, also when ctx is done already, within 10 s. Calls after the first one
// return what that returned. When it fails, the provider's own timeout ends the browser.
func (b *Browser) Release(ctx context.Context) error {
	b.once.Do(func() {
		if b.release == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseLimit)
		defer cancel()
		b.err = b.release(ctx)
	})
	return b.err
}

// definition is a provider by its name.
type definition struct {
	name, title string
	alias       string
	takes       []string // launch flags that it can pass on
	start       func(context.Context, *call) (*Browser, error)
}

func definitions() []definition {
	return []definition{
		{name: "browserbase", title: "Browserbase", start: startBrowserbase},
		{name: "browserless", title: "Browserless", takes: []string{"headed", "args"}, start: startBrowserless},
		{name: "browser-use", title: "Browser Use", alias: "browseruse", start: startBrowserUse},
		{name: "kernel", title: "Kernel", takes: []string{"headed"}, start: startKernel},
		{name: "agentcore", title: "AgentCore", start: startAgentCore},
		{
			name:  "selenium",
			title: "Selenium Grid",
			takes: []string{"headed", "args", "proxy", "proxy-bypass"},
			start: startSelenium,
		},
		{
			name:  "chromedriver",
			title: "chromedriver",
			takes: []string{"headed", "args", "executable-path", "proxy", "proxy-bypass"},
			start: startChromedriver,
		},
	}
}

// Names returns the providers that have a name.
func Names() []string {
	var names []string
	for _, d := range definitions() {
		names = append(names, d.name)
	}
	return names
}

// onPages are launch flags that apply to the pages of any browser, including one that skua did not start.
var onPages = []string{"user-agent", "color-scheme", "ignore-https-errors", "provider"}

// find returns the provider that is meant, and refuses launch options that would be lost.
func find(r Request) (definition, error) {
	if isAddress(r.Name) {
		return checked(definition{name: "address", title: "the browser at the address", start: startAddress}, r)
	}
	for _, d := range definitions() {
		if r.Name == d.name || r.Name == d.alias {
			return checked(d, r)
		}
	}
	return definition{}, fault.New(fault.Usage,
		"Unknown provider '%s'. Supported: %s, or the http or ws address of a browser",
		r.Name, strings.Join(Names(), ", ")).About(r.Name)
}

func checked(d definition, r Request) (definition, error) {
	for _, flag := range r.Launch.Given {
		if !slices.Contains(onPages, flag) && !slices.Contains(d.takes, flag) {
			return d, fault.New(fault.Usage,
				"--%s is not available with --provider %s: %s starts the browser and takes no such option", flag, shownName(r.Name),
				d.title).
				About("--"+flag).WithHint("Leave --%s out.", flag)
		}
	}
	return d, nil
}

// shownName is a provider's name as people may see it: an address may carry a token.
func shownName(name string) string {
	if isAddress(name) {
		return "<address>"
	}
	return name
}

func isAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && slices.Contains([]string{"ws", "wss", "http", "https"}, strings.ToLower(scheme))
}

// Check reports whether Start would get as far as asking: its error says that there is no such provider, or that an
// option is not for it.
func Check(r Request) error {
	_, err := find(r)
	return err
}

// Start gets a browser. What was made at the provider is ended again when anything fails afterwards or ctx ends
// meanwhile. Its errors are Usage for what the caller can put right, Timeout and Canceled, and ProviderFailed with the
// fact `provider` and, of an HTTP answer, `status`.
func Start(ctx context.Context, r Request) (*Browser, error) {
	d, err := find(r)
	if err != nil {
		return nil, err
	}
	if r.Getenv == nil {
		r.Getenv = func(string) string { return "" }
	}
	c := &call{Request: r, name: d.name, title: d.title, pulse: pulse}
	b, err := d.start(ctx, c)
	if err != nil {
		return nil, c.hide(err)
	}
	b.Name, b.hide = d.name, func(err error) error { return c.hide(err) }
	if ctx.Err() != nil {
		_ = b.Release(ctx)
		return nil, c.hide(context.Cause(ctx))
	}
	return b, nil
}
