package pointer

import (
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine"
)

// The data of the replies. Elements are named as the caller spelled them; places are in CSS pixels of the viewport.

// ClickedResult is the result of `click` and `dblclick`.
type ClickedResult struct {
	Element *element.PointElement `json:"element,omitempty"` // what was at the point, with --at
	Clicked string                `json:"clicked"`
	// and keeps the page from reporting the result of the click
	DialogOpened bool `json:"dialogOpened,omitempty"`
	// the event that the page acted on, when that was not a click
	Received string `json:"received,omitempty"`
	// the values of a select that are chosen now, when its option was chosen in place of a click
	Selected []string `json:"selected,omitempty"`
}

// NewTabResult is the result of `click --new-tab`.
type NewTabResult struct {
	Clicked string `json:"clicked"`
	NewTab  bool   `json:"newTab"`
	TabID   string `json:"tabId"`
	URL     string `json:"url"`
}

// AddFacts reports that the page of the new tab is shown.
func (r NewTabResult) AddFacts(f *fact.Facts) { f.Page.URL = r.URL }

// HoveredResult is the result of `hover`.
type HoveredResult struct {
	Element *element.PointElement `json:"element,omitempty"` // as of a click
	Hovered string                `json:"hovered"`
}

// DraggedResult is the result of `drag`.
type DraggedResult struct {
	By      *engine.Point `json:"by,omitempty"`
	Dragged bool          `json:"dragged,omitempty"`
	Drop
	Mode   string       `json:"mode,omitempty"` // "data" when the page began a drag of data, else "pointer"
	Source string       `json:"source,omitempty"`
	Target string       `json:"target,omitempty"`
	Value  *ValueChange `json:"value,omitempty"` // of a slider
}

// Drop is the result of dropping data.
type Drop struct {
	DropEffect string   `json:"dropEffect,omitempty"`
	On         string   `json:"on,omitempty"` // the tag of what took the drop in place of the target
	Types      []string `json:"types,omitzero"`
}

// ValueChange is the value of a slider before and behind a drag.
type ValueChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// DroppedResult is the result of `drop`: how many files.
type DroppedResult struct {
	Drop
	Dropped  int    `json:"dropped"`
	Selector string `json:"selector"`
}

// MovedResult is the result of `mouse move`.
type MovedResult struct {
	Moved bool    `json:"moved"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// PressedResult is the result of `mouse down`.
type PressedResult struct {
	Held    []string `json:"held"` // the buttons that are down
	Pressed bool     `json:"pressed"`
}

// ReleasedResult is the result of `mouse up`.
type ReleasedResult struct {
	Released bool `json:"released"`
}

// Movement is what a gesture scrolled: the innermost box.
type Movement struct {
	Container string                  `json:"container,omitempty"` // empty for the page
	From      *element.ScrollPosition `json:"from,omitempty"`
	Scrolled  bool                    `json:"scrolled"`
	To        *element.ScrollPosition `json:"to,omitempty"`
}

// WheelResult is the result of `mouse wheel`.
type WheelResult struct {
	Movement
	DeltaX float64 `json:"deltaX"`
	DeltaY float64 `json:"deltaY"`
	Taken  string  `json:"taken,omitempty"` // the tag of what took the wheel in a script
}

// ScrolledResult is the result of `scroll` and `scroll to`.
type ScrolledResult struct {
	Movement
	AtEnd   bool `json:"atEnd"`
	AtStart bool `json:"atStart"`
	// why nothing moved: "at-end", "not-scrollable", "taken-back" or "zoomed"
	Reason     string   `json:"reason,omitempty"`
	Scrollable []string `json:"scrollable,omitempty"` // what does scroll that way
}

// ScrolledIntoViewResult is the result of `scrollintoview`.
type ScrolledIntoViewResult struct {
	Moved    bool   `json:"moved"` // it was out of view
	Scrolled string `json:"scrolled"`
}

// TappedResult is the result of `tap`.
type TappedResult struct {
	Clicked string `json:"clicked,omitempty"` // empty when a script took the touch
	Tapped  string `json:"tapped"`
}

// SwipedResult is the result of `swipe`.
type SwipedResult struct {
	Movement
	Distance float64 `json:"distance"`
	Swiped   string  `json:"swiped"` // the direction
}
