package snapshot

import (
	"hash/maphash"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// What frames the pages of a site is shown once: a navigation that has the same links as on a page before, or that is as the agent has seen it on
// this page, is one line in a digest.

const (
	fewestKnown = 5   // controls of a part that is worth remembering
	mostKnown   = 32  // parts of a tab that are remembered
	maxSameURL  = 100 // bytes of an address
)

// framing are the roles of places that are often the same on all pages of a site.
var framing = map[string]bool{"navigation": true, "banner": true, "contentinfo": true, "complementary": true}

// knownPart is a part of a page that a digest has shown.
type knownPart struct {
	sum   uint64 // of the controls
	lines uint64 // of all that was said of them, refs included
	doc   string // the document that it was in
	url   string
}

// isKnownIn reports whether the part p is told by naming what was shown before: of the same document only if nothing of it changed.
func (p knownPart) isKnownIn(before knownPart, doc string) bool {
	return p.sum == before.sum && (before.doc != doc || p.lines == before.lines)
}

// shownPart is a part that this digest shows, if its budget has room for all of it.
type shownPart struct {
	knownPart
	at       int32
	controls int
}

var knownSeed = maphash.MakeSeed()

// foldKnown leaves out the parts that a digest has shown, and notes those that this one shows.
func (v *view) foldKnown() {
	if v.o.Afresh || len(v.o.Scope) > 0 || v.o.Search != "" || v.o.Viewport || v.o.Depth >= 0 {
		return
	}
	for i := int32(0); i < int32(len(v.nodes)); i++ {
		n := &v.nodes[i]
		if !framing[n.Role] || n.Doc != 0 || n.Token == 0 {
			continue
		}
		part, noun := v.partAt(i)
		if part.controls < fewestKnown {
			continue
		}
		at := slices.IndexFunc(v.o.known, func(before knownPart) bool { return part.isKnownIn(before, v.o.doc) })
		if at < 0 {
			v.parts = append(v.parts, part)
			continue
		}
		x := &omission{count: part.controls, noun: noun, same: sameBefore}
		if before := v.o.known[at]; before.doc != v.o.doc {
			x.same = "on " + wording.ClipBytes(addressFrom(v.o.url, before.url), maxSameURL)
		}
		v.omitted[i] = x
		for j := i + 1; j < n.End; j++ {
			v.keep[j] = false
		}
		i = n.End - 1
	}
}

// sameBefore says of a part where it was the same, and that its refs hold.
const sameBefore = "before, with the same refs"

// addressFrom returns an address as a page says it: without the origin, if that is the page's own.
func addressFrom(page, address string) string {
	from, err := url.Parse(page)
	if err != nil || from.Host == "" {
		return address
	}
	if rest, ok := strings.CutPrefix(address, from.Scheme+"://"+from.Host); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return address
}

// partAt identifies a part by the controls in it. It has none if there is more in it than what leads elsewhere or opens something.
func (v *view) partAt(at int32) (part shownPart, noun string) {
	var hash, lines maphash.Hash
	hash.SetSeed(knownSeed)
	lines.SetSeed(knownSeed)
	part.at, noun = at, "link"
	var line []byte
	for i := at + 1; i < v.nodes[at].End; i++ {
		n := &v.nodes[i]
		if !v.keep[i] {
			continue
		}
		line = v.appendLine(line[:0], n, 0)
		_, _ = lines.Write(line)
		switch {
		case n.Role == roleStaticText || n.Ref == 0:
			continue
		case joinable[n.Role] == "":
			return shownPart{}, ""
		case n.Role != "link":
			noun = "control"
		}
		part.controls++
		_, _ = hash.WriteString(n.Role)
		_ = hash.WriteByte('\t')
		_, _ = hash.WriteString(n.Name)
		_ = hash.WriteByte('\n')
	}
	part.sum, part.lines = hash.Sum64(), lines.Sum64()
	return part, noun
}

// shownParts are the parts whose controls all have a line.
func (v *view) shownParts() []knownPart {
	var shown []knownPart
	for _, p := range v.parts {
		if now, _ := v.partAt(p.at); now.controls == p.controls {
			shown = append(shown, p.knownPart)
		}
	}
	return shown
}

// knownOf returns the parts that digests of a tab have shown.
func (r *Refs) knownOf(tab string) []knownPart {
	r.mu.Lock()
	defer r.mu.Unlock()
	if view := r.tabs[tab]; view != nil {
		return slices.Clone(view.known)
	}
	return nil
}

// know remembers the parts that a digest has shown, the latest first.
func (r *Refs) know(tab, doc, url string, parts []knownPart) {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if view == nil {
		return
	}
	for _, p := range parts {
		view.known = slices.DeleteFunc(view.known, func(old knownPart) bool { return old.sum == p.sum })
		view.known = slices.Insert(view.known, 0, knownPart{sum: p.sum, lines: p.lines, doc: doc, url: url})
	}
	view.known = view.known[:min(len(view.known), mostKnown)]
}
