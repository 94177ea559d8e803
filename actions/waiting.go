package actions

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

func waitCommand() Command {
	return Command{
		Name: "wait", Group: readingGroup, Summary: "Wait for an element, a text, an address, a load state, a script or a time",
		Help: "Give one thing to wait for. Waits run in the page and end in the moment when it happens. A whole number is a time in " +
			"milliseconds, every other word a selector.",
		Args: []Arg{{Name: "selector", Value: "selector|ms", Kind: Selector, Optional: true, Help: "An element, or a time in milliseconds"}},
		Flags: []Flag{
			{Name: "state", Value: "state", OneOf: []string{"visible", "hidden", "attached", "detached", "enabled"},
				Help: "What to wait for of the element; visible when not given"},
			{Name: "text", Value: "text", Help: "Wait until the page shows this text"},
			{Name: "url", Value: "pattern", Help: "Wait for an address: a part of it, or a pattern with *"},
			{Name: "load", Value: "state", OneOf: []string{"load", "domcontentloaded", "networkidle"}, Help: "Wait for a state of loading"},
			{Name: "fn", Value: "script", Help: "Wait until this script's value is true"},
			{Name: "download", Kind: Bool, Help: "Wait for a download, and save it to the path that is given, or in the current folder"},
		},
		Effect: Reads,
		Examples: []Example{
			{Line: "wait @e3 --state hidden"}, {Line: `wait --text "Saved"`}, {Line: "wait --url */done"}, {Line: "wait 500"},
		},
		AtLeast: waitTime,
		Run:     runWait,
	}
}

// waitTime is what `wait <ms>` needs, with some time for the answer.
func waitTime(in *Input) time.Duration {
	ms, err := strconv.ParseUint(in.String("selector"), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(ms)*time.Millisecond + time.Second
}

func runWait(ctx context.Context, c *Call) (Result, error) {
	if c.Bool("download") {
		return c.waitDownload(ctx)
	}
	form, err := c.waitForm()
	if err != nil {
		return Result{}, err
	}
	if form == "ms" {
		ms, _ := strconv.Atoi(c.String("selector"))
		if err := sleep(ctx, time.Duration(ms)*time.Millisecond); err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"ms": ms, "waited": "timeout"}, Text: "✓ Done"}, nil
	}
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	res, err := c.waitFor(watched, tab, form)
	if fault.Is(err, fault.Timeout) && !strings.HasPrefix(err.Error(), waitTimedOut) {
		// The page was too busy to say what it shows.
		err = c.timedOut(strings.TrimSuffix(err.Error(), "."), nil)
	}
	return res, err
}

func (c *Call) waitFor(ctx context.Context, tab *Tab, form string) (Result, error) {
	switch form {
	case "text":
		return c.waitText(ctx, tab)
	case "url":
		return c.waitURL(ctx, tab)
	case "load":
		return c.waitLoad(ctx, tab)
	case "fn":
		return c.waitFunction(ctx, tab)
	}
	return c.waitElement(ctx, tab)
}

// waitForm returns which of the forms was asked for.
func (c *Call) waitForm() (string, error) {
	var forms []string
	for _, name := range []string{"selector", "text", "url", "load", "fn"} {
		if c.Has(name) {
			forms = append(forms, name)
		}
	}
	switch len(forms) {
	case 0:
		return "", c.Missing("selector")
	case 1:
	default:
		return "", c.Invalid("wait takes one thing to wait for, and got " + strings.Join(forms, " and ") + ".")
	}
	form := forms[0]
	if form == "selector" {
		if _, err := strconv.ParseUint(c.String("selector"), 10, 31); err == nil {
			form = "ms"
		} else if _, err := strconv.ParseFloat(c.String("selector"), 64); err == nil {
			return "", c.Invalid("wait takes whole milliseconds, got '" + c.String("selector") + "'.")
		}
	}
	if c.Has("state") && form != "selector" {
		return "", c.Invalid("--state can only be used with a selector wait")
	}
	return form, nil
}

// left is the time that a wait may still take.
func (c *Call) left() time.Duration { return max(0, time.Until(c.Deadline)) }

// waitTimedOut begins the error of every wait whose time is over, as agent-browser's does.
const waitTimedOut = "Wait timed out"

// timedOut is the error of a wait whose time is over.
func (c *Call) timedOut(what string, facts map[string]any) error {
	e := fault.New(fault.Timeout, waitTimedOut+" after %dms: %s.", c.Duration("timeout").Milliseconds(), what)
	e.Facts = facts
	return e
}

func (c *Call) waitElement(ctx context.Context, tab *Tab) (Result, error) {
	if _, err := tab.Page.Settle(ctx, c.left()); err != nil {
		return Result{}, err
	}
	t, err := c.resolve(ctx, tab, c.String("selector"))
	if err != nil {
		return Result{}, err
	}
	state := c.String("state")
	if state == "" {
		state = "visible"
	}
	for {
		arg, err := json.Marshal(map[string]any{"target": t.want, "state": state, "patience": c.left().Milliseconds()})
		if err != nil {
			return Result{}, err
		}
		value, doc, err := t.frame.CallRaw(ctx, "wait", arg)
		if engine.IsNavigated(err) && c.left() > 0 {
			if t.ref != nil && (state == "hidden" || state == "detached") {
				break
			}
			if t.ref != nil {
				return Result{}, t.ref.Gone(t.frame.URL())
			}
			if _, err := tab.Page.Settle(ctx, c.left()); err != nil {
				return Result{}, err
			}
			continue
		}
		if err != nil {
			return Result{}, err
		}
		if f := failureOf(value).in(t.frame, doc); f != nil {
			if f.Code == fault.RefStale && (state == "hidden" || state == "detached") {
				break
			}
			if f.Code == fault.Timeout {
				c.giveRefs(f)
				return Result{}, c.timedOut(t.label+" did not become "+state+seenInstead(f), f.Facts)
			}
			return Result{}, c.failure(ctx, t, f)
		}
		var met located
		if err := json.Unmarshal(value, &met); err != nil {
			return Result{}, fault.New(fault.Internal, "reading the result of wait: %w", err)
		}
		if t.ref != nil {
			c.noteElement(t, &met)
		}
		break
	}
	return Result{Data: map[string]any{"selector": t.label, "waited": "selector"}, Text: "✓ Done"}, nil
}

func seenInstead(f *opFailure) string {
	if seen, _ := f.Facts["seen"].(string); seen != "" {
		return "; last seen: " + seen
	}
	return ""
}

// waitText waits in all frames at once; the first one that shows the text ends the wait.
func (c *Call) waitText(ctx context.Context, tab *Tab) (Result, error) {
	want := c.String("text")
	for {
		if _, err := tab.Page.Settle(ctx, c.left()); err != nil {
			return Result{}, err
		}
		met, again, err := c.textInFrames(ctx, tab, want)
		if err != nil {
			return Result{}, err
		}
		if met {
			return Result{Data: map[string]any{"text": want, "waited": "text"}, Text: want}, nil
		}
		if !again || c.left() == 0 {
			return Result{}, c.timedOut("the page does not show the text "+quote(want), nil)
		}
	}
}

// textInFrames asks every frame to wait for a text, and every frame that comes meanwhile. Again is true when the page was replaced.
func (c *Call) textInFrames(ctx context.Context, tab *Tab, want string) (met, again bool, err error) {
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		frame *engine.Frame
		met   bool
		err   error
	}
	answers, arrived := make(chan answer), make(chan struct{})
	asked, waiting, watching := map[*engine.Frame]bool{}, 0, false
	ask := func() {
		if !watching {
			watching = true
			arrivals := tab.Page.Arrivals()
			running.Go(func() {
				if tab.Page.AwaitArrival(ctx, arrivals) == nil {
					send(ctx, arrived, struct{}{})
				}
			})
		}
		for _, f := range tab.Page.Frames(ctx) {
			if asked[f] {
				continue
			}
			asked[f] = true
			waiting++
			running.Go(func() {
				met, err := c.textIn(ctx, f, want)
				send(ctx, answers, answer{f, met, err})
			})
		}
	}
	for ask(); waiting > 0; {
		select {
		case <-arrived:
			watching = false
			ask()
		case a := <-answers:
			waiting--
			replaced := engine.IsNavigated(a.err) || fault.Is(a.err, fault.FrameGone)
			switch {
			case a.met:
				return true, false, nil
			case replaced && a.frame == tab.Page.Main():
				return false, true, nil
			case replaced:
				delete(asked, a.frame)
				ask()
			case a.err != nil:
				return false, false, a.err
			}
		case <-ctx.Done():
			if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout {
				return false, false, cause
			}
			return false, false, nil // a frame that is silent to the end does not show the text
		}
	}
	return false, false, nil
}

// textIn waits for a text in one frame.
func (c *Call) textIn(ctx context.Context, f *engine.Frame, want string) (met bool, err error) {
	arg, err := json.Marshal(map[string]any{"text": want, "patience": c.left().Milliseconds()})
	if err != nil {
		return false, err
	}
	value, _, err := f.CallRaw(ctx, "wait", arg)
	return err == nil && failureOf(value) == nil, err
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

func (c *Call) waitURL(ctx context.Context, tab *Tab) (Result, error) {
	pattern := c.String("url")
	err := tab.Page.AwaitURL(ctx, func(url string) bool { return matchURL(pattern, url) })
	if fault.Is(err, fault.Timeout) {
		return Result{}, c.timedOut("the address is "+tab.Page.URL()+", which does not match "+quote(pattern), nil)
	}
	if err != nil {
		return Result{}, err
	}
	url := tab.Page.URL()
	return Result{Data: map[string]any{"url": url}, Text: url}, nil
}

// matchURL reports whether a URL fits a pattern as agent-browser has them: without * a part of the URL; else the pieces between
// the stars in their order, anchored at both ends.
func matchURL(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.Contains(url, pattern)
	}
	pieces := strings.Split(pattern, "*")
	first, last := pieces[0], pieces[len(pieces)-1]
	if !strings.HasPrefix(url, first) || !strings.HasSuffix(url, last) || len(url) < len(first)+len(last) {
		return false
	}
	rest := url[len(first) : len(url)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return true
}

func (c *Call) waitLoad(ctx context.Context, tab *Tab) (Result, error) {
	state := c.String("load")
	err := tab.Page.AwaitLoad(ctx, engine.WaitUntil(state))
	if fault.Is(err, fault.Timeout) {
		return Result{}, c.timedOut("the page did not reach the state "+state, nil)
	}
	return Result{Data: map[string]any{"state": state}, Text: "✓ Done"}, err
}

func (c *Call) waitFunction(ctx context.Context, tab *Tab) (Result, error) {
	if _, err := tab.Page.Settle(ctx, c.left()); err != nil {
		return Result{}, err
	}
	value, err := tab.Page.AwaitScript(ctx, c.String("fn"), c.left())
	if fault.Is(err, fault.Timeout) {
		return Result{}, c.timedOut(err.Error(), nil)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"result": value.JSON}, Text: valueText(value)}, nil
}
