package snapshot

import (
	"encoding/json"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/walls"
)

// The JSON that [Snapshot.AppendJSON] and [axtree.Tree.AppendJSON] write, as types for those who read it.

// Data is a snapshot. The tag short says what is different with --short: never there, or always.
type Data struct {
	Origin      string             `json:"origin"` // the page's address
	Page        *PageFacts         `json:"page,omitempty"`
	Refs        map[string]RefData `json:"refs"` // by their names without @
	RemovedRefs []string           `json:"removedRefs"`
	Snapshot    string             `json:"snapshot,omitempty" short:"never"` // the text with a line for each element; not with --short
	Text        string             `json:"text,omitempty" short:"always"`    // the text as it is printed
	Tree        []axtree.NodeData  `json:"tree,omitempty"`
	Wall        *walls.Wall        `json:"wall,omitempty"` // what keeps a visitor from the page
}

// DeltaData is a snapshot that says what has changed.
type DeltaData struct {
	Origin   string       `json:"origin"`
	Page     *PageFacts   `json:"page,omitempty"`
	Snapshot DeltaChanges `json:"snapshot"`
	Text     string       `json:"text,omitempty" short:"always"` // the changes as they are printed
	Wall     *walls.Wall  `json:"wall,omitempty"`
}

// PageFacts are the facts of the header.
type PageFacts struct {
	Dialog  *RefData `json:"dialog,omitempty"` // an element of the page that is on top as a dialog
	Frame   string   `json:"frame,omitempty"`
	Label   string   `json:"label,omitempty"`
	Loading string   `json:"loading,omitempty"`
	Status  float64  `json:"status,omitempty"`
	Tab     string   `json:"tab"`
	Title   string   `json:"title,omitempty"`
	Tools   []string `json:"tools,omitempty"` // names of those that the page offers to agents, in its words
}

// RefData is what a ref stands for.
type RefData struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	Value string `json:"value,omitempty"` // of a field; a password field has none here
	URL   string `json:"url,omitempty"`   // of a link, with --urls
	Level int    `json:"level,omitempty"` // of a heading
	axtree.StateData
	Box *axtree.BoxData `json:"box,omitempty"` // with --boxes
}

// DeltaChanges are what has changed since a revision, or the whole where there is none.
type DeltaChanges struct {
	BaseRevision int                `json:"baseRevision,omitempty"`
	Changes      []ChangeData       `json:"changes,omitempty" short:"never"` // not with --short
	Kind         string             `json:"kind"`                            // full, unchanged or delta
	Refs         map[string]RefData `json:"refs,omitempty"`                  // of a full one
	Revision     int                `json:"revision"`
	Tree         string             `json:"tree,omitempty" short:"never"`       // of a full one: its text; not with --short
	TreeChange   *TextChange        `json:"treeChange,omitempty" short:"never"` // how the lines of the text change; not with --short
}

// ChangeData is a node that came, went, or says something else.
type ChangeData struct {
	Field string  `json:"field,omitempty"` // of one that says something else
	In    string  `json:"in,omitempty"`    // the ref around one that has none
	Name  string  `json:"name,omitempty"`
	Op    string  `json:"op"` // add, remove or replace
	Ref   string  `json:"ref,omitempty"`
	Role  string  `json:"role,omitempty"`
	Value *string `json:"value,omitempty"`
	Was   *string `json:"was,omitempty"`
}

// TextChange puts lines in the place of others.
type TextChange struct {
	DeleteCount int      `json:"deleteCount"`
	Lines       []string `json:"lines"`
	StartLine   int      `json:"startLine"` // from 0
}

// Typed returns what the JSON form says, as the type of it: [Data], or [DeltaData]. It is made from the snapshot
// itself, since for a large page the way through text takes longer than all else that is done with the reply. A delta,
// a tree and states are read from the text, which alone has them.
func (s *Snapshot) Typed() any {
	if s.Delta != nil {
		return readAs[DeltaData](s)
	}
	if s.view.o.Tree || s.view.o.Printed {
		return readAs[Data](s)
	}
	sorted := s.sorted()
	refs := make(map[string]RefData, len(sorted))
	last := uint32(0)
	for _, n := range sorted {
		if n.Ref == last {
			continue
		}
		last = n.Ref
		refs["e"+strconv.FormatUint(uint64(n.Ref), 10)] = RefData{Name: n.ExactName(), Role: n.Role}
	}
	removed := make([]string, 0, len(s.Removed))
	for _, n := range s.Removed {
		removed = append(removed, "@e"+strconv.FormatUint(uint64(n), 10))
	}
	return Data{
		Origin:      s.URL,
		Page:        s.pageFacts(),
		Refs:        refs,
		RemovedRefs: removed,
		Snapshot:    s.completeText(),
		Wall:        s.Tree.About.Wall,
	}
}

// readAs reads the JSON form into its type.
func readAs[T any](s *Snapshot) (data T) {
	_ = json.Unmarshal(s.AppendJSON(nil), &data) // that it fits is what the tests of the type check
	return data
}
