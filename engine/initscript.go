package engine

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// InitScript is a script that runs in each new document of a context before any script of the page does.
type InitScript struct {
	ID     string // of ours, unique in the context
	Name   string // where it comes from
	Source string

	added *addedScript
}

// initScripts are those of a context, in the order in which they run.
type initScripts struct {
	mu   sync.Mutex
	last int
	list []InitScript
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

func initScriptKey(id string) string { return "init script " + id }

// AddInitScript has a script run in all documents that come: in open tabs and new ones, in all their frames.
func (c *Context) AddInitScript(ctx context.Context, page *Page, name, source string) (InitScript, error) {
	s := &c.initScripts
	s.mu.Lock()
	s.last++
	added := &addedScript{Source: source, identifiers: map[string]string{}}
	script := InitScript{ID: strconv.Itoa(s.last), Name: name, Source: source, added: added}
	s.list = append(s.list, script)
	s.mu.Unlock()
	err := c.SetOverride(ctx, page, initScriptKey(script.ID), &Override{
		Calls: []cdp.Call{{Method: "Page.addScriptToEvaluateOnNewDocument", Params: added}}, UndoIn: added.remove, Frames: true,
	})
	if err != nil {
		s.take(script.ID)
	}
	return script, err
}

// RemoveInitScript takes a script back: documents that come do not run it any more. It reports whether there is one with the id.
func (c *Context) RemoveInitScript(ctx context.Context, page *Page, id string) (script InitScript, ok bool, err error) {
	if script, ok = c.initScripts.take(id); !ok {
		return script, false, nil
	}
	return script, true, c.SetOverride(ctx, page, initScriptKey(id), nil)
}

// InitScripts returns the scripts in the order in which they run.
func (c *Context) InitScripts() []InitScript {
	c.initScripts.mu.Lock()
	defer c.initScripts.mu.Unlock()
	return slices.Clone(c.initScripts.list)
}

func (s *initScripts) take(id string) (script InitScript, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, script := range s.list {
		if script.ID == id {
			s.list = slices.Delete(s.list, i, i+1)
			return script, true
		}
	}
	return InitScript{}, false
}
