package console

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/ring"
)

// record is what the pages of a context have logged and which errors they had.
type record struct {
	mu       sync.Mutex
	messages *ring.Buffer[*entry] // nil means that the domains are not enabled yet
	errors   *ring.Buffer[*entry]
	workers  map[string]bool // target ids of workers that have a session of their own
	watches  map[*Watch]struct{}
}

var records = engine.NewState(func(c *engine.Context) *record {
	r := &record{}
	c.Observe(engine.Observer{Event: r.onEvent})
	return r
})

// Resumed implements [engine.Resumable]: what was recorded ends with the browser.
func (r *record) Resumed() (next any, ended string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.messages != nil {
		ended = "what was in the console"
	}
	return nil, ended
}

// entry is a message or an error as the browser told it, decoded when it is read.
type entry struct {
	method    string // of the event
	params    jsonv2.Value
	page      string // target id
	worker    string // address of the worker that it came from
	time      float64
	sess      *cdp.Session
	exception int64 // number of an exception, by which it can be revoked
	workerID  string
	dropped   bool // revoked, or told twice
	previewed bool // the content of its objects was asked for
	cut       bool
}

const (
	overrideKey = "console"

	// maxEntry is what one entry may take as the browser tells it. Of larger ones the long strings are cut.
	maxEntry = 64 << 10

	// patience is how long other tabs may take to tell what they logged before.
	patience = 3 * time.Second
)

// Limits bound what is kept of messages, and as much again of errors.
type Limits = ring.Limits

// Messages returns what the pages of the context logged, oldest first, and how many older messages were dropped. The
// first call enables the domains: page must be able to answer then.
func Messages(
	ctx context.Context, c *engine.Context, page *engine.Page, limits Limits,
) (messages []Message, dropped int, err error) {
	r := records.Of(c)
	if err := r.listen(ctx, c, page, limits); err != nil {
		return nil, 0, err
	}
	r.previewObjects(ctx)
	entries, dropped := r.read(false)
	for _, e := range entries {
		if m, ok := e.message(); ok {
			messages = append(messages, m)
		}
	}
	return messages, dropped, nil
}

// Errors returns the uncaught exceptions of pages and what the browser itself reported as errors, oldest first, and how
// many older ones were dropped. It enables the domains as [Messages] does.
func Errors(
	ctx context.Context, c *engine.Context, page *engine.Page, limits Limits,
) (errs []Error, dropped int, err error) {
	r := records.Of(c)
	if err := r.listen(ctx, c, page, limits); err != nil {
		return nil, 0, err
	}
	entries, dropped := r.read(true)
	for _, e := range entries {
		if m, ok := e.pageError(); ok {
			errs = append(errs, m)
		}
	}
	return errs, dropped, nil
}

// Clear forgets the messages, or the errors, of all pages or of the one with the target id.
func Clear(ctx context.Context, c *engine.Context, page *engine.Page, target string, errors bool, limits Limits) error {
	r := records.Of(c)
	if err := r.listen(ctx, c, page, limits); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	buffer := r.messages
	if errors {
		buffer = r.errors
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

// Recording reports whether messages are recorded, which they are from the first question on.
func Recording(c *engine.Context) bool { return c.Overrides().Has(overrideKey) }

// listen enables the domains, and waits until the pages have told what came before.
func (r *record) listen(ctx context.Context, c *engine.Context, page *engine.Page, limits Limits) error {
	r.mu.Lock()
	if r.messages == nil {
		r.messages, r.errors = ring.New[*entry](limits), ring.New[*entry](limits)
		r.workers = map[string]bool{}
	} else {
		r.messages.Limit(limits)
		r.errors.Limit(limits)
	}
	r.mu.Unlock()
	if Recording(c) {
		return nil
	}
	enable := []cdp.Call{{Method: "Runtime.enable"}, {Method: "Log.enable"}}
	err := c.Overrides().Set(ctx, page, overrideKey, &engine.Override{
		Calls: enable, Undo: []cdp.Call{{Method: "Log.disable"}, {Method: "Runtime.disable"}}, Frames: true, Workers: true,
	})
	if err != nil {
		return err
	}
	// An answer comes behind all that a target had to tell. Pages first: their workers are known then, and are asked in
	// turn.
	awaitSessions(ctx, c, engine.PageSession)
	awaitSessions(ctx, c, engine.FrameSession, engine.WorkerSession)
	return nil
}

// awaitSessions waits until the sessions of these kinds have answered, but not long for pages that hang.
func awaitSessions(ctx context.Context, c *engine.Context, kinds ...engine.SessionKind) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var pending []*cdp.Pending
	for _, p := range c.Pages() {
		if p.Dialogs().Open() != nil {
			continue
		}
		for sess, kind := range p.Sessions().All() {
			if slices.Contains(kinds, kind) {
				pending = append(pending, sess.Start("Runtime.enable", nil))
			}
		}
	}
	for _, call := range pending {
		_, _ = call.Wait(ctx) // a page that does not answer tells later
	}
}

// read returns copies of the entries in the order of their time: earlier ones arrive when they are asked for.
func (r *record) read(errors bool) (entries []entry, dropped int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	buffer := r.messages
	if errors {
		buffer = r.errors
	}
	for _, e := range buffer.All() {
		if !e.dropped {
			entries = append(entries, *e)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.time, b.time) })
	return entries, buffer.Dropped()
}

// drop forgets what an entry holds, and keeps its place.
func (e *entry) drop() { e.dropped, e.params = true, nil }

// onEvent handles an event of a page on the connection's reader.
func (r *record) onEvent(p *engine.Page, sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Runtime.exceptionRevoked", "Log.entryAdded":
	case "Target.attachedToTarget":
		r.attached(ev)
		return
	default:
		return
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
	if cdp.Unmarshal(ev.Params, &head) != nil || p.Frames().OwnsWorld(sess, max(head.Context, head.Exception.Context)) {
		return
	}
	worker := ""
	if w := p.Sessions().Worker(sess); w != nil {
		worker = w.URL
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.messages == nil {
		return
	}
	e := &entry{
		method:    ev.Method,
		page:      p.ID(),
		sess:      sess,
		worker:    worker,
		time:      max(head.Timestamp, head.Entry.Timestamp),
		exception: head.Exception.ID,
		workerID:  head.Entry.WorkerID,
	}
	buffer := r.errors
	switch {
	case ev.Method == "Runtime.consoleAPICalled":
		buffer = r.messages
	case ev.Method == "Runtime.exceptionRevoked": // the page handled the rejection later
		for _, e := range r.errors.All() {
			if e.sess == sess && e.exception == head.Revoked {
				e.drop()
			}
		}
		return
	case head.Entry.WorkerID != "" && r.workers[head.Entry.WorkerID]:
		return
	case ev.Method == "Log.entryAdded" && head.Entry.Level != "error":
		if head.Entry.WorkerID == "" {
			return
		}
		buffer = r.messages // of a worker that had ended before the domains were enabled
	}
	e.params = bytes.Clone(ev.Params)
	if len(e.params) > maxEntry {
		e.shorten()
	}
	buffer.Add(e, int64(len(e.params)))
	if buffer == r.messages {
		r.tellWatchesLocked(e)
	}
}

// attached drops the messages that a page forwarded of a worker which now has a session of its own.
func (r *record) attached(ev cdp.Event) {
	const most = 4096
	var e struct {
		TargetInfo struct {
			TargetID string `json:"targetId"`
			Type     string `json:"type"`
		} `json:"targetInfo"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.TargetInfo.Type != "worker" && e.TargetInfo.Type != "service_worker" {
		return
	}
	target := e.TargetInfo.TargetID
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.messages == nil {
		return
	}
	if len(r.workers) >= most {
		clear(r.workers)
	}
	r.workers[target] = true
	for _, e := range slices.Concat(r.messages.All(), r.errors.All()) {
		if e.workerID == target {
			e.drop()
		}
	}
}

// previewObjects asks for the content of objects that were logged before the domains were enabled. Later ones came with
// it.
func (r *record) previewObjects(ctx context.Context) {
	type ask struct {
		entry *entry
		arg   int
		reply *cdp.Pending
	}
	var asks []ask
	r.mu.Lock()
	for _, e := range r.messages.All() {
		if e.previewed || e.dropped || e.cut || e.method != "Runtime.consoleAPICalled" {
			continue
		}
		var m consoleCall
		if cdp.Unmarshal(e.params, &m) != nil {
			continue
		}
		for i, arg := range m.Args {
			if a := readArgument(arg); a.ObjectID != "" && a.Type == "object" && a.Preview == nil && a.Subtype != "error" &&
				a.Subtype != "node" {
				asks = append(asks, ask{e, i, e.sess.Start("Runtime.callFunctionOn", runtime.CallFunctionOnParams{
					ObjectID:            runtime.RemoteObjectID(a.ObjectID),
					FunctionDeclaration: "function() { return this }",
					GeneratePreview:     new(true),
					ObjectGroup:         "console",
					Silent:              new(true),
				})})
			}
		}
		e.previewed = true
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
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
		r.mu.Lock()
		before := int64(len(a.entry.params))
		if a.entry.setArg(a.arg, res.Result) {
			r.messages.Grow(func(e *entry) bool { return e == a.entry }, int64(len(a.entry.params))-before)
		}
		r.mu.Unlock()
	}
}
