package fact

import (
	"reflect"
	"strings"

	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/walls"
)

// Reports are the members that the data of a reply may have beside those of its command, because of what happened when
// it ran.
type Reports struct {
	AlsoMatched []MatchedReport `json:"alsoMatched,omitempty"` // the same as matched, of the command's other targets
	// refs whose element has another role or name than was shown
	Changed     []RefReport         `json:"changed,omitempty"`
	Effect      *Effects            `json:"effect,omitempty"`      // what the command led to
	Healed      []RefReport         `json:"healed,omitempty"`      // refs that name an equal element now
	InitScripts []InitScript        `json:"initScripts,omitempty"` // scripts that documents get from now on
	Matched     *MatchedReport      `json:"matched,omitempty"`     // which of several elements was taken
	Observed    *snapshot.DeltaData `json:"observed,omitempty"`    // with --observe: what has changed on the page
	Wall        *walls.Wall         `json:"wall,omitempty"`        // what keeps a visitor from the page that this led to
}

// Without returns the reports except those whose members the data of the command has itself.
func (r Reports) Without(has func(member string) bool) Reports {
	v := reflect.ValueOf(&r).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); has(name) {
			v.Field(i).SetZero()
		}
	}
	return r
}

// MatchedReport is what the data of a reply says of a selector that matches several elements: how many, and which of
// them was taken.
type MatchedReport struct {
	Selector string `json:"selector"`
	Count    int    `json:"count"`
	Index    int    `json:"index"` // from 0
	Role     string `json:"role"`
	Name     string `json:"name"`
}

// SeenAs is how an element was shown to the caller.
type SeenAs struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// AdjacentText is the first text beside an element, when the caller saw it and now.
type AdjacentText struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

// RefReport is what the data of a reply says of a ref that healed, or whose element has another role or name than the
// caller was shown.
type RefReport struct {
	Ref    string        `json:"ref"`
	Role   string        `json:"role"`
	Name   string        `json:"name"`
	Was    *SeenAs       `json:"was,omitempty"`
	Beside *AdjacentText `json:"beside,omitempty"`
}

// InitScript is a script that documents get before their own run.
type InitScript struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int    `json:"size"`
}
