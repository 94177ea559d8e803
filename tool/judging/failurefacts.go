package judging

import (
	"encoding/json"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/contract"
)

// FailureFacts is what the engine's error tells that decides what to do about it. What it does not tell, or tells in
// another form, is zero.
type FailureFacts struct {
	Ref  string `json:"ref"` // of the target, as the three that follow
	Role string `json:"role"`
	Name string `json:"name"`
	Tag  string `json:"tag"`

	Received []json.RawMessage     `json:"received"` // the events that the target got
	Seen     string                `json:"seen"`     // what a field holds
	Dismiss  contract.ShownElement `json:"dismiss"`  // the control that closes what covers the target
	RefTab   string                `json:"refTab"`   // the tab of a ref of another tab

	covering
	on
}

// covering is the element that lies over the target.
type covering struct {
	By     string `json:"by"` // its tag
	ByRole string `json:"byRole"`
	ByName string `json:"byName"`
	ByRef  string `json:"byRef"`
}

func (c *covering) element() contract.ShownElement {
	return contract.ShownElement{Element: c.By, Role: c.ByRole, Name: c.ByName, Ref: c.ByRef}
}

// on is the element that a press reached in place of the target.
type on struct {
	On     string `json:"on"` // its tag
	OnRole string `json:"onRole"`
	OnName string `json:"onName"`
	OnRef  string `json:"onRef"`
}

func (o *on) element() contract.ShownElement {
	return contract.ShownElement{Element: o.On, Role: o.OnRole, Name: o.OnName, Ref: o.OnRef}
}

// FailureFactsOf reads the facts of an error.
func FailureFactsOf(data any) FailureFacts { return fact.Read[FailureFacts](data) }
