package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/copilot/pcd"
)

// fakeSite is a site without a browser: pages by address.
type fakeSite struct {
	pages     map[string]fakePage
	generated func(address string) (fakePage, bool) // of pages that are not among them
	// in which order pages that were asked for at one time come; nil: as they like
	shuffle *rand.Rand
	onOpen  func(address string)

	mu      sync.Mutex
	asked   []string
	open    int // tabs
	loading int
	most    int // that loaded at one time
	tabs    int // that were opened

	expected int
}

// fakePage is one of them. Links are lines "label -> address".
type fakePage struct {
	title    string
	links    []explore.Link
	form     string // the purpose of its form
	redirect string
	status   int
	file     bool
	err      error
	hangs    bool
}

type fakeTab struct {
	site    *fakeSite
	address string
	page    fakePage
	closed  sync.Once
}

func (s *fakeSite) page(address string) (fakePage, bool) {
	if p, ok := s.pages[address]; ok {
		return p, true
	}
	if s.generated != nil {
		return s.generated(address)
	}
	return fakePage{}, false
}

// Open is a port of the search.
func (s *fakeSite) Open(ctx context.Context, address string) (explore.Tab, error) {
	if s.onOpen != nil {
		s.onOpen(address)
	}
	s.mu.Lock()
	s.asked = append(s.asked, address)
	s.tabs++
	s.open++
	s.loading++
	s.most = max(s.most, s.loading)
	yields := 0
	if s.shuffle != nil {
		yields = s.shuffle.IntN(50)
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.loading--
	}()
	for range yields {
		runtime.Gosched()
	}
	tab := &fakeTab{site: s, address: address}
	for range 20 {
		p, ok := s.page(strings.SplitN(tab.address, "#", 2)[0])
		switch {
		case !ok:
			tab.page = fakePage{title: "Not found", status: 404}
			return tab, nil
		case p.hangs:
			<-ctx.Done()
			return tab, context.Cause(ctx)
		case p.err != nil:
			return tab, p.err
		case p.redirect == "":
			tab.page = p
			return tab, ctx.Err()
		}
		tab.address = p.redirect
	}
	return tab, errors.New("net::ERR_TOO_MANY_REDIRECTS")
}

// Expect is a port of the search.
func (s *fakeSite) Expect(_ context.Context, tabs int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected += tabs
}

// Look is a port of the search.
func (t *fakeTab) Look(context.Context) (*explore.Page, error) {
	if t.page.file {
		return &explore.Page{File: true}, nil
	}
	return t.page.shown(t.address), nil
}

// Close is a port of the search.
func (t *fakeTab) Close(ctx context.Context) error {
	t.closed.Do(func() {
		t.site.mu.Lock()
		defer t.site.mu.Unlock()
		t.site.open--
	})
	return ctx.Err()
}

func (p fakePage) shown(address string) *explore.Page {
	s := &pcd.Summary{URL: address, Title: p.title}
	if p.form != "" {
		s.Forms = []pcd.Form{{ID: "f1", Purpose: p.form}}
	}
	for _, l := range p.links {
		s.Actions = append(s.Actions, l.Action)
	}
	status := p.status
	if status == 0 {
		status = 200
	}
	return &explore.Page{Summary: s, Links: p.links, Status: status}
}

const home = "https://www.example.com/"

// at begins a search at a page of the site.
func (s *fakeSite) at(t *testing.T, address string) *explore.Page {
	t.Helper()
	p, ok := s.page(address)
	if !ok {
		t.Fatalf("the site has no page %s", address)
	}
	return p.shown(address)
}

// links makes links of "label -> address" lines; an address that begins with a slash is one of the site.
func links(lines ...string) []explore.Link {
	var all []explore.Link
	for i, line := range lines {
		label, address, _ := strings.Cut(line, " -> ")
		all = append(all,
			explore.Link{Action: pcd.Action{ID: fmt.Sprintf("e%d", i+1), Label: label, Role: "link", URL: full(address)}})
	}
	return all
}

func full(address string) string {
	if strings.HasPrefix(address, "/") {
		return strings.TrimSuffix(home, "/") + address
	}
	return address
}

// form is the goal of a page with a form of the purpose.
func form(purpose string) explore.Goal {
	return func(s *pcd.Summary) explore.Verdict {
		for _, f := range s.Forms {
			if f.Purpose == purpose {
				return explore.Verdict{Met: true, Score: 1, Why: "a form for " + purpose}
			}
		}
		return explore.Verdict{}
	}
}
