package dashboard

import (
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// Server is a running dashboard.
type Server struct {
	*loopback.Server
	host    Host
	origins []string // of proxies that forward to the dashboard, beside those of this machine
	token   loopback.Secret

	mu      sync.Mutex
	closed  bool
	viewers int                 // open dashboard pages
	taken   map[string]struct{} // sessions that were taken over here
	leaving *time.Timer         // hands them back after the last page closed
}

// Listen starts a dashboard on a port of this machine; 0 means any free port. The caller must Close it.
func Listen(port int, origins []string, host Host) (*Server, error) {
	listening, err := loopback.Listen(port)
	if err != nil {
		return nil, fault.New(fault.File, "port %d is not available: %w", port, err).About(strconv.Itoa(port)).
			WithHint("Something else uses it; choose another one with --port.")
	}
	s := &Server{
		Server:  listening,
		host:    host,
		origins: origins,
		token:   loopback.NewSecret(),
		taken:   map[string]struct{}{},
	}
	s.Serve(s.handler())
	return s, nil
}

// Origins returns the configured origins of proxies.
func (s *Server) Origins() []string { return s.origins }

// Addresses returns the dashboard's URLs with the token, that of this machine first.
func (s *Server) Addresses() []string {
	all := []string{s.entry("http://localhost:" + strconv.Itoa(s.Port()))}
	for _, origin := range s.origins {
		all = append(all, s.entry(origin))
	}
	return all
}

func (s *Server) entry(origin string) string { return origin + "/?token=" + string(s.token) }

// Close ends the dashboard and hands back the sessions that were taken over.
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

// returnLimit is how long after the last page closed its sessions are handed back: a reload closes the page first.
const returnLimit = 10 * time.Second

// countViewers counts the open pages. Without an open page, no person can press the button that hands a session back.
func (s *Server) countViewers(by int) {
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
		_ = s.host.TakeOver(name, false) // the session may be gone
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
