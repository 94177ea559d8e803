package actions

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/snapshot"
)

// acting is what is kept of a command that may change something, from before it acts until its reply.
type acting struct {
	tab         *Tab
	tabs        []*Tab // that were open
	url, loader string // of the main frame
	traffic     *engine.Traffic
	frame       *engine.Frame // in whose document the in-page script watches
	around      *engine.Frame // the main frame, when that is another one and watched as well
	begun       bool          // the command has begun to act
	acts        int           // how often the tab's page had been acted on when this step of the command began
	blocked     bool          // a dialog of another tab keeps the page from telling what became of it
	asked       bool          // the command itself was to open a page or a tab, so that its reply says which
	settled     bool          // an op has waited for what it set, so that no first effect needs to be waited for
	waited      bool          // effects are waited for
	focuses     bool          // the command is to give the focus, so that this is an effect of whatever got it
	downloads   int           // the mark after which new ones come
	seen        *seenEffects  // what the script saw; nil: not asked yet
	effect      Effects
}

// firstEffect is how long --observe waits for the first effect of an action. Handlers put work off to the next frame or a timer of 0 ms;
// what a server has to be asked for takes longer, and shows as a request.
const firstEffect = 50 * time.Millisecond

// attend begins to watch a tab for effects of the command.
func (c *Call) attend(ctx context.Context, tab *Tab) error {
	if !c.beginActing(tab) || c.Command().takesTarget() {
		return nil // the op that finds the target begins to watch
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	switch err := tab.Page.Main().Call(watched, "watch", nil, nil); {
	case err == nil:
		c.acting.frame = tab.Page.Main()
	case !engine.IsNavigated(err):
		return err
	}
	return nil
}

// beginActing notes how the tab is before a command that may change something, and reports whether this is one that begins only now.
func (c *Call) beginActing(tab *Tab) bool {
	if c.acting != nil || !c.Command().Effect.Has(Mutates) {
		return false
	}
	c.acting = c.begin(tab)
	c.acting.traffic = tab.Page.WatchTraffic()
	return true
}

// ForgetEffects leaves out of the reply what the command led to, since it says that in words of its own.
func (c *Call) ForgetEffects() { c.acting = nil }

func (c *Call) begin(tab *Tab) *acting {
	tabs, _ := c.Session.Tabs()
	return &acting{tab: tab, tabs: tabs, url: tab.Page.URL(), loader: tab.Page.Main().Loader()}
}

// watchIn says in which frame the op that finds the target watches. What happens in a frame may change the page around it.
func (c *Call) watchIn(ctx context.Context, frame *engine.Frame) error {
	a := c.acting
	a.frame = frame
	main := frame.Page().Main()
	if frame == main || a.around != nil {
		return nil
	}
	err := main.Call(ctx, "watch", nil, nil)
	if engine.IsNavigated(err) {
		return nil
	}
	a.around = main
	return err
}

// takesTarget reports whether the command acts on an element that its arguments name. Those that read as well find it in ways of their own.
func (c *Command) takesTarget() bool {
	return c.Effect.Has(Reads) || slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == Selector })
}

// before marks the moment from which on a command acts.
func (c *Call) before(tab *Tab) {
	c.AnswerDialogs(tab)
	c.dialogNotes(tab) // of what the page did since the last command
	mark := tab.Page.Context().MarkDownloads()
	if c.acting == nil {
		c.acting = c.begin(tab)
	}
	c.acting.acts = tab.Page.Acts()
	if !c.acting.begun {
		c.acting.begun, c.acting.downloads = true, mark
	}
}

// after waits for a navigation that the action began.
func (c *Call) after(ctx context.Context, tab *Tab) error {
	page := tab.Page
	if a := c.acting; a != nil && a.blocked && a.tab == tab {
		return nil
	}
	if to := page.Navigating(); to != "" && page.Err() == nil {
		still, err := page.Settle(ctx, SettleLimit)
		if err != nil {
			return err
		}
		if !still {
			c.Note("the page is still on its way to " + to)
		}
	}
	return nil
}

// conclude says in the result what the action led to.
func (c *Call) conclude(ctx context.Context, res *Result) error {
	a := c.acting
	page := a.tab.Page
	if err := page.Err(); fault.Is(err, fault.PageGone) {
		a.effect.TabClosed = true
		c.Session.Tabs() // the session says itself which tab takes its place
	} else if err != nil {
		c.Note("the tab is gone after this: " + err.Error())
	} else {
		if err := c.comeToRest(ctx); err != nil {
			return err
		}
		if err := c.look(ctx); err != nil {
			return err
		}
		a.navigation()
		a.requests()
	}
	c.openedTabs(ctx)
	a.awaitDownload(ctx)
	a.effect.Downloads = downloadsSince(ctx, page.Context(), a.downloads)
	c.dialogNotes(a.tab)
	a.effect.Dialog = c.openDialogs(a.tab)
	a.waited = c.Bool("observe") || c.Bool("settle")
	a.effect.None = a.seen != nil && a.effect.nothing() && (a.effect.Focus == nil || !a.focuses)
	if a.seen != nil || !a.effect.nothing() {
		res.Add("effect", a.effect)
	}
	res.Effect, res.Secret = a.lines(c.Session.Active()), len(a.effect.Secret) > 0
	c.tell(res)
	return nil
}

// look asks the in-page script what it saw, unless an op of the command has brought that. It waits for nothing, but with --observe.
func (c *Call) look(ctx context.Context) error {
	a := c.acting
	waits := c.Bool("observe") && !a.settled && !a.asksServer()
	if a.seen == nil || waits && !a.seen.Any {
		if err := c.lookAt(ctx, a.frame, waits); err != nil {
			return err
		}
	}
	if a.seen == nil || !a.seen.Any {
		if err := c.lookAt(ctx, a.around, waits); err != nil {
			return err
		}
	}
	if a.seen != nil {
		doc := ""
		if a.seen.Focus != nil {
			doc, _ = a.frame.Document(ctx) // one that is gone needs no ref
		}
		c.include(&a.effect, a.seen, a.tab, a.frame, doc)
		if a.frame != a.around {
			c.awaitLate(a.frame, a.seen)
		}
	}
	if c.Command().Effect.Has(Control) {
		return nil
	}
	return c.after(ctx, a.tab) // what was seen last may have begun a navigation
}

// takesEffects reports whether an op in a frame that ends the action may bring what was seen there, which spares a call: with --settle it comes
// later.
func (c *Call) takesEffects(frame *engine.Frame) bool {
	return c.acting != nil && c.acting.frame == frame && !c.Bool("settle")
}

// lookAt asks one frame, if there is one, and keeps what it says where nothing was seen before.
func (c *Call) lookAt(ctx context.Context, frame *engine.Frame, waits bool) error {
	a := c.acting
	if frame == nil || !a.stays() {
		return nil
	}
	seen, err := c.seenIn(ctx, frame, waits)
	if err != nil || seen == nil {
		return err
	}
	if a.seen == nil || seen.Any {
		a.seen, a.frame = seen, frame
	}
	if frame == a.around {
		c.awaitLate(frame, seen)
	}
	return nil
}

// asksServer reports whether the action led to a request, which is an effect.
func (a *acting) asksServer() bool {
	return a.traffic != nil && slices.ContainsFunc(a.traffic.Requests(), func(r engine.Request) bool { return r.Begun })
}

// stays reports whether the page shows the document that the action met, and will, as far as can be told.
func (a *acting) stays() bool {
	page := a.tab.Page
	return !a.blocked && page.Dialog() == nil && page.Navigating() == "" && page.Main().Loader() == a.loader
}

// seenIn asks one frame; nil when its document is gone, or blocked.
func (c *Call) seenIn(ctx context.Context, frame *engine.Frame, waits bool) (*seenEffects, error) {
	watched, stop := frame.Page().Watch(ctx, true)
	defer stop()
	var seen *seenEffects
	var arg map[string]any
	if waits {
		arg = map[string]any{"wait": firstEffect.Milliseconds(), "frames": c.Command().takesTarget()}
	}
	err := frame.Call(watched, "effects", arg, &seen)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) || fault.Is(err, fault.DialogOpen) || fault.Is(err, fault.PageGone) {
		return nil, nil
	}
	return seen, err
}

// seenEffects is what the in-page script saw of an action in its document, its type Seen.
type seenEffects struct {
	State  map[string]Changed `json:"state"`
	Title  *Changed           `json:"title"`
	Secret []string           `json:"secret"`
	Focus  *struct {
		Focused
		Token    int64 `json:"token"`
		Editable bool  `json:"editable"`
	} `json:"focus"`
	Added    int       `json:"added"`
	Removed  int       `json:"removed"`
	Changed  int       `json:"changed"`
	Near     bool      `json:"near"`
	Many     bool      `json:"many"`
	Appeared []string  `json:"appeared"`
	Closed   []string  `json:"closed"`
	Scrolled *Scrolled `json:"scrolled"`
	Gone     bool      `json:"removedTarget"`
	Any      bool      `json:"any"`
	Action   int       `json:"action"` // by which the script knows the action
}

// include adds what was seen in the document of a frame to the effects. The caller can act on what has the focus, unless doc is empty.
func (c *Call) include(e *Effects, seen *seenEffects, tab *Tab, frame *engine.Frame, doc string) {
	e.State, e.Secret, e.Appeared, e.Closed, e.Scrolled = seen.State, seen.Secret, seen.Appeared, seen.Closed, seen.Scrolled
	if frame.Parent() == nil {
		e.Title = seen.Title // that of a frame is seen by nobody
	}
	if seen.Added+seen.Removed+seen.Changed > 0 || seen.Gone {
		e.DOM = &Mutated{Added: seen.Added, Removed: seen.Removed, Changed: seen.Changed, Near: seen.Near, Many: seen.Many, Gone: seen.Gone}
	}
	if seen.Focus == nil {
		return
	}
	focus := seen.Focus.Focused
	focus.editable = seen.Focus.Editable
	if doc != "" {
		focus.Ref = c.Session.Refs().Give(snapshot.Ref{
			Tab: tab.ID, FrameID: frame.ID(), DocID: doc, URL: frame.URL(), Token: seen.Focus.Token, Role: focus.Role, Name: focus.Name,
		})
	}
	focus.Name = engine.Bounded(focus.Name, engine.MaxTitle)
	e.Focus = &focus
}

// navigation compares the address and the document with those before.
func (a *acting) navigation() {
	page := a.tab.Page
	main := page.Main()
	now := page.URL()
	if a.effect.Navigation != nil || now == a.url && main.Loader() == a.loader {
		if to := page.Navigating(); to != "" && a.effect.Navigation == nil {
			a.effect.Navigation = &Navigated{From: a.url, To: to, Loading: true}
		}
		return
	}
	nav := &Navigated{From: a.url, To: now, SameDocument: main.Loader() == a.loader}
	if a.traffic != nil && !nav.SameDocument {
		for _, r := range a.traffic.Requests() {
			if r.Type == "Document" && r.FrameID == main.ID() {
				nav.Status = r.Status
			}
		}
	}
	a.effect.Navigation = nav
}

// mostRequests is how many requests a reply names.
const mostRequests = 10

// requests keeps the first requests that the action began. Those of a document that came are that document's own.
func (a *acting) requests() {
	if a.traffic == nil || a.effect.Navigation != nil && !a.effect.Navigation.SameDocument {
		return
	}
	for _, r := range a.traffic.Requests() {
		if r.Begun && len(a.effect.Requests) < mostRequests {
			a.effect.Requests = append(a.effect.Requests, Requested{Method: r.Method, URL: r.URL, Type: r.Type, Status: r.Status})
		}
	}
}

// popupLimit is how long the browser may take to attach to a page that was opened.
const popupLimit = 2 * time.Second

// openedTabs finds the tabs that pages have opened.
func (c *Call) openedTabs(ctx context.Context) {
	a := c.acting
	limited, stop := context.WithTimeout(ctx, popupLimit)
	defer stop()
	a.tab.Page.Context().AwaitPopups(limited)
	tabs, active := c.Session.Tabs()
	for _, t := range tabs {
		if slices.Contains(a.tabs, t) || t == a.tab {
			continue
		}
		opened := OpenedTab{ID: t.ID, URL: addressOf(ctx, t), Active: t == active}
		if i := slices.IndexFunc(a.tabs, func(o *Tab) bool { return o.Page.ID() == t.Page.Opener() }); i >= 0 {
			opened.Opener = a.tabs[i].ID
		}
		a.effect.Tabs = append(a.effect.Tabs, opened)
	}
}

// addressLimit is how long after a tab was opened the browser may take to say what it shows.
const addressLimit = time.Second

func addressOf(ctx context.Context, t *Tab) string {
	ctx, cancel := context.WithTimeout(ctx, addressLimit)
	defer cancel()
	if err := t.Page.AwaitURL(ctx, func(url string) bool { return url != "" }); err != nil {
		return "(no address yet)"
	}
	return t.Page.URL()
}
