package testmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// T is the test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(f func())
}

// Call is a use of a tool that the script has the model ask for.
type Call struct {
	Name string
	Args any
}

// Answer is what the model answers, or how the endpoint fails.
type Answer struct {
	Text  string
	Calls []Call

	Status     int           // in place of an answer; 0 means an answer
	RetryAfter string        // beside the status
	Body       string        // of that status; empty means an error as the API has it
	Cut        bool          // the connection ends in the middle
	Error      string        // the stream reports an error in the middle
	Stop       string        // the endpoint's own word; empty means what fits
	Wait       chan struct{} // the answer begins when it is closed
}

// Result is the result of a call, as the model got it.
type Result struct {
	Call   Call
	Text   string
	Failed bool // as far as the API can say
}

// Turn is a request, whichever API it came by.
type Turn struct {
	N        int    // from 1
	Path     string // of the request
	Model    string
	Key      string
	System   string
	User     []string // what the user said, the oldest first
	Results  []Result // of the calls, the oldest first
	Last     []Result // those since the last answer
	Tools    map[string]json.RawMessage
	Stream   bool
	Forced   bool
	Messages int
	Pictures int // in what the user said and in results
}

// Script says what the model answers to a request.
type Script func(Turn) Answer

// Server is an endpoint of both APIs.
type Server struct {
	*httptest.Server
	t      T
	script Script

	mu    sync.Mutex
	turns []Turn
	given map[string]Call // by id
}

// Start starts an endpoint, which ends with the test. What is wrong with a request fails the test, and is answered with
// 400.
func Start(t T, script Script) *Server {
	t.Helper()
	s := &Server{t: t, script: script, given: map[string]Call{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Say is a script that gives one answer after the other, and fails the test at a request too many.
func Say(t T, answers ...Answer) Script {
	return func(turn Turn) Answer {
		if turn.N > len(answers) {
			t.Errorf("request %d, and the script has %d answers", turn.N, len(answers))
			return Answer{Text: "no more"}
		}
		return answers[turn.N-1]
	}
}

// Turns returns the requests so far.
func (s *Server) Turns() []Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Turn(nil), s.turns...)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var turn Turn
	var err error
	var write func(*writer, Answer)
	switch {
	case r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json":
		err = fmt.Errorf("%s with the type %q", r.Method, r.Header.Get("Content-Type"))
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		turn, err = s.readOpenAI(r)
		write = (*writer).openAI
	case strings.HasSuffix(r.URL.Path, "/v1/messages"):
		turn, err = s.readAnthropic(r)
		write = (*writer).anthropic
	default:
		err = fmt.Errorf("no such path: %s", r.URL.Path)
	}
	if err != nil {
		s.t.Errorf("the endpoint does not take this: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"error":{"message":%q}}`, err.Error())
		return
	}
	s.mu.Lock()
	turn.N, turn.Path = len(s.turns)+1, r.URL.Path
	s.turns = append(s.turns, turn)
	s.mu.Unlock()
	a := s.script(turn)
	if a.Wait != nil {
		select {
		case <-a.Wait:
		case <-r.Context().Done():
			return
		}
	}
	if a.Status != 0 {
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		if a.Body == "" {
			a.Body = `{"type":"error","error":{"type":"api_error","message":"status ` + strconv.Itoa(a.Status) + `"}}`
		}
		w.WriteHeader(a.Status)
		_, _ = w.Write([]byte(a.Body))
		return
	}
	out := &writer{w: w, stream: turn.Stream, model: turn.Model}
	s.mu.Lock()
	for i, c := range a.Calls {
		id := fmt.Sprintf("call_%d_%d", turn.N, i)
		s.given[id] = c
		out.ids = append(out.ids, id)
	}
	s.mu.Unlock()
	write(out, a)
}

// pair finds the call of a result.
func (s *Server) pair(open *[]string, id, text string, failed bool) (Result, error) {
	if len(*open) == 0 || (*open)[0] != id {
		return Result{}, fmt.Errorf("a result of %q, and %v are waiting", id, *open)
	}
	*open = (*open)[1:]
	if text == "" {
		return Result{}, fmt.Errorf("an empty result of %q", id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	call, ok := s.given[id]
	if !ok {
		return Result{}, fmt.Errorf("a result of %q, which was not called", id)
	}
	return Result{Call: call, Text: text, Failed: failed}, nil
}
