package annotations

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine"
)

// The data of the replies.

// Who made an annotation.
const (
	byPerson = "person"
	byAgent  = "agent"
)

// The state of a page since it was pictured.
const (
	pageSame     = "same"     // it is as pictured
	pageScrolled = "scrolled" // it was scrolled only
	pageChanged  = "changed"  // elements below the marks moved, or are not seen any longer
	pageLeft     = "left"     // the document is another one
	pageClosed   = "closed"   // the tab is
	pageUnknown  = "unknown"  // it did not answer
)

// The state of an element.
const (
	elementMoved  = "moved"
	elementUnseen = "unseen" // it is gone, hidden, or in a frame that did not answer
)

// Annotations are the annotations of a person and of the agents.
type Annotations struct {
	Annotations []Annotation `json:"annotations"`
	Path        string       `json:"path,omitempty"`    // the newest picture that was not read before
	Waiting     bool         `json:"waiting,omitempty"` // of `annotations wait`: nothing came in its time
	Lost        int          `json:"lost,omitempty"`    // of persons, dropped for newer ones before they were read
}

// AddFacts reports where the newest picture is.
func (a Annotations) AddFacts(f *fact.Facts) { f.Files.Path, f.Files.Picture = a.Path, true }

// Annotation is one picture with what a person drew and wrote on it, or one mark that an agent shows.
type Annotation struct {
	ID    string `json:"id"`
	By    string `json:"by"` // person or agent
	Tab   string `json:"tab"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	AgeMS int64  `json:"ageMs"`
	Text  string `json:"text,omitempty"` // the words of its author, about the whole

	Picture *Picture `json:"picture,omitempty"` // with the marks drawn in
	Page    string   `json:"page,omitempty"`    // since it was pictured: same, scrolled, changed, left, closed or unknown
	Moves   bool     `json:"moves,omitempty"`   // the page did not keep still while it was pictured
	Marks   []Mark   `json:"marks,omitempty"`

	Target string `json:"target,omitempty"` // of an agent's: the selector or ref
	// of an agent's: where it is now, in CSS pixels from the document's top left corner; absent: it is not in the page
	Rect *engine.Rect `json:"rect,omitempty"`
}

// Picture is a file, and what it shows.
type Picture struct {
	files.SavedFile
	Shot   string      `json:"shot"`   // for `click --at x,y --shot s3`
	Width  int         `json:"width"`  // in pixels of the picture
	Height int         `json:"height"` //
	Scale  float64     `json:"scale"`  // pixels of the picture for each CSS pixel
	Area   engine.Rect `json:"area"`   // what of the page it shows, in CSS pixels from the document's top left corner
}

// Mark is one thing that a person drew.
type Mark struct {
	Number   int           `json:"number"` // in the picture
	Kind     string        `json:"kind"`   // box, point or arrow
	Rect     engine.Rect   `json:"rect"`   // in CSS pixels from the document's top left corner
	Tip      *engine.Point `json:"tip,omitempty"`
	Text     string        `json:"text,omitempty"` // the person's words
	Elements []Element     `json:"elements"`
	More     int           `json:"more,omitempty"` // elements below it that are not listed
	None     string        `json:"none,omitempty"` // why there are no elements
}

// Element is one below a mark. Its role, name and text are the page's words.
type Element struct {
	Ref  string       `json:"ref"`
	Role string       `json:"role"`
	Name string       `json:"name,omitempty"`
	Text string       `json:"text,omitempty"` // of one without a name
	Rect engine.Rect  `json:"rect"`           // when it was pictured
	Now  *engine.Rect `json:"now,omitempty"`  // if it has moved
	Is   string       `json:"is,omitempty"`   // moved or unseen; absent: as pictured
}

// Shown is a mark that is shown to the person.
type Shown struct {
	ID       string      `json:"id"`
	Tab      string      `json:"tab"`
	Text     string      `json:"text"`
	Rect     engine.Rect `json:"rect"`
	Watching bool        `json:"dashboard"` // the dashboard runs, so that a person can see it
}

// Cleared lists what was removed.
type Cleared struct {
	Removed []string `json:"removed"`
}
