package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// WebTool is a tool that a page offers to agents by WebMCP. All of it is the page's own word.
type WebTool struct {
	ID          string       `json:"toolId"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Input       jsonv2.Value `json:"inputSchema"` // JSON schema; empty: none was given
	Output      jsonv2.Value `json:"outputSchema"`
	Annotations jsonv2.Value `json:"annotations"`
	FrameID     string       `json:"frameId"`
	NodeID      int64        `json:"backendNodeId"` // of the form that declares it, if one does
	URL         string       `json:"-"`             // of the frame's document
}

// ToolCall is one use of a page's tool.
type ToolCall struct {
	ID, Tool, FrameID, URL string
	Begun, Ended           time.Time
	Status                 string       // in the protocol's words: "Completed", "Canceled", "Error"; empty: it is under way
	Output                 jsonv2.Value // of a completed one
	Failure                string
}

// webTools are the tools of a page and the calls of them. Guarded by page.mu.
type webTools struct {
	tools map[string]WebTool
	calls map[string]*ToolCall
	order []string // ids of calls, the oldest first
}

const (
	webMCPKey = "webmcp"

	// maxToolCalls is how many calls of a page's tools are remembered, and maxWebTools how many tools.
	maxToolCalls = 100
	maxWebTools  = 1000
)

func (p *Page) webToolsLocked() *webTools {
	if p.webTools == nil {
		p.webTools = &webTools{tools: map[string]WebTool{}, calls: map[string]*ToolCall{}}
	}
	return p.webTools
}

// useWebMCP has the browser tell of tools, from the first time on in which somebody asks.
func (c *Context) useWebMCP(ctx context.Context, page *Page) error {
	if c.HasOverride(webMCPKey) {
		return nil
	}
	err := c.SetOverride(ctx, page, webMCPKey, &Override{
		Calls: []cdp.Call{{Method: "WebMCP.enable"}}, Undo: []cdp.Call{{Method: "WebMCP.disable"}}, Frames: true,
	})
	if fault.Is(err, fault.Protocol) {
		return &fault.Error{
			Code: fault.WebMCPMissing, Message: "webmcp_unavailable: the browser has no WebMCP", Err: err,
			Hint: "It takes Chromium 150 or newer, started without --no-webmcp.",
		}
	}
	if err != nil {
		return err
	}
	// Frames in other processes answer for themselves, behind the tools that they have.
	page.mu.Lock()
	var pending []*cdp.Pending
	for sess, kind := range page.sessionsLocked() {
		if kind == FrameSession {
			pending = append(pending, sess.Start("WebMCP.enable", nil))
		}
	}
	page.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	for _, call := range pending {
		_, _ = call.Wait(ctx)
	}
	return nil
}

// WebTools returns the tools that the page and its frames offer, by name.
func (p *Page) WebTools(ctx context.Context) ([]WebTool, error) {
	if err := p.ctxt.useWebMCP(ctx, p); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []WebTool
	for _, t := range p.webToolsLocked().tools {
		if f := p.frames[t.FrameID]; f != nil {
			t.URL = PublicAddress(f.url)
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b WebTool) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.FrameID, b.FrameID))
	})
	return list, nil
}

// CallTool begins a call of a tool with a JSON object.
func (p *Page) CallTool(ctx context.Context, tool WebTool, input jsonv2.Value) (ToolCall, error) {
	p.mu.Lock()
	f := p.frames[tool.FrameID]
	var sess *cdp.Session
	if f != nil {
		sess = f.sess
	}
	p.mu.Unlock()
	if sess == nil {
		return ToolCall{}, fault.New(fault.FrameGone, "the frame of the tool was removed")
	}
	begun := time.Now()
	raw, err := sess.CallRaw(ctx, "WebMCP.invokeTool", map[string]any{"frameId": tool.FrameID, "toolName": tool.Name, "input": input})
	if err != nil {
		return ToolCall{}, err
	}
	var res struct {
		ID string `json:"invocationId"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return ToolCall{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	call := p.toolCallLocked(res.ID)
	call.Tool, call.FrameID, call.URL, call.Begun = tool.Name, tool.FrameID, tool.URL, begun
	return *call, nil
}

// toolCallLocked returns the call with the id, which is made when there is none: its end may be told before its beginning.
func (p *Page) toolCallLocked(id string) *ToolCall {
	w := p.webToolsLocked()
	call := w.calls[id]
	if call == nil {
		call = &ToolCall{ID: id, Begun: time.Now()}
		w.calls[id] = call
		w.order = append(w.order, id)
		if len(w.order) > maxToolCalls {
			delete(w.calls, w.order[0])
			w.order = w.order[1:]
		}
	}
	return call
}

// ToolCall returns what became of a call that was begun in one of the context's pages.
func (c *Context) ToolCall(id string) (call ToolCall, page *Page, ok bool) {
	for _, p := range c.Pages() {
		p.mu.Lock()
		if p.webTools != nil && p.webTools.calls[id] != nil {
			call, page, ok = *p.webTools.calls[id], p, true
		}
		p.mu.Unlock()
	}
	return call, page, ok
}

// AwaitTool waits for the end of a call, and returns how it stands when ctx ends.
func (p *Page) AwaitTool(ctx context.Context, id string) (call ToolCall, err error) {
	err = p.await(ctx, "waiting for the page's tool", func() bool {
		call = *p.toolCallLocked(id)
		return call.Status != ""
	})
	return call, err
}

// CancelTool asks the page to give a call up.
func (p *Page) CancelTool(ctx context.Context, call ToolCall) error {
	p.mu.Lock()
	sess := p.sess
	if f := p.frames[call.FrameID]; f != nil {
		sess = f.sess
	}
	p.mu.Unlock()
	_, err := sess.CallRaw(ctx, "WebMCP.cancelInvocation", map[string]string{"invocationId": call.ID})
	return err
}

// onWebMCP handles an event of domain WebMCP on the connection's reader.
func (p *Page) onWebMCP(ev cdp.Event) {
	var e struct {
		Tools        []WebTool    `json:"tools"`
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
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.webToolsLocked()
	switch ev.Method {
	case "WebMCP.toolsAdded":
		for _, t := range e.Tools {
			if len(w.tools) < maxWebTools {
				t.Input, t.Output, t.Annotations = t.Input.Clone(), t.Output.Clone(), t.Annotations.Clone()
				w.tools[t.key()] = t
			}
		}
	case "WebMCP.toolsRemoved":
		for _, t := range e.Tools {
			delete(w.tools, t.key())
		}
	case "WebMCP.toolResponded":
		call := p.toolCallLocked(e.InvocationID)
		call.Status, call.Output, call.Ended = cmp.Or(e.Status, "Error"), e.Output.Clone(), time.Now()
		call.Failure = cmp.Or(e.ErrorText, e.Exception.Description, string(e.Exception.Value))
	default:
		return
	}
	p.broadcastLocked()
}

// key names a tool: each process counts the ids for itself, and older browsers give none.
func (t *WebTool) key() string { return t.FrameID + " " + cmp.Or(t.ID, t.Name) }

// leftLocked forgets the tools of a frame that shows another document now. The caller holds page.mu.
func (w *webTools) leftLocked(frame string) {
	if w != nil {
		maps.DeleteFunc(w.tools, func(_ string, t WebTool) bool { return t.FrameID == frame })
	}
}
