package snapshot

import (
	"hash/maphash"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// What frames the pages of a site is shown once: a navigation that has the same links as on a page before is one line
// in a digest.

const (
	fewestKnown = 5  // controls of a part that is worth remembering
	mostKnown   = 32 // parts of a tab that are remembered
)

// framing are the roles of places that are often the same on all pages of a site.
var framing = map[string]bool{"navigation": true, "banner": true, "contentinfo": true, "complementary": true}

// knownPart is a part of a page that a digest has shown.
type knownPart struct {
	sum uint64
	doc string // the document that it was in
	url string
}

// framingPart is a part of this page that later digests leave out, if the budget of this one has room for all of it.
type framingPart struct {
	at       int32
	sum      uint64
	controls int
}

var knownSeed = maphash.MakeSeed()

// foldKnown leaves out the parts that a digest of another document has shown, and notes those that this one shows.
func (d *digester) foldKnown() {
	if len(d.o.Scope) > 0 || d.o.Search.Text != "" || d.o.Viewport || d.o.Depth >= 0 {
		return
	}
	for i := int32(0); i < int32(len(d.nodes)); i++ {
		n := &d.nodes[i]
		if !framing[n.Role] || n.Doc != 0 || n.Token == 0 {
			continue
		}
		sum, controls, noun := d.sumOf(i)
		if controls < fewestKnown {
			continue
		}
		if at := slices.IndexFunc(d.o.known, func(p knownPart) bool { return p.sum == sum && p.doc != d.o.doc }); at >= 0 {
			for j := i + 1; j < n.End; j++ {
				d.keep[j] = false
			}
			d.omitted[i] = &omission{count: controls, noun: noun, same: addressFrom(d.o.url, d.o.known[at].url)}
			i = n.End - 1
			continue
		}
		d.parts = append(d.parts, framingPart{at: i, sum: sum, controls: controls})
	}
}

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

// sumOf identifies a part by the controls in it. It has none if there is more in it than what leads elsewhere or opens
// something.
func (v *view) sumOf(at int32) (sum uint64, controls int, noun string) {
	var hash maphash.Hash
	hash.SetSeed(knownSeed)
	noun = "link"
	for i := at + 1; i < v.nodes[at].End; i++ {
		n := &v.nodes[i]
		switch {
		case !v.keep[i] || n.Role == axtree.RoleStaticText || n.Ref == 0:
			continue
		case joinable[n.Role] == "":
			return 0, 0, ""
		case n.Role != "link":
			noun = "control"
		}
		controls++
		_, _ = hash.WriteString(n.Role)
		_ = hash.WriteByte('\t')
		_, _ = hash.WriteString(n.Name)
		_ = hash.WriteByte('\n')
	}
	return hash.Sum64(), controls, noun
}

// shownParts identifies the parts whose controls all have a line.
func (v *view) shownParts() (sums []uint64) {
	for _, p := range v.parts {
		if _, shown, _ := v.sumOf(p.at); shown == p.controls {
			sums = append(sums, p.sum)
		}
	}
	return sums
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
func (r *Refs) know(tab, doc, url string, parts []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if view == nil {
		return
	}
	for _, sum := range parts {
		view.known = slices.DeleteFunc(view.known, func(old knownPart) bool { return old.sum == sum })
		view.known = slices.Insert(view.known, 0, knownPart{sum: sum, doc: doc, url: url})
	}
	view.known = view.known[:min(len(view.known), mostKnown)]
}
