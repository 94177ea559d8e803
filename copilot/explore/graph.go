package explore

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// State is the state of a node.
type State string

// The states.
const (
	Seen       State = "page"     // it was opened, and its page read
	Failed     State = "error"    // it could not be opened or read
	Redirected State = "redirect" // it leads to another address, to which an edge goes
	File       State = "file"     // it is saved and not shown; what only looks so was not opened
)

// Node is an address that the search came to.
type Node struct {
	ID     string  `json:"id"` // "n1" is where the search began; they are numbered in the order in which links ranked
	URL    string  `json:"url"`
	State  State   `json:"state"`
	Title  string  `json:"title,omitempty"`
	Depth  int     `json:"depth"`            // links from the page where the search began
	Status int     `json:"status,omitempty"` // HTTP
	Error  string  `json:"error,omitempty"`
	Score  float64 `json:"score"` // how near it comes to the goal
	Goal   bool    `json:"goal,omitempty"`
	Why    string  `json:"why,omitempty"` // what speaks for it
	Tab    string  `json:"tab,omitempty"` // of one that stayed open

	// What the page offers, in a word each: purposes of its forms, kinds of its actions, its collections with their
	// fields.
	Forms       []string       `json:"forms,omitempty"`
	Actions     []string       `json:"actions,omitempty"`
	Collections []string       `json:"collections,omitempty"`
	LoginState  pcd.LoginState `json:"loginState,omitempty"`

	Summary *pcd.Summary `json:"-"` // of a page that was read; its ids mean nothing to commands
}

// EdgeKind says what leads from one node to another.
type EdgeKind string

// The kinds of edges.
const (
	ByLink     EdgeKind = "link"
	ByRedirect EdgeKind = "redirect"
)

// Edge leads from one node to another.
type Edge struct {
	From  string   `json:"from"`
	To    string   `json:"to"`
	Kind  EdgeKind `json:"kind"`
	Label string   `json:"label,omitempty"` // of the link
	Taken bool     `json:"taken,omitempty"` // the search came to the node this way first
}

// Graph is what a search has seen of a site. Of two links from one page to another the first is an edge.
type Graph struct {
	Nodes []*Node `json:"nodes"`
	Edges []Edge  `json:"edges"`

	byAddress map[string]*Node // by canonical address
}

// Node returns the node of an address, or nil.
func (g *Graph) Node(address string) *Node { return g.byAddress[Canonical(address)] }

// describe writes what a summary says into the node.
func (n *Node) describe(s *pcd.Summary) {
	n.Title, n.LoginState, n.Summary = s.Title, s.LoginState, s
	for _, f := range s.Forms {
		if f.Purpose != "" && !f.Unseen {
			n.Forms = addOnce(n.Forms, f.Purpose)
		}
	}
	for _, a := range s.Actions {
		if a.Kind != "" && !a.Unseen {
			n.Actions = addOnce(n.Actions, a.Kind)
		}
	}
	for _, c := range s.Collections {
		n.Collections = addOnce(n.Collections, c.Name+"("+strings.Join(c.ItemFields, ", ")+")")
	}
}

func addOnce(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// path returns the taken edges that lead to a node, the first one first.
func (g *Graph) path(to *Node) []Edge {
	var back []Edge
	for id := to.ID; ; {
		found := false
		for _, e := range g.Edges {
			if e.To == id && e.Taken {
				back, id, found = append(back, e), e.From, true
				break
			}
		}
		if !found || len(back) > len(g.Nodes) {
			break
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
