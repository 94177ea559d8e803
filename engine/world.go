package engine

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/inpage"
)

// world is the isolated world of a frame's current document, where the in-page script lives.
type world struct {
	context int64  // execution context id; 0: not made yet
	doc     string // the document's id, given by the in-page script

	document string // handle of the document, in this world
	pages    string // the same in the page's main world; empty: it did not come with the rest
}

// settleLimit is how long a document that has come in the place of another may take until it is parsed, before it is taken as it is.
const settleLimit = 10 * time.Second

// docSerial makes document ids unique among all pages of this process.
var docSerial atomic.Int64

// errNavigated tells that the document went away before or while a script ran in it.
var errNavigated = errors.New("the document was replaced")

// IsNavigated reports whether an in-page call failed since its document went away under it.
func IsNavigated(err error) bool { return errors.Is(err, errNavigated) }

// enter returns the session and the isolated world of the frame's current document, installing the script on first use.
func (f *Frame) enter(ctx context.Context) (*cdp.Session, world, error) {
	p := f.page
	for {
		if err := f.awaitSession(ctx); err != nil {
			return nil, world{}, err
		}
		p.mu.Lock()
		if err := p.errLocked(); err != nil {
			p.mu.Unlock()
			return nil, world{}, err
		}
		sess, w, gone, commits, entering := f.sess, f.world, f.gone, f.commits, f.entering
		if !gone && w.doc == "" && entering == nil {
			f.entering = make(chan struct{})
		}
		p.mu.Unlock()
		switch {
		case gone:
			return nil, world{}, fault.New(fault.FrameGone, "the frame was removed from the page").WithHint("Take a new snapshot.")
		case w.doc != "":
			return sess, w, nil
		case entering != nil:
			select {
			case <-entering:
				continue
			case <-ctx.Done():
				return nil, world{}, fault.WaitEnded(ctx, "preparing the page")
			}
		}
		w, err := f.install(ctx, sess)
		p.mu.Lock()
		close(f.entering)
		f.entering = nil
		if err == nil && f.commits == commits && f.sess == sess {
			f.world = w
		}
		p.mu.Unlock()
		return sess, w, err
	}
}

// install makes the isolated world of the frame's document, or finds it, and installs the script there.
func (f *Frame) install(ctx context.Context, sess *cdp.Session) (w world, err error) {
	raw, err := sess.CallRaw(ctx, "Page.createIsolatedWorld", map[string]string{"frameId": f.id, "worldName": inpage.World})
	if err != nil {
		return world{}, contextError(err)
	}
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	if err := cdp.Unmarshal(raw, &made); err != nil {
		return world{}, err
	}
	w.context = made.ExecutionContextID
	docID := "d" + strconv.FormatInt(docSerial.Add(1), 10)
	brings := f.page.bringing(sess, w)
	calls := append(brings,
		cdp.Call{Method: "Runtime.evaluate", Params: w.params(inpage.Install(docID))},
		cdp.Call{Method: "Runtime.evaluate", Params: evaluateParams{Expression: "document", ContextID: w.context}})
	if f.leads(sess) { // whose world of scripts is what the session evaluates in; had the document gone, the first call would fail
		calls = append(calls, cdp.Call{Method: "Runtime.evaluate", Params: evaluateParams{Expression: "document"}})
	}
	pending := sess.Batch(calls...)[len(brings):] // what brings the script yields nothing, and does not fail where the installation works
	value, err := yielded(ctx, pending[0])
	if err == nil && string(value) == "null" { // one without scripts of its own, which the session does not bring it to
		value, err = yielded(ctx, sess.Batch(bring(w), calls[len(brings)])[1])
	}
	if err != nil {
		return world{}, err
	}
	if raw, err = pending[1].Wait(ctx); err != nil {
		return world{}, contextError(err)
	}
	var document struct {
		Result remoteObject `json:"result"`
	}
	if err := cdp.Unmarshal(raw, &document); err != nil {
		return world{}, err
	}
	w.document = document.Result.ObjectID
	if len(pending) > 2 {
		document.Result = remoteObject{}
		if raw, err := pending[2].Wait(ctx); err == nil && cdp.Unmarshal(raw, &document) == nil {
			w.pages = document.Result.ObjectID
		}
	}
	return w, cdp.Unmarshal(value, &w.doc)
}

// bring is the call that brings the script into one document.
func bring(w world) cdp.Call {
	return cdp.Call{Method: "Runtime.evaluate", Params: w.params(inpage.Bring())}
}

// bringing returns the call, if one is needed, that brings the script into a document. The first one of a page gets it by itself, the second one
// together with all that come after it in the page's session. So a page with one document keeps no script, and the others cost 10 ms less each.
func (p *Page) bringing(sess *cdp.Session, w world) []cdp.Call {
	if sess != p.sess { // that of a frame has few documents
		return []cdp.Call{bring(w)}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.brought++
	switch p.brought {
	case 1:
		return []cdp.Call{bring(w)}
	case 2:
		return []cdp.Call{{Method: "Page.addScriptToEvaluateOnNewDocument", Params: map[string]any{
			"source": inpage.Bring(), "worldName": inpage.World, "runImmediately": true,
		}}}
	}
	return nil
}

// leads reports whether the frame is the outermost one of those that a session is for.
func (f *Frame) leads(sess *cdp.Session) bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.parent == nil || f.parent.sess != sess
}

// CallRaw runs an op of the in-page script with arg (JSON) in the frame's current document and returns its result as JSON and the
// id of the document. When the document is replaced before the op ran, it runs in the new one. When it is replaced while the op
// runs, the error is one for which [IsNavigated] holds.
func (f *Frame) CallRaw(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	return f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		if inpage.Changes(op) {
			cdp.Attempting(ctx)
		}
		return callPiercing(ctx, sess, w, op, arg)
	})
}

// inWorld runs call in the frame's current document, again in the new one when that was replaced before anything ran.
func (f *Frame) inWorld(ctx context.Context, call func(*cdp.Session, world) (jsonv2.Value, error)) (jsonv2.Value, string, error) {
	const tries = 5
	for try := 1; ; try++ {
		sess, w, err := f.enter(ctx)
		if err == nil {
			var value jsonv2.Value
			value, err = call(sess, w)
			if err == nil {
				return value, w.doc, nil
			}
		}
		if fault.Is(err, fault.PageGone) && f.page.Err() == nil {
			err = errNavigated // the session that ended is that of a frame in another process
		}
		if !IsNavigated(err) {
			return nil, "", err
		}
		f.forget(w)
		if !errors.Is(err, errNotRun) || try == tries {
			return nil, "", err
		}
		// Who asked of a page that stood still is not to get what a half parsed one shows.
		if _, err := f.Settle(ctx, settleLimit); err != nil {
			return nil, "", err
		}
	}
}

// Call is CallRaw with Go values. A nil result is not decoded.
func (f *Frame) Call(ctx context.Context, op string, arg, result any) error {
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	value, _, err := f.CallRaw(ctx, op, raw)
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Await runs an op of the in-page script that answers when something happens in the page, and gives the answer to fn on a goroutine of the
// browser's. Fn is not called when the document goes first.
func (f *Frame) Await(op string, arg any, fn func(value []byte, doc string)) error {
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	f.page.ctxt.browser.Spawn(func(ctx context.Context) {
		ctx, stop := f.page.Watch(ctx, false)
		defer stop()
		if value, doc, err := f.CallRaw(ctx, op, raw); err == nil {
			fn(value, doc)
		}
	})
	return nil
}

func marshalArg(arg any) ([]byte, error) {
	switch a := arg.(type) {
	case nil:
		return []byte("{}"), nil
	case []byte:
		return a, nil
	}
	return jsonv2.Marshal(arg)
}

// Document returns the id of the frame's current document, installing the script when it is new.
func (f *Frame) Document(ctx context.Context) (string, error) {
	for range 5 {
		_, w, err := f.enter(ctx)
		if err == nil {
			return w.doc, nil
		}
		if !IsNavigated(err) {
			return "", err
		}
	}
	return "", errNavigated
}

func (f *Frame) forget(w world) {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	if f.world == w {
		f.world = world{}
	}
}

type evaluateParams struct {
	Expression    string `json:"expression"`
	ContextID     int64  `json:"contextId,omitzero"`
	AwaitPromise  bool   `json:"awaitPromise,omitzero"`
	ReturnByValue bool   `json:"returnByValue,omitzero"`
	ObjectGroup   string `json:"objectGroup,omitzero"`
	UserGesture   bool   `json:"userGesture,omitzero"`
	ReplMode      bool   `json:"replMode,omitzero"`
}

// params are those of an evaluation in the world.
func (w world) params(expression string) evaluateParams {
	return evaluateParams{Expression: expression, ContextID: w.context, AwaitPromise: true, ReturnByValue: true}
}

func callParams(w world, op string, arg []byte) evaluateParams { return w.params(inpage.Call(op, arg)) }

// evaluate runs an expression of our own script; it does not throw unless there is a bug of ours.
func evaluate(ctx context.Context, sess *cdp.Session, params evaluateParams) (jsonv2.Value, error) {
	raw, err := sess.CallRaw(ctx, "Runtime.evaluate", params)
	if err != nil {
		return nil, contextError(err)
	}
	return evaluated(raw)
}

func evaluated(raw jsonv2.Value) (jsonv2.Value, error) {
	var res struct {
		Result struct {
			Value jsonv2.Value `json:"value"`
		} `json:"result"`
		Exception *exceptionDetails `json:"exceptionDetails"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	if res.Exception != nil && string(res.Exception.Exception.Value) == `"unpierced"` {
		return nil, errUnpierced
	}
	if res.Exception != nil {
		return nil, fault.New(fault.Internal, "the in-page script failed: %s", res.Exception.text())
	}
	if res.Result.Value == nil {
		return jsonv2.Value("null"), nil
	}
	return res.Result.Value, nil
}

// yielded waits for an evaluation and returns what it yielded.
func yielded(ctx context.Context, evaluation *cdp.Pending) (jsonv2.Value, error) {
	raw, err := evaluation.Wait(ctx)
	if err != nil {
		return nil, contextError(err)
	}
	return evaluated(raw)
}

// errNotRun marks the errors for which the script certainly did not run.
var errNotRun = errors.New("not run")

// contextError recognizes the ways in which Chromium tells that an execution context is gone.
func contextError(err error) error {
	e, ok := errors.AsType[*cdp.Error](err)
	if !ok {
		return err
	}
	switch msg := e.Message; {
	case strings.HasPrefix(msg, "Cannot find context"),
		strings.HasPrefix(msg, "No frame for given id"),
		strings.HasPrefix(msg, "uniqueContextId not found"):
		return errors.Join(errNavigated, errNotRun)
	case strings.Contains(msg, "Execution context was destroyed"),
		strings.Contains(msg, "Inspected target navigated or closed"),
		strings.Contains(msg, "Promise was collected"):
		return errNavigated
	}
	return err
}

// JSONString returns the text of a JSON string, sharing no memory with it.
func JSONString(value []byte) ([]byte, error) {
	var s string
	err := cdp.Unmarshal(value, &s)
	return []byte(s), err
}

// OwnsWorld reports whether an execution context is the isolated world of the in-page script.
func (p *Page) OwnsWorld(sess *cdp.Session, id int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.world.context == id && f.sess == sess {
			return id != 0
		}
	}
	return false
}
