package annotations

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/dashboard"
	"github.com/skua-browser/skua/snapshot/axtree"
)

const (
	// maxDrawings and maxPictures bound what a person leaves in a session, in number and in bytes of pictures. The oldest
	// goes first.
	maxDrawings = 20
	maxPictures = 48 << 20
	// maxShown is how many marks an agent can show.
	maxShown = 50
	// maxMarks is how many marks a person may send at once.
	maxMarks = 50
)

// Board has the annotations of a session. The zero value has none.
type Board struct {
	mu      sync.Mutex
	last    int           // number of the last id
	draft   *frozen       // the picture that a person draws on
	drawn   []*drawing    // what persons sent, oldest first
	lost    int           // older ones that were dropped before an agent read them
	shown   []*shown      // what the agent shows, oldest first
	arrived chan struct{} // closed when a person sends something; nil means that no command waits
}

// of returns the board of a call's session.
func of(c *actions.Call) *Board { return actions.StateOf[Board](c.Session.States()) }

// frozen is a page as a picture shows it.
type frozen struct {
	id         string
	made       time.Time
	tab        *actions.Tab
	url, title string
	shot       *element.Shot
	raw        []byte // PNG
	tree       *axtree.Tree
	places     *capture.Places
	moves      bool
}

// drawing is what a person has drawn on one and sent.
type drawing struct {
	*frozen
	text  string
	marks []mark
	read  bool
	file  *files.SavedFile // where the picture was written to; nil means nowhere yet
}

// mark is one thing that a person drew.
type mark struct {
	dashboard.Mark
	rect     engine.Rect // in CSS pixels from the document's top left corner
	elements []found
	more     int // further elements
	none     string
}

// found is an element below a mark.
type found struct {
	ref, role, name, text string
	rect                  engine.Rect // in the document, when the picture was taken
	node                  int32       // in the tree; -1 means that it is not in the tree
	target                *element.Target
}

// shown is what an agent shows a person.
type shown struct {
	id, text, label string
	made            time.Time
	tab             *actions.Tab
	url             string
	target          *element.Target // nil means a place of the document
	doc             string          // the document that it is a place of
	rect            engine.Rect
}

// nextID is called with the lock held.
func (b *Board) nextID() string {
	b.last++
	return "a" + strconv.Itoa(b.last)
}

// add leaves a drawing for the agent, and reports whether a command waits for it.
func (b *Board) add(d *drawing) (awaited bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draft = nil
	d.id, d.made = b.nextID(), time.Now()
	b.drawn = append(b.drawn, d)
	b.bound()
	if b.arrived == nil {
		return false
	}
	close(b.arrived)
	b.arrived = nil
	return true
}

// bound drops the oldest drawings when there are too many. The newest stays, however large it is.
func (b *Board) bound() {
	size, kept := 0, 0
	for _, d := range slices.Backward(b.drawn) {
		size += len(d.raw)
		if kept > 0 && (kept == maxDrawings || size > maxPictures) {
			break
		}
		kept++
	}
	old := b.drawn[:len(b.drawn)-kept]
	for _, d := range old {
		if !d.read {
			b.lost++
		}
	}
	b.drawn = slices.Delete(b.drawn, 0, len(old))
}

// next returns a channel that is closed when a person sends something; nil means that there is something that no agent
// has read.
func (b *Board) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.ContainsFunc(b.drawn, func(d *drawing) bool { return !d.read }) {
		return nil
	}
	if b.arrived == nil {
		b.arrived = make(chan struct{})
	}
	return b.arrived
}

// list returns what there is. Reading a drawing changes it, nothing else does.
func (b *Board) list() (drawn []*drawing, shown []*shown, lost int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.drawn), slices.Clone(b.shown), b.lost
}

// noteRead records that an agent has got a drawing, and reports whether that is the first time.
func (b *Board) noteRead(d *drawing, file *files.SavedFile) (first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first = !d.read
	d.read, d.file, b.lost = true, file, 0
	return first
}

// show keeps a mark for the person.
func (b *Board) show(s *shown) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.shown) == maxShown {
		return fault.New(fault.Usage, "annotations: %d are shown, which is the limit; remove some with `annotations clear`",
			maxShown)
	}
	s.id, s.made = b.nextID(), time.Now()
	b.shown = append(b.shown, s)
	return nil
}

// remove takes annotations away, all of them without an id, and returns the ids of those that it took.
func (b *Board) remove(ids ...string) (removed []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := func(id string) bool {
		if len(ids) > 0 && !slices.Contains(ids, id) {
			return false
		}
		removed = append(removed, id)
		return true
	}
	b.drawn = slices.DeleteFunc(b.drawn, func(d *drawing) bool { return taken(d.id) })
	b.shown = slices.DeleteFunc(b.shown, func(s *shown) bool { return taken(s.id) })
	return removed
}

// LeaveTab forgets what is shown on a tab that is closed. What a person has sent stays: it has its picture.
func (b *Board) LeaveTab(tab *actions.Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = slices.DeleteFunc(b.shown, func(s *shown) bool { return s.tab == tab })
	if b.draft != nil && b.draft.tab == tab {
		b.draft = nil
	}
}
