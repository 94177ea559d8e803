package task

import "slices"

// EffectKind is what kind of thing is looked at.
type EffectKind string

// The kinds of effects. All but the first five are differences from the page before the plan began: what was true
// before proves nothing.
const (
	// a file that a step of the task saved is on the disk; Text, when set, is in its name or its content
	Downloaded EffectKind = "download"
	AtPage     EffectKind = "page"  // the tab is at an address that has Text in it, or whose summary meets Goal
	HasValue   EffectKind = "value" // the field at Selector holds Text
	HasText    EffectKind = "text"  // what is at Selector, the page when it is empty, shows Text
	// the step that chose or typed what cannot be read as a text has seen it in the control at Selector
	Chosen EffectKind = "chosen"

	// another page is shown, or the part of it that Text names; URL is where its link leads
	Reached   EffectKind = "opened"
	Found     EffectKind = "answered"   // the page answers a search for Text
	Sent      EffectKind = "sent"       // a form was sent and the server has answered, or the page says so
	Removed   EffectKind = "removed"    // what Text names is gone, or the page says so
	Ordered   EffectKind = "ordered"    // the site says that it has taken an order; Goal is what else tells so
	LoggedIn  EffectKind = "logged-in"  // the page knows the user
	LoggedOut EffectKind = "logged-out" // the page does not know the user any longer

	// the rows of a list are in the order of the column that Text names; Down is the order
	Sorted   EffectKind = "sorted"
	Filtered EffectKind = "filtered" // a list has other rows; where a column is called as Key, each has Text in it
	Paged    EffectKind = "turned"   // a list has other rows, or more
	InCart   EffectKind = "cart"     // the page says that Text is in the cart, or its cart has more in it
	Unsent   EffectKind = "unsent"   // the control that Text is the label of is there, and no step has pressed it
)

// Effect is something that can be seen when a goal is reached. All members that are set have to hold.
type Effect struct {
	Kind     EffectKind `json:"kind"`
	Text     string     `json:"text,omitempty"`
	Selector string     `json:"selector,omitempty"`
	Goal     string     `json:"goal,omitempty"`    // as package goal reads it
	Changed  bool       `json:"changed,omitempty"` // of a page: it did not meet Goal before the plan was begun
	Key      string     `json:"key,omitempty"`     // of a filter: what it is by
	Down     bool       `json:"down,omitempty"`    // of an order: the largest first
	URL      string     `json:"url,omitempty"`     // where the link leads that opens it
	// what is removed is one of several things on the page, not what the whole page is about
	Item  bool `json:"item,omitempty"`
	Count int  `json:"count,omitempty"` // of a download: how many files; 0 is one
	// of a download: one of these is in its name, its content, or what was pressed for it
	Any []string `json:"any,omitempty"`
}

// Verified is an effect that was looked for.
type Verified struct {
	Effect
	OK   bool   `json:"ok"`
	Seen string `json:"seen"` // what was seen: a path with a size, an address, a text
}

// ofList reports whether an effect is one of the rows of a list.
func (k EffectKind) ofList() bool { return k == Sorted || k == Filtered || k == Paged }

// ReadsLists reports whether the rows of lists are a part of the effect's proof.
func (e Effect) ReadsLists() bool {
	return e.Kind.ofList() || e.Kind == Found || e.Kind == Removed && e.Item
}

// OfAct reports whether the effect is one of the last step that acts, and not of all that a plan does.
func (e Effect) OfAct() bool { return e.Differs() && !e.Kind.ofList() }

// Differs reports whether the effect is a difference, for which the page before has to be known.
func (e Effect) Differs() bool {
	return e.Changed || e.Kind.ofList() ||
		slices.Contains([]EffectKind{Reached, Found, Sent, Ordered, Removed, LoggedIn, LoggedOut, InCart}, e.Kind)
}
