package dashboard

import (
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// Server is a running dashboard.
type Server struct {
	*loopback.Server
	host    Host
	origins []string // of proxies through which it is reached, beside those of this machine
	token   loopback.Secret

	mu      sync.Mutex
	closed  bool
	viewers int                 // pages that are open
	taken   map[string]struct{} // sessions that were taken over here
	leaving *time.Timer         // hands them back when the last page is gone
}

// Listen starts a dashboard on a port of this machine; 0 is any that is free. The caller must Close it.
func Listen(port int, origins []string, host Host) (*Server, error) {
	listening, err := loopback.Listen(port)
	if err != nil {
		return nil, fault.New(fault.File, "port %d cannot be listened on: %w", port, err).About(strconv.Itoa(port)).
			WithHint("Something else uses it; choose another one with --port.")
	}
	s := &Server{Server: listening, host: host, origins: origins, token: loopback.NewSecret(), taken: map[string]struct{}{}}
	s.Serve(s.handler())
	return s, nil
}

// Origins returns the origins of proxies that it was told of.
func (s *Server) Origins() []string { return s.origins }

// Addresses returns where the dashboard is opened, with the token that lets in: on this machine first.
func (s *Server) Addresses() []string {
	all := []string{s.entry("http://localhost:" + strconv.Itoa(s.Port()))}
	for _, origin := range s.origins {
		all = append(all, s.entry(origin))
	}
	return all
}

func (s *Server) entry(origin string) string { return origin + "/?token=" + string(s.token) }

// Close ends the dashboard and what hangs on it: sessions that were taken over are handed back.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	if s.leaving != nil {
		s.leaving.Stop()
	}
	s.mu.Unlock()
	s.Server.Close()
	s.handBack()
}

// returnLimit is how long after the last page of the dashboard is gone its sessions are handed back: a page that is loaded again goes first.
const returnLimit = 10 * time.Second

// watched counts the pages that are open. Nobody hands a session back when the page with the button is gone.
func (s *Server) watched(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewers += by
	switch {
	case s.leaving != nil && s.viewers > 0:
		s.leaving.Stop()
		s.leaving = nil
	case s.viewers == 0 && len(s.taken) > 0 && !s.closed:
		s.leaving = time.AfterFunc(returnLimit, s.handBack)
	}
}

func (s *Server) handBack() {
	s.mu.Lock()
	taken := s.taken
	s.taken = map[string]struct{}{}
	s.mu.Unlock()
	for name := range taken {
		_ = s.host.TakeOver(name, false) // a session that is gone has nobody in it
	}
}

func (s *Server) takeOver(name string, on bool) error {
	if err := s.host.TakeOver(name, on); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.taken[name] = struct{}{}
	} else {
		delete(s.taken, name)
	}
	return nil
}
