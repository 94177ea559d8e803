package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// exa is Exa.
type exa struct{ base string }

func (exa) name() string { return "Exa" }

func (exa) limit(p params) time.Duration {
	if strings.HasPrefix(p.searchType, "deep") {
		return deepLimit
	}
	return usualLimit
}

// exaRequest is the body of a request.
type exaRequest struct {
	Query              string      `json:"query"`
	Type               string      `json:"type"`
	NumResults         int         `json:"numResults"`
	Contents           exaContents `json:"contents"`
	UserLocation       string      `json:"userLocation,omitempty"`
	Moderation         bool        `json:"moderation,omitempty"`
	StartPublishedDate string      `json:"startPublishedDate,omitempty"`
}

type exaContents struct {
	Highlights bool `json:"highlights"`
}

const exaMostResults = 100

// freshDays is how many days back each freshness goes.
var freshDays = map[string]int{"pd": 1, "pw": 7, "pm": 31, "py": 365}

const timestamp = "2006-01-02T15:04:05.000Z"

func (e exa) request(ctx context.Context, p params, key string, now time.Time) (*http.Request, error) {
	// This API has no offset: the results to skip are requested, too.
	asked := exaRequest{
		Query:      p.query,
		Type:       p.searchType,
		NumResults: min(p.count+p.offset, exaMostResults),
		Contents: exaContents{
			Highlights: true,
		},
		UserLocation: p.country,
		Moderation:   p.safesearch == "moderate" || p.safesearch == "strict",
	}
	if days, ok := freshDays[p.freshness]; ok {
		asked.StartPublishedDate = now.UTC().AddDate(0, 0, -days).Format(timestamp)
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base+"/search", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-api-key", key)
	return request, nil
}

// exaAnswer is what is read of an answer.
type exaAnswer struct {
	RequestID        string `json:"requestId"`
	AutopromptString string `json:"autopromptString"`
	Results          []struct {
		Title         string   `json:"title"`
		URL           string   `json:"url"`
		PublishedDate string   `json:"publishedDate"`
		Author        string   `json:"author"`
		Highlights    []string `json:"highlights"`
		Summary       string   `json:"summary"`
	} `json:"results"`
}

func (exa) read(body []byte, p params, clean cleaner) (answer, error) {
	var reply exaAnswer
	if err := json.Unmarshal(body, &reply); err != nil {
		return answer{}, fmt.Errorf("its answer is not of the documented form")
	}
	a := answer{returnedQuery: reply.AutopromptString, requestID: reply.RequestID, searchType: p.searchType}
	from, to := min(p.offset, len(reply.Results)), min(p.offset+p.count, len(reply.Results))
	for _, r := range reply.Results[from:to] {
		description := r.Summary
		if description == "" && len(r.Highlights) > 0 {
			description = r.Highlights[0]
		}
		a.results = clean.add(a.results, raw{
			title:       r.Title,
			url:         r.URL,
			description: description,
			highlights:  r.Highlights,
			source: first(r.Author,
				host(r.URL)),
			age: day(r.PublishedDate),
		})
	}
	return a, nil
}
