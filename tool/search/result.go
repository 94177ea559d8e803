package search

import (
	"fmt"
	"strings"
)

// Result is the outcome of a search.
type Result struct {
	Details
	Text string `json:"-"` // all of it for the model
}

// Details are the outcome as data.
type Details struct {
	Provider      Provider `json:"provider"`
	Query         string   `json:"query"`
	ReturnedQuery string   `json:"returnedQuery"` // what the provider looked for in the end
	Count         int      `json:"count"`         // how many were asked for
	Offset        int      `json:"offset"`
	SearchType    string   `json:"searchType,omitempty"`
	RequestID     string   `json:"requestId,omitempty"`
	FetchedAt     string   `json:"fetchedAt"`
	Results       []Item   `json:"results"`
}

// Item is one result.
type Item struct {
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	Description string   `json:"description,omitempty"`
	Highlights  []string `json:"highlights,omitempty"`
	Source      string   `json:"source,omitempty"`
	Age         string   `json:"age,omitempty"`
	Language    string   `json:"language,omitempty"`
}

// text shows the results to the model.
func (r *Result) text(provider string) string {
	var b strings.Builder
	switch n := len(r.Results); n {
	case 0:
		fmt.Fprintf(&b, "%s found nothing for %q.", provider, r.Query)
	case 1:
		fmt.Fprintf(&b, "%s: 1 result for %q", provider, r.Query)
	default:
		fmt.Fprintf(&b, "%s: %d results for %q", provider, n, r.Query)
	}
	if r.ReturnedQuery != r.Query {
		fmt.Fprintf(&b, " (looked for: %q)", r.ReturnedQuery)
	}
	for i, item := range r.Results {
		fmt.Fprintf(&b, "\n\n%d. %s\n   %s", i+1, item.Title, item.URL)
		var about []string
		for _, word := range []string{item.Source, item.Age} {
			if word != "" {
				about = append(about, word)
			}
		}
		if len(about) > 0 {
			fmt.Fprintf(&b, "\n   %s", strings.Join(about, ", "))
		}
		if item.Description != "" {
			fmt.Fprintf(&b, "\n   %s", item.Description)
		}
		for _, h := range item.Highlights {
			if h != item.Description {
				fmt.Fprintf(&b, "\n   - %s", h)
			}
		}
	}
	return b.String()
}
