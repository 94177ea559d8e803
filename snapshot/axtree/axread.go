package axtree

import (
	"context"
	"math"

	"github.com/skua-browser/skua/internal/fault"
)

// readAX reads a frame's document from the browser's accessibility tree. Tokens come from the page, so that an element
// has the same ref as in a walk.
func readAX(ctx context.Context, f Frame, arg WalkArg) (reading, error) {
	tree, err := f.AXTree(ctx, arg.Scope)
	if err != nil {
		return reading{}, err
	}
	r := reading{docID: tree.DocID, url: tree.URL}
	items, err := DecodeAX(tree.Reply, tree.Inside)
	if err != nil {
		return r, err
	}
	asked := AskedOf(items)
	elements, err := f.Elements(ctx, tree.DocID, asked)
	if err != nil {
		return r, err
	}
	if len(elements) != len(asked) {
		return r, fault.New(fault.Internal, "frame %s told about %d of %d elements", f.ID(), len(elements), len(asked))
	}
	known := make(map[int64]Element, len(asked))
	for i, id := range asked {
		known[id] = elements[i]
	}
	r.nodes, r.iframes = AxNodes(items, known, arg.Interactive)
	return r, nil
}

// AskedOf returns the backend ids of the elements of which the page has to tell more: those that get a ref, active
// descendants, and plugins, which may be frames.
func AskedOf(items []*axItem) []int64 {
	var ids []int64
	seen := map[int64]bool{0: true}
	add := func(id int64) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, item := range items {
		if item.isRefWorthy() || item.Role == rolePlugin {
			add(item.id)
		}
		add(item.active)
	}
	return ids
}

// AxNodes makes the nodes of a snapshot from the items and the page's description of their elements. Inside a field,
// only the parts that can be acted on are kept, neither its text nor the browser's other parts.
func AxNodes(items []*axItem, known map[int64]Element, interactive bool) (nodes []Node, iframes []int32) {
	nodes = make([]Node, 0, len(items))
	inner := make([]int32, 1, 32) // by depth of an item: the depth that its node would have
	const none = math.MaxInt32
	field := int32(none) // depth of the field that items are in
	for _, item := range items {
		if item.Depth <= field {
			field = none
		}
		n, el := item.Node, known[item.id]
		depth := inner[n.Depth]
		inner = inner[:n.Depth+1]
		if n.Role == rolePlugin && el.Frame {
			n.Role = RoleIframe
		}
		if item.isRefWorthy() || n.Role == RoleIframe {
			n.Token = el.Token
		}
		if n.Token == 0 && (interactive || field != none) {
			inner = append(inner, depth)
			continue
		}
		inner = append(inner, depth+1)
		if field != none {
			n.Name = undoubled(n.Name)
		}
		if el.Field && field == none {
			field = n.Depth
		}
		if el.Secret {
			n.Secret, n.Value = true, ""
		}
		n.Depth = depth
		if active := known[item.active].Token; active != 0 {
			if n.More == nil {
				n.More = &Properties{}
			}
			n.More.Active = active
		}
		if n.Role == RoleIframe {
			iframes = append(iframes, int32(len(nodes)))
		}
		nodes = append(nodes, n)
	}
	SetEnds(nodes)
	return nodes, iframes
}

// undoubled returns a name that the browser tells twice once: it does so for the parts of dates, such as "Day Day".
func undoubled(name string) string {
	half := len(name) / 2
	if len(name)%2 == 1 && name[half] == ' ' && name[:half] == name[half+1:] {
		return name[:half]
	}
	return name
}
