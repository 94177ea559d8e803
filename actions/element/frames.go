package element

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// FrameChoice is the frame that selectors of a tab look in.
type FrameChoice struct {
	Frame *engine.Frame
	Label string // as the caller spelled it
	url   string // of its document when the last command looked there
}

// LookIn returns the frame that selectors look in, once no document is on its way to it.
func LookIn(ctx context.Context, c *actions.Call, tab *actions.Tab) (*engine.Frame, error) {
	chosen := ChosenFrame(tab)
	if chosen == nil {
		return tab.Page.Main(), nil
	}
	if chosen.Frame.Gone() {
		return nil, fault.New(fault.FrameGone, "The frame %s, in which selectors look, is no longer on the page.",
			chosen.Label).About(chosen.Label).
			WithHint("Use `frame main` to look in the page itself, or `frame <selector>` to choose another frame.").With("url",
			chosen.url)
	}
	if still, err := chosen.Frame.Settle(ctx, run.Patience(c, chosen.Frame.Page(), run.LeastSettle)); err != nil {
		return nil, err
	} else if !still {
		c.Note("the frame " + chosen.Label + " is still loading")
	}
	if url := chosen.Frame.URL(); url != chosen.url {
		if chosen.url != "" {
			c.Note("the frame " + chosen.Label + " now shows " + url)
		}
		ChooseFrame(tab, &FrameChoice{Frame: chosen.Frame, Label: chosen.Label, url: url})
	}
	return chosen.Frame, nil
}

// LeftFrame ends the choice of a frame that went with the document which the caller left.
func LeftFrame(c *actions.Call, tab *actions.Tab) {
	if chosen := ChosenFrame(tab); chosen != nil && chosen.Frame.Gone() {
		ChooseFrame(tab, nil)
		c.Note("the frame " + chosen.Label + " went with the page that was left; selectors look in the page itself again")
	}
}

// enterPath goes down the frames that a target's selector names.
func enterPath(ctx context.Context, c *actions.Call, t *Target) error {
	for _, word := range t.path {
		frame, err := FindFrame(ctx, c, t.Tab, t.Frame, word)
		if err != nil {
			return err
		}
		if _, err := frame.Settle(ctx, run.Patience(c, frame.Page(), run.LeastSettle)); err != nil {
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

// frameElementArg is the argument of the in-page op frameElement.
type frameElementArg struct {
	Word     string  `json:"word"`
	Target   *Wanted `json:"target,omitempty"`
	Patience int64   `json:"patience,omitzero"` // in ms
}

var opFrameElement = inpage.Define[frameElementArg, frameElement]("frameElement")

// FindFrame finds a frame inside another one: by the name or id of its element, by a ref or selector of the element, or
// by a part of its address. It waits for a frame that does not exist yet.
func FindFrame(
	ctx context.Context, c *actions.Call, tab *actions.Tab, from *engine.Frame, word string,
) (*engine.Frame, error) {
	t := &Target{Label: word, Tab: tab, Frame: from}
	arg := frameElementArg{Word: word}
	if snapshot.IsRef(word) {
		return frameOfRef(ctx, c, tab, word)
	}
	var invalid error
	want, path, err := ParseSelector(word)
	switch {
	case err != nil:
		invalid = err
	case len(path) > 0:
		return nil, InvalidSelector(word, "The selector of a frame cannot have a framePath.")
	default:
		want.Strict = c.Bool("strict") && want.Index == nil
		arg.Target, t.Want = &want, want
	}
	deadline := time.Now().Add(c.Patience())
	for {
		arrivals := tab.Page.Frames().Arrivals()
		frame, failed, err := frameNow(ctx, c, t, arg)
		if frame != nil || err != nil {
			return frame, err
		}
		if found := frameBelow(ctx, c, from, word); found != nil {
			return found, nil
		}
		switch {
		case failed == nil:
		case failed.Code == fault.SelectorAmbiguous:
			return nil, Failure(ctx, c, t, failed)
		case failed.Code == fault.SelectorInvalid: // it may be a part of an address all the same
			invalid = Failure(ctx, c, t, failed)
			arg.Target = nil
		}
		if time.Until(deadline) <= 0 {
			return nil, noFrame(ctx, c, t, failed, invalid)
		}
		if err := anotherFrame(ctx, c, t, arg, arrivals, time.Until(deadline)); err != nil {
			return nil, err
		}
	}
}

// frameNow looks for a frame's element in the document of t's frame, once.
func frameNow(ctx context.Context, c *actions.Call, t *Target, arg frameElementArg) (*engine.Frame, *OpFailure, error) {
	value, doc, err := opFrameElement.Raw(ctx, t.Frame, arg)
	if engine.IsNavigated(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if f := FailureOf(value); f != nil {
		return nil, f.In(t.Frame, doc), nil
	}
	var el frameElement
	if err := opFrameElement.Read(value, &el); err != nil {
		return nil, nil, err
	}
	frame, err := t.Frame.Content(ctx, doc, el.Token)
	switch {
	case engine.IsNavigated(err):
		return nil, nil, nil
	case err == nil && frame == nil:
		return nil, nil, noFrame(ctx, c, t, NewFailure(fault.TargetUnsuitable, targetFacts{Role: el.Role, Tag: el.Tag}), nil)
	case err == nil && el.Count > 1:
		noteMatched(c, t, &el.Located)
	}
	return frame, nil, err
}

// frameBelow finds a frame at any depth below another one by its name, else by a part of its address.
func frameBelow(ctx context.Context, c *actions.Call, from *engine.Frame, word string) *engine.Frame {
	below := FramesBelow(ctx, from)
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
		c.Note(word + " matches the addresses of " + wording.Plural(len(found), "frame") + "; the first one was taken: " +
			found[0].URL())
	}
	return found[0]
}

// FramesBelow are the frames in a frame, at any depth.
func FramesBelow(ctx context.Context, f *engine.Frame) []*engine.Frame {
	children, err := f.Children(ctx)
	if err != nil {
		return nil
	}
	var all []*engine.Frame
	for _, child := range children {
		all = append(append(all, child), FramesBelow(ctx, child)...)
	}
	return all
}

// anotherFrame waits until there is another frame in the page, or what a frame's selector looks for is in the document
// of t's frame.
func anotherFrame(
	ctx context.Context, c *actions.Call, t *Target, arg frameElementArg, arrivals int, limit time.Duration,
) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errNoFrame)
	defer cancel()
	arg.Patience = limit.Milliseconds()
	var running sync.WaitGroup
	defer running.Wait()
	ended := make(chan error, 2)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	running.Go(func() { ended <- t.Frame.Page().Frames().AwaitArrival(ctx, arrivals) })
	running.Go(func() {
		_, _, err := opFrameElement.Raw(ctx, t.Frame, arg)
		if engine.IsNavigated(err) {
			err = nil
		}
		ended <- err
	})
	err := <-ended
	if err != nil && errors.Is(context.Cause(ctx), errNoFrame) {
		return nil
	}
	return err
}

var errNoFrame = fault.New(fault.Timeout, "there is no such frame")

// frameOfRef is the frame that the element of a ref shows.
func frameOfRef(ctx context.Context, c *actions.Call, tab *actions.Tab, ref string) (*engine.Frame, error) {
	t, err := ResolveRef(ctx, c, tab, ref)
	if err != nil {
		return nil, err
	}
	res, err := Exists(ctx, c, t)
	if err != nil {
		return nil, err
	}
	frame, err := t.Frame.Content(ctx, t.Doc, res.Token)
	if engine.IsNavigated(err) {
		return nil, t.Ref.Gone(URLOf(t.Frame))
	}
	if err != nil || frame != nil {
		return frame, err
	}
	e := fault.New(fault.TargetUnsuitable, "%s is a %s, which shows no frame.", t.Label, ElementName(res)).About(t.Label)
	if t.Frame.Parent() != nil {
		return nil, e.WithHint("It is in the frame %s; refs of elements in frames work without choosing a frame.",
			frameLabel(t.Frame))
	}
	return nil, e.WithHint("Give the ref of an Iframe.")
}

func frameLabel(f *engine.Frame) string {
	if name := f.Name(); name != "" {
		return name
	}
	return f.URL()
}

// frameSeen is a frame that there is.
type frameSeen struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// noFrame is the error when there is no such frame: what the selector leads to instead, and which frames there are.
func noFrame(ctx context.Context, c *actions.Call, t *Target, f *OpFailure, invalid error) error {
	e := fault.New(fault.SelectorNotFound, "Could not find frame for selector: %s.", t.Label).About(t.Label)
	if f != nil && f.Code == fault.TargetUnsuitable {
		facts := FactsOf[unsuitableFacts](f)
		e = fault.New(fault.TargetUnsuitable, "Could not find frame for selector: %s is a %s, which shows no frame.", t.Label,
			kindOf(facts.Role, facts.Tag)).About(t.Label)
		if facts.Frames > 0 {
			e.Message = strings.TrimSuffix(e.Message, ".") + "; " + wording.Plural(facts.Frames, "frame") + " stand in it."
		}
	}
	var names []string
	var frames []frameSeen
	for _, frame := range FramesBelow(ctx, t.Frame) {
		name := frame.Name()
		frames = append(frames, frameSeen{name, frame.URL()})
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

// selectedFrame is the frame that selectors look in; nil means the main frame.
type selectedFrame struct{ atomic.Pointer[FrameChoice] }

// ChosenFrame returns the frame that selectors of a tab look in; nil means the main frame.
func ChosenFrame(tab *actions.Tab) *FrameChoice {
	return actions.StateOf[selectedFrame](&tab.States).Load()
}

// ChooseFrame sets the frame that selectors of a tab look in; nil means the main frame.
func ChooseFrame(tab *actions.Tab, f *FrameChoice) {
	actions.StateOf[selectedFrame](&tab.States).Store(f)
}
