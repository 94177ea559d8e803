package capture

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// trace is what a context records of how its browser works, or nothing.
type trace struct {
	mu       sync.Mutex
	page     *engine.Page // nil means that nothing is recorded
	kind     string       // what the caller calls it
	complete <-chan []byte
	stop     func()

	ended   bool   // the browser records no more, and what it has recorded is not saved yet
	stream  string // by which the browser hands out a trace that has ended; empty means that it has not said
	lost    bool
	profile []byte // that has ended
}

var tracing = engine.NewState(func(*engine.Context) *trace { return &trace{} })

// Resumed implements [engine.Resumable]: the recording ends with the browser.
func (t *trace) Resumed() (next any, ended string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.page != nil {
		ended = "the recording of a trace or profile"
	}
	return nil, ended
}

// TraceOptions say what is recorded.
type TraceOptions struct {
	Kind       string   // what it is, so that another kind does not end it
	Categories []string // empty means the browser's own
	Bytes      int64    // how much the browser may keep until it is fetched; 0 means as much as it likes
}

// CPUProfile is the kind that samples the call stacks of scripts; it is not a trace.
const CPUProfile = "cpu"

// traceParams are the params of Tracing.start.
type traceParams struct {
	Transfer string      `json:"transferMode"`
	Config   traceConfig `json:"traceConfig"`
}

type traceConfig struct {
	Mode      string   `json:"recordMode"`
	Included  []string `json:"includedCategories,omitzero"`
	Excluded  []string `json:"excludedCategories,omitzero"`
	Kilobytes int64    `json:"traceBufferSizeInKb,omitzero"`
}

// StartTrace begins to record a page: the processes of its tab, the browser's own and the graphics process, as the
// browser offers it to a page. A browser records one trace at a time, for whichever session.
func StartTrace(ctx context.Context, c *engine.Context, p *engine.Page, o TraceOptions) error {
	t := tracing.Of(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.page != nil && t.page.Err() == nil {
		if t.ended {
			return fault.New(fault.CaptureState, "An earlier recording has ended and is not saved").
				WithHint("`%s stop <path>` saves it.", commandOf(t.kind))
		}
		return errTracing(o.Kind)
	}
	t.endLocked()
	if o.Kind == CPUProfile {
		for _, call := range p.Session().Batch(cdp.Call{Method: "Profiler.enable"}, cdp.Call{Method: "Profiler.start"}) {
			if _, err := call.Wait(ctx); err != nil {
				return err
			}
		}
		t.page, t.kind = p, o.Kind
		return nil
	}
	config := traceConfig{Mode: "recordUntilFull"}
	if len(o.Categories) > 0 {
		config.Included, config.Excluded = o.Categories, []string{"*"}
	}
	if o.Bytes > 0 {
		config.Kilobytes = max(1, o.Bytes/1024)
	}
	complete, stop := p.Session().Subscribe("Tracing.tracingComplete")
	_, err := p.Session().CallRaw(ctx, "Tracing.start", traceParams{"ReturnAsStream", config})
	if err != nil {
		stop()
		if fault.Is(err, fault.Protocol) && strings.Contains(err.Error(), "already") {
			return errTracing(o.Kind)
		}
		return err
	}
	events := make(chan []byte, 1)
	p.Context().Browser().Spawn(func(ctx context.Context) { // ends with the subscription
		defer close(events)
		select {
		case params, ok := <-complete:
			if ok {
				events <- params
			}
		case <-ctx.Done():
		}
	})
	t.page, t.kind, t.complete, t.stop = p, o.Kind, events, stop
	return nil
}

func errTracing(kind string) error {
	what := "Profiling/tracing already active"
	if kind == "trace" {
		what = "Tracing already active" // agent-browser's words
	}
	return fault.New(fault.CaptureState, "%s", what).
		WithHint("A browser records one at a time. Use `trace stop` or `profiler stop`, in the session that began it.")
}

// Tracing returns the kind that is being recorded, or "".
func Tracing(c *engine.Context) string {
	t := tracing.Of(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.page == nil {
		return ""
	}
	return t.kind
}

// commandOf is the command for a kind of recording.
func commandOf(kind string) string {
	if kind == "trace" {
		return kind
	}
	return "profiler"
}

// endLocked lets go of what is recorded.
func (t *trace) endLocked() {
	if t.stop != nil {
		t.stop()
	}
	if t.stream != "" && t.page.Err() == nil {
		t.page.Session().Start("IO.close", map[string]string{"handle": t.stream})
	}
	t.page, t.kind, t.complete, t.stop = nil, "", nil, nil
	t.ended, t.stream, t.lost, t.profile = false, "", false, nil
}

// Traced is the result of a trace.
type Traced struct {
	Events int
	Lost   bool // the buffer was full, or events were lost otherwise
}

// StopTrace ends the recording and copies it to w. The browser keeps it until ForgetTrace, so that it can be copied
// again where w could not take it; what can no longer be copied is over.
func StopTrace(ctx context.Context, c *engine.Context, w io.Writer) (traced Traced, kept bool, err error) {
	t := tracing.Of(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.page
	if p == nil {
		return Traced{}, false, fault.New(fault.CaptureState, "No tracing in progress")
	}
	if err := p.Err(); fault.Is(err, fault.PageGone) {
		t.endLocked()
		return Traced{}, false, fault.New(fault.PageGone,
			"The tab that was recorded is closed, and the recording went with it.").
			WithHint("Stop the recording before the tab is closed.")
	}
	shape := &jsonShape{w: w}
	if t.kind == CPUProfile {
		err = t.copyProfile(ctx, shape)
	} else {
		err = t.copyTrace(ctx, shape)
	}
	if kept = err == nil || t.ended && (shape.failed || ctx.Err() != nil) && p.Err() == nil; !kept {
		t.endLocked()
	}
	return Traced{Events: shape.objects, Lost: t.lost}, kept, err
}

// ForgetTrace lets go of the recording that was copied.
func ForgetTrace(c *engine.Context) {
	t := tracing.Of(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		t.endLocked()
	}
}

func (t *trace) copyTrace(ctx context.Context, w *jsonShape) error {
	sess := t.page.Session()
	if !t.ended {
		if _, err := sess.CallRaw(ctx, "Tracing.end", nil); err != nil {
			return err
		}
		t.ended = true
	}
	if t.stream == "" {
		var ev struct {
			Stream string `json:"stream"`
			Lost   bool   `json:"dataLossOccurred"`
		}
		select {
		case params, ok := <-t.complete:
			if !ok {
				return fault.New(fault.PageGone, "the tab was closed while its recording was fetched")
			}
			if err := cdp.Unmarshal(params, &ev); err != nil {
				return err
			}
		case <-ctx.Done():
			return fault.WaitEnded(ctx, "ending the recording")
		}
		t.stream, t.lost = ev.Stream, ev.Lost
	}
	if err := copyStream(ctx, sess, t.stream, w); err != nil {
		return err
	}
	if !w.complete() {
		return fault.New(fault.Protocol, "the browser handed out a recording that is cut off")
	}
	return nil
}

func (t *trace) copyProfile(ctx context.Context, w *jsonShape) error {
	if !t.ended {
		sess := t.page.Session()
		raw, err := sess.CallRaw(ctx, "Profiler.stop", nil)
		if err != nil {
			return err
		}
		sess.Start("Profiler.disable", nil)
		var res struct {
			Profile jsonv2.Value `json:"profile"`
		}
		if err := cdp.Unmarshal(raw, &res); err != nil {
			return err
		}
		t.ended, t.profile = true, res.Profile
	}
	if _, err := w.Write(t.profile); err != nil {
		return err
	}
	if !w.complete() {
		return fault.New(fault.Protocol, "the browser handed out a profile that is cut off")
	}
	return nil
}
