package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// defaultQuiet is how long a page has to be at rest, unless the caller says.
const defaultQuiet = "300"

// waitStable waits until the page is at rest: for so long nothing changed or moved in any of its frames, and no request was under way.
func (c *Call) waitStable(ctx context.Context, tab *Tab) (Result, error) {
	quiet := c.Duration("for")
	heard := tab.hear()
	defer tab.keepHearing(heard)
	if err := c.rest(ctx, tab, quiet, c.Deadline); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"waited": "stable", "ms": quiet.Milliseconds()}, Text: "✓ Done"}, nil
}

// rest waits until the page has been at rest for so long; somebody watches its traffic. The error says what went on until the end.
func (c *Call) rest(ctx context.Context, tab *Tab, quiet time.Duration, until time.Time) error {
	began := time.Now()
	for {
		root, err := c.waitIn(ctx, tab)
		if err != nil {
			return err
		}
		limited, cancel := context.WithDeadlineCause(ctx, until, errNotStable)
		err = tab.Page.AwaitQuiet(limited, began, quiet)
		cancel()
		if errors.Is(err, errNotStable) {
			return c.notStable(tab, nil)
		}
		if err != nil {
			return err
		}
		left := max(0, time.Until(until))
		changed, failed, err := c.framesAtRest(ctx, root, quiet, left)
		switch {
		case err != nil:
			return err
		case failed != nil:
			return c.notStable(tab, failed)
		case !changed && tab.Page.Quiet(began, quiet):
			return nil
		case left == 0:
			return c.notStable(tab, nil)
		}
	}
}

// waitIdle waits until the document has loaded and, for so long, no request was under way.
func (c *Call) waitIdle(ctx context.Context, tab *Tab) (Result, error) {
	heard := tab.hear()
	defer tab.keepHearing(heard)
	began := time.Now()
	limited, cancel := context.WithDeadlineCause(ctx, c.Deadline, errNotStable)
	defer cancel()
	err := tab.Page.AwaitLoad(limited, engine.WaitLoad)
	loading := err != nil
	if !loading {
		err = tab.Page.AwaitQuiet(limited, began, c.Duration("for"))
	}
	switch {
	case err != nil && (errors.Is(context.Cause(limited), errNotStable) || fault.Is(err, fault.Timeout)):
		return Result{}, c.notStable(tab, &opFailure{Facts: map[string]any{"loading": loading}})
	case err != nil:
		return Result{}, err
	}
	return Result{Data: map[string]any{"waited": "idle", "ms": c.Duration("for").Milliseconds()}, Text: "✓ Done"}, nil
}

var errNotStable = fault.New(fault.Timeout, "the page did not come to rest")

// framesAtRest waits until each of the frames has been at rest for so long. Changed reports that one had to be waited for, in which time
// another may have changed again; failed is what one was seen to do until the end.
func (c *Call) framesAtRest(ctx context.Context, root *engine.Frame, quiet, patience time.Duration) (changed bool, failed *opFailure, err error) {
	arg, err := json.Marshal(map[string]any{"quiet": quiet.Milliseconds(), "patience": patience.Milliseconds()})
	if err != nil {
		return false, nil, err
	}
	frames := append([]*engine.Frame{root}, framesBelow(ctx, root)...)
	var mu sync.Mutex
	var asking sync.WaitGroup
	for _, f := range frames {
		asking.Go(func() {
			value, doc, callErr := f.CallRaw(ctx, "stable", arg)
			mu.Lock()
			defer mu.Unlock()
			if engine.IsNavigated(callErr) || fault.Is(callErr, fault.FrameGone) {
				changed = true
				return
			}
			if callErr != nil {
				err = callErr
				return
			}
			if f := failureOf(value).in(f, doc); f != nil {
				failed = f
				return
			}
			var rest struct {
				Waited bool `json:"waited"`
			}
			if json.Unmarshal(value, &rest) == nil && rest.Waited {
				changed = true
			}
		})
	}
	asking.Wait()
	return changed, failed, err
}

// notStable says what went on until the end.
func (c *Call) notStable(tab *Tab, f *opFailure) error {
	var what []string
	facts := map[string]any{}
	if f != nil {
		c.giveRefs(f)
		facts = f.Facts
		if loading, _ := facts["loading"].(bool); loading {
			what = append(what, "the document is still loading")
		}
		if by, _ := facts["moving"].(string); by != "" {
			what = append(what, fmt.Sprintf("an animation of <%s> (%v)", by, facts["property"]))
		}
		if by, _ := facts["changed"].(string); by != "" {
			what = append(what, fmt.Sprintf("<%s> changes (%v changes in %v ms)", by, facts["changes"], facts["ms"]))
		}
	}
	var requests []string
	for _, r := range tab.Page.UnderWay() {
		requests = append(requests, strings.TrimSpace(r.Method+" "+r.URL))
	}
	if len(requests) > 0 {
		const most = 3
		facts["requests"] = requests
		line := wording.Plural(len(requests), "request") + " under way: " + strings.Join(requests[:min(most, len(requests))], ", ")
		if len(requests) > most {
			line += ", …"
		}
		what = append(what, line)
	}
	if len(what) == 0 {
		what = append(what, "something changed each time")
	}
	return c.timedOut("the page did not come to rest; last seen: "+strings.Join(what, "; "), facts)
}
