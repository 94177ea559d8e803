package look

import "encoding/json"

// The data of the replies. Keys that agent-browser has are spelled as it spells them. Origin is the address of the page that was looked at.

// TextResult is that of `get text`.
type TextResult struct {
	Origin string `json:"origin"`
	Text   string `json:"text"`
}

// HTMLResult is that of `get html`.
type HTMLResult struct {
	HTML string `json:"html"`
}

// ValueResult is that of `get value`.
type ValueResult struct {
	Hidden bool   `json:"hidden,omitempty"` // the field does not show its value, and neither does this
	Length *int   `json:"length,omitempty"` // of a hidden value
	Value  string `json:"value"`
}

// AttributeResult is that of `get attr`: a string, or null for an attribute that is not there.
type AttributeResult struct {
	Origin string `json:"origin"`
	Value  any    `json:"value"`
}

// TitleResult is that of `get title`.
type TitleResult struct {
	Title string `json:"title"`
}

// URLResult is that of `get url`.
type URLResult struct {
	URL string `json:"url"`
}

// CountResult is that of `get count`.
type CountResult struct {
	Count    int    `json:"count"`
	Selector string `json:"selector"`
}

// StylesResult is that of `get styles`: the computed values by property.
type StylesResult struct {
	Styles map[string]any `json:"styles"`
}

// DatasetResult is that of `get dataset`: the data-* attributes by their names in the DOM property dataset, such as userId for data-user-id.
type DatasetResult struct {
	Dataset map[string]string `json:"dataset"`
	Origin  string            `json:"origin"`
}

// StateResult is that of `is`: the one state that was asked for.
type StateResult struct {
	Checked *bool  `json:"checked,omitempty"`
	Enabled *bool  `json:"enabled,omitempty"`
	Origin  string `json:"origin"`
	Visible *bool  `json:"visible,omitempty"`
}

// EvalResult is that of `eval`.
type EvalResult struct {
	DialogOpened   bool            `json:"dialogOpened,omitempty"`
	Origin         string          `json:"origin"`
	Result         json.RawMessage `json:"result"`                   // null where JSON has no word for it
	Unserializable string          `json:"unserializable,omitempty"` // "NaN", "undefined" and so on
}
