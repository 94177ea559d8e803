package run

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/snapshot"
)

// Action is the state of a command that may change something, from before it acts until its reply.
type Action struct {
	Tab         *actions.Tab
	tabs        []*actions.Tab // that were open
	url, loader string         // of the main frame
	Traffic     *traffic.Recording
	Frame       *engine.Frame  // in whose document the in-page script watches
	around      *engine.Frame  // the main frame, when that is another one and watched as well
	begun       bool           // the command has begun to act
	Acts        int            // how often the tab's page had been acted on when this step of the command began
	blocked     bool           // a dialog of another tab keeps the page from reporting the result
	Asked       bool           // the command itself was to open a page or a tab, so that its reply says which
	Settled     bool           // an op has waited for what it set, so that no first effect needs to be waited for
	waited      bool           // effects are waited for
	Toggled     *fact.Changed  // the state of a control that the command itself read, before and after
	Moved       *fact.Scrolled // what the command itself scrolled, for the reply
	Unrest      *Unrest        // what of it has not come to rest
	Focuses     bool           // the command is to give the focus, so that this is an effect of whatever got it
	IfNone      string         // a note for the reply when no effect is seen
	// what the reply says where the state is as it was, since the command found that it was so already
	WasSo     string
	downloads int          // the mark after which new ones come
	Seen      *SeenEffects // what the script saw; nil means not asked yet
	Effect    fact.Effects
}

// attend begins to watch a tab for effects of the command.
func attend(ctx context.Context, c *actions.Call, tab *actions.Tab) error {
	if !beginAction(ctx, c, tab) || c.NamesTarget() {
		return nil // the op that finds the target begins to watch
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	switch err := tab.Page.Main().Call(watched, "watch", nil, nil); {
	case err == nil:
		Of(c).Frame = tab.Page.Main()
	case !engine.IsNavigated(err):
		return err
	}
	return nil
}

// beginAction notes how the tab is before a command that may change something, and reports whether this is one that
// begins only now.
func beginAction(ctx context.Context, c *actions.Call, tab *actions.Tab) bool {
	if Of(c) != nil || !c.Command().Effect.Has(actions.Mutates) {
		return false
	}
	lookFirst(ctx, c, tab)
	state(c).action = begin(c, tab)
	Of(c).Traffic = tab.Page.Traffic().Record()
	return true
}

// ForgetEffects leaves out of the reply what the command led to, since it says that in words of its own.
func ForgetEffects(c *actions.Call) { state(c).action = nil }

func begin(c *actions.Call, tab *actions.Tab) *Action {
	tabs, _ := c.Tabs.All()
	return &Action{Tab: tab, tabs: tabs, url: tab.Page.URL(), loader: tab.Page.Main().Loader()}
}

// opWatch answers with more than it is asked for.
var opWatch = inpage.Define[inpage.None, any]("watch")

// WatchIn says in which frame the op that finds the target watches. What happens in a frame may change the page around
// it.
func WatchIn(ctx context.Context, c *actions.Call, frame *engine.Frame) error {
	a := Of(c)
	a.Frame = frame
	main := frame.Page().Main()
	if frame == main || a.around != nil {
		return nil
	}
	_, err := opWatch.In(ctx, main, inpage.None{})
	if engine.IsNavigated(err) {
		return nil
	}
	a.around = main
	return err
}

// Start marks the moment from which on a command acts.
func Start(c *actions.Call, tab *actions.Tab) {
	AnswerDialogs(c, tab)
	dialogNotes(c, tab) // of what the page did since the last command
	mark := tab.Page.Context().Downloads().Mark()
	if Of(c) == nil {
		state(c).action = begin(c, tab)
	}
	Of(c).Acts = tab.Page.Acts()
	if !Of(c).begun {
		Of(c).begun, Of(c).downloads = true, mark
	}
}

// GoOn makes the effects of the action that a dialog interrupted those of the command: its answer lets the page go on
// with what that action began.
func GoOn(c *actions.Call) {
	a := Of(c)
	a.Frame, a.Traffic = a.Tab.Page.Main(), a.Tab.Page.Traffic().Record()
}

// Settle waits for a navigation that the action began.
func Settle(ctx context.Context, c *actions.Call, tab *actions.Tab) error {
	page := tab.Page
	if a := Of(c); a != nil && a.blocked && a.Tab == tab {
		return nil
	}
	to := page.Loading().To()
	if a := Of(c); to == "" && a != nil && a.Tab == tab && page.Main().Loader() != a.loader {
		to = page.URL() // which the action led to: it may still be coming
	}
	if to == "" || page.Err() != nil {
		return nil
	}
	still := false
	if patience := Patience(c, page, 0); patience > 0 {
		var err error
		if still, err = page.Loading().Settle(ctx, patience); err != nil {
			return err
		}
	}
	told := Of(c) != nil && engine.Departing(page) != nil && page.Main().Loader() == Of(c).loader // by the effect
	if !still && !told && !slices.ContainsFunc(c.Notes, func(note string) bool {
		return strings.HasPrefix(note, stillLoading)
	}) {
		c.Note(stillLoading + " " + to)
	}
	return nil
}

// CollectsEffects reports whether an op in a frame that ends the action may bring what was seen there, which spares a
// call: with --settle it comes later.
func CollectsEffects(c *actions.Call, frame *engine.Frame) bool {
	return Of(c) != nil && Of(c).Frame == frame && !c.Bool("settle")
}

// SeenEffects is what the in-page script saw of an action in its document, its type Seen.
type SeenEffects struct {
	State  map[string]fact.Changed `json:"state"`
	Fields []fact.FieldChange      `json:"fields"`
	Title  *fact.Changed           `json:"title"`
	Titled string                  `json:"titled"` // the title now
	Secret []string                `json:"secret"`
	Focus  *struct {
		fact.Focused
		Token    int64  `json:"token"`
		Editable bool   `json:"editable"`
		Tag      string `json:"tag"`
	} `json:"focus"`
	Unfocused bool `json:"unfocused"`

	Added    int            `json:"added"`
	Removed  int            `json:"removed"`
	Changed  int            `json:"changed"`
	Near     bool           `json:"near"`
	Many     bool           `json:"many"`
	Appeared []string       `json:"appeared"`
	Texts    []string       `json:"texts"` // that were written into what was there
	Went     []string       `json:"gone"`
	Messages []fact.Message `json:"messages"`
	Closed   []string       `json:"closed"`
	Scrolled *fact.Scrolled `json:"scrolled"`
	Gone     bool           `json:"removedTarget"`
	Any      bool           `json:"any"`
	Pressed  bool           `json:"pressed"` // something was clicked, or Enter was pressed
	Sent     bool           `json:"sent"`    // a form was sent
	Action   int            `json:"action"`  // by which the script knows the action
}

// sawTitle gives the page the title of a loader's document, if that is the main frame's document.
func sawTitle(frame *engine.Frame, loader string, seen *SeenEffects) {
	if page := frame.Page(); page.Main() == frame && page.Loading().To() == "" {
		page.SawTitle(loader, seen.Titled)
	}
}

// include adds what was seen in the document of a frame to the effects. The caller can act on what has the focus,
// unless doc is empty.
func include(c *actions.Call, e *fact.Effects, seen *SeenEffects, tab *actions.Tab, frame *engine.Frame, doc string) {
	e.State, e.Secret, e.Scrolled = seen.State, seen.Secret, seen.Scrolled
	e.Appeared, e.Texts, e.Closed = seen.Appeared, seen.Texts, seen.Closed
	e.Gone = seen.Went
	e.Fields = nil
	for _, field := range seen.Fields {
		field.Name = pagetext.Bounded(field.Name, pagetext.MaxTitle)
		e.Fields = append(e.Fields, field)
	}
	notePrint(c, seen.Appeared...)
	e.Messages = nil
	for _, m := range seen.Messages {
		e.Messages = append(e.Messages, m.Bounded())
	}
	if frame.Parent() == nil {
		e.Title = seen.Title // that of a frame is never shown
	}
	if seen.Added+seen.Removed+seen.Changed > 0 || seen.Gone {
		e.DOM = &fact.Mutated{
			Added:   seen.Added,
			Removed: seen.Removed,
			Changed: seen.Changed,
			Near:    seen.Near,
			Many:    seen.Many,
			Gone:    seen.Gone,
		}
	}
	e.Unfocused = seen.Unfocused
	if seen.Focus == nil {
		return
	}
	focus := seen.Focus.Focused
	focus.Editable, focus.Tag = seen.Focus.Editable, seen.Focus.Tag
	if doc != "" {
		focus.Ref = c.Session.Refs().Give(snapshot.Ref{
			Tab:     tab.ID,
			FrameID: frame.ID(),
			DocID:   doc,
			URL:     frame.URL(),
			Token:   seen.Focus.Token,
			Role:    focus.Role,
			Name:    focus.Name,
		})
	}
	focus.Name = pagetext.Bounded(focus.Name, pagetext.MaxTitle)
	e.Focus = &focus
}
