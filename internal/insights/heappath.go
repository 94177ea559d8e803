package insights

import (
	"slices"
	"strconv"
	"strings"
)

// unreached is the parent of an object that only weak references lead to; root is that of the roots.
const (
	unreached = ^uint32(0)
	root      = ^uint32(0) - 1
)

// paths returns the edge by which each object is reached on the shortest way: from the page's globals, or from the
// browser's own roots if no way leads from there.
func (h *Heap) paths() (parents []uint32) {
	parents = make([]uint32, len(h.nodes))
	for i := range parents {
		parents[i] = unreached
	}
	parents[0] = root
	var globals, others []uint32
	from, to := h.edgesOf(0)
	for i := from; i < to; i++ {
		if e := &h.edges[i]; h.nodeType(&h.nodes[e.to]) == "synthetic" {
			others = append(others, i)
		} else if h.edgeType(e) != "weak" {
			globals = append(globals, i)
		}
	}
	seen := map[uint32]bool{}
	for i := range h.edges { // what pages call window is listed among the handles of the browser
		if to := h.edges[i].to; !seen[to] && h.isWindow(&h.nodes[to]) {
			seen[to] = true
			globals = append(globals, uint32(i))
		}
	}
	h.spread(parents, globals)
	h.spread(parents, others)
	return parents
}

// isWindow reports whether a node is the global object of a document's scripts.
func (h *Heap) isWindow(n *node) bool {
	name := h.text(n.name)
	return h.nodeType(n) == "object" && (strings.HasPrefix(name, "Window /") || strings.HasPrefix(name, "Window (global"))
}

func (h *Heap) edgesOf(n uint32) (from, to uint32) {
	to = uint32(len(h.edges))
	if int(n)+1 < len(h.nodes) {
		to = min(to, h.nodes[n+1].edges)
	}
	return min(h.nodes[n].edges, to), to
}

// spread follows edges, and those of what they lead to, breadth first. Named references come before others.
func (h *Heap) spread(parents, edges []uint32) {
	var queue []uint32
	reach := func(i uint32) {
		if to := h.edges[i].to; parents[to] == unreached {
			parents[to] = i
			queue = append(queue, to)
		}
	}
	for _, i := range edges {
		reach(i)
	}
	for at := 0; at < len(queue); at++ {
		from, to := h.edgesOf(queue[at])
		for _, named := range []bool{true, false} {
			for i := from; i < to; i++ {
				switch h.edgeType(&h.edges[i]) {
				case "property", "element", "context":
					if named {
						reach(i)
					}
				case "weak":
				default:
					if !named {
						reach(i)
					}
				}
			}
		}
	}
}

// way returns the path to an object, and the variable or property that keeps it: the first one on the way from the page
// that has a name.
func (h *Heap) way(parents []uint32, to uint32) (path []string, holder string) {
	var edges []uint32
	for at := to; parents[at] < root; {
		i := parents[at]
		edges = append(edges, i)
		if h.isWindow(&h.nodes[at]) {
			break // what has it is the browser
		}
		at = h.ownerOf(i)
	}
	slices.Reverse(edges)
	for n, i := range edges {
		e := &h.edges[i]
		name := h.nameOf(&h.nodes[e.to])
		label := h.label(e)
		switch {
		case h.isWindow(&h.nodes[e.to]):
			path = append(path, "window")
		case n == 0 || h.nodeType(&h.nodes[h.ownerOf(i)]) == "synthetic": // a list of the browser's
			if h.nodeType(&h.nodes[e.to]) != "synthetic" && !strings.HasPrefix(name, "system /") {
				path = append(path, name)
			}
		case label != "":
			if holder == "" && !strings.HasPrefix(label, "[") {
				holder = strings.TrimPrefix(label, ".")
			}
			path = append(path, strings.TrimSpace(label+" "+name))
		}
	}
	if len(path) == 0 {
		path = append(path, h.nameOf(&h.nodes[to]))
	}
	const most = 8
	if len(path) > most {
		path = append(append(slices.Clone(path[:most/2]), "…"), path[len(path)-most/2:]...)
	}
	if holder == "" {
		holder = "the browser"
	}
	return path, holder
}

// ownerOf returns the node that an edge begins at.
func (h *Heap) ownerOf(e uint32) uint32 {
	i, found := slices.BinarySearchFunc(h.nodes, e, func(n node, e uint32) int {
		if n.edges <= e {
			return -1
		}
		return 1
	})
	_ = found // the first node whose edges begin behind it: the one before it has it
	return uint32(i - 1)
}

// label is how a script writes a reference; empty means scripts cannot.
func (h *Heap) label(e *edge) string {
	switch h.edgeType(e) {
	case "property":
		if name := h.text(e.name); name != "" && name != "__proto__" && name != "constructor" {
			return "." + clip(name, 40)
		}
	case "element":
		return "[" + strconv.Itoa(int(e.name)) + "]"
	case "context":
		return clip(h.text(e.name), 40)
	}
	return ""
}
