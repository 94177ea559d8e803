package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// docKey is what makes a document the same one.
type docKey struct{ tab, frame, doc string }

// document holds the refs of one document.
//
// It is stored for size: a page of 10,000 elements must not cost the host megabytes for as long as the tab is open.
// Names lie in one byte slice, roles are numbers, and no entry holds a pointer, so that the garbage collector skips
// them all.
type document struct {
	key     docKey
	url     string
	entries []entry         // ascending by n
	byToken map[int64]int32 // index in entries
	names   []byte
	waste   int    // bytes in names that no entry uses
	live    int    // entries that are live
	walks   uint32 // counts walks, for entry.walk
	seen    uint64 // Refs.clock of the last snapshot with this document
	fate    fate
}

// entry is one ref.
type entry struct {
	token   int64
	n       uint32
	nth     uint32
	nameAt  uint32
	nameLen uint32
	walk    uint32 // document.walks of the last walk that showed it
	role    uint16
	live    bool // the last walk of the whole document, or one of a part since, showed it
	shownBy sources
}

// sources is the set of sources that have shown an element while it was live. The others may not have it at all.
type sources uint8

// foldHead is a flag, not a source: the element stands for a run of others, and walks may omit it.
const foldHead sources = 1 << 7

func sourceBit(s axtree.Source) sources { return 1 << s }

// fate is how a document ended.
type fate uint8

const (
	kept      fate = iota
	pageLeft       // the tab went on to other pages
	tabClosed      // the tab was closed
)

// search returns where the entry of a number is, or would be.
func (d *document) search(n uint32) (at int, found bool) {
	return slices.BinarySearchFunc(d.entries, n, func(e entry, n uint32) int { return cmp.Compare(e.n, n) })
}

// entry returns the entry of a number, or nil.
func (d *document) entry(n uint32) *entry {
	if at, ok := d.search(n); ok {
		return &d.entries[at]
	}
	return nil
}

// hasRefIn reports whether one of the numbers has an entry.
func (d *document) hasRefIn(first, last uint32) bool {
	at, _ := d.search(first)
	return at < len(d.entries) && d.entries[at].n <= last
}

func (d *document) name(e *entry) []byte { return d.names[e.nameAt : e.nameAt+e.nameLen] }

// expect makes room for refs that a walk will add at most.
func (d *document) expect(refs int) {
	if more := refs - d.live; more > 0 {
		d.entries = slices.Grow(d.entries, more)
	}
	if d.byToken == nil {
		d.byToken = make(map[int64]int32, refs)
	}
}

// add makes the entry of a new element.
func (d *document) add(n uint32, node *axtree.Node, role uint16, source axtree.Source) {
	d.byToken[node.Token] = int32(len(d.entries))
	d.entries = append(d.entries, entry{
		token:   node.Token,
		n:       n,
		nth:     node.Nth,
		role:    role,
		walk:    d.walks,
		live:    true,
		shownBy: sourceBit(source),
		nameAt:  uint32(len(d.names)),
		nameLen: uint32(len(node.Name)),
	})
	d.names = append(d.names, node.Name...)
	d.live++
}

// addUnseen makes the entry of a new element that no walk has shown. It is not missed when walks go on not to show it.
func (d *document) addUnseen(n uint32, token int64, role uint16, name string) {
	d.byToken[token] = int32(len(d.entries))
	d.entries = append(d.entries, entry{
		token:   token,
		n:       n,
		role:    role,
		nameAt:  uint32(len(d.names)),
		nameLen: uint32(len(name)),
	})
	d.names = append(d.names, name...)
}

// update notes that the current walk shows e as node.
func (d *document) update(e *entry, node *axtree.Node, role uint16, source axtree.Source) {
	e.nth, e.role, e.walk = node.Nth, role, d.walks
	e.shownBy |= sourceBit(source)
	if !e.live {
		e.live = true
		d.live++
	}
	if string(d.name(e)) != node.Name {
		d.rename(e, node.Name)
	}
}

// rebind gives the entry of a number another element.
func (d *document) rebind(n uint32, token int64) {
	at, ok := d.search(n)
	if !ok || d.entries[at].token == token || token <= 0 {
		return
	}
	e := &d.entries[at]
	if d.byToken[e.token] == int32(at) {
		delete(d.byToken, e.token)
	}
	e.token = token
	if _, taken := d.byToken[token]; !taken {
		d.byToken[token] = int32(at)
	}
}

// rename gives e another name. A name that is not longer than the old one takes its place, so that clocks and counters
// cost nothing.
func (d *document) rename(e *entry, name string) {
	if len(name) <= int(e.nameLen) {
		copy(d.names[e.nameAt:], name)
		d.waste += int(e.nameLen) - len(name)
		e.nameLen = uint32(len(name))
		return
	}
	d.waste += int(e.nameLen)
	e.nameAt, e.nameLen = uint32(len(d.names)), uint32(len(name))
	d.names = append(d.names, name...)
	const least = 64 << 10
	if d.waste > least && d.waste > len(d.names)/2 {
		d.packNames()
	}
}

// packNames drops the bytes that no entry uses.
func (d *document) packNames() {
	packed := make([]byte, 0, len(d.names)-d.waste)
	for i := range d.entries {
		e := &d.entries[i]
		at := uint32(len(packed))
		packed = append(packed, d.name(e)...)
		e.nameAt = at
	}
	d.names, d.waste = packed, 0
}

// vanished marks the live entries that the current walk did not show, although its source has shown them, as gone, and
// appends their numbers.
func (d *document) vanished(gone []uint32, source axtree.Source) []uint32 {
	for i := range d.entries {
		if e := &d.entries[i]; e.live && e.walk != d.walks && e.shownBy&sourceBit(source) != 0 {
			e.live, e.shownBy = false, e.shownBy&foldHead
			d.live--
			if e.shownBy&foldHead == 0 {
				gone = append(gone, e.n)
			}
		}
	}
	return gone
}

// dropOld forgets gone entries when there are more than most, and keeps the newest half of that. A page that makes new
// elements for days must not fill the host.
func (d *document) dropOld(most int) {
	drop := len(d.entries) - d.live - most/2
	if drop <= most/2 {
		return
	}
	left := make([]entry, 0, len(d.entries)-drop)
	for i := range d.entries {
		e := d.entries[i]
		if !e.live && drop > 0 {
			drop--
			d.waste += int(e.nameLen)
			continue
		}
		left = append(left, e)
	}
	d.entries = left
	d.byToken = make(map[int64]int32, len(left))
	for i := range left {
		d.byToken[left[i].token] = int32(i)
	}
	d.packNames()
}

// setURL keeps the address. A data: URL can have megabytes; only its start is kept.
func (d *document) setURL(url string) {
	if url = wording.ClipBytes(url, 2048); d.url != url {
		d.url = strings.Clone(url)
	}
}
