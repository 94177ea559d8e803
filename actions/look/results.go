package look

import (
	"encoding/json"

	"github.com/skua-browser/skua/actions/fact"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them. Origin is the address of the page
// that was looked at.

// TextResult is the result of `get text`.
type TextResult struct {
	Origin string `json:"origin"`
	Text   string `json:"text"`
}

// HTMLResult is the result of `get html`.
type HTMLResult struct {
	HTML string `json:"html"`
}

// ValueResult is the result of `get value`.
type ValueResult struct {
	Hidden bool   `json:"hidden,omitempty"` // the field does not show its value, and neither does this
	Length *int   `json:"length,omitempty"` // of a hidden value
	Value  string `json:"value"`
}

// AttributeResult is the result of `get attr`. The value is null if there is no such attribute.
type AttributeResult struct {
	Origin string  `json:"origin"`
	Value  *string `json:"value"`
}

// TitleResult is the result of `get title`.
type TitleResult struct {
	Title string `json:"title"`
}

// AddFacts reports the title of the page that is shown.
func (r TitleResult) AddFacts(f *fact.Facts) { f.Page.Title = r.Title }

// URLResult is the result of `get url`.
type URLResult struct {
	URL string `json:"url"`
}

// AddFacts reports that the page is shown.
func (r URLResult) AddFacts(f *fact.Facts) { f.Page.URL = r.URL }

// CountResult is the result of `get count`.
type CountResult struct {
	Count    int    `json:"count"`
	Selector string `json:"selector"`
}

// StylesResult is the result of `get styles`: the computed values by property.
type StylesResult struct {
	Styles map[string]string `json:"styles"`
}

// BoxResult is the result of `get box`, in CSS pixels of the viewport.
type BoxResult struct {
	Height float64 `json:"height"`
	Width  float64 `json:"width"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

// DatasetResult is the result of `get dataset`: the data-* attributes by their names in the DOM property dataset, such
// as userId for data-user-id.
type DatasetResult struct {
	Dataset map[string]string `json:"dataset"`
	Origin  string            `json:"origin"`
}

// VisibleResult is the result of `is visible`.
type VisibleResult struct {
	Origin  string `json:"origin"`
	Visible bool   `json:"visible"`
}

// EnabledResult is the result of `is enabled`.
type EnabledResult struct {
	Enabled bool   `json:"enabled"`
	Origin  string `json:"origin"`
}

// CheckedResult is the result of `is checked`.
type CheckedResult struct {
	Checked bool   `json:"checked"`
	Origin  string `json:"origin"`
}

// EvalResult is the result of `eval`.
type EvalResult struct {
	DialogOpened   bool            `json:"dialogOpened,omitempty"`
	Origin         string          `json:"origin"`
	Result         json.RawMessage `json:"result"`                   // null where JSON has no word for it
	Unserializable string          `json:"unserializable,omitempty"` // "NaN", "undefined" and so on
}

// AddFacts reports in which page the script ran.
func (r EvalResult) AddFacts(f *fact.Facts) { f.Page.URL = r.Origin }
