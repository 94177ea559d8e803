package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
)

// Override is what all pages of a context are told, the open ones and the ones to come, until it is removed: a
// viewport, headers, a script. A context without overrides costs nothing.
type Override struct {
	// what it is, in words, if it continues in another context; empty means that it belongs to this one. See
	// [Context.Resume]
	What    string
	Calls   []cdp.Call
	Undo    []cdp.Call // removes it where Calls were sent
	Frames  bool       // also sent to frames in other processes
	Workers bool       // also sent to dedicated workers and the service workers of the pages
	Shared  Sharing    // the undo belongs to someone else

	UndoIn func(session string) []cdp.Call // in place of Undo, if that depends on what a session answered
}

// Sharing is for whom Chromium keeps a setting that a session has made. A session that ends undoes what is not its own
// alone.
type Sharing uint8

// What settings are kept for.
const (
	ForSession Sharing = iota
	ForPage            // any session with the page undoes it
	// any session with a page or frame of the process undoes it, as when a popup is closed or goes elsewhere
	ForProcess
)

// Answered is implemented by the parameters of calls that need to know what each session answered.
type Answered interface {
	Answered(session string, reply jsonv2.Value)
}

// tellAnswer hands the answer to a call to its parameters, if they want it.
func tellAnswer(sess *cdp.Session, call cdp.Call, reply jsonv2.Value) {
	if a, ok := call.Params.(Answered); ok {
		a.Answered(sess.ID(), reply)
	}
}

// start sends a call of an override without waiting for its answer.
func (s *Overrides) start(sess *cdp.Session, call cdp.Call) {
	pending := sess.Start(call.Method, call.Params)
	if _, ok := call.Params.(Answered); !ok {
		return
	}
	s.browser.Spawn(func(ctx context.Context) {
		if raw, err := pending.Wait(ctx); err == nil {
			tellAnswer(sess, call, raw)
		}
	})
}

// in returns the calls for one session.
func (o *Override) in(sess *cdp.Session) []cdp.Call {
	if o.UndoIn != nil {
		return o.UndoIn(sess.ID())
	}
	return o.Calls
}

// Overrides are the overrides of a context, in the order in which they were set.
type Overrides struct {
	pages   *pageList
	browser *Browser

	mu    sync.Mutex
	keys  []string
	byKey map[string]*Override
}

// Overrides returns what all pages of the context are told.
func (c *Context) Overrides() *Overrides { return c.overrides }

// SessionKind is what a session leads to.
type SessionKind uint8

// The kinds of sessions of a page.
const (
	PageSession SessionKind = iota
	FrameSession
	WorkerSession
)

func (o *Override) reaches(kind SessionKind) bool {
	return kind == PageSession || kind == FrameSession && o.Frames || kind == WorkerSession && o.Workers
}

// Set sends an override to all pages of the context, in place of the one with the same key; nil removes that one. It
// returns when page, unless that is nil, has accepted it, and changes nothing if page refuses it. It waits for no other
// page.
func (s *Overrides) Set(ctx context.Context, page *Page, key string, to *Override) error {
	defer cdp.Attempting(ctx)
	s.mu.Lock()
	before, attachBefore := s.byKey[key], s.autoAttachLocked()
	s.setLocked(key, to)
	attach := s.autoAttachLocked()
	s.mu.Unlock()
	pages := s.pages.all() // a page that is not among them yet is told by its setup
	calls := to
	if to == nil {
		if before == nil {
			return nil
		}
		calls = &Override{Calls: before.Undo, UndoIn: before.UndoIn, Frames: before.Frames, Workers: before.Workers}
	} else {
		set := *to
		set.UndoIn = nil
		calls = &set
	}
	if page != nil {
		page.mu.Lock() // what another override tells the page is written before this, or after
		sent := adapted(page, PageSession, calls.in(page.sess))
		pending := page.sess.Batch(sent...)
		page.mu.Unlock()
		for i, call := range pending {
			raw, err := call.Wait(ctx)
			if err != nil {
				s.mu.Lock()
				s.setLocked(key, before)
				s.mu.Unlock()
				return err
			}
			tellAnswer(page.sess, sent[i], raw)
		}
	}
	for _, p := range pages {
		p.mu.Lock()
		for sess, kind := range p.sessions.all() {
			if attach != attachBefore && kind != WorkerSession {
				sess.Start(attach.call().Method, attach.call().Params)
			}
			if calls.reaches(kind) && (p != page || kind != PageSession) {
				for _, call := range adapted(p, kind, calls.in(sess)) {
					s.start(sess, call)
				}
			}
		}
		p.mu.Unlock()
	}
	return nil
}

// Has reports whether there is an override with the key.
func (s *Overrides) Has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byKey[key] != nil
}

func (s *Overrides) setLocked(key string, to *Override) {
	switch {
	case to == nil:
		delete(s.byKey, key)
		s.keys = slices.DeleteFunc(s.keys, func(k string) bool { return k == key })
		return
	case s.byKey == nil:
		s.byKey = map[string]*Override{}
	}
	if s.byKey[key] == nil {
		s.keys = append(s.keys, key)
	}
	s.byKey[key] = to
}

// calls returns the calls for a new session.
func (s *Overrides) calls(kind SessionKind) []cdp.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var calls []cdp.Call
	for _, key := range s.keys {
		if o := s.byKey[key]; o.reaches(kind) {
			calls = append(calls, o.Calls...)
		}
	}
	return calls
}

// shared returns the overrides that a page loses with other sessions than its own.
func (s *Overrides) shared(by Sharing) (shared []*Override) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.keys {
		if o := s.byKey[key]; o.Shared == by {
			shared = append(shared, o)
		}
	}
	return shared
}

// renew sends again what pages have lost with a session that ended. except, unless nil, has not.
func (s *Overrides) renew(by Sharing, except *Page, pages ...*Page) {
	if len(s.shared(by)) == 0 {
		return
	}
	for _, p := range pages {
		if p == except {
			continue
		}
		p.mu.Lock() // as in Set: what is being removed is not sent behind its end
		for _, o := range s.shared(by) {
			for sess, kind := range p.sessions.all() {
				if o.reaches(kind) {
					for _, call := range adapted(p, kind, o.Calls) {
						s.start(sess, call)
					}
				}
			}
		}
		p.mu.Unlock()
	}
}

// resume takes over the overrides that go on of a context that has ended, and returns in words what they are. network
// is in place of the one that enables domain Network; nil means that it has no user any longer.
func (s *Overrides) resume(from *Overrides, network *Override) (continues []string) {
	from.mu.Lock()
	said, keys := maps.Clone(from.byKey), slices.Clone(from.keys)
	from.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		switch o := said[key]; {
		case key == networkKey:
			if network != nil {
				s.setLocked(key, network)
			}
		case o.What != "":
			s.setLocked(key, o)
			continues = append(continues, o.What)
		}
	}
	return continues
}

// autoAttach is how sessions get attached to the targets that belong to theirs: whether a new target does nothing
// before it got the overrides. Then workers are attached to as well, also where no override is for them: Chromium holds
// them with the others, and only who is attached to one lets it go.
type autoAttach bool

func (s *Overrides) autoAttach() autoAttach {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.autoAttachLocked()
}

func (s *Overrides) autoAttachLocked() autoAttach {
	for _, o := range s.byKey {
		if o.Workers || o.Frames {
			return true
		}
	}
	return false
}

func (a autoAttach) call() cdp.Call {
	filter := target.Filter{{Type: "iframe"}, {Exclude: true}}
	if a {
		filter = target.Filter{{Type: "iframe"}, {Type: "worker"}, {Type: "service_worker"}, {Exclude: true}}
	}
	return cdp.Call{Method: "Target.setAutoAttach", Params: target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: bool(a), Flatten: new(true), Filter: filter,
	}}
}

// runCall resumes a target that waited for its first calls.
var runCall = cdp.Call{Method: "Runtime.runIfWaitingForDebugger"}
