package logpoint

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/ring"
)

// Place is where something is in a script: lines and columns count from 1.
type Place struct {
	URL      string // an address, or the name of a source
	Line     int
	Column   int
	Function string
}

// Point is a logpoint.
type Point struct {
	ID         string
	Expression string
	Runs       string // the expression in the names that the served script has
	At         Place  // as the caller sees it: in a source, if there is a map
	Served     Place
	breakpoint string
	asked      Place // of the breakpoint, counted from 0
}

// Value is what an expression was when its line ran.
type Value struct {
	Point  string // its id
	At     time.Time
	Text   string
	Failed bool // the text is an error
	Stack  []Place
}

// limits bound the values that are kept.
var limits = ring.Limits{Count: 1000, Bytes: 1 << 20}

// Set are the logpoints of a page.
type Set struct {
	page             *engine.Page
	binding, channel string // names that the page cannot guess

	setting sync.Mutex // held while a logpoint is set or cleared

	mu      sync.Mutex
	sess    *cdp.Session // nil: there are none
	detach  func()
	scripts map[string]*script // by address
	points  []*Point
	last    int
	values  *ring.Buffer[Value]
}

var sets = engine.NewState(func(p *engine.Page) *Set {
	return &Set{
		page:    p,
		binding: "b" + rand.Text(),
		channel: "c" + rand.Text(),
		values:  ring.New[Value](limits),
	}
})

// Of returns the logpoints of a page.
func Of(p *engine.Page) *Set { return sets.Of(p) }

// Points are those that are set, the oldest first.
func (s *Set) Points() []Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Point, len(s.points))
	for i, p := range s.points {
		all[i] = *p
	}
	return all
}

// Values are those that came, the oldest first, and how many were dropped for newer ones.
func (s *Set) Values() (values []Value, dropped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	values = slices.Clone(s.values.All())
	for i := range values {
		for j, at := range values[i].Stack {
			values[i].Stack[j] = s.originalLocked(at)
		}
	}
	return values, s.values.Dropped()
}

// Add sets a logpoint at a line of a script, or of a source in the map of one.
func (s *Set) Add(ctx context.Context, file string, line int, expression string) (Point, error) {
	s.setting.Lock()
	defer s.setting.Unlock()
	sess, err := s.open(ctx)
	if err != nil {
		return Point{}, err
	}
	p, err := s.add(ctx, sess, file, line, expression)
	if err != nil {
		s.closeIfEmpty()
	}
	return p, err
}

func (s *Set) add(ctx context.Context, sess *cdp.Session, file string, line int, expression string) (Point, error) {
	t, err := s.find(ctx, sess, file, line)
	if err != nil {
		return Point{}, err
	}
	asked := Place{URL: t.script.url, Line: t.line, Column: t.column}
	s.mu.Lock()
	for _, other := range s.points {
		if other.asked == asked { // the browser takes one breakpoint a place
			s.mu.Unlock()
			return Point{}, fault.New(fault.TargetUnsuitable, "%s:%d has logpoint %s already", file, line, other.ID).
				About(file).WithHint("Clear that, or read several values at once: '[a, b]'.")
		}
	}
	s.last++
	p := &Point{ID: strconv.Itoa(s.last), Expression: expression, At: t.at, Runs: expression, asked: asked}
	s.mu.Unlock()
	if p.Runs, err = t.renamed(ctx, sess, expression); err != nil {
		return Point{}, err
	}
	if err := compiles(ctx, sess, p.Runs, expression); err != nil {
		return Point{}, err
	}
	var reply struct {
		ID        string `json:"breakpointId"`
		Locations []struct {
			Line   int `json:"lineNumber"`
			Column int `json:"columnNumber"`
		} `json:"locations"`
	}
	err = sess.Call(ctx, "Debugger.setBreakpointByUrl", debugger.SetBreakpointByURLParams{
		URL:          t.script.url,
		LineNumber:   int64(t.line),
		ColumnNumber: new(int64(t.column)),
		Condition:    s.condition(p.ID, p.Runs),
	}, &reply)
	if err != nil {
		return Point{}, err
	}
	p.breakpoint = reply.ID
	if len(reply.Locations) == 0 {
		sess.Start("Debugger.removeBreakpoint", map[string]string{"breakpointId": reply.ID})
		return Point{}, fault.New(fault.TargetUnsuitable, "%s:%d has no code that runs", file, line).About(file).
			WithHint("Choose the line of a statement.")
	}
	at := reply.Locations[0]
	p.Served = Place{URL: t.script.url, Line: at.Line + 1, Column: at.Column + 1}
	if t.sourceMap == nil {
		p.At.Line = p.Served.Line
	}
	s.mu.Lock()
	s.points = append(s.points, p)
	s.mu.Unlock()
	return *p, nil
}

// compiles returns an error for what is not an expression.
func compiles(ctx context.Context, sess *cdp.Session, runs, expression string) error {
	var reply struct {
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	err := sess.Call(ctx, "Runtime.evaluate", // a function that is not called
		runtime.EvaluateParams{Expression: "(() => (" + runs + "\n), 0)", ReturnByValue: new(true)}, &reply)
	if err != nil || reply.ExceptionDetails == nil {
		return err
	}
	why := reply.ExceptionDetails.Text
	if e := reply.ExceptionDetails.Exception; e != nil && e.Description != "" {
		why, _, _ = strings.Cut(e.Description, "\n")
	}
	return fault.New(fault.Usage, "%s is not an expression of JavaScript: %s", expression, why).About(expression)
}

// Clear removes the logpoint with an id, or all for "", and forgets their values. It returns how many there were.
func (s *Set) Clear(ctx context.Context, id string) (cleared int, err error) {
	s.setting.Lock()
	defer s.setting.Unlock()
	s.mu.Lock()
	sess := s.sess
	var kept, gone []*Point
	for _, p := range s.points {
		if id == "" || p.ID == id {
			gone = append(gone, p)
		} else {
			kept = append(kept, p)
		}
	}
	s.points = kept
	values := s.values.All()
	s.values.Clear()
	for _, v := range values {
		if id != "" && v.Point != id {
			s.values.Add(v, v.size())
		}
	}
	s.mu.Unlock()
	for _, p := range gone {
		err = cmp.Or(err, sess.Call(ctx, "Debugger.removeBreakpoint",
			map[string]string{"breakpointId": p.breakpoint}, nil))
	}
	s.closeIfEmpty()
	return len(gone), err
}

// closeIfEmpty ends the session, and with it domain Debugger, when there are no logpoints.
func (s *Set) closeIfEmpty() {
	s.mu.Lock()
	detach := s.detach
	if len(s.points) > 0 || detach == nil {
		s.mu.Unlock()
		return
	}
	s.sess, s.detach, s.scripts = nil, nil, nil
	s.mu.Unlock()
	detach()
}

// open returns the session for logpoints, with domain Debugger enabled and the channel in place.
func (s *Set) open(ctx context.Context) (*cdp.Session, error) {
	s.mu.Lock()
	sess := s.sess
	s.mu.Unlock()
	if sess != nil {
		return sess, nil
	}
	sess, detach, err := s.page.Sessions().Open(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.sess, s.detach, s.scripts = sess, detach, map[string]*script{}
	s.mu.Unlock()
	sess.Tap(func(ev cdp.Event) { s.onEvent(sess, ev) })
	for _, call := range []cdp.Call{
		{Method: "Page.enable"},
		{Method: "Runtime.enable"}, // or documents to come get no binding
		{Method: "Runtime.addBinding", Params: runtime.AddBindingParams{Name: s.binding}},
		{Method: "Page.addScriptToEvaluateOnNewDocument", Params: page.AddScriptToEvaluateOnNewDocumentParams{
			Source: s.script(),
		}},
		{Method: "Runtime.evaluate", Params: runtime.EvaluateParams{
			Expression: s.script(), ReturnByValue: new(true),
		}},
		{Method: "Debugger.enable"},
	} {
		if err := sess.Call(ctx, call.Method, call.Params, nil); err != nil {
			s.closeIfEmpty()
			return nil, err
		}
	}
	return sess, nil
}

// onEvent handles an event on the connection's reader.
func (s *Set) onEvent(sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Debugger.scriptParsed":
		s.parsed(ev)
	case "Debugger.paused": // at a statement of the page, which pauses where a debugger listens
		sess.Start("Debugger.resume", nil)
	case "Runtime.bindingCalled":
		s.called(ev)
	}
}

// called takes a value.
func (s *Set) called(ev cdp.Event) {
	var e struct {
		Name    string `json:"name"`
		Payload string `json:"payload"`
	}
	var said struct {
		ID, Text, Stack string
		Failed          bool
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.Name != s.binding ||
		json.NewDecoder(bytes.NewReader([]byte(e.Payload))).Decode(&said) != nil {
		return
	}
	v := Value{Point: said.ID, At: time.Now(), Text: said.Text, Failed: said.Failed, Stack: placesOf(said.Stack)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.points, func(p *Point) bool { return p.ID == v.Point }) {
		s.values.Add(v, v.size())
	}
}

func (v *Value) size() int64 {
	n := 200 + len(v.Text)
	for _, at := range v.Stack {
		n += 100 + len(at.URL) + len(at.Function)
	}
	return int64(n)
}

// topFrames is how many frames of a stack are kept.
const topFrames = 5

var frameLine = regexp.MustCompile(`^\s*at (?:(.*?) \()?([^()]+?):(\d+):(\d+)\)?$`)

// placesOf are the top frames of a stack, without those of the condition.
func placesOf(stack string) (places []Place) {
	for line := range strings.Lines(stack) {
		parts := frameLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if parts == nil || strings.HasPrefix(parts[2], "<anonymous>") || strings.Contains(line, "eval at ") {
			continue
		}
		at := Place{URL: parts[2], Function: parts[1]}
		at.Line, _ = strconv.Atoi(parts[3])
		at.Column, _ = strconv.Atoi(parts[4])
		if places = append(places, at); len(places) == topFrames {
			break
		}
	}
	return places
}
