package search

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	onlyExa   = map[string]string{"EXA_API_KEY": exaSecret}
	onlyBrave = map[string]string{"BRAVE_API_KEY": braveSecret}
	both      = map[string]string{"EXA_API_KEY": exaSecret, "BRAVE_API_KEY": braveSecret}
)

// configured writes a configuration and returns an environment that names it.
func configured(t *testing.T, text string, env map[string]string) map[string]string {
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	all := map[string]string{"SKUA_CONFIG": path}
	maps.Copy(all, env)
	return all
}

func TestOpen(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config string
		env    map[string]string
		there  bool
	}{
		"14.1 no key":                         {`{}`, nil, false},
		"14.1 Exa's variable":                 {`{}`, onlyExa, true},
		"14.1 Brave's variable":               {`{}`, onlyBrave, true},
		"14.1 a key of the configuration":     {`{"webSearch":{"braveApiKey":"k"}}`, nil, true},
		"14.1 a command of the configuration": {`{"webSearch":{"braveApiKey":"!false"}}`, nil, true},
		"14.1 a variable that is not set":     {`{"webSearch":{"braveApiKey":"$NONE"}}`, nil, false},
		"14.1 turned off":                     {`{"webSearch":{"enabled":false}}`, both, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStandIn(t).open(t, configured(t, tt.config, tt.env))
			require.Equal(t, tt.there, s != nil)
		})
	}
	t.Run("1.1 the companion's name", func(t *testing.T) {
		require.Equal(t, "agent_browser_web_search", Name)
	})
}

// The addresses of the real APIs, and which others may stand in for them.
func TestAddresses(t *testing.T) {
	t.Parallel()
	open := func(env map[string]string) (*Search, error) {
		all := map[string]string{"EXA_API_KEY": "k"}
		maps.Copy(all, env)
		o := Options{}
		o.Config.Getenv = func(name string) string { return all[name] }
		return Open(o)
	}
	s, err := open(nil)
	require.NoError(t, err)
	tests := map[string]struct {
		who  Provider
		want string
	}{
		"14.6 Brave": {Brave, "https://api.search.brave.com/res/v1/web/search"},
		"14.7 Exa":   {Exa, "https://api.exa.ai/search"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request, err := s.asks[tt.who].request(context.Background(), params{query: "q"}, "k", time.Now())
			require.NoError(t, err)
			request.URL.RawQuery = ""
			require.Equal(t, tt.want, request.URL.String())
		})
	}
	for _, address := range []string{"http://example.org", "ftp://127.0.0.1", "nonsense", "http://127.0.0.1.example.org"} {
		_, err := open(map[string]string{"SKUA_EXA_URL": address})
		require.ErrorContains(t, err, "SKUA_EXA_URL", address)
	}
	for _, address := range []string{
		"http://127.0.0.1:8080/", "http://[::1]:8080", "http://localhost:1",
		"https://proxy.example.org/exa",
	} {
		_, err := open(map[string]string{"SKUA_BRAVE_URL": address})
		require.NoError(t, err, address)
	}
}

func TestParams(t *testing.T) {
	t.Parallel()
	usual := params{query: "birds", provider: Auto, searchType: "auto", count: 5}
	with := func(change func(*params)) params {
		p := usual
		change(&p)
		return p
	}
	tests := map[string]struct {
		given string
		want  params
		fails string
	}{
		"14.4 defaults": {given: `{"query":" birds "}`, want: usual},
		"14.4 all of them": {
			given: `{"query":"birds","provider":"brave","searchType":"deep","count":10,"offset":9,"country":"de","searchLang":"pt-br","safesearch":"off","freshness":"py"}`, want: params{"birds", Brave, "deep", 10, 9, "DE", "pt-br", "off", "py"},
		},
		"14.4 null is left out": {given: `{"query":"birds","count":null}`, want: usual},
		"14.4 offset 0": {given: `{"query":"birds","offset":0,"count":1}`, want: with(func(p *params) {
			p.count = 1
		})},
		"14.4 no query":              {given: `{}`, fails: "query must be"},
		"14.4 a blank query":         {given: `{"query":" \t"}`, fails: "query must be"},
		"14.4 a query of wrong type": {given: `{"query":7}`, fails: "query must be a string, not a number"},
		"14.4 an unknown provider": {
			given: `{"query":"q","provider":"bing"}`,
			fails: `provider "bing": it is one of auto, exa, brave`,
		},
		"14.4 an unknown search type": {
			given: `{"query":"q","searchType":"slow"}`,
			fails: `searchType "slow": it is one of auto, fast, instant, deep-lite, deep, deep-reasoning`,
		},
		"14.4 count 0": {
			given: `{"query":"q","count":0}`,
			fails: "count 0: it is a whole number from 1 to 10",
		},
		"14.4 count 11":      {given: `{"query":"q","count":11}`, fails: "count 11"},
		"14.4 count 1.5":     {given: `{"query":"q","count":1.5}`, fails: "count 1.5"},
		"14.4 count as text": {given: `{"query":"q","count":"5"}`, fails: "count must be a number, not a string"},
		"14.4 offset -1": {
			given: `{"query":"q","offset":-1}`,
			fails: "offset -1: it is a whole number from 0 to 9",
		},
		"14.4 offset 10":             {given: `{"query":"q","offset":10}`, fails: "offset 10"},
		"14.4 country of three":      {given: `{"query":"q","country":"deu"}`, fails: `country "deu"`},
		"14.4 country with a digit":  {given: `{"query":"q","country":"d1"}`, fails: `country "d1"`},
		"14.4 language of one":       {given: `{"query":"q","searchLang":"e"}`, fails: `searchLang "e"`},
		"14.4 language of nine":      {given: `{"query":"q","searchLang":"en-US-abc"}`, fails: `searchLang "en-US-abc"`},
		"14.4 language of two words": {given: `{"query":"q","searchLang":"en us"}`, fails: `searchLang "en us"`},
		"14.4 unknown safesearch":    {given: `{"query":"q","safesearch":"on"}`, fails: `safesearch "on"`},
		"14.4 unknown freshness":     {given: `{"query":"q","freshness":"p1"}`, fails: `freshness "p1"`},
		"14.4 an unknown parameter":  {given: `{"query":"q","limit":3}`, fails: `no parameter "limit"`},
		"14.4 no object":             {given: `["q"]`, fails: "one JSON object"},
		"14.4 two objects":           {given: `{"query":"q"}{}`, fails: "one JSON object"},
		"14.4 nothing":               {given: ``, fails: "one JSON object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(json.RawMessage(tt.given))
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// The schema knows the parameters that are read, and no others.
func TestSchema(t *testing.T) {
	t.Parallel()
	var schema struct {
		AdditionalProperties *bool
		Required             []string
		Properties           map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(Schema(), &schema))
	require.Equal(t, []string{"query"}, schema.Required)
	require.False(t, *schema.AdditionalProperties)
	fields := reflect.TypeFor[given]()
	for field := range fields.Fields() {
		require.Contains(t, schema.Properties, field.Tag.Get("json"))
	}
	require.Len(t, schema.Properties, fields.NumField())
}

func TestRequests(t *testing.T) {
	t.Parallel()
	highlights := map[string]any{"highlights": true}
	tests := map[string]struct {
		env   map[string]string
		given string
		want  received
	}{
		"14.6 Brave, what is always sent": {onlyBrave, `{"query":"birds & bees"}`, received{
			method: "GET", path: "/res/v1/web/search", key: braveSecret,
			query: url.Values{"q": {"birds & bees"}, "count": {"5"}, "offset": {"0"}},
		}},
		"14.6 Brave, all of it": {
			onlyBrave,
			`{"query":"q","count":3,"offset":2,"country":"de","searchLang":"en","safesearch":"off","freshness":"pw","searchType":"deep"}`,
			received{
				method: "GET", path: "/res/v1/web/search", key: braveSecret,
				query: url.Values{
					"q": {"q"}, "count": {"3"}, "offset": {"2"}, "country": {"DE"}, "search_lang": {"en"},
					"safesearch": {"off"}, "freshness": {"pw"},
				},
			},
		},
		"14.7 Exa, what is always sent": {onlyExa, `{"query":"birds"}`, received{
			method: "POST", path: "/search", key: exaSecret, query: url.Values{},
			body: map[string]any{"query": "birds", "type": "auto", "numResults": 5.0, "contents": highlights},
		}},
		"14.7 Exa, all of it": {
			onlyExa,
			`{"query":"q","count":10,"offset":9,"country":"de","searchLang":"en","safesearch":"strict","freshness":"pd","searchType":"fast"}`,
			received{
				method: "POST", path: "/search", key: exaSecret, query: url.Values{},
				body: map[string]any{
					"query": "q", "type": "fast", "numResults": 19.0, "contents": highlights, "userLocation": "DE", "moderation": true,
					"startPublishedDate": "2026-06-09T12:00:00.000Z",
				},
			},
		},
		"14.7 Exa, a week, moderate": {onlyExa, `{"query":"q","safesearch":"moderate","freshness":"pw"}`, received{
			method: "POST", path: "/search", key: exaSecret, query: url.Values{},
			body: map[string]any{
				"query": "q", "type": "auto", "numResults": 5.0, "contents": highlights, "moderation": true,
				"startPublishedDate": "2026-06-03T12:00:00.000Z",
			},
		}},
		"14.7 Exa, a month, off": {onlyExa, `{"query":"q","safesearch":"off","freshness":"pm"}`, received{
			method: "POST", path: "/search", key: exaSecret, query: url.Values{},
			body: map[string]any{
				"query": "q", "type": "auto", "numResults": 5.0, "contents": highlights,
				"startPublishedDate": "2026-05-10T12:00:00.000Z",
			},
		}},
		"14.7 Exa, a year": {onlyExa, `{"query":"q","freshness":"py"}`, received{
			method: "POST", path: "/search", key: exaSecret, query: url.Values{},
			body: map[string]any{
				"query": "q", "type": "auto", "numResults": 5.0, "contents": highlights,
				"startPublishedDate": "2025-06-10T12:00:00.000Z",
			},
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newStandIn(t)
			_, err := api.open(t, tt.env).Run(context.Background(), json.RawMessage(tt.given))
			require.NoError(t, err)
			require.Equal(t, []received{tt.want}, api.seen())
		})
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		config string
		env    map[string]string
		given  string
		want   Provider
		fails  string
	}{
		"14.5 both: Exa": {`{}`, both, `{"query":"q"}`, Exa, ""},
		"14.5 both, one is preferred": {
			`{"webSearch":{"preferredProvider":"brave"}}`, both,
			`{"query":"q","provider":"auto"}`, Brave, "",
		},
		"14.5 the preferred one has no key": {
			`{"webSearch":{"preferredProvider":"brave"}}`, onlyExa, `{"query":"q"}`,
			Exa, "",
		},
		"14.5 named, against the preference": {
			`{"webSearch":{"preferredProvider":"brave"}}`, both,
			`{"query":"q","provider":"exa"}`, Exa, "",
		},
		"14.5 only one has a key": {`{}`, onlyBrave, `{"query":"q"}`, Brave, ""},
		"14.5 named, and has no key": {
			`{}`, onlyBrave, `{"query":"q","provider":"exa"}`, "",
			"there is no key for Exa: set EXA_API_KEY, or webSearch.exaApiKey",
		},
		"14.3 the key is what a command prints": {
			`{"webSearch":{"exaApiKey":"!echo ` + exaSecret + `"}}`, nil,
			`{"query":"q"}`, Exa, "",
		},
		"14.3 the command of the key fails": {
			`{"webSearch":{"exaApiKey":"!exit 4"}}`, nil, `{"query":"q"}`, "",
			"the command of webSearch.exaApiKey ended with code 4",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newStandIn(t)
			result, err := api.open(t, configured(t, tt.config, tt.env)).Run(context.Background(), json.RawMessage(tt.given))
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				require.Empty(t, api.seen())
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, result.Provider)
			require.Equal(t, map[Provider]string{Exa: exaSecret, Brave: braveSecret}[tt.want], api.seen()[0].key)
		})
	}
	t.Run("14.1 turned off since it was opened", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		env := configured(t, `{}`, both)
		s := api.open(t, env)
		require.NoError(t, os.WriteFile(env["SKUA_CONFIG"], []byte(`{"webSearch":{"enabled":false}}`), 0o600))
		_, err := s.Run(context.Background(), json.RawMessage(`{"query":"q"}`))
		require.ErrorContains(t, err, "turned off")
		require.Empty(t, api.seen())
	})
}

func TestResults(t *testing.T) {
	t.Parallel()
	item := func(n string) Item {
		return Item{
			Title: "Result " + n, URL: "https://www.r" + n + ".example/", Description: "Excerpt " + n,
			Highlights: []string{"Excerpt " + n, "More"},
			Source:     "r" + n + ".example", Age: "2026-06-02",
		}
	}
	tests := map[string]struct {
		env   map[string]string
		given string
		want  Details
		text  []string
	}{
		"14.10 Exa": {onlyExa, `{"query":"birds","count":2}`, Details{
			Provider: Exa, Query: "birds", ReturnedQuery: "birds", Count: 2, SearchType: "auto", RequestID: "request-7",
			FetchedAt: "2026-06-10T12:00:00.000Z",
			Results:   []Item{item("0"), item("1")},
		}, []string{
			`Exa: 2 results for "birds"`,
			"1. Result 0\n   https://www.r0.example/\n   r0.example, 2026-06-02\n   Excerpt 0\n   - More",
		}},
		"14.7 Exa, offset and count": {onlyExa, `{"query":"birds","count":1,"offset":3}`, Details{
			Provider: Exa, Query: "birds", ReturnedQuery: "birds", Count: 1, Offset: 3, SearchType: "auto",
			RequestID: "request-7",
			FetchedAt: "2026-06-10T12:00:00.000Z", Results: []Item{item("3")},
		}, []string{"1. Result 3"}},
		"14.10 14.9 Brave": {onlyBrave, `{"query":"birds"}`, Details{
			Provider: Brave, Query: "birds", ReturnedQuery: "bird species", Count: 5, FetchedAt: "2026-06-10T12:00:00.000Z",
			Results: []Item{
				{
					Title: "Birds & beaks", URL: "https://birds.example/a?b=1", Description: "All about birds.",
					Highlights: []string{"one", "two", "three"}, Source: "Birds", Age: "2 days ago", Language: "en",
				},
				{Title: "Second", URL: "http://second.example/", Source: "second.example", Age: "2026-05-01"},
			},
		}, []string{`Brave Search: 2 results for "birds" (looked for: "bird species")`, "2. Second"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := newStandIn(t).open(t, tt.env).Run(context.Background(), json.RawMessage(tt.given))
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Details)
			for _, part := range tt.text {
				require.Contains(t, got.Text, part)
			}
		})
	}
	t.Run("14.10 nothing found", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		api.reply = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"results":[]}`)) }
		got, err := api.open(t, onlyExa).Run(context.Background(), json.RawMessage(`{"query":"birds"}`))
		require.NoError(t, err)
		require.Equal(t, `Exa found nothing for "birds".`, got.Text)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.Contains(t, string(text), `"results":[]`)
	})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	tests := map[string]struct {
		reply func(http.ResponseWriter, *http.Request)
		want  string
	}{
		"14.10 too many requests": {answer(429, `{"error":"slow down"}`), "do not search in parallel"},
		"14.10 the key is refused": {
			answer(401, `{"error":"key `+exaSecret+` is bad"}`),
			"refused the key (HTTP 401)",
		},
		"14.10 a complaint with the key": {
			answer(400, `{"error":"bad key `+exaSecret+`"}`),
			"HTTP 400: bad key [redacted]",
		},
		"14.10 a complaint in an object": {
			answer(422, `{"error":{"detail":"bad `+exaSecret+`"}}`),
			"HTTP 422: bad [redacted]",
		},
		"14.10 a long complaint": {
			answer(400, `{"message":"`+strings.Repeat("x", 195)+exaSecret+`"}`),
			"xxx[red…",
		},
		"14.10 a page in place of an answer": {answer(500, `<html>`+exaSecret), "HTTP 500"},
		"14.10 no JSON":                      {answer(200, `<html>`+exaSecret), "not of the documented form"},
		"14.10 a redirect would carry the key away": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, "HTTP 307"},
		"14.10 the connection breaks": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newStandIn(t)
			api.reply = tt.reply
			_, err := api.open(t, onlyExa).Run(context.Background(), json.RawMessage(`{"query":"q"}`))
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "Exa: ")
			require.NotContains(t, err.Error(), exaSecret)
			require.NotContains(t, err.Error(), exaSecret[:8])
			for _, r := range api.seen() {
				require.Equal(t, "/search", r.path)
			}
		})
	}
}

// A key that the caller or the provider puts into a text does not come out again.
func TestKeyStaysHidden(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{"14.10 Exa": onlyExa, "14.10 Brave": onlyBrave} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := env["EXA_API_KEY"] + env["BRAVE_API_KEY"]
			split := "<b>" + key[:6] + "</b>" + key[6:]
			item := map[string]any{
				"title": "t " + split, "url": "https://x.example/?k=" + url.QueryEscape(key), "description": key,
				"highlights": []string{key}, "summary": key,
				"extra_snippets": []string{split}, "author": key, "age": key, "language": key,
				"profile": map[string]string{"name": key},
			}
			api := newStandIn(t)
			api.reply = func(w http.ResponseWriter, _ *http.Request) {
				_ = json.NewEncoder(w).Encode(map[string]any{
					"requestId": key, "autopromptString": key, "query": map[string]string{"altered": key}, "results": []any{item},
					"web": map[string]any{"results": []any{item}},
				})
			}
			arguments, err := json.Marshal(map[string]string{"query": "find " + key})
			require.NoError(t, err)
			got, err := api.open(t, env).Run(context.Background(), arguments)
			require.NoError(t, err)
			require.Len(t, got.Results, 1)
			data, err := json.Marshal(got)
			require.NoError(t, err)
			for _, text := range []string{got.Text, string(data)} {
				require.NotContains(t, text, key)
				require.NotContains(t, text, url.QueryEscape(key))
				require.Contains(t, text, "[redacted]")
			}
		})
	}
}
