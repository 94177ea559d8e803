package replydata

import (
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/shape"
)

// Members are the members that the session adds to the data of a reply.
type Members struct {
	Tab string `json:"tab,omitempty"` // the tab that --tab named
	// with --short: what an action did, as it is printed, unless the data has a text of its own
	Text      string     `json:"text,omitempty"`
	Notices   []string   `json:"notices,omitempty"`   // with --short: what the caller must not miss, one line each
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"` // with --short: only if something happened to the browser
}

// Data is what the data of a command's replies may be.
type Data struct {
	Own   *shape.Type   // of the command itself
	Added []shape.Field // of an object: what all commands of its kind add
	Given string        // the argument or flag with which it is this; empty means that it may be this with any
}

// Of returns what the data of a command's replies may be, without the session's own members, see [Members].
func Of(c *actions.Command) []Data {
	types := c.ResultTypes()
	if len(types) == 0 {
		types = []actions.ResultData{{Empty: struct{}{}}}
	}
	forms := make([]Data, len(types))
	for i, t := range types {
		forms[i] = Data{Own: shape.Of(t.Empty), Given: t.Given}
		if forms[i].Own.Kind != shape.Object || c.Effect.Has(actions.NoBrowser) {
			continue
		}
		for _, f := range shape.Of(fact.Reports{}).Fields {
			if !forms[i].Own.Has(f.Name) {
				forms[i].Added = append(forms[i].Added, f)
			}
		}
	}
	return forms
}

// Check returns what in decoded data is not as it may be, or nil.
func (d *Data) Check(data any) error {
	members, is := data.(map[string]any)
	if d.Own.Kind != shape.Object || !is {
		return d.Own.Check(data)
	}
	return shape.CheckMembers(append(slices.Clip(d.Own.Fields), d.Added...), members)
}
