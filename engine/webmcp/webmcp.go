package webmcp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// Tool is a tool that a page offers to agents. All of it is what the page says.
type Tool struct {
	ID          string       `json:"toolId"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Input       jsonv2.Value `json:"inputSchema"` // JSON schema; empty means that none was given
	Output      jsonv2.Value `json:"outputSchema"`
	Annotations jsonv2.Value `json:"annotations"`
	FrameID     string       `json:"frameId"`
	NodeID      int64        `json:"backendNodeId"` // of the form that declares it, if one does
	URL         string       `json:"-"`             // of the frame's document
}

// key identifies a tool: each process counts the ids for itself, and older browsers give none.
func (t *Tool) key() string { return t.FrameID + " " + cmp.Or(t.ID, t.Name) }

// Invocation is one call of a page's tool.
type Invocation struct {
	ID, Tool, FrameID, URL string
	Begun, Ended           time.Time
	// in the protocol's words: "Completed", "Canceled", "Error"; empty means that it is under way
	Status  string
	Output  jsonv2.Value // of a completed one
	Failure string
}

const (
	overrideKey = "webmcp"

	// maxInvocations is how many calls of a page's tools are remembered, and maxTools how many tools.
	maxInvocations = 100
	maxTools       = 1000

	// framePatience is how long frames in other processes may take to list their tools.
	framePatience = 3 * time.Second
)

// registry holds the tools of a page and the calls of them.
type registry struct {
	mu          sync.Mutex
	changed     chan struct{} // closed and replaced when a call has ended
	tools       map[string]Tool
	invocations map[string]*Invocation
	order       []string // ids of invocations, the oldest first
}

var registries = engine.NewState(func(*engine.Page) *registry {
	return &registry{changed: make(chan struct{}), tools: map[string]Tool{}, invocations: map[string]*Invocation{}}
})

// observing is whether the pages of a context are observed.
type observing struct {
	once   sync.Once
	silent atomic.Bool // the browser was asked for tools, and its answer is not known
}

var observers = engine.NewState(func(*engine.Context) *observing { return &observing{} })

func observe(c *engine.Context) *observing {
	o := observers.Of(c)
	o.once.Do(func() { c.Observe(engine.Observer{Event: onEvent}) })
	return o
}

func override() *engine.Override {
	return &engine.Override{
		Calls:  []cdp.Call{{Method: "WebMCP.enable"}},
		Undo:   []cdp.Call{{Method: "WebMCP.disable"}},
		Frames: true,
	}
}

// Listen makes the browser report tools from now on, if it knows any, and waits for nothing: what it reports of the
// page comes before its answer to the next call.
func Listen(ctx context.Context, p *engine.Page) {
	c := p.Context()
	o := observe(c)
	if c.Overrides().Has(overrideKey) {
		return
	}
	o.silent.Store(true)
	_ = c.Overrides().Set(ctx, nil, overrideKey, override()) // without it, no tools are known
}

// enable makes the browser report tools, from the first use on.
func enable(ctx context.Context, page *engine.Page) error {
	c := page.Context()
	o := observe(c)
	if c.Overrides().Has(overrideKey) && !o.silent.Load() {
		return nil
	}
	err := c.Overrides().Set(ctx, page, overrideKey, override())
	if fault.Is(err, fault.Protocol) {
		return &fault.Error{
			Code: fault.WebMCPMissing, Message: "webmcp_unavailable: the browser has no WebMCP", Err: err,
			Hint: "It takes Chromium 150 or newer, started without --no-webmcp.",
		}
	}
	if err != nil {
		return err
	}
	o.silent.Store(false)
	// Frames in other processes answer for themselves, after they have listed their tools.
	var pending []*cdp.Pending
	for sess, kind := range page.Sessions().All() {
		if kind == engine.FrameSession {
			pending = append(pending, sess.Start("WebMCP.enable", nil))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, framePatience)
	defer cancel()
	for _, call := range pending {
		_, _ = call.Wait(ctx)
	}
	return nil
}

// Tools returns the tools that the page and its frames offer, by name.
func Tools(ctx context.Context, p *engine.Page) ([]Tool, error) {
	if err := enable(ctx, p); err != nil {
		return nil, err
	}
	return Known(p), nil
}

// Known returns the tools that the browser has reported so far, by name. It asks neither the browser nor the page.
func Known(p *engine.Page) []Tool {
	r := registries.Of(p)
	r.mu.Lock()
	all := slices.Collect(maps.Values(r.tools))
	r.mu.Unlock()
	var list []Tool
	for _, t := range all {
		if f := p.Frames().ByID(t.FrameID); f != nil {
			t.URL = urls.Public(f.URL())
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b Tool) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.FrameID, b.FrameID))
	})
	return list
}

// Consequential reports whether the page says that a call of the tool has consequences outside of the page, or cannot
// be undone.
func (t *Tool) Consequential() bool {
	var says struct {
		Consequential   bool `json:"consequential"`
		ConsequentialBy bool `json:"consequentialHint"`
		Destructive     bool `json:"destructive"`
		DestructiveBy   bool `json:"destructiveHint"`
	}
	if len(t.Annotations) == 0 || cdp.Unmarshal(t.Annotations, &says) != nil {
		return false
	}
	return says.Consequential || says.ConsequentialBy || says.Destructive || says.DestructiveBy
}

// invocation are the parameters of WebMCP.invokeTool.
type invocation struct {
	FrameID string       `json:"frameId"`
	Tool    string       `json:"toolName"`
	Input   jsonv2.Value `json:"input"`
}

// Invoke begins a call of a tool with a JSON object.
func Invoke(ctx context.Context, p *engine.Page, tool Tool, input jsonv2.Value) (Invocation, error) {
	f := p.Frames().ByID(tool.FrameID)
	if f == nil {
		return Invocation{}, fault.New(fault.FrameGone, "the frame of the tool was removed")
	}
	begun := time.Now()
	raw, err := f.Session().CallRaw(ctx, "WebMCP.invokeTool", invocation{tool.FrameID, tool.Name, input})
	if err != nil {
		return Invocation{}, err
	}
	var res struct {
		ID string `json:"invocationId"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return Invocation{}, err
	}
	r := registries.Of(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	call := r.invocationLocked(res.ID)
	call.Tool, call.FrameID, call.URL, call.Begun = tool.Name, tool.FrameID, tool.URL, begun
	return *call, nil
}

// invocationLocked returns the call with the id, which is added when it is new: its end may be reported before its
// beginning.
func (r *registry) invocationLocked(id string) *Invocation {
	call := r.invocations[id]
	if call == nil {
		call = &Invocation{ID: id, Begun: time.Now()}
		r.invocations[id] = call
		r.order = append(r.order, id)
		if len(r.order) > maxInvocations {
			delete(r.invocations, r.order[0])
			r.order = r.order[1:]
		}
	}
	return call
}

// Find returns a call that was begun in one of the context's pages, and the page.
func Find(c *engine.Context, id string) (call Invocation, page *engine.Page, ok bool) {
	for _, p := range c.Pages() {
		r := registries.Of(p)
		r.mu.Lock()
		if one := r.invocations[id]; one != nil {
			call, page, ok = *one, p, true
		}
		r.mu.Unlock()
	}
	return call, page, ok
}

// Await waits for the end of a call, and returns its state when ctx ends.
func Await(ctx context.Context, p *engine.Page, id string) (Invocation, error) {
	r := registries.Of(p)
	watched, stop := p.Watch(ctx, false)
	defer stop()
	for {
		r.mu.Lock()
		call, changed := *r.invocationLocked(id), r.changed
		r.mu.Unlock()
		if call.Status != "" {
			return call, nil
		}
		select {
		case <-changed:
		case <-watched.Done():
			return call, fault.WaitEnded(watched, "waiting for the page's tool")
		case <-p.Context().Browser().Done():
			return call, p.Context().Browser().Err()
		}
	}
}

// Cancel asks the page to cancel a call.
func Cancel(ctx context.Context, p *engine.Page, call Invocation) error {
	sess := p.Session()
	if f := p.Frames().ByID(call.FrameID); f != nil {
		sess = f.Session()
	}
	_, err := sess.CallRaw(ctx, "WebMCP.cancelInvocation", map[string]string{"invocationId": call.ID})
	return err
}

// onEvent handles an event on the connection's reader.
func onEvent(p *engine.Page, _ *cdp.Session, ev cdp.Event) {
	if ev.Method == "Page.frameNavigated" {
		var e struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		}
		if cdp.Unmarshal(ev.Params, &e) == nil {
			registries.Of(p).left(e.Frame.ID)
		}
		return
	}
	if !strings.HasPrefix(ev.Method, "WebMCP.") {
		return
	}
	var e struct {
		Tools        []Tool       `json:"tools"`
		InvocationID string       `json:"invocationId"`
		Status       string       `json:"status"`
		Output       jsonv2.Value `json:"output"`
		ErrorText    string       `json:"errorText"`
		Exception    struct {
			Description string       `json:"description"`
			Value       jsonv2.Value `json:"value"`
		} `json:"exception"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	r := registries.Of(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch ev.Method {
	case "WebMCP.toolsAdded":
		for _, t := range e.Tools {
			if len(r.tools) < maxTools {
				t.Input, t.Output, t.Annotations = t.Input.Clone(), t.Output.Clone(), t.Annotations.Clone()
				r.tools[t.key()] = t
			}
		}
	case "WebMCP.toolsRemoved":
		for _, t := range e.Tools {
			delete(r.tools, t.key())
		}
	case "WebMCP.toolResponded":
		call := r.invocationLocked(e.InvocationID)
		call.Status, call.Output, call.Ended = cmp.Or(e.Status, "Error"), e.Output.Clone(), time.Now()
		call.Failure = cmp.Or(e.ErrorText, e.Exception.Description, string(e.Exception.Value))
		close(r.changed)
		r.changed = make(chan struct{})
	}
}

// left removes the tools of a frame that shows another document now.
func (r *registry) left(frame string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.tools, func(_ string, t Tool) bool { return t.FrameID == frame })
}
