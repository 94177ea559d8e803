package session

import (
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
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
	var pages []*engine.Page
	for _, t := range s.browser.View().Tabs {
		if t.Page.Err() == nil {
			pages = append(pages, t.Page)
		}
	}
	return pages
}

// Profiles returns the profiles of the caller's browsers.
func (s *callSession) Profiles() []chrome.UserProfile {
	return chrome.UserProfiles(chrome.UserDataDirs(s.Getenv))
}
