package initscript

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// Script is a script that runs in each new document of a context before any script of the page does.
type Script struct {
	ID     string // of ours, unique in the context
	Name   string // where it comes from
	Source string

	added *addedScript
}

// scripts are the scripts of a context, in the order in which they run.
type scripts struct {
	mu   sync.Mutex
	last int
	list []Script
}

var states = engine.NewState(func(*engine.Context) *scripts { return &scripts{} })

// Resumed implements [engine.Resumable]: the scripts continue as their overrides do.
func (s *scripts) Resumed() (next any, ended string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &scripts{last: s.last, list: slices.Clone(s.list)}, ""
}

// addedScript is the parameters of the call that adds a script. Each session gives it an identifier of its own.
type addedScript struct {
	Source string `json:"source"`

	mu          sync.Mutex
	identifiers map[string]string // by session
}

func (s *addedScript) Answered(session string, reply jsonv2.Value) {
	var res struct {
		Identifier string `json:"identifier"`
	}
	if cdp.Unmarshal(reply, &res) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.identifiers[session] = res.Identifier
}

// remove is how the script is taken from a session.
func (s *addedScript) remove(session string) []cdp.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.identifiers[session]
	if !ok {
		return nil
	}
	return []cdp.Call{{Method: "Page.removeScriptToEvaluateOnNewDocument", Params: map[string]string{"identifier": id}}}
}

func overrideKey(id string) string { return "init script " + id }

// Add adds a script that runs in all later documents: in open tabs and new ones, in all their frames.
func Add(ctx context.Context, c *engine.Context, page *engine.Page, name, source string) (Script, error) {
	s := states.Of(c)
	s.mu.Lock()
	s.last++
	added := &addedScript{Source: source, identifiers: map[string]string{}}
	script := Script{ID: strconv.Itoa(s.last), Name: name, Source: source, added: added}
	s.list = append(s.list, script)
	s.mu.Unlock()
	err := c.Overrides().Set(ctx, page, overrideKey(script.ID), &engine.Override{
		What:   "init scripts",
		Calls:  []cdp.Call{{Method: "Page.addScriptToEvaluateOnNewDocument", Params: added}},
		UndoIn: added.remove,
		Frames: true,
	})
	if err != nil {
		s.take(script.ID)
	}
	return script, err
}

// Remove removes a script: later documents do not run it. It reports whether there is one with the id.
func Remove(ctx context.Context, c *engine.Context, page *engine.Page, id string) (script Script, ok bool, err error) {
	if script, ok = states.Of(c).take(id); !ok {
		return script, false, nil
	}
	return script, true, c.Overrides().Set(ctx, page, overrideKey(id), nil)
}

// List returns the scripts of the context in the order in which they run.
func List(c *engine.Context) []Script {
	s := states.Of(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

func (s *scripts) take(id string) (script Script, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, script := range s.list {
		if script.ID == id {
			s.list = slices.Delete(s.list, i, i+1)
			return script, true
		}
	}
	return Script{}, false
}
