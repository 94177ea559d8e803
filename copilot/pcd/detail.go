package pcd

import "encoding/json"

// Selector says how an element is found at the time of a call. It is of kind role, text or css; its JSON is what
// commands take in place of a ref.
type Selector struct {
	Kind           string   `json:"kind"`
	Role           string   `json:"role,omitempty"`
	Name           string   `json:"name,omitempty"`
	NameMode       string   `json:"nameMode,omitempty"` // exact, includes or regex
	Pressed        *bool    `json:"pressed,omitempty"`
	Disabled       *bool    `json:"disabled,omitempty"`
	Text           string   `json:"text,omitempty"`
	CSS            string   `json:"css,omitempty"`
	WithinLandmark Landmark `json:"withinLandmark,omitempty"`
	Nth            *int     `json:"nth,omitempty"` // from 0
	FramePath      []string `json:"framePath,omitempty"`
}

// String returns the selector as a command takes it.
func (s Selector) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		return "" // strings and numbers only
	}
	return string(b)
}

// Detail is how an action, a form, a field or a collection is found.
type Detail struct {
	ID           string     `json:"id"`
	Selector     Selector   `json:"selector"`
	AltSelectors []Selector `json:"altSelectors,omitempty"` // in the order in which they are tried
	Landmark     Landmark   `json:"landmark,omitempty"`
	FramePath    []string   `json:"framePath,omitempty"`
	Label        string     `json:"label,omitempty"`
}

// Candidate is an answer to a query.
type Candidate struct {
	ID       string   `json:"id"`
	Of       string   `json:"of"` // action, form, collection or field
	Label    string   `json:"label"`
	Kind     string   `json:"kind,omitempty"` // an action's kind, a form's purpose, a field's type
	Landmark Landmark `json:"landmark,omitempty"`
	Score    float64  `json:"score"`            // from 0 to 1
	Unseen   bool     `json:"unseen,omitempty"` // a person who looks at the page does not see it
	Role     string   `json:"role,omitempty"`   // of an action
	URL      string   `json:"url,omitempty"`    // where a link leads
}

// Item is one item of a collection.
type Item struct {
	ID      string            `json:"id,omitempty"` // its ref
	Fields  map[string]string `json:"fields"`
	Actions map[string]string `json:"actions,omitempty"` // refs of what can be done with it, by label
}

// Rows are the items of a collection.
type Rows struct {
	CollectionID string   `json:"collectionId"`
	Name         string   `json:"name"`
	Fields       []string `json:"fields"`
	Items        []Item   `json:"items"`
	Total        int      `json:"total"` // items that the list has, as far as the page says
	// Unreached counts the items that could not be read, as far as that is known; Why is empty where none is missing.
	Unreached int       `json:"unreached,omitempty"`
	Why       Unreached `json:"why,omitempty"`
	// ColumnsLeft counts columns that the list says to have and does not draw.
	ColumnsLeft int `json:"columnsLeft,omitempty"`
}

// Unreached says why items of a list were not read.
type Unreached string

// Why items were not read.
const (
	OnOtherPages Unreached = "otherPages"  // the page says that the list has more pages
	NotScrolled  Unreached = "notScrolled" // they are shown by scrolling, which was not wanted
	NotShown     Unreached = "notShown"    // scrolling to the end did not show them
	OutOfTime    Unreached = "time"        // scrolling takes longer
	TooMany      Unreached = "tooMany"     // more than are read at once
)

// Box is where an element is in a screenshot, in CSS pixels from its upper left corner.
type Box struct {
	ID    string  `json:"id"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	W     float64 `json:"w"`
	H     float64 `json:"h"`
	Label string  `json:"label"`
}
