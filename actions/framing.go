package actions

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/snapshot"
)

func frameCommand() Command {
	return Command{
		Name:     "frame",
		Upstream: []string{"frame <selector|main>", "frame <selector>", "frame main"},
		Group:    GroupTabs, Summary: "Choose the frame that selectors look in",
		Help: "Selectors and locators of the commands that follow look in this frame of the tab, until another one is chosen; `frame main` is the " +
			"page itself. A frame is given by its name or id, by a ref or selector of its element, or by a part of its address. It is looked " +
			"for in the frame that is chosen now, so that a frame within a frame is reached in two steps.\n\n" +
			"Refs need no choice: each knows its frame. Snapshots without -s show the whole page, and scripts (eval, wait --fn) run in the top frame. When " +
			"the chosen frame is removed from the page, selectors fail until another choice is made.",
		Args:   []Arg{{Name: "selector", Value: "selector|main", Kind: Selector, Help: "A name, id, ref, selector or part of an address; main for the page itself"}},
		Effect: Reads, Steps: true,
		Examples: []Example{{Line: "frame payment"}, {Line: `frame "iframe[title=Checkout]"`}, {Line: "frame @e7"}, {Line: "frame main"}},
		Run:      runFrame,
		Policy:   Policy{Action: "frame mainframe", Families: policy.Does(), Acts: frameAction},
	}
}

// frameAction is agent-browser's word for what a frame command does.
func frameAction(in *Input) string {
	if in.String("selector") == "main" {
		return "mainframe"
	}
	return "frame"
}

// frameChoice is the frame that selectors of a tab look in.
type frameChoice struct {
	frame *engine.Frame
	label string // as the caller spelled it
	url   string // of its document when the last command looked there
}

func runFrame(ctx context.Context, c *Call) (Result, error) {
	word := c.String("selector")
	if strings.TrimSpace(word) == "" {
		return Result{}, InvalidSelector(word, "The selector is empty.")
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	if word == "main" {
		tab.looking.Store(nil)
		return Result{Data: map[string]any{"frame": "main"}, Text: "✓ Done"}, nil
	}
	from := tab.Page.Main()
	if now := tab.looking.Load(); now != nil && now.frame.Gone() {
		c.Note("the frame " + now.label + ", which was chosen before, is gone; " + word + " was looked for in the whole page")
	} else if now != nil {
		from = now.frame
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	frame, err := c.findFrame(watched, tab, from, word)
	if err != nil {
		return Result{}, err
	}
	tab.looking.Store(&frameChoice{frame: frame, label: word})
	name := frame.Name()
	if name == "" {
		name = word
	}
	return Result{Data: map[string]any{"frame": name, "url": frame.URL()}, Text: "✓ Done"}, nil
}

// LookIn returns the frame that selectors look in, once no document is on its way to it.
func (c *Call) LookIn(ctx context.Context, tab *Tab) (*engine.Frame, error) {
	chosen := tab.looking.Load()
	if chosen == nil {
		return tab.Page.Main(), nil
	}
	if chosen.frame.Gone() {
		return nil, fault.New(fault.FrameGone, "The frame %s, in which selectors look, is no longer on the page.", chosen.label).About(chosen.label).
			WithHint("Use `frame main` to look in the page itself, or `frame <selector>` to choose another frame.").With("url", chosen.url)
	}
	if still, err := chosen.frame.Settle(ctx, min(SettleLimit, c.Left())); err != nil {
		return nil, err
	} else if !still {
		c.Note("the frame " + chosen.label + " is still loading")
	}
	if url := chosen.frame.URL(); url != chosen.url {
		if chosen.url != "" {
			c.Note("the frame " + chosen.label + " now shows " + url)
		}
		tab.looking.Store(&frameChoice{frame: chosen.frame, label: chosen.label, url: url})
	}
	return chosen.frame, nil
}

// leftFrame ends the choice of a frame that went with the document which the caller left.
func (c *Call) leftFrame(tab *Tab) {
	if chosen := tab.looking.Load(); chosen != nil && chosen.frame.Gone() {
		tab.looking.Store(nil)
		c.Note("the frame " + chosen.label + " went with the page that was left; selectors look in the page itself again")
	}
}

// enterPath goes down the frames that a target's selector names.
func (c *Call) enterPath(ctx context.Context, t *Target) error {
	for _, word := range t.path {
		frame, err := c.findFrame(ctx, t.tab, t.Frame, word)
		if err != nil {
			return err
		}
		if _, err := frame.Settle(ctx, min(SettleLimit, c.Left())); err != nil {
			return err
		}
		t.Frame = frame
	}
	return nil
}

// frameElement is the result of the in-page op frameElement.
type frameElement struct {
	Located
	Label string `json:"label"`
}

// findFrame finds a frame within another one: by the name or id of its element, by a ref or selector of that, or by a part of its address.
// It waits for one that is not there yet.
func (c *Call) findFrame(ctx context.Context, tab *Tab, from *engine.Frame, word string) (*engine.Frame, error) {
	t := &Target{Label: word, tab: tab, Frame: from}
	arg := map[string]any{"word": word}
	if snapshot.IsRef(word) {
		return c.frameOfRef(ctx, tab, word)
	}
	var invalid error
	want, path, err := parseSelector(word)
	switch {
	case err != nil:
		invalid = err
	case len(path) > 0:
		return nil, InvalidSelector(word, "The selector of a frame cannot have a framePath.")
	default:
		want.Strict = c.Bool("strict") && want.Index == nil
		arg["target"], t.want = want, want
	}
	deadline := time.Now().Add(c.patience())
	for {
		arrivals := tab.Page.Arrivals()
		frame, failed, err := c.frameNow(ctx, t, arg)
		if frame != nil || err != nil {
			return frame, err
		}
		if found := c.frameBelow(ctx, from, word); found != nil {
			return found, nil
		}
		switch {
		case failed == nil:
		case failed.Code == fault.SelectorAmbiguous:
			return nil, c.failure(ctx, t, failed)
		case failed.Code == fault.SelectorInvalid: // it may be a part of an address all the same
			invalid = c.failure(ctx, t, failed)
			delete(arg, "target")
		}
		if time.Until(deadline) <= 0 {
			return nil, c.noFrame(ctx, t, failed, invalid)
		}
		if err := c.anotherFrame(ctx, t, arg, arrivals, time.Until(deadline)); err != nil {
			return nil, err
		}
	}
}

// frameNow looks for a frame's element in the document of t's frame, once.
func (c *Call) frameNow(ctx context.Context, t *Target, arg map[string]any) (*engine.Frame, *opFailure, error) {
	raw, err := json.Marshal(arg)
	if err != nil {
		return nil, nil, err
	}
	value, doc, err := t.Frame.CallRaw(ctx, "frameElement", raw)
	if engine.IsNavigated(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if f := failureOf(value); f != nil {
		return nil, f.in(t.Frame, doc), nil
	}
	var el frameElement
	if err := json.Unmarshal(value, &el); err != nil {
		return nil, nil, fault.New(fault.Internal, "reading a frame's element: %w", err)
	}
	frame, err := t.Frame.Content(ctx, doc, el.Token)
	switch {
	case engine.IsNavigated(err):
		return nil, nil, nil
	case err == nil && frame == nil:
		return nil, nil, c.noFrame(ctx, t, &opFailure{Code: fault.TargetUnsuitable, Facts: map[string]any{"role": el.Role, "tag": el.Tag}}, nil)
	case err == nil && el.Count > 1:
		c.noteMatched(t, &el.Located)
	}
	return frame, nil, err
}

// frameBelow finds a frame at any depth below another one by its name, else by a part of its address.
func (c *Call) frameBelow(ctx context.Context, from *engine.Frame, word string) *engine.Frame {
	below := framesBelow(ctx, from)
	for _, f := range below {
		if f.Name() == word {
			return f
		}
	}
	var found []*engine.Frame
	for _, f := range below {
		if strings.Contains(f.URL(), word) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		c.Note(word + " is a part of the addresses of " + wording.Plural(len(found), "frame") + "; the first one was taken: " + found[0].URL())
	}
	return found[0]
}

// framesBelow are the frames in a frame, at any depth.
func framesBelow(ctx context.Context, f *engine.Frame) []*engine.Frame {
	children, err := f.Children(ctx)
	if err != nil {
		return nil
	}
	var all []*engine.Frame
	for _, child := range children {
		all = append(append(all, child), framesBelow(ctx, child)...)
	}
	return all
}

// anotherFrame waits until there is another frame in the page, or what a frame's selector looks for is in the document of t's frame.
func (c *Call) anotherFrame(ctx context.Context, t *Target, arg map[string]any, arrivals int, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errNoFrame)
	defer cancel()
	waiting := map[string]any{"patience": limit.Milliseconds()}
	maps.Copy(waiting, arg)
	raw, err := json.Marshal(waiting)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	defer running.Wait()
	ended := make(chan error, 2)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	running.Go(func() { ended <- t.Frame.Page().AwaitArrival(ctx, arrivals) })
	running.Go(func() {
		_, _, err := t.Frame.CallRaw(ctx, "frameElement", raw)
		if engine.IsNavigated(err) {
			err = nil
		}
		ended <- err
	})
	err = <-ended
	if err != nil && errors.Is(context.Cause(ctx), errNoFrame) {
		return nil
	}
	return err
}

var errNoFrame = fault.New(fault.Timeout, "there is no such frame")

// frameOfRef is the frame that the element of a ref shows.
func (c *Call) frameOfRef(ctx context.Context, tab *Tab, ref string) (*engine.Frame, error) {
	t, err := c.resolveRef(ctx, tab, ref)
	if err != nil {
		return nil, err
	}
	var res readResult
	if err := c.RunOp(ctx, t, "read", map[string]any{"what": "visible"}, &res); err != nil {
		return nil, err
	}
	frame, err := t.Frame.Content(ctx, t.Doc, res.Token)
	if engine.IsNavigated(err) {
		return nil, t.ref.Gone(urlOf(t.Frame))
	}
	if err != nil || frame != nil {
		return frame, err
	}
	e := fault.New(fault.TargetUnsuitable, "%s is a %s, which shows no frame.", t.Label, elementName(&res.Located)).About(t.Label)
	if t.Frame.Parent() != nil {
		return nil, e.WithHint("It is itself in the frame %s; refs of elements in frames need no choice of a frame.", frameLabel(t.Frame))
	}
	return nil, e.WithHint("Give the ref of an Iframe.")
}

func frameLabel(f *engine.Frame) string {
	if name := f.Name(); name != "" {
		return name
	}
	return f.URL()
}

// noFrame is the error when there is no such frame: what the selector leads to instead, and which frames there are.
func (c *Call) noFrame(ctx context.Context, t *Target, f *opFailure, invalid error) error {
	e := fault.New(fault.SelectorNotFound, "Could not find frame for selector: %s.", t.Label).About(t.Label)
	if f != nil && f.Code == fault.TargetUnsuitable {
		e = fault.New(fault.TargetUnsuitable, "Could not find frame for selector: %s is a %s, which shows no frame.", t.Label, kindOf(f)).About(t.Label)
		if inside, _ := f.Facts["frames"].(float64); inside > 0 {
			e.Message = strings.TrimSuffix(e.Message, ".") + "; " + wording.Plural(int(inside), "frame") + " stand in it."
		}
	}
	var names []string
	var frames []map[string]any
	for _, frame := range framesBelow(ctx, t.Frame) {
		name := frame.Name()
		frames = append(frames, map[string]any{"name": name, "url": frame.URL()})
		if name != "" {
			name = wording.Quote(name) + " "
		}
		names = append(names, name+frame.URL())
	}
	within := "the page"
	if t.Frame.Parent() != nil {
		within = "the frame " + frameLabel(t.Frame) + ", in which it was looked for,"
	}
	switch {
	case len(names) == 0 && t.Frame.Parent() != nil:
		e.Hint = within + " has no frames; `frame main` goes back to the page itself."
		e.Hint = strings.ToUpper(e.Hint[:1]) + e.Hint[1:]
	case len(names) == 0:
		e.Hint = "The page has no frames."
	default:
		e.Hint = "The frames of " + within + " are: " + strings.Join(names, ", ") + "."
	}
	if invalid != nil {
		e.Code, e.Err = fault.SelectorInvalid, invalid
		e.Hint += " As a selector it is not valid."
	}
	return e.With("frames", frames)
}
