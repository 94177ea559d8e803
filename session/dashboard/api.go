package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/stream"
)

const (
	// eventInterval is the shortest time between two updates: a busy host changes often.
	eventInterval = 100 * time.Millisecond
	// checkpointLimit is how long a session may take to show itself.
	requestLimit = 10 * time.Second
)

// events sends all sessions as server-sent events whenever one changes.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	s.countViewers(1)
	defer s.countViewers(-1)
	SendEvents(s.Life(), w, r, s.host.OnChange, nil, func() (any, bool) {
		return map[string][]Session{"sessions": s.host.Sessions()}, false
	})
}

// SendEvents sends a state as server-sent events: at once, when onChange reports a change, and when ended is closed,
// which may be nil. It returns when the state was the last one, when the client has gone, and at the end of life.
// onChange returns what ends its news.
func SendEvents(
	life context.Context, w http.ResponseWriter, r *http.Request, onChange func(func()) (stop func()),
	ended <-chan struct{}, state func() (now any, last bool),
) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(life, cancel)()
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	defer onChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for {
		select {
		case <-changed:
		case <-ended:
		case <-ctx.Done():
			return
		}
		now, last := state()
		text, err := json.Marshal(now)
		if err != nil {
			return
		}
		if _, err := w.Write([]byte("data: " + string(text) + "\n\n")); err != nil || out.Flush() != nil || last {
			return
		}
		select {
		case <-time.After(eventInterval):
		case <-ctx.Done():
			return
		}
	}
}

// streamSession streams one session. It accepts input only during a takeover, which must be explicit.
func (s *Server) streamSession(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	source := s.host.Source(name)
	if source == nil {
		http.NotFound(w, r)
		return
	}
	stream.Accept(s.Life(), w, r, source, stream.Options{Quality: 80, Input: func() bool {
		return s.host.TakenOver(name)
	}})
}

func (s *Server) screenshot(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), requestLimit)
	defer cancel()
	defer context.AfterFunc(s.Life(), cancel)()
	image, err := s.host.Screenshot(ctx, r.PathValue("name"))
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	_, _ = w.Write(image)
}

func (s *Server) records(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), requestLimit)
	defer cancel()
	defer context.AfterFunc(s.Life(), cancel)()
	data, err := s.host.Records(ctx, r.PathValue("name"), r.PathValue("kind"))
	if err != nil {
		s.fail(w, err)
		return
	}
	answer(w, http.StatusOK, data)
}

func (s *Server) timeline(w http.ResponseWriter, r *http.Request) {
	commands, err := s.host.Timeline(r.PathValue("name"))
	if err != nil {
		s.fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string][]Command{"commands": commands})
}

func (s *Server) take(w http.ResponseWriter, r *http.Request, on bool) {
	if err := s.takeOver(r.PathValue("name"), on); err != nil {
		s.fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]bool{"taken": on})
}

// confirm runs or drops a waiting command.
func (s *Server) confirm(w http.ResponseWriter, r *http.Request, yes bool) {
	if err := s.host.Confirm(context.WithoutCancel(r.Context()), r.PathValue("name"), r.PathValue("id"), yes); err != nil {
		s.fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]bool{"confirmed": yes})
}

// maxReason is how long the reason may be for which a person cannot do what he is asked to.
const maxReason = 1000

// ReadReason reads the reason that a person gives in the body of a request, as text.
func ReadReason(r *http.Request) string {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4*maxReason))
	if err != nil {
		return ""
	}
	reason := []rune(strings.ToValidUTF8(string(body), ""))
	return strings.TrimSpace(string(reason[:min(len(reason), maxReason)]))
}

// endHandoff passes on what a person says to a handoff.
func (s *Server) endHandoff(w http.ResponseWriter, r *http.Request) {
	end := r.PathValue("end")
	if end != "done" && end != "cannot" {
		http.NotFound(w, r)
		return
	}
	if err := s.host.EndHandoff(r.PathValue("name"), r.PathValue("id"), end == "done", ReadReason(r)); err != nil {
		s.fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]string{"end": end})
}

func (s *Server) fail(w http.ResponseWriter, err error) {
	status := http.StatusConflict
	if fault.Is(err, fault.SessionInvalid) || errors.Is(err, context.Canceled) {
		status = http.StatusNotFound
	}
	answer(w, status, map[string]string{"error": err.Error(), "code": string(fault.CodeOf(err))})
}

func answer(w http.ResponseWriter, status int, data any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(data)
}
