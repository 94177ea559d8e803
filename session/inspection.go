package session

import (
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/session/inspect"
)

// inspection is the session's server for DevTools, once a caller asked for it.
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

// Inspect lets DevTools inspect the session's pages and returns the addresses for a page.
func (s *callSession) Inspect(page *engine.Page) (actions.Inspection, error) {
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

// pages returns the pages of the open tabs.
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

// Endpoint returns the CDP address of a connected browser, without the tokens in it; "" for a browser that the session started.
func (s *callSession) Endpoint() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil {
		return ""
	}
	return endpoint.ShownAddress(s.lease.endpoint)
}

// Windowed reports whether the session started its browser with visible windows.
func (s *callSession) Windowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lease != nil && s.lease.endpoint == "" && !s.lease.launch.Browser.Headless
}
