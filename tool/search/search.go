package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/config"
)

// Options are how a Search is opened. Getenv is needed.
type Options struct {
	Config config.Source // where keys and settings come from
	Env    []string      // the environment of commands that print a key; nil means the process's
	// sends the requests; nil means one of the package's own. Redirects are never followed: they could carry the key
	// elsewhere.
	Client *http.Client
	Clock  Clock // nil means the real one

	ExaURL   string // in place of https://api.exa.ai; SKUA_EXA_URL sets it too
	BraveURL string // in place of https://api.search.brave.com; SKUA_BRAVE_URL sets it too
}

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	Wait(ctx context.Context, d time.Duration) error // until d has passed, or ctx has ended
}

// Search makes searches, one after another. Its methods may be called from several goroutines.
type Search struct {
	options Options
	client  http.Client
	pace    *pace
	asks    map[Provider]provider
}

// Open returns a Search, or nil when no key is configured or search is turned off.
func Open(o Options) (*Search, error) {
	c, err := config.Load(o.Config)
	if err != nil {
		return nil, err
	}
	if c.Search.Disabled || len(available(c, o.Config.Getenv)) == 0 {
		return nil, nil
	}
	s := &Search{options: o, client: http.Client{}}
	if o.Client != nil {
		s.client = *o.Client
	}
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if o.Clock == nil {
		s.options.Clock = realClock{}
	}
	s.pace = newPace(s.options.Clock)
	exaURL, err := base("SKUA_EXA_URL", o.ExaURL, "https://api.exa.ai", o.Config.Getenv)
	if err != nil {
		return nil, err
	}
	braveURL, err := base("SKUA_BRAVE_URL", o.BraveURL, "https://api.search.brave.com", o.Config.Getenv)
	if err != nil {
		return nil, err
	}
	s.asks = map[Provider]provider{Exa: exa{exaURL}, Brave: brave{braveURL}}
	return s, nil
}

// base is where a provider is. The key goes there, so that it is either encrypted or stays on this machine.
func base(variable, option, otherwise string, getenv func(string) string) (string, error) {
	address := option
	if address == "" {
		address = getenv(variable)
	}
	if address == "" {
		return otherwise, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return "", fmt.Errorf("%s: not an https address, nor an http one of this machine", variable)
	}
	return strings.TrimRight(address, "/"), nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// available lists the providers with a key, the ones that auto prefers first.
func available(c config.Config, getenv func(string) string) []Provider {
	var found []Provider
	order := []Provider{Exa, Brave}
	if c.Search.Preferred == string(Brave) {
		order = []Provider{Brave, Exa}
	}
	for _, p := range order {
		if credential(c, p).Available(getenv) {
			found = append(found, p)
		}
	}
	return found
}

func credential(c config.Config, p Provider) config.Credential {
	if p == Exa {
		return c.Search.Exa
	}
	return c.Search.Brave
}

// Run makes one search. Parameters are those of Schema. An error's text is for the caller to see.
func (s *Search) Run(ctx context.Context, arguments json.RawMessage) (*Result, error) {
	p, err := parse(arguments)
	if err != nil {
		return nil, err
	}
	who, key, err := s.choose(ctx, p.provider)
	if err != nil {
		return nil, err
	}
	leave, err := s.pace.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	result, err := s.ask(ctx, who, p, veil{key})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.asks[who].name(), err)
	}
	return result, nil
}

// choose says who is asked and with which key.
func (s *Search) choose(ctx context.Context, wanted Provider) (Provider, string, error) {
	source := s.options.Config
	c, err := config.Load(source)
	if err != nil {
		return "", "", err
	}
	if c.Search.Disabled {
		return "", "", errors.New("web search is turned off: webSearch.enabled is false")
	}
	if wanted == Auto {
		found := available(c, source.Getenv)
		if len(found) == 0 {
			return "", "",
				errors.New(
					"there is no key: set EXA_API_KEY or BRAVE_API_KEY, or webSearch.exaApiKey or webSearch.braveApiKey in the " +
						"configuration")
		}
		wanted = found[0]
	}
	from := credential(c, wanted)
	if !from.Available(source.Getenv) {
		return "", "",
			fmt.Errorf(
				"there is no key for %s: set %s_API_KEY, or webSearch.%sApiKey in the configuration, or leave provider out",
				s.asks[wanted].name(), strings.ToUpper(string(wanted)), wanted)
	}
	key, err := from.Key(ctx, source.Getenv, s.options.Env)
	return wanted, key, err
}
