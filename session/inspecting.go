package session

import (
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/session/inspect"
)

// inspection is how DevTools reaches the pages of a session, once somebody asked for it.
type inspection struct {
	mu     sync.Mutex
	server *inspect.Server
}

func (i *inspection) close() {
	i.mu.Lock()
	server := i.server
	i.server = nil
	i.mu.Unlock()
	if server != nil {
		server.Close()
	}
}

// Inspect lets DevTools work on the session's pages and says where a page is.
func (s *inCall) Inspect(page *engine.Page) (actions.Inspection, error) {
	s.inspection.mu.Lock()
	defer s.inspection.mu.Unlock()
	if s.inspection.server == nil {
		server, err := inspect.Listen(s.pages)
		if err != nil {
			return actions.Inspection{}, err
		}
		s.inspection.server = server
	}
	server := s.inspection.server
	return actions.Inspection{Address: server.URL(), Frontend: server.Frontend(page), Socket: server.Socket(page)}, nil
}

// pages are those of the open tabs.
func (s *Session) pages() []*engine.Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pages []*engine.Page
	for _, t := range s.tabs {
		if t.Page.Err() == nil {
			pages = append(pages, t.Page)
		}
	}
	return pages
}

// Endpoint returns the address of the protocol of a browser that the session is attached to, without the tokens that may be in it, and ""
// for one that it started.
func (s *inCall) Endpoint() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil {
		return ""
	}
	return engine.ShownAddress(s.holds.endpoint)
}

// Windowed reports whether the session's browser, which it started, has windows that people see.
func (s *inCall) Windowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holds != nil && s.holds.endpoint == "" && !s.holds.launch.Browser.Headless
}
