package navigate

import "github.com/skua-browser/skua/actions/fact"

// The data of the replies. Keys that agent-browser has are spelled as it spells them.

// OpenResult is the result of `open` with an address.
type OpenResult struct {
	TargetID string `json:"targetId"`
	Title    string `json:"title"`
	URL      string `json:"url"` // that the page has, after redirects
}

// AddFacts reports that the page is shown.
func (r OpenResult) AddFacts(f *fact.Facts) { f.Page = fact.Shown{Title: r.Title, URL: r.URL} }

// LaunchResult is the result of `open` without an address.
type LaunchResult struct {
	Launched          bool `json:"launched"`
	RelaunchedBrowser bool `json:"relaunchedBrowser"`
	Reused            bool `json:"reused"` // there was a browser
}

// AddressResult is the result of `back`, `forward`, `reload` and `pushstate`: the address of the page now.
type AddressResult struct {
	URL string `json:"url"`
}

// AddFacts reports that the page is shown.
func (r AddressResult) AddFacts(f *fact.Facts) { f.Page.URL = r.URL }
