package engine

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/ring"
)

// console is what the pages of a context have logged and which errors they had, from the first question on. The browser itself keeps what the
// current documents have logged before, and tells of it then.
type console struct {
	mu       sync.Mutex
	messages *ring.Buffer[*consoleEntry] // nil: nobody has asked yet
	errors   *ring.Buffer[*consoleEntry]
	workers  map[string]bool // target ids of workers that tell for themselves
	watches  map[*ConsoleWatch]struct{}
}

// consoleEntry is a message or an error as the browser told it, decoded when it is asked for.
type consoleEntry struct {
	method    string // of the event
	params    jsonv2.Value
	page      string // target id
	worker    string // address of the worker that it came from
	time      float64
	sess      *cdp.Session
	exception int64 // number of an exception, by which it can be taken back
	workerID  string
	dropped   bool // taken back, or told twice
	previewed bool // its objects were asked for what is in them
	cut       bool
}

const (
	consoleKey = "console"

	// maxConsoleEntry is what one entry may take as the browser tells it. Of larger ones the long strings are cut.
	maxConsoleEntry = 64 << 10

	// consolePatience is how long other tabs may take to tell what they have logged before anybody asked.
	consolePatience = 3 * time.Second
)

// ConsoleLimits bound what is kept of messages, and as much again of errors.
type ConsoleLimits = ring.Limits

// ReadConsole returns what the pages of the context logged, oldest first, and how many older messages had to be dropped. The first call turns
// the listening on: page must be able to answer then.
func (c *Context) ReadConsole(ctx context.Context, page *Page, limits ConsoleLimits) (messages []ConsoleMessage, dropped int, err error) {
	if err := c.listen(ctx, page, limits); err != nil {
		return nil, 0, err
	}
	c.previewObjects(ctx)
	entries, dropped := c.console.read(false)
	for _, e := range entries {
		if m, ok := e.message(); ok {
			messages = append(messages, m)
		}
	}
	return messages, dropped, nil
}

// ReadErrors returns the exceptions of pages that nobody caught and what the browser itself reported as errors, oldest first, and how many
// older ones had to be dropped. It turns the listening on as ReadConsole does.
func (c *Context) ReadErrors(ctx context.Context, page *Page, limits ConsoleLimits) (errs []PageError, dropped int, err error) {
	if err := c.listen(ctx, page, limits); err != nil {
		return nil, 0, err
	}
	entries, dropped := c.console.read(true)
	for _, e := range entries {
		if m, ok := e.pageError(); ok {
			errs = append(errs, m)
		}
	}
	return errs, dropped, nil
}

// ClearConsole forgets the messages, or the errors, of all pages or of the one with the target id.
func (c *Context) ClearConsole(ctx context.Context, page *Page, target string, errors bool, limits ConsoleLimits) error {
	if err := c.listen(ctx, page, limits); err != nil {
		return err
	}
	c.console.mu.Lock()
	defer c.console.mu.Unlock()
	buffer := c.console.messages
	if errors {
		buffer = c.console.errors
	}
	if target == "" {
		buffer.Clear()
		return nil
	}
	for _, e := range buffer.All() {
		if e.page == target {
			e.drop()
		}
	}
	return nil
}

// listen turns the listening on, and waits until the pages have told what came before.
func (c *Context) listen(ctx context.Context, page *Page, limits ConsoleLimits) error {
	c.console.mu.Lock()
	first := c.console.messages == nil
	if first {
		c.console.messages, c.console.errors = ring.New[*consoleEntry](limits), ring.New[*consoleEntry](limits)
		c.console.workers = map[string]bool{}
	} else {
		c.console.messages.Limit(limits)
		c.console.errors.Limit(limits)
	}
	c.console.mu.Unlock()
	if c.Stands(consoleKey) {
		return nil
	}
	enable := []cdp.Call{{Method: "Runtime.enable"}, {Method: "Log.enable"}}
	err := c.Stand(ctx, page, consoleKey, &Standing{
		Calls: enable, Undo: []cdp.Call{{Method: "Log.disable"}, {Method: "Runtime.disable"}}, Frames: true, Workers: true,
	})
	if err != nil {
		return err
	}
	// An answer comes behind all that a target had to tell. Pages first: their workers are known then, and are asked in turn.
	c.awaitSessions(ctx, pageSession)
	c.awaitSessions(ctx, frameSession, workerSession)
	return nil
}

// awaitSessions waits until the sessions of these kinds have answered what they were told. Pages that are stuck are not waited for long.
func (c *Context) awaitSessions(ctx context.Context, kinds ...sessionKind) {
	ctx, cancel := context.WithTimeout(ctx, consolePatience)
	defer cancel()
	var pending []*cdp.Pending
	for _, p := range c.Pages() {
		p.mu.Lock()
		if p.dialog == nil {
			for sess, kind := range p.sessionsLocked() {
				if slices.Contains(kinds, kind) {
					pending = append(pending, sess.Start("Runtime.enable", nil))
				}
			}
		}
		p.mu.Unlock()
	}
	for _, call := range pending {
		_, _ = call.Wait(ctx) // who does not answer tells later
	}
}

// read returns copies of the entries, in the order in which they came to be: those of before come when they are asked for.
func (c *console) read(errors bool) (entries []consoleEntry, dropped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	buffer := c.messages
	if errors {
		buffer = c.errors
	}
	for _, e := range buffer.All() {
		if !e.dropped {
			entries = append(entries, *e)
		}
	}
	slices.SortStableFunc(entries, func(a, b consoleEntry) int { return cmp.Compare(a.time, b.time) })
	return entries, buffer.Dropped()
}

// drop forgets what an entry holds, and keeps its place.
func (e *consoleEntry) drop() { e.dropped, e.params = true, nil }

// onConsole handles an event of the domains Runtime and Log on the connection's reader.
func (p *Page) onConsole(sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Runtime.exceptionRevoked", "Log.entryAdded":
	default:
		return // of contexts and the like, which are as many as documents
	}
	var head struct {
		Timestamp float64 `json:"timestamp"`
		Context   int64   `json:"executionContextId"`
		Exception struct {
			ID      int64 `json:"exceptionId"`
			Context int64 `json:"executionContextId"`
		} `json:"exceptionDetails"`
		Revoked int64 `json:"exceptionId"`
		Entry   struct {
			Timestamp float64 `json:"timestamp"`
			Level     string  `json:"level"`
			WorkerID  string  `json:"workerId"`
		} `json:"entry"`
	}
	if cdp.Unmarshal(ev.Params, &head) != nil {
		return
	}
	p.mu.Lock()
	ours := p.isOurWorldLocked(sess, max(head.Context, head.Exception.Context))
	worker := ""
	if w := p.workers[sess.ID()]; w != nil {
		worker = w.URL
	}
	p.mu.Unlock()
	if ours {
		return
	}
	c := &p.ctxt.console
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.messages == nil {
		return
	}
	e := &consoleEntry{
		method: ev.Method, page: p.id, sess: sess, worker: worker, time: max(head.Timestamp, head.Entry.Timestamp),
		exception: head.Exception.ID, workerID: head.Entry.WorkerID,
	}
	buffer := c.errors
	switch {
	case ev.Method == "Runtime.consoleAPICalled":
		buffer = c.messages
	case ev.Method == "Runtime.exceptionRevoked": // somebody came to handle the rejection after all
		for _, e := range c.errors.All() {
			if e.sess == sess && e.exception == head.Revoked {
				e.drop()
			}
		}
		return
	case head.Entry.WorkerID != "" && c.workers[head.Entry.WorkerID]:
		return
	case ev.Method == "Log.entryAdded" && head.Entry.Level != "error":
		if head.Entry.WorkerID == "" {
			return
		}
		buffer = c.messages // of a worker that had ended when we came
	}
	e.params = bytes.Clone(ev.Params)
	if len(e.params) > maxConsoleEntry {
		e.shorten()
	}
	buffer.Add(e, int64(len(e.params)))
	if buffer == c.messages {
		c.watchedLocked(e)
	}
}

// isOurWorldLocked reports whether an execution context is that of the in-page script.
func (p *Page) isOurWorldLocked(sess *cdp.Session, id int64) bool {
	for _, f := range p.frames {
		if f.world.context == id && f.sess == sess {
			return id != 0
		}
	}
	return false
}

// knowWorker is told of a worker that tells for itself from now on. What its page told of it is dropped.
func (c *console) knowWorker(target string) {
	const most = 4096
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.messages == nil {
		return
	}
	if len(c.workers) >= most {
		clear(c.workers)
	}
	c.workers[target] = true
	for _, e := range slices.Concat(c.messages.All(), c.errors.All()) {
		if e.workerID == target {
			e.drop()
		}
	}
}

// previewObjects asks for what is in the objects that were logged before anybody listened. Those that were logged later came with it.
func (c *Context) previewObjects(ctx context.Context) {
	type ask struct {
		entry *consoleEntry
		arg   int
		reply *cdp.Pending
	}
	var asks []ask
	c.console.mu.Lock()
	for _, e := range c.console.messages.All() {
		if e.previewed || e.dropped || e.cut || e.method != "Runtime.consoleAPICalled" {
			continue
		}
		var m consoleCalled
		if cdp.Unmarshal(e.params, &m) != nil {
			continue
		}
		for i, arg := range m.Args {
			if a := readConsoleArg(arg); a.ObjectID != "" && a.Type == "object" && a.Preview == nil && a.Subtype != "error" && a.Subtype != "node" {
				asks = append(asks, ask{e, i, e.sess.Start("Runtime.callFunctionOn", map[string]any{
					"objectId": a.ObjectID, "functionDeclaration": "function() { return this }", "generatePreview": true,
					"objectGroup": "console", "silent": true,
				})})
			}
		}
		e.previewed = true
	}
	c.console.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, consolePatience)
	defer cancel()
	for _, a := range asks {
		raw, err := a.reply.Wait(ctx)
		if err != nil {
			continue
		}
		var res struct {
			Result jsonv2.Value `json:"result"`
		}
		if cdp.Unmarshal(raw, &res) != nil || len(res.Result) == 0 {
			continue
		}
		c.console.mu.Lock()
		before := int64(len(a.entry.params))
		if a.entry.setArg(a.arg, res.Result) {
			c.console.messages.Grow(func(e *consoleEntry) bool { return e == a.entry }, int64(len(a.entry.params))-before)
		}
		c.console.mu.Unlock()
	}
}
