package snapshot

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// Refs is the table of a session's refs. It is safe for concurrent use.
//
// A ref is the number of one element: of a tab, a frame, a document and a token. Numbers rise, are never given out
// twice, and an element keeps its own from snapshot to snapshot, also when its document comes back from the
// back/forward cache. The table stays small: an element costs some 60 bytes and its name, documents that are no longer
// shown are forgotten when there are many, and of a forgotten document only the number ranges and the address remain,
// so that a ref into it still gets a truthful answer.
type Refs struct {
	mu     sync.Mutex
	next   uint32               // the number that the next new element gets
	clock  uint64               // counts snapshots
	docs   map[docKey]*document // the documents whose refs can be looked up
	tabs   map[string]*tabView
	spans  []span      // which document each number belongs to, ascending
	graves []*document // forgotten documents that spans still name, oldest first
	dense  int         // spans to reach before those without a ref are looked for
	roles  []string    // role names by document.roleID
	roleID map[string]uint16
	limits limits
}

// NewRefs returns an empty table, for a new session.
func NewRefs() *Refs {
	return &Refs{
		next:   1,
		docs:   map[docKey]*document{},
		tabs:   map[string]*tabView{},
		roleID: map[string]uint16{},
		limits: defaultLimits,
	}
}

// Ref is what an action needs to find the element of a ref again.
type Ref struct {
	N       uint32
	Tab     string
	FrameID string
	DocID   string // the document that Token holds in; act only in this one, see Gone
	URL     string // address of that document when the ref was last seen
	Token   int64
	Role    string
	Name    string
	Nth     int // index among the elements of the same role and name in the document
}

// ID returns the ref as it is printed in a snapshot: e12.
func (r Ref) ID() string { return axtree.RefID(r.N) }

// Gone returns the error for a ref whose frame no longer shows the ref's document. now is the address that the frame
// shows instead, or "" when the frame or its tab does not exist any longer.
func (r Ref) Gone(now string) error {
	why := r.describe() + " was on " + shortURL(r.URL)
	switch now {
	case "":
		why += ", and that page or frame of tab " + r.Tab + " does not exist any more"
	case r.URL:
		why += " before it was reloaded"
	default:
		why += ", which tab " + r.Tab + " no longer shows (now: " + shortURL(now) + ")"
	}
	return stale(r.ID(), why, r)
}

// describe names the element for a message.
func (r Ref) describe() string {
	if r.Role == "" {
		return "it"
	}
	if r.Name == "" {
		return r.Role
	}
	return r.Role + " " + string(appendQuoted(nil, wording.ClipBytes(r.Name, 60)))
}

func stale(id, why string, r Ref) *fault.Error {
	err := fault.New(fault.RefStale, "Stale ref: %s: %s.", id, why).About("@" + id).
		WithHint("Take a new snapshot and use its refs.")
	if r.URL != "" {
		err.With("url", r.URL).With("tab", r.Tab)
	}
	if r.Role != "" {
		err.With("role", r.Role).With("name", r.Name)
	}
	return err
}

func shortURL(url string) string {
	if url == "" {
		return "a page without an address"
	}
	return wording.ClipBytes(url, 200)
}

// Lookup finds what a ref, in any form that [RefID] takes, stands for. The error is a fault.RefUnknown when no snapshot
// of the session handed it out, and a fault.RefStale when its document, or the element a long time ago, went away. A
// Ref that is returned can still belong to a document that its frame has left: only the engine knows that at once;
// compare DocID and answer with [Ref.Gone].
func (r *Refs) Lookup(target string) (Ref, error) {
	id, ok := RefID(target)
	if !ok {
		return Ref{}, fault.New(fault.RefUnknown, "Unknown ref: %s is not a ref.", target).About(target).
			WithHint("Refs look like @e12; a snapshot shows them.")
	}
	digits := id[1:]
	n, err := strconv.ParseUint(digits, 10, 32)
	ok = err == nil && n > 0 && digits[0] != '0'

	r.mu.Lock()
	defer r.mu.Unlock()
	if !ok || uint32(n) >= r.next {
		return Ref{}, r.unknown(id)
	}
	return r.find(uint32(n))
}

func (r *Refs) unknown(id string) error {
	err := fault.New(fault.RefUnknown, "Unknown ref: %s", id).About("@" + id)
	switch r.next {
	case 1:
		return err.WithHint("(no snapshot of this session has handed out refs yet; take one first)")
	case 2:
		return err.WithHint("(this session has only handed out e1; take a new snapshot and use its refs)")
	}
	return err.WithHint("(this session has handed out e1 to %s; take a new snapshot and use its refs)",
		axtree.RefID(r.next-1))
}

// find returns the ref of a number that was given out. The caller holds mu.
func (r *Refs) find(n uint32) (Ref, error) {
	id := axtree.RefID(n)
	at, found := slices.BinarySearchFunc(r.spans, n, func(s span, n uint32) int {
		switch {
		case s.last < n:
			return -1
		case s.first > n:
			return 1
		}
		return 0
	})
	if !found {
		return Ref{}, stale(id, "it was handed out long ago, for an element that is gone", Ref{})
	}
	d := r.spans[at].doc
	from := Ref{
		N:       n,
		Tab:     d.key.tab,
		FrameID: d.key.frame,
		DocID:   d.key.doc,
		URL:     d.url,
	}
	switch d.fate {
	case tabClosed:
		return Ref{}, stale(id, "it was on "+shortURL(d.url)+", whose tab "+d.key.tab+" was closed", from)
	case pageLeft:
		return Ref{}, stale(id, "it was on "+shortURL(d.url)+", which tab "+d.key.tab+" left some pages ago", from)
	}
	e := d.entry(n)
	if e == nil {
		return Ref{}, stale(id, "its element left "+shortURL(d.url)+" many snapshots ago", from)
	}
	from.Token, from.Nth = e.token, int(e.nth)
	from.Role, from.Name = r.roles[e.role], string(d.name(e))
	return from, nil
}

// Heal notes that an equal element, the one with token, has taken the place of ref's. The ref names that one from now
// on, in snapshots too, unless a snapshot has already given it a ref of its own; then it has two.
func (r *Refs) Heal(ref Ref, token int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.docs[docKey{tab: ref.Tab, frame: ref.FrameID, doc: ref.DocID}]; d != nil {
		d.rebind(ref.N, token)
	}
}

// Rename records the role and name under which the caller now knows ref's element.
func (r *Refs) Rename(ref Ref, role, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.docs[docKey{tab: ref.Tab, frame: ref.FrameID, doc: ref.DocID}]
	if d == nil {
		return
	}
	if e := d.entry(ref.N); e != nil {
		e.role = r.role(role)
		if string(d.name(e)) != name {
			d.rename(e, name)
		}
	}
}

// Give returns the ref, spelled @e12, of an element that is reported outside of snapshots; N and Nth of ref do not
// matter. The element keeps its number, or gets one, under which later snapshots show it. An element without a token
// has no ref, "".
func (r *Refs) Give(ref Ref) string {
	if ref.Token <= 0 || ref.DocID == "" {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tabs[ref.Tab] == nil {
		r.tabs[ref.Tab] = &tabView{at: r.clock}
	}
	key := docKey{tab: ref.Tab, frame: ref.FrameID, doc: ref.DocID}
	d := r.docs[key]
	if d == nil {
		d = &document{key: key, seen: r.clock}
		d.setURL(ref.URL)
		r.docs[key] = d
	}
	if at, ok := d.byToken[ref.Token]; ok {
		return "@" + axtree.RefID(d.entries[at].n)
	}
	n := r.take(d)
	d.expect(1)
	d.addUnseen(n, ref.Token, r.role(ref.Role), ref.Name)
	d.dropOld(r.limits.goneRefs)
	return "@" + axtree.RefID(n)
}

// CloseTab forgets the refs of a tab that was closed.
func (r *Refs) CloseTab(tab string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.docs {
		if d.key.tab == tab {
			r.bury(d, tabClosed)
		}
	}
	delete(r.tabs, tab)
	r.dropGraves()
}

// role returns the short form of a role name.
func (r *Refs) role(name string) uint16 {
	id, ok := r.roleID[name]
	if !ok {
		if len(r.roles) == 1<<16 {
			return 0 // a page cannot name roles freely, so that this many do not exist
		}
		name = strings.Clone(name) // the original is part of a walk's answer
		id = uint16(len(r.roles))
		r.roles = append(r.roles, name)
		r.roleID[name] = id
	}
	return id
}
