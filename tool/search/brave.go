package search

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// brave is Brave Search.
type brave struct{ base string }

func (brave) name() string { return "Brave Search" }

func (brave) limit(params) time.Duration { return usualLimit }

func (b brave) request(ctx context.Context, p params, key string, _ time.Time) (*http.Request, error) {
	query := url.Values{"q": {p.query}, "count": {strconv.Itoa(p.count)}, "offset": {strconv.Itoa(p.offset)}}
	for name, value := range map[string]string{
		"country": p.country, "search_lang": p.searchLang, "safesearch": p.safesearch, "freshness": p.freshness,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/res/v1/web/search?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("X-Subscription-Token", key)
	return request, nil
}

// braveAnswer is what is read of an answer.
type braveAnswer struct {
	Query struct {
		Original string `json:"original"`
		Altered  string `json:"altered"`
	} `json:"query"`
	Web struct {
		Results []struct {
			Title         string   `json:"title"`
			URL           string   `json:"url"`
			Description   string   `json:"description"`
			ExtraSnippets []string `json:"extra_snippets"`
			Age           string   `json:"age"`
			PageAge       string   `json:"page_age"`
			Language      string   `json:"language"`
			Profile       struct {
				Name string `json:"name"`
			} `json:"profile"`
			MetaURL struct {
				Hostname string `json:"hostname"`
			} `json:"meta_url"`
		} `json:"results"`
	} `json:"web"`
}

func (brave) read(body []byte, p params, clean cleaner) (answer, error) {
	var reply braveAnswer
	if err := json.Unmarshal(body, &reply); err != nil {
		return answer{}, fmt.Errorf("its answer is not of the documented form")
	}
	a := answer{returnedQuery: first(reply.Query.Altered, reply.Query.Original)}
	for _, r := range reply.Web.Results {
		a.results = clean.add(a.results, raw{
			title:       r.Title,
			url:         r.URL,
			description: r.Description,
			highlights:  r.ExtraSnippets,
			source:      first(r.Profile.Name, r.MetaURL.Hostname),
			age:         first(r.Age, day(r.PageAge)),
			language:    r.Language,
		})
	}
	a.results = a.results[:min(len(a.results), p.count)]
	return a, nil
}
