package task

// EffectKind is what kind of thing is looked at.
type EffectKind string

// The kinds of effects.
const (
	Downloaded EffectKind = "download" // a file that a step of the task saved is on the disk; Text, when set, is in its name or its content
	AtPage     EffectKind = "page"     // the tab is at an address that has Text in it, or whose summary meets Goal
	HasValue   EffectKind = "value"    // the field at Selector holds Text
	HasText    EffectKind = "text"     // what is at Selector, the page when it is empty, shows Text
)

// Effect is something that can be seen when a goal is reached. All members that are set have to hold.
type Effect struct {
	Kind     EffectKind `json:"kind"`
	Text     string     `json:"text,omitempty"`
	Selector string     `json:"selector,omitempty"`
	Goal     string     `json:"goal,omitempty"`    // as package goal reads it
	Changed  bool       `json:"changed,omitempty"` // of a page: it is not what it was when the plan was made
}

// Verified is an effect that was looked for.
type Verified struct {
	Effect
	OK   bool   `json:"ok"`
	Seen string `json:"seen"` // what was seen: a path with a size, an address, a text
}
