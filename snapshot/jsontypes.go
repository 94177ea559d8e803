package snapshot

import "github.com/skua-browser/skua/snapshot/walls"

// The JSON that [Snapshot.AppendJSON] and [Tree.AppendJSON] write, as types for those who read it.

// Data is a snapshot.
type Data struct {
	Origin      string             `json:"origin"` // the page's address
	Page        *PageFacts         `json:"page,omitempty"`
	Refs        map[string]RefData `json:"refs"` // by their names without @
	RemovedRefs []string           `json:"removedRefs"`
	Snapshot    string             `json:"snapshot"` // the text
	Tree        []NodeData         `json:"tree,omitempty"`
	Wall        *walls.Wall        `json:"wall,omitempty"` // what keeps a visitor from the page
}

// DeltaData is a snapshot that says what has changed.
type DeltaData struct {
	Origin   string       `json:"origin"`
	Page     *PageFacts   `json:"page,omitempty"`
	Snapshot DeltaChanges `json:"snapshot"`
	Wall     *walls.Wall  `json:"wall,omitempty"`
}

// PageFacts are those of the header.
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
	Name string `json:"name"`
	Role string `json:"role"`
}

// DeltaChanges are what has changed since a revision, or the whole where there is none.
type DeltaChanges struct {
	BaseRevision int                `json:"baseRevision,omitempty"`
	Changes      []ChangeData       `json:"changes,omitempty"`
	Kind         string             `json:"kind"`           // full, unchanged or delta
	Refs         map[string]RefData `json:"refs,omitempty"` // of a full one
	Revision     int                `json:"revision"`
	Tree         string             `json:"tree,omitempty"`       // of a full one: its text
	TreeChange   *TextChange        `json:"treeChange,omitempty"` // how the lines of the text change
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

// NodeData is a node of the tree.
type NodeData struct {
	ActiveDescendant string     `json:"activeDescendant,omitempty"` // a ref
	Box              *BoxData   `json:"box,omitempty"`
	Busy             bool       `json:"busy,omitempty"`
	Checked          string     `json:"checked,omitempty"` // true, false or mixed
	Children         []NodeData `json:"children,omitempty"`
	Covered          bool       `json:"covered,omitempty"`
	CoveredBy        string     `json:"coveredBy,omitempty"` // a ref
	Current          string     `json:"current,omitempty"`
	Description      string     `json:"description,omitempty"`
	Disabled         bool       `json:"disabled,omitempty"`
	Expanded         string     `json:"expanded,omitempty"` // true, false or mixed
	Focused          bool       `json:"focused,omitempty"`
	HasPopup         string     `json:"haspopup,omitempty"`
	Hints            []string   `json:"hints,omitempty"`
	InView           bool       `json:"inView,omitempty"`
	Invalid          bool       `json:"invalid,omitempty"`
	Level            int        `json:"level,omitempty"`
	Modal            bool       `json:"modal,omitempty"`
	Multiselectable  bool       `json:"multiselectable,omitempty"`
	Name             string     `json:"name,omitempty"`
	Orientation      string     `json:"orientation,omitempty"`
	Placeholder      string     `json:"placeholder,omitempty"`
	Pressed          string     `json:"pressed,omitempty"` // true, false or mixed
	Readonly         bool       `json:"readonly,omitempty"`
	Ref              string     `json:"ref,omitempty"`
	Required         bool       `json:"required,omitempty"`
	Role             string     `json:"role"`
	Secret           bool       `json:"secret,omitempty"`
	Selected         bool       `json:"selected,omitempty"`
	Unseen           string     `json:"unseen,omitempty"` // why a sighted user does not see it
	URL              string     `json:"url,omitempty"`
	Value            string     `json:"value,omitempty"`
	ValueMax         string     `json:"valuemax,omitempty"`
	ValueMin         string     `json:"valuemin,omitempty"`
	ValueText        string     `json:"valuetext,omitempty"`
}

// BoxData is where an element is, in CSS pixels.
type BoxData struct {
	Height float64 `json:"height"`
	Width  float64 `json:"width"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}
