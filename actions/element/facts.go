package element

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// The facts of each failure that an op can return. Errors report all of them; these types have those that an error's
// sentence needs.
var (
	_ = inpage.DefineFacts[notFoundFacts](string(fault.SelectorNotFound))
	_ = inpage.DefineFacts[ambiguousFacts](string(fault.SelectorAmbiguous))
	_ = inpage.DefineFacts[reasonFacts](string(fault.SelectorInvalid))
	_ = inpage.DefineFacts[staleRefFacts](string(fault.RefStale))
	_ = inpage.DefineFacts[staleShotFacts](string(fault.ShotStale))
	_ = inpage.DefineFacts[hiddenFacts](string(fault.TargetHidden))
	_ = inpage.DefineFacts[targetFacts](string(fault.TargetDisabled))
	_ = inpage.DefineFacts[targetFacts](string(fault.TargetReadonly))
	_ = inpage.DefineFacts[outsideFacts](string(fault.TargetOutside))
	_ = inpage.DefineFacts[unstableFacts](string(fault.TargetUnstable))
	_ = inpage.DefineFacts[coveredFacts](string(fault.TargetCovered))
	_ = inpage.DefineFacts[unsuitableFacts](string(fault.TargetUnsuitable))
	_ = inpage.DefineFacts[optionFacts](string(fault.OptionNotFound))
	_ = inpage.DefineFacts[notKeptFacts](string(fault.ValueNotKept))
	_ = inpage.DefineFacts[timeoutFacts](string(fault.Timeout))
	_ = inpage.DefineFacts[inpage.None](string(fault.FrameGone))
	_ = inpage.DefineFacts[usageFacts](string(fault.Usage))
)

// targetFacts is what many failures say of their target.
type targetFacts struct {
	Token  int64              `json:"token"`
	Count  int                `json:"count"`
	Index  int                `json:"index"`
	Whole  bool               `json:"whole"`
	Tag    string             `json:"tag"`
	Role   string             `json:"role"`
	Name   string             `json:"name"`
	Healed bool               `json:"healed"`
	Item   string             `json:"item"`
	Called bool               `json:"called"` // its name was given in place of a selector
	Was    *fact.SeenAs       `json:"was"`
	Beside *fact.AdjacentText `json:"beside"`
	Secret bool               `json:"secret"` // what the field holds is not shown
}

// by is the element that is the reason of a failure.
type by struct {
	By      string `json:"by"` // the element in CSS notation: div#cover
	ByRole  string `json:"byRole"`
	ByName  string `json:"byName"`
	ByToken int64  `json:"byToken"`
}

// Met is the element that got an input in the place of its target.
type Met struct {
	On      string `json:"on,omitempty"` // the element in CSS notation; "" if there is none
	OnRole  string `json:"onRole,omitempty"`
	OnName  string `json:"onName,omitempty"`
	OnToken int64  `json:"onToken,omitzero"`
}

// Blamed names the element, which is in a document of a frame.
func (m Met) Blamed(c *actions.Call, frame *engine.Frame, doc string) string {
	return (&OpFailure{}).In(frame, doc).blamed(c, m.On, m.OnRole, m.OnName, m.OnToken)
}

type notFoundFacts struct {
	Count         int      `json:"count"`
	Index         int      `json:"index"`
	RoleCount     int      `json:"roleCount"`
	NameCount     int      `json:"nameCount"`
	NamesSeen     []string `json:"namesSeen"`
	StatesSeen    []string `json:"statesSeen"`
	LandmarksSeen []string `json:"landmarksSeen"`

	OtherRoles []candidate `json:"otherRoles"` // what has the name, and another role
	// the page does not show the text of the group in which it was looked for
	BesideMissing bool `json:"besideMissing"`
}

// candidate is an element that may be meant.
type candidate struct {
	Role     string `json:"role"`
	Name     string `json:"name"`
	Token    int64  `json:"token"`
	Item     string `json:"item"` // what the row or entry around it is about
	Index    int    `json:"index"`
	Element  string `json:"element"`  // the element in CSS notation: button.del
	Landmark string `json:"landmark"` // that it is in
	Visible  bool   `json:"visible"`
}

type ambiguousFacts struct {
	Count      int         `json:"count"`
	Candidates []candidate `json:"candidates"`
}

type reasonFacts struct {
	Reason string `json:"reason"`
}

type staleRefFacts struct {
	Why        string             `json:"why"`
	Item       string             `json:"item"`
	Equal      int                `json:"equal"` // how many elements have its role and name
	Now        *candidate         `json:"now"`
	Beside     *fact.AdjacentText `json:"beside"`
	Candidates []candidate        `json:"candidates"`
}

type staleShotFacts struct {
	Why string       `json:"why"`
	By  engine.Point `json:"by"`
	Met
	Was      string   `json:"was"`
	WasRole  string   `json:"wasRole"`
	WasName  string   `json:"wasName"`
	WasToken int64    `json:"wasToken"`
	From     viewSize `json:"from"`
	To       viewSize `json:"to"`
}

// viewSize is how a viewport shows a page.
type viewSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Ratio  float64 `json:"ratio"` // pixels for each CSS pixel
	Zoom   float64 `json:"zoom"`
}

type hiddenFacts struct {
	targetFacts
	by
	hovering
	Reason string `json:"reason"`
}

type outsideFacts struct {
	targetFacts
	Point    *engine.Point `json:"point"`
	Position *engine.Point `json:"position"`
	Box      engine.Rect   `json:"box"`
	Viewport engine.Rect   `json:"viewport"`
	Frame    *candidate    `json:"frame"` // that is out of view itself
	clippedBy
	hovering
}

type clippedBy struct {
	ClippedBy      string `json:"clippedBy"`
	ClippedByRole  string `json:"clippedByRole"`
	ClippedByName  string `json:"clippedByName"`
	ClippedByToken int64  `json:"clippedByToken"`
}

type unstableFacts struct {
	targetFacts
	From engine.Rect `json:"from"`
	To   engine.Rect `json:"to"`
}

type coveredFacts struct {
	targetFacts
	by
	hovering
	over
	ByInside      string      `json:"byInside"`
	Box           engine.Rect `json:"box"`
	Ancestor      bool        `json:"ancestor"`
	Inert         bool        `json:"inert"`
	PointerEvents string      `json:"pointerEvents"`
	Escape        bool        `json:"escape"`
	Dismiss       *candidate  `json:"dismiss"` // the button that takes it away
	Transition    bool        `json:"viewTransition"`
	EndsIn        *float64    `json:"endsIn"`      // in ms
	Unfocusable   bool        `json:"unfocusable"` // it was to get the focus
}

// over is the whole dialog or banner that lies over an element.
type over struct {
	Over      string `json:"over"`
	OverRole  string `json:"overRole"`
	OverName  string `json:"overName"`
	OverToken int64  `json:"overToken"`
}

type unsuitableFacts struct {
	targetFacts
	Reason     string   `json:"reason"`
	Type       string   `json:"type"` // of an input
	Multiple   bool     `json:"multiple"`
	Values     []string `json:"values"`
	Frames     int      `json:"frames"` // that stand in it
	Inner      string   `json:"inner"`  // a control in it that suits
	InnerRole  string   `json:"innerRole"`
	InnerName  string   `json:"innerName"`
	InnerToken int64    `json:"innerToken"`
	focusedInstead
}

// focusedInstead is what has the focus.
type focusedInstead struct {
	Focused      string `json:"focused"`
	FocusedRole  string `json:"focusedRole"`
	FocusedName  string `json:"focusedName"`
	FocusedToken int64  `json:"focusedToken"`
}

type optionFacts struct {
	targetFacts
	Missing   []string `json:"missing"`
	Reason    string   `json:"reason"`
	Available []option `json:"available"`
}

type option struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Disabled bool   `json:"disabled"`
}

type notKeptFacts struct {
	targetFacts
	Seen   []string `json:"seen"`
	Wanted string   `json:"wanted"`
}

// timeoutFacts is what was seen in place of what was waited for.
type timeoutFacts struct {
	State   string `json:"state"`
	Seen    string `json:"seen"`
	Element string `json:"element"`
	Text    string `json:"text"`
	Shows   string `json:"shows"`
	targetFacts
	by
	Reason string `json:"reason"`

	Loading  bool   `json:"loading"`
	Moving   string `json:"moving"`
	Property string `json:"property"`
	Changed  string `json:"changed"`
	Changes  int    `json:"changes"`
	Ms       int    `json:"ms"`
	Stale    bool   `json:"stale,omitempty"` // the text is shown, but came before the last action
}

type usageFacts struct {
	State string `json:"state"`
}

// Missing is why input that was sent was not received.
type Missing struct {
	Met
	Received string `json:"received,omitempty"`
	Replaced bool   `json:"replaced,omitzero"`
	Removed  bool   `json:"removed,omitzero"`
	Disabled bool   `json:"disabled,omitzero"`
	Blocked  bool   `json:"blocked,omitzero"`
	Lost     bool   `json:"lost,omitzero"`
}

// Refusal is why a drop was not taken.
type Refusal struct {
	Met
	Effect  string `json:"dropEffect"`
	Allowed string `json:"effectAllowed"`
}
