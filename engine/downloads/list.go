package downloads

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// State is how far a download is.
type State string

// The states. The browser does not tell a download that it or the server broke off from one that was canceled.
const (
	Running  State = "inProgress"
	Complete State = "completed"
	Canceled State = "canceled"
)

// Item is a file that a page of a context began to save.
type Item struct {
	Seq      int    // grows by one with each download of the context
	URL      string // where the bytes come from, after redirects
	Name     string // what the server or the page calls the file
	Page     string // target id of the tab that began it; of a tab that was opened only for it, that one
	State    State
	Received int64
	Total    int64 // 0 means that the server did not say
	Taken    bool  // a caller has fetched the file

	// Kept is the path of the file in the folder for kept files, see [List.Keep]; empty if it is not there.
	Kept string
	// KeepErr is why the folder of [List.Keep] did not take the file.
	KeepErr error
	// Why is the known reason why a download was canceled, or nil.
	Why error

	id     string
	path   string // where the file is; empty means that the browser has put it nowhere yet, or does not say
	toKeep bool   // its file goes where files are kept
	moving bool   // it is on its way there
	told   bool   // see News
	late   bool   // it was told while it ran: News returns it again if its folder does not take it
}

// Gone reports whether the file of a complete download was moved or removed.
func (d *Item) Gone() bool {
	if d.State != Complete || d.path == "" {
		return false
	}
	_, err := os.Lstat(d.path)
	return errors.Is(err, fs.ErrNotExist)
}

// File is the last known path of the file, as the browser saved it or a caller moved it; empty if unknown.
func (d *Item) File() string { return d.path }

// most is how many downloads of a context are remembered, and kept until a caller takes them.
const most = 50

// Owner is the list's access to the context whose downloads it has.
type Owner struct {
	Log     *slog.Logger
	Changed func()                      // wakes those who wait for anything in a page
	Spawn   func(func(context.Context)) // runs what the end of the browser waits for
	Done    <-chan struct{}             // closed when the browser is gone
	Err     func() error                // why it is
}

// List has the downloads of one context. Pages save into a folder of the context, under names that the browser makes
// up; a caller who wants a file moves it to its place.
type List struct {
	owner Owner

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when something is new
	dir     string        // empty means that none was made yet
	keep    string        // where files go that are complete; empty means that they stay
	items   []*Item
	last    int
	mark    int // the last one when the last action began

	declined map[string]bool // ids of canceled downloads of background pages

	over  bool
	moves sync.WaitGroup // of files on their way to where they are kept
}

// New returns the list of a context.
func New(owner Owner) *List { return &List{owner: owner} }

// Event has the fields of Browser.downloadWillBegin and Browser.downloadProgress, and of those of Page.
type Event struct {
	FrameID  string  `json:"frameId"`
	GUID     string  `json:"guid"`
	URL      string  `json:"url"`
	Name     string  `json:"suggestedFilename"`
	Total    float64 `json:"totalBytes"`
	Received float64 `json:"receivedBytes"`
	State    string  `json:"state"`
}

// Mark notes that an action begins and returns the number of the last download so far.
func (l *List) Mark() int {
	_ = l.Ready() // a download that fails for it says so
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mark = l.last
	return l.last
}

// Marked returns the number of the last download when the last action began.
func (l *List) Marked() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mark
}

// After returns the downloads with a number above seq, in the order in which they began.
func (l *List) After(seq int) []Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Item
	for _, d := range l.items {
		if d.Seq > seq {
			all = append(all, *d)
		}
	}
	return all
}

// News is like After, but returns each download once, and those of pages that are left out, by their target id, to who
// asks next. One that had not ended is returned once more if its folder does not take it, unless [List.AwaitKept] has
// said so.
func (l *List) News(seq int, leaveOut func(page string) bool) []Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Item
	for _, d := range l.items {
		failed := d.late && d.KeepErr != nil
		if d.Seq > seq && (!d.told || failed) && !leaveOut(d.Page) {
			d.told, d.late = true, d.State == Running
			all = append(all, *d)
		}
	}
	return all
}

// Save moves the file of a complete download to a place that save finds for it, given where it is, and notes that it is
// taken. save returns where it is now.
func (l *List) Save(seq int, save func(from string) (to string, err error)) error {
	l.mu.Lock()
	i := slices.IndexFunc(l.items, func(d *Item) bool { return d.Seq == seq })
	if i < 0 {
		l.mu.Unlock()
		return fault.New(fault.DownloadFailed, "the download is not kept any more")
	}
	d := l.items[i]
	from, url := d.path, d.URL
	l.mu.Unlock()
	if from == "" {
		return fault.New(fault.DownloadFailed, "the browser has saved %s in a folder of its own", url).
			WithHint("Use `download <selector> <path>`, which names the place before it begins.")
	}
	to, err := save(from)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d.Taken, d.path = true, to
	return nil
}

// Began takes in that a download began. Texts of the page are bounded by the caller.
func (l *List) Began(e *Event, page string) {
	l.mu.Lock()
	if l.over || slices.ContainsFunc(l.items, func(one *Item) bool { return one.id == e.GUID }) {
		l.mu.Unlock()
		return
	}
	l.last++
	l.items = append(l.items, &Item{
		Seq:    l.last,
		URL:    e.URL,
		Name:   e.Name,
		Page:   page,
		State:  Running,
		id:     e.GUID,
		toKeep: l.keep != "",
	})
	var dropped string
	if len(l.items) > most {
		if old := l.items[0]; !old.Taken && old.Kept == "" && !old.moving {
			dropped = old.path
		}
		l.items = slices.Delete(l.items, 0, 1)
	}
	l.mu.Unlock()
	if dropped != "" {
		l.remove(dropped)
	}
	l.tell()
}

// WentOn records the progress of a download. It ignores those of other contexts.
func (l *List) WentOn(e *Event) {
	l.mu.Lock()
	if l.declined[e.GUID] {
		l.wasDeclinedLocked(e)
		l.mu.Unlock()
		return
	}
	i := slices.IndexFunc(l.items, func(one *Item) bool { return one.id == e.GUID && one.State == Running })
	if i < 0 || l.items[i].moving {
		l.mu.Unlock()
		return
	}
	one := l.items[i]
	one.Received = max(one.Received, int64(e.Received)) // one that fails is told without what had come
	one.Total = int64(e.Total)
	if State(e.State) == Complete {
		one.path = l.placeLocked(e)
		if from, dir := one.path, l.keep; from != "" && one.toKeep && dir != "" && !l.over {
			one.moving = true
			l.moves.Go(func() { l.keepFile(one, from, dir) }) // End waits for it
			l.mu.Unlock()
			return
		}
	}
	one.State = State(e.State)
	if one.State == Canceled {
		one.Why = troubleOf(l.dir, one)
	}
	l.mu.Unlock()
	l.tell()
}

// Decline notes that a download is not wanted, and reports whether that is new. Its file is removed if it arrives
// nevertheless.
func (l *List) Decline(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.declined[id] {
		return false
	}
	if l.declined == nil {
		l.declined = map[string]bool{}
	}
	l.declined[id] = true
	return true
}

// wasDeclinedLocked handles an event of a declined download. A small file may be complete before the browser gets the
// cancellation.
func (l *List) wasDeclinedLocked(e *Event) {
	switch State(e.State) {
	case Running:
		return
	case Complete:
		if path := l.placeLocked(e); path != "" {
			l.remove(path)
		}
	}
	delete(l.declined, e.GUID)
}

// placeLocked is where the file of a complete download is; empty means not to be known.
func (l *List) placeLocked(e *Event) string {
	for _, dir := range []string{l.dir, l.keep} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, filepath.Base(e.GUID))
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return ""
}

func (l *List) remove(path string) {
	l.owner.Spawn(func(context.Context) { _ = os.Remove(path) })
}

// tell wakes those who wait for a download, and those who wait for anything in a page.
func (l *List) tell() {
	l.mu.Lock()
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	l.mu.Unlock()
	l.owner.Changed()
}

// End ends the list: files that are on their way to where they are kept arrive, and others are removed, with the folder
// unless it is shared. kept says whether files were kept.
func (l *List) End(shared bool) (kept bool) {
	l.mu.Lock()
	dir, left := l.dir, l.items
	kept = l.keep != ""
	l.dir, l.keep, l.over = "", "", true
	l.mu.Unlock()
	l.moves.Wait()
	if shared {
		for _, d := range left {
			if !d.Taken && d.path != "" && d.Kept == "" {
				_ = os.Remove(d.path) // what is left goes with the folder
			}
		}
		return kept
	}
	if dir != "" {
		if err := os.RemoveAll(dir); err != nil {
			l.owner.Log.Debug("downloads not removed", "dir", dir, "err", err)
		}
	}
	return kept
}
