package handoff

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/edits"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/session/stream"
)

// Host is a session that is handed over.
type Host interface {
	Name() string
	// Source returns the session's live stream, which tells when its tabs change.
	Source() stream.Source
	// Tabs returns the session's tabs, the active one first.
	Tabs() []*actions.Tab
	// MayAct reports whether the rules let viewers act in the page.
	MayAct() bool
	// Show makes a tab the active one.
	Show(ctx context.Context, tab string) error
	// Changed tells those who watch the session that something has changed.
	Changed()
}

// handoff is one that waits or has ended.
type handoff struct {
	host   Host
	server *server
	ended  chan struct{} // closed when it has ended
	timer  *time.Timer
	after  func()        // of the request
	tabs   chan struct{} // has a token when the tabs may have changed
	quit   func()        // ends the listening for that

	ending sync.Once
	mu     sync.Mutex
	state  actions.Handoff
	acted  bool                    // the person sent input
	edits  map[string]*edits.Watch // by tab
	order  []string                // of edits
	first  map[string]bool         // the tabs that were open when it began
}

func newHandoff(host Host, r actions.HandoffRequest) *handoff {
	now := time.Now()
	h := &handoff{
		host:  host,
		ended: make(chan struct{}),
		after: r.Ended,
		tabs: make(chan struct{},
			1),
		edits: map[string]*edits.Watch{},
		first: map[string]bool{},
		state: actions.Handoff{
			ID:    newID(),
			Text:  r.Text,
			Mark:  r.Mark,
			Begun: now,
			Until: now.Add(r.Within),
			End:   actions.HandoffWaiting,
		},
	}
	for _, t := range host.Tabs() {
		h.first[t.ID] = true
	}
	return h
}

// begin starts to watch what the person does.
func (h *handoff) begin() {
	h.followTabs()
	ctx, cancel := context.WithCancel(context.Background())
	unlisten := h.host.Source().OnChange(func() {
		select {
		case h.tabs <- struct{}{}:
		default:
		}
	})
	var following sync.WaitGroup
	following.Go(func() {
		for {
			select {
			case <-h.tabs:
				h.followTabs()
			case <-ctx.Done():
				return
			}
		}
	})
	h.quit = func() { unlisten(); cancel(); following.Wait() }
}

// snapshot returns the state.
func (h *handoff) snapshot() actions.Handoff {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// followTabs watches the tabs that came since.
func (h *handoff) followTabs() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state.End != actions.HandoffWaiting {
		return
	}
	for _, t := range h.host.Tabs() {
		if h.edits[t.ID] == nil && t.Page.Attached() {
			h.edits[t.ID] = edits.Start(t.Page)
			h.order = append(h.order, t.ID)
		}
	}
}

// noteActivity records that the person sent input.
func (h *handoff) noteActivity() {
	h.mu.Lock()
	h.acted = true
	h.mu.Unlock()
}

// collectLimit is how long a page may take to answer when the handoff ends.
const collectLimit = 3 * time.Second

// end ends the handoff unless it has ended. It returns when what the person did is known; of a session that closes
// nothing is.
func (h *handoff) end(how actions.HandoffEnd, reason string, closes bool) {
	h.ending.Do(func() {
		h.quit()
		result := h.snapshot()
		if closes {
			for _, w := range h.watches() {
				w.Drop()
			}
		} else {
			ctx, cancel := context.WithTimeout(context.Background(), collectLimit)
			defer cancel()
			h.awaitInput(ctx)
			result.Fields = h.collect()
			result.To, result.Opened = h.shown(ctx)
			h.after()
		}
		h.mu.Lock()
		result.Visited = h.state.Visited
		result.End, result.Reason, result.Ended, result.Address = how, reason, time.Now(), ""
		h.state = result
		h.mu.Unlock()
		close(h.ended)
		h.host.Changed()
	})
}

// awaitInput waits until the page has handled what the person sent: a move of the pointer to where it is comes behind
// it.
func (h *handoff) awaitInput(ctx context.Context) {
	h.mu.Lock()
	acted := h.acted
	h.mu.Unlock()
	tabs := h.host.Tabs()
	if !acted || len(tabs) == 0 || tabs[0].Page.Dialogs().Open() != nil {
		return
	}
	page := tabs[0].Page
	ctx, stop := page.Watch(ctx, true)
	defer stop()
	at := input.MouseOf(page)
	_ = input.MoveMouse(ctx, page, []engine.Point{at.At}, 0) // a page that went away has handled it
}

// watches returns those of all tabs, in the order in which the tabs came.
func (h *handoff) watches() []*edits.Watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	watches := make([]*edits.Watch, 0, len(h.order))
	for _, tab := range h.order {
		watches = append(watches, h.edits[tab])
	}
	return watches
}

// collect ends the watches and returns the fields that were changed.
func (h *handoff) collect() []actions.HandoffField {
	fields := []actions.HandoffField{}
	seen := map[actions.HandoffField]bool{}
	for _, w := range h.watches() {
		for _, f := range w.Stop() {
			if field := actions.HandoffField(f); !seen[field] {
				seen[field] = true
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// shown returns what the active tab shows, and the tabs that came since the handoff began.
func (h *handoff) shown(ctx context.Context) (active actions.HandoffPage, opened []actions.HandoffPage) {
	for i, t := range h.host.Tabs() {
		shown := pageOf(ctx, t)
		if i == 0 {
			active = shown
		}
		if !h.first[t.ID] {
			opened = append(opened, shown)
		}
	}
	return active, opened
}

// pageOf asks a tab what it shows. Of one that does not answer it is what the browser said last.
func pageOf(ctx context.Context, t *actions.Tab) actions.HandoffPage {
	page := actions.HandoffPage{Tab: t.ID, URL: t.Page.URL(), Title: t.Page.Title()}
	watched, stop := t.Page.Watch(ctx, true)
	defer stop()
	if info, err := t.Page.Info(watched); err == nil {
		page.URL, page.Title = t.Page.URL(), info.Title
	}
	return page
}

// visit records that the page was opened.
func (h *handoff) visit() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state.Visited = true
}
