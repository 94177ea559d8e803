package insights

import (
	"cmp"
	"slices"
	"strings"
)

// HeapReport is what one or two heap snapshots say.
type HeapReport struct {
	Compared bool     `json:"compared"` // with an earlier snapshot, of which the numbers with before and the growth are
	Detached Detached `json:"detached"`
	// what there is more of, the most bytes first; of one snapshot: what there is most of
	Growth  []Growth `json:"growth"`
	Objects int      `json:"objects"`
	Before  int      `json:"objectsBefore"`
	Size    int64    `json:"size"`
	SizeWas int64    `json:"sizeBefore"`
}

// Detached are nodes of the DOM that no document has and scripts keep.
type Detached struct {
	Count    int       `json:"count"`
	Before   int       `json:"before"`
	Suspects []Suspect `json:"suspects"` // by what keeps them, the most first
}

// Suspect is a possible leak: something that keeps objects, with the path to one of them.
type Suspect struct {
	Count  int      `json:"count"`
	Holder string   `json:"holder"` // the variable or property that keeps them
	Path   []string `json:"path"`   // from the page to one of the objects
	Sample string   `json:"sample"`
}

// Growth is a kind of objects.
type Growth struct {
	Count  int      `json:"count"` // of those that are new
	Holder string   `json:"holder"`
	Name   string   `json:"name"` // of their class, or the element's tag
	Path   []string `json:"path"`
	Size   int64    `json:"size"` // with what only leads on from them
}

// CompareHeaps says what is new in a snapshot since an earlier one of the same page; before may be nil.
func CompareHeaps(before, now *Heap) *HeapReport {
	known := map[uint32]string{}
	r := &HeapReport{
		Compared: before != nil,
		Growth:   []Growth{},
		Objects:  len(now.nodes),
		Detached: Detached{Suspects: []Suspect{}},
	}
	if before != nil {
		r.Before = len(before.nodes)
		for i := range before.nodes {
			n := &before.nodes[i]
			known[n.id] = before.identity(n)
			r.SizeWas += int64(n.size)
			if before.isDetached(n) {
				r.Detached.Before++
			}
		}
	}
	parents := now.paths()
	kinds, suspects := map[string]*Growth{}, map[string]*Suspect{}
	sample := map[string]uint32{}
	for i := range now.nodes {
		n := &now.nodes[i]
		r.Size += int64(n.size)
		detached := now.isDetached(n)
		if detached {
			r.Detached.Count++
		}
		if known[n.id] == now.identity(n) || parents[i] == unreached {
			continue
		}
		if detached {
			now.suspect(suspects, parents, uint32(i))
		}
		owner := now.classOf(parents, known, uint32(i))
		if owner == unreached {
			continue
		}
		name := now.nameOf(&now.nodes[owner])
		if kinds[name] == nil {
			kinds[name], sample[name] = &Growth{Name: name}, owner
		}
		kinds[name].Size += int64(n.size)
		if owner == uint32(i) {
			kinds[name].Count++
		}
	}
	for name, g := range kinds {
		if g.Count > 0 || g.Size > 0 {
			g.Path, g.Holder = now.way(parents, sample[name])
			r.Growth = append(r.Growth, *g)
		}
	}
	r.Growth = largest(r.Growth, func(g Growth) float64 { return float64(g.Size) }, mostKept)
	for _, s := range suspects {
		r.Detached.Suspects = append(r.Detached.Suspects, *s)
	}
	slices.SortFunc(r.Detached.Suspects, func(a, b Suspect) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Holder, b.Holder))
	})
	r.Detached.Suspects = r.Detached.Suspects[:min(len(r.Detached.Suspects), mostKept)]
	return r
}

// suspect counts a detached node with what keeps it.
func (h *Heap) suspect(all map[string]*Suspect, parents []uint32, i uint32) {
	path, holder := h.way(parents, i)
	s := all[holder]
	if s == nil {
		s = &Suspect{Holder: holder, Path: path, Sample: h.nameOf(&h.nodes[i])}
		all[holder] = s
	}
	if s.Count++; len(path) < len(s.Path) {
		s.Path, s.Sample = path, h.nameOf(&h.nodes[i])
	}
}

// Text tells the comparison in a few lines, the weightiest first.
func (r *HeapReport) Text() string {
	var l lines
	if r.Compared {
		l.add("%s (%+d) in %s (%s more)", count(r.Objects, "object"), r.Objects-r.Before, size(r.Size),
			size(r.Size-r.SizeWas))
		l.add("detached DOM nodes: %d, before %d", r.Detached.Count, r.Detached.Before)
	} else {
		l.add("%s in %s", count(r.Objects, "object"), size(r.Size))
		l.add("detached DOM nodes: %d", r.Detached.Count)
	}
	for _, s := range r.Detached.Suspects[:min(len(r.Detached.Suspects), 3)] {
		l.add("leak suspect: %s kept by %s", count(s.Count, "detached node"), s.Holder)
		l.under("%s", strings.Join(s.Path, " → "))
	}
	what := "most"
	if r.Compared {
		what = "more"
	}
	for _, g := range r.Growth[:min(len(r.Growth), 6)] {
		l.add("%s: %d %s with %s, kept by %s", what, g.Count, g.Name, size(g.Size), g.Holder)
		if r.Compared {
			l.under("%s", strings.Join(g.Path, " → "))
		}
	}
	if !r.Compared {
		l.add("a second snapshot, after an action, shows what that leaves behind")
	}
	return l.text()
}

// plain are the classes of objects that do not tell what they are for: what they hold counts for the object that has
// them.
var plain = map[string]bool{
	"": true, "Array": true, "Object": true, "Map": true, "Set": true, "WeakMap": true,
	"ArrayBuffer": true, "Promise": true, "system": true,
}

// classOf returns the object that an object belongs to: itself or the nearest one on the way to it that is an element
// or of a class of the page's, else the nearest plain one. Only new ones count. It returns unreached for what is the
// browser's own.
func (h *Heap) classOf(parents []uint32, known map[uint32]string, i uint32) uint32 {
	nearest := unreached
	const farthest = 12
	for at, far := i, 0; far < farthest; far++ {
		n := &h.nodes[at]
		if known[n.id] == h.identity(n) {
			break
		}
		name := h.nameOf(n)
		switch h.nodeType(n) {
		case "object":
			if strings.HasPrefix(name, "system /") || h.isWindow(n) {
				return nearest
			}
			if !plain[name] {
				return at
			}
			if nearest == unreached {
				nearest = at
			}
		case "native":
			if strings.HasPrefix(name, "<") {
				return at
			}
		}
		if parents[at] >= root {
			break
		}
		at = h.ownerOf(parents[at])
	}
	return nearest
}

func (h *Heap) nodeType(n *node) string {
	if int(n.kind) < len(h.nodeTypes) {
		return h.nodeTypes[n.kind]
	}
	return ""
}

func (h *Heap) edgeType(e *edge) string {
	if int(e.kind) < len(h.edgeTypes) {
		return h.edgeTypes[e.kind]
	}
	return ""
}

func (h *Heap) text(i uint32) string {
	if int(i) < len(h.strings) {
		return h.strings[i]
	}
	return ""
}

// nameOf is what the browser calls an object: of an element its tag with its attributes.
func (h *Heap) nameOf(n *node) string {
	return clip(strings.TrimPrefix(h.text(n.name), "Detached "), 60)
}

// isDetached reports whether a node of the DOM is out of its document. The browser marks the wrappers of such nodes,
// and what they keep.
func (h *Heap) isDetached(n *node) bool {
	name := h.text(n.name)
	return h.nodeType(n) == "native" && (n.detached || strings.HasPrefix(name, "Detached ")) && strings.Contains(name, "<")
}

// identity is what an object of one id has to be in two snapshots to be the same: V8 gives the ids of elements that are
// gone to others. An element that has left its document since is not the same.
func (h *Heap) identity(n *node) string {
	name := h.nodeType(n) + " " + h.nameOf(n)
	if h.isDetached(n) {
		return "detached " + name
	}
	return name
}
