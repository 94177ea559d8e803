package copilot

import (
	"context"
	_ "embed"
	"errors"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions/read"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
)

//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
//go:embed bundle/links.js
var linksScript string

// mostMarked is how many marked links of a page are reported, such as those that the page shows as saved.
const mostMarked = 1000

// searchTabs opens background tabs in the context of a tab, for a search. Only the search knows of them; end closes
// those that are left.
type searchTabs struct {
	browsing   *engine.Context
	everything bool // pages load pictures, too

	mu     sync.Mutex
	wanted int             // tabs to open ahead
	search context.Context // the caller's, kept until the tabs are opened
	ready  []chan opened   // tabs that are opened ahead, each sends one
	open   map[*engine.Page]bool
	ended  bool
	work   sync.WaitGroup
}

type opened struct {
	page *engine.Page
	err  error
}

var _ explore.Browser = (*searchTabs)(nil)

func newSearchTabs(browsing *engine.Context, everything bool) *searchTabs {
	return &searchTabs{browsing: browsing, everything: everything, open: map[*engine.Page]bool{}}
}

// Expect has tabs opened ahead, as soon as a page loads that is waited for anyway: before that they would only be in
// its way.
func (s *searchTabs) Expect(ctx context.Context, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted, s.search = s.wanted+n, ctx
}

// ahead opens the tabs that are expected.
func (s *searchTabs) ahead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; s.wanted > 0 && !s.ended; s.wanted-- {
		ctx, tab := s.search, make(chan opened, 1)
		s.ready = append(s.ready, tab)
		s.work.Go(func() { tab <- s.begin(ctx) })
	}
}

// begin opens an empty tab.
func (s *searchTabs) begin(ctx context.Context) opened {
	page, err := read.OpenAside(ctx, s.browsing, s.everything)
	if err != nil {
		return opened{nil, err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		s.work.Go(func() { read.CloseAside(ctx, page) })
		return opened{nil, fault.New(fault.PageGone, "the search is over")}
	}
	s.open[page] = true
	return opened{page, nil}
}

// take returns an empty tab, one that is ready if there is one.
func (s *searchTabs) take(ctx context.Context) (*engine.Page, error) {
	s.mu.Lock()
	var tab chan opened
	if len(s.ready) > 0 {
		tab, s.ready = s.ready[0], s.ready[1:]
	}
	s.mu.Unlock()
	if tab == nil {
		o := s.begin(ctx)
		return o.page, o.err
	}
	select {
	case o := <-tab:
		return o.page, o.err
	case <-ctx.Done(): // end closes it
		return nil, context.Cause(ctx)
	}
}

// Open loads an address in a background tab.
func (s *searchTabs) Open(ctx context.Context, address string) (explore.Tab, error) {
	page, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	s.ahead()
	tab := &searchTab{searchTabs: s, page: page}
	watched, stop := page.Watch(ctx, true)
	defer stop()
	patient, cancel := halfOf(watched)
	defer cancel()
	nav, err := page.Load(patient, address, engine.WaitLoad)
	switch {
	case err == nil:
		tab.file = nav.Download
	case watched.Err() == nil && patient.Err() != nil && explore.Canonical(page.URL()) != "":
		return tab, nil // a document is there, and never ends loading
	}
	return tab, err
}

// halfOf leaves half of the time that is left for what comes behind.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Until(end)/2)
	}
	return context.WithCancel(ctx)
}

// end closes what is still open and waits for it.
func (s *searchTabs) end(ctx context.Context) {
	s.mu.Lock()
	s.ended = true
	for page := range s.open {
		s.work.Go(func() { read.CloseAside(ctx, page) })
	}
	clear(s.open)
	s.mu.Unlock()
	s.work.Wait()
}

// forget hands a page over to its new owner.
func (s *searchTabs) forget(page *engine.Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, page)
}

// searchTab is a tab aside that shows a page.
type searchTab struct {
	searchTabs *searchTabs
	page       *engine.Page
	file       bool
}

// Look reads the page. The ids of its elements are valid only in the search.
func (t *searchTab) Look(ctx context.Context) (*explore.Page, error) {
	if t.file {
		return &explore.Page{File: true}, nil
	}
	return lookAround(ctx, t.page, "aside", snapshot.NewRefs(), &perceive.Cache{})
}

// Close ends the tab.
func (t *searchTab) Close(ctx context.Context) error {
	err := t.page.Close(ctx)
	if err == nil {
		t.searchTabs.forget(t.page)
	}
	return err // end tries again
}

// lookTries is how often a page is read that goes on to another document meanwhile.
const lookTries = 3

// lookAround reads what a page offers, and where it leads. Both are asked for at once.
func lookAround(
	ctx context.Context, page *engine.Page, tab string, refs *snapshot.Refs, memory *perceive.Cache,
) (*explore.Page, error) {
	ctx, stop := page.Watch(ctx, true)
	defer stop()
	for try := 1; ; try++ {
		var said linksSaid
		var saidErr error
		var asking sync.WaitGroup
		links := page.Main().StartScript(ctx, linksScript, map[string]int{"most": mostMarked})
		asking.Go(func() { saidErr = links(&said) })
		read, err := perceive.Read(ctx, memory, tab, page.Main(), refs, perceive.Options{})
		asking.Wait()
		if err = errors.Join(err, saidErr); err == nil {
			return around(read, said), nil
		}
		if !engine.IsNavigated(err) || try == lookTries {
			return nil, err
		}
		if _, err := page.Loading().Settle(ctx, run.SettleLimit); err != nil {
			return nil, err
		}
	}
}

// linksSaid is the answer of links.js.
type linksSaid struct {
	Status float64 `json:"status"`
	Marked []struct {
		URL      string `json:"url"`
		Download bool   `json:"download"`
		NoFollow bool   `json:"nofollow"`
	} `json:"marked"`
	NoFollow bool `json:"nofollow"` // all of them
}

func around(read *perceive.Page, said linksSaid) *explore.Page {
	p := &explore.Page{Summary: read.Summary, Status: int(said.Status), Links: []explore.Link{}}
	at := map[string]int{}
	for i, m := range said.Marked {
		at[m.URL] = i
	}
	for _, a := range read.Actions {
		if a.URL == "" {
			continue
		}
		l := explore.Link{Action: a.Action, NoFollow: said.NoFollow}
		if i, ok := at[a.URL]; ok {
			l.Download, l.NoFollow = said.Marked[i].Download, l.NoFollow || said.Marked[i].NoFollow
		}
		p.Links = append(p.Links, l)
	}
	return p
}
