package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/neterror"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
)

// firstEffect is how long --observe waits for the first effect of an action. Handlers put work off to the next frame or
// a timer of 0 ms; what a server has to be asked for takes longer, and shows as a request.
const firstEffect = 50 * time.Millisecond

// conclude says in the result what the action led to.
func conclude(ctx context.Context, c *actions.Call, res *actions.Result) error {
	a := Of(c)
	page := a.Tab.Page
	if err := page.Err(); fault.Is(err, fault.PageGone) {
		a.Effect.TabClosed = true
		c.Tabs.All() // the session says itself which tab takes its place
	} else if err != nil {
		c.Note("the tab is gone after this: " + err.Error())
	} else {
		if err := comeToRest(ctx, c); err != nil {
			return err
		}
		if err := look(ctx, c); err != nil {
			return err
		}
		a.navigation()
		a.requests()
	}
	if nav := a.Effect.Navigation; nav != nil && !nav.SameDocument && !nav.Loading && !a.Asked {
		a.arrive(ctx, c, res)
	}
	openedTabs(ctx, c)
	a.awaitDownload(ctx)
	a.Effect.Downloads = downloadsSince(ctx, c, page.Context(), a.downloads)
	dialogNotes(c, a.Tab)
	a.Effect.Dialog = openDialogs(c, a.Tab)
	a.waited = c.Bool("observe") || c.Bool("settle")
	a.toggled()
	if a.Effect.Scrolled == nil {
		a.Effect.Scrolled = a.Moved
	}
	a.Effect.None = a.Seen != nil && a.Effect.Nothing() && (a.Effect.Focus == nil || !a.Focuses)
	if a.Effect.None && a.IfNone != "" {
		c.Note(a.IfNone)
	}
	if a.Seen != nil || !a.Effect.Nothing() {
		effect := a.Effect // as it is now
		res.Report(func(r *fact.Reports) { r.Effect = &effect })
		res.Facts.Effects = &a.Effect
	}
	res.Effect, res.Secret = a.lines(c.Tabs.Active()), len(a.Effect.Secret) > 0
	tell(c, res)
	return a.unsavedDownload()
}

// unsavedDownload returns the error of an action whose download the folder of --download-path did not take. The action
// itself was done.
func (a *Action) unsavedDownload() error {
	for _, d := range a.Effect.Downloads {
		f, ok := errors.AsType[*fault.Error](d.Err)
		if !ok {
			continue
		}
		e := &fault.Error{Code: f.Code, Subject: f.Subject, Message: "The action was done. " + f.Message, Err: f}
		for k, v := range f.Facts {
			e.With(k, v)
		}
		return e.With(actions.FactDone, true).
			WithHint("The browser keeps the file until the session closes: `wait --download [path]` saves it elsewhere.")
	}
	return nil
}

// toggled adds the state that the command read, which may have come after what was seen.
func (a *Action) toggled() {
	if a.Toggled == nil {
		return
	}
	if _, reported := a.Effect.State["pressed"]; reported {
		return
	}
	if a.Effect.State == nil {
		a.Effect.State = map[string]fact.Changed{}
	}
	a.Effect.State["checked"] = *a.Toggled
}

// look asks the in-page script what it saw, unless an op of the command has brought that. It waits for nothing, but
// with --observe.
func look(ctx context.Context, c *actions.Call) error {
	a := Of(c)
	waits := c.Bool("observe") && !a.Settled && !a.asksServer()
	if a.stays() {
		awaitOpening(ctx, c, a.Tab.Page)
	}
	if a.Seen == nil || waits && !a.Seen.Any {
		if err := lookAt(ctx, c, a.Frame, waits); err != nil {
			return err
		}
	}
	if a.Seen == nil || !a.Seen.Any {
		if err := lookAt(ctx, c, a.around, waits); err != nil {
			return err
		}
	}
	a.awaitUnfolded(ctx, c)
	a.awaitAnswer(ctx, c)
	if a.Seen != nil {
		doc := ""
		if a.Seen.Focus != nil {
			doc, _ = a.Frame.Document(ctx) // one that is gone needs no ref
		}
		include(c, &a.Effect, a.Seen, a.Tab, a.Frame, doc)
		a.awaitLoading(ctx, c)
		sawTitle(a.Frame, a.loader, a.Seen)
		if a.Frame != a.around {
			awaitLate(c, a.Frame, a.Seen)
		}
	}
	leaveUnrest(c)
	if c.Command().Effect.Has(actions.Control) {
		return nil
	}
	return Settle(ctx, c, a.Tab) // what was seen last may have begun a navigation
}

// lookAt asks one frame, if there is one, and keeps what it says where nothing was seen before.
func lookAt(ctx context.Context, c *actions.Call, frame *engine.Frame, waits bool) error {
	a := Of(c)
	if frame == nil || !a.stays() {
		return nil
	}
	seen, err := seenIn(ctx, c, frame, waits)
	if err != nil || seen == nil {
		return err
	}
	if a.Seen == nil || seen.Any {
		a.Seen, a.Frame = seen, frame
	}
	if frame == a.around {
		awaitLate(c, frame, seen)
	}
	return nil
}

// asksServer reports whether the action led to a request, which is an effect.
func (a *Action) asksServer() bool {
	return a.Traffic != nil && slices.ContainsFunc(a.Traffic.Requests(), func(r traffic.Request) bool { return r.Begun })
}

// stays reports whether the page shows, and will go on showing, the document that the action met, as far as is known.
func (a *Action) stays() bool {
	page := a.Tab.Page
	return !a.blocked && page.Dialogs().Open() == nil && page.Loading().To() == "" && page.Main().Loader() == a.loader
}

// HasLeft reports whether the page of the action has left the document that the action met, or is about to.
func HasLeft(c *actions.Call) bool {
	a := Of(c)
	return a != nil && (engine.Departing(a.Tab.Page) != nil || a.Tab.Page.Main().Loader() != a.loader)
}

// effectsArg is the argument of the in-page op effects.
type effectsArg struct {
	Wait   int64 `json:"wait,omitzero"` // for the first one, in ms
	Frames bool  `json:"frames,omitzero"`
}

var opEffects = inpage.Define[effectsArg, *SeenEffects]("effects")

// seenIn asks one frame; nil when its document is gone, or blocked.
func seenIn(ctx context.Context, c *actions.Call, frame *engine.Frame, waits bool) (*SeenEffects, error) {
	watched, stop := frame.Page().Watch(ctx, true)
	defer stop()
	var arg effectsArg
	if waits {
		arg = effectsArg{firstEffect.Milliseconds(), c.NamesTarget()}
	}
	seen, _, err := opEffects.Here(watched, frame, arg)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) || fault.Is(err, fault.DialogOpen) ||
		fault.Is(err, fault.PageGone) {
		return nil, nil
	}
	return seen, err
}

// navigation compares the address and the document with those before.
func (a *Action) navigation() {
	page := a.Tab.Page
	main := page.Main()
	now := page.URL()
	if a.Effect.Navigation != nil || now == a.url && main.Loader() == a.loader {
		if to := page.Loading().To(); to != "" && a.Effect.Navigation == nil {
			a.Effect.Navigation = &fact.Navigated{From: a.url, To: to, Loading: true}
		}
		return
	}
	nav := &fact.Navigated{From: a.url, To: now, SameDocument: main.Loader() == a.loader}
	if a.Traffic != nil && !nav.SameDocument {
		for _, r := range a.Traffic.Requests() {
			if r.Type == "Document" && r.FrameID == main.ID() {
				nav.Status = r.Status
				if strings.HasPrefix(now, "chrome-error://") && r.Failure != "" {
					nav.Failed = neterror.New(r.URL, r.Failure).Error()
				}
			}
		}
	}
	a.Effect.Navigation = nav
}

// mostRequests is how many requests a reply names.
const mostRequests = 10

// requests keeps the first requests that the action began. Those of a document that came are that document's own.
func (a *Action) requests() {
	if a.Traffic == nil || a.Effect.Navigation != nil && !a.Effect.Navigation.SameDocument {
		return
	}
	for _, r := range a.Traffic.Requests() {
		if r.Begun && len(a.Effect.Requests) < mostRequests {
			a.Effect.Requests = append(a.Effect.Requests, fact.Requested{
				Method: r.Method,
				URL:    r.URL,
				Type:   r.Type,
				Status: r.Status,
			})
		}
	}
}

// popupLimit is how long the browser may take to attach to a page that was opened.
const popupLimit = 2 * time.Second

// openedTabs finds the tabs that pages have opened.
func openedTabs(ctx context.Context, c *actions.Call) {
	a := Of(c)
	limited, stop := context.WithTimeout(ctx, popupLimit)
	defer stop()
	a.Tab.Page.Context().Popups().Await(limited)
	tabs, active := c.Tabs.All()
	for _, t := range tabs {
		if slices.Contains(a.tabs, t) || t == a.Tab || openedBeside(c, a, t) {
			continue
		}
		opened := fact.OpenedTab{ID: t.ID, URL: addressOf(ctx, t), Active: t == active}
		if i := slices.IndexFunc(a.tabs, func(o *actions.Tab) bool { return o.Page.ID() == t.Page.Opener() }); i >= 0 {
			opened.Opener = a.tabs[i].ID
		}
		a.Effect.Tabs = append(a.Effect.Tabs, opened)
	}
}

// openedBeside reports whether a tab was opened by a page in which another command works.
func openedBeside(c *actions.Call, a *Action, t *actions.Tab) bool {
	opener := slices.IndexFunc(a.tabs, func(o *actions.Tab) bool { return o != a.Tab && o.Page.ID() == t.Page.Opener() })
	return opener >= 0 && c.Beside(a.tabs[opener])
}

// addressLimit is how long after a tab was opened the browser may take to say what it shows.
const addressLimit = time.Second

func addressOf(ctx context.Context, t *actions.Tab) string {
	ctx, cancel := context.WithTimeout(ctx, addressLimit)
	defer cancel()
	if err := t.Page.Loading().AwaitURL(ctx, func(url string) bool { return url != "" }); err != nil {
		return "(no address yet)"
	}
	return t.Page.URL()
}

// becomingLimit is how long the browser may take from the response that becomes a download until it reports the
// download: usually a few milliseconds.
const becomingLimit = 500 * time.Millisecond

// awaitDownload waits for the download of an action whose request for a document was answered and led to none: its
// answer is being saved.
func (a *Action) awaitDownload(ctx context.Context) {
	if a.Traffic == nil || a.Effect.Navigation != nil {
		return
	}
	if !slices.ContainsFunc(a.Traffic.Requests(), func(r traffic.Request) bool {
		return r.Begun && r.Type == "Document" && r.Status == 200 && r.Failure == "net::ERR_ABORTED"
	}) {
		return
	}
	limited, stop := context.WithTimeout(ctx, becomingLimit)
	defer stop()
	// otherwise the next reply reports them
	_, _ = a.Tab.Page.Context().Downloads().Await(limited, func(d *downloads.Item) bool { return d.Seq > a.downloads })
}

// keptLimit is how long a reply waits for files to reach their final folder, so that it can report their paths.
const keptLimit = time.Second

// downloadsSince reports the downloads that an action began.
func downloadsSince(ctx context.Context, c *actions.Call, browsing *engine.Context, mark int) []fact.Downloading {
	var all []fact.Downloading
	limited, stop := context.WithTimeout(ctx, keptLimit)
	defer stop()
	for _, d := range browsing.Downloads().News(mark, ofOthers(c)) {
		if kept, err := browsing.Downloads().AwaitKept(limited, d.Seq); err == nil {
			d = kept
		}
		one := fact.Downloading{Name: d.Name, URL: d.URL}
		if !d.Taken {
			one.Path, one.Err = d.Kept, d.KeepErr
		}
		all = append(all, one)
	}
	return all
}

// ofOthers returns a function that reports whether another command works in a page. That command reports the downloads
// that begin there.
func ofOthers(c *actions.Call) func(page string) bool {
	tabs, own := c.Tabs.All()
	if Of(c) != nil {
		own = Of(c).Tab
	}
	others := map[string]bool{}
	for _, t := range tabs {
		if t != own && c.Beside(t) {
			others[t.Page.ID()] = true
		}
	}
	return func(page string) bool { return others[page] }
}

// tell adds the effects to the text if it is a line of skua's own. Otherwise it adds those that a caller must not miss
// to the notes.
func tell(c *actions.Call, res *actions.Result) {
	e := &Of(c).Effect
	if first, rest, _ := strings.Cut(res.Text, "\n"); strings.HasPrefix(first, actions.DoneText) {
		res.Text = first
		if lines := Of(c).lines(c.Tabs.Active()); len(lines) > 0 {
			res.Text += " · " + strings.Join(lines, "; ")
		}
		if rest != "" {
			res.Text += "\n" + rest
		}
		return
	}
	if !Of(c).Asked {
		for _, line := range e.Departures(idOf(c.Tabs.Active())) {
			c.Note(line)
		}
	}
}

// idOf is the id of a tab, "" of none.
func idOf(tab *actions.Tab) string {
	if tab == nil {
		return ""
	}
	return tab.ID
}

// lines are the effects of the action in words.
func (a *Action) lines(active *actions.Tab) []string {
	added := a.Effect.Lines(a.Tab.ID, idOf(active))
	switch {
	case a.WasSo != "" && len(a.Effect.State) == 0:
		return append([]string{a.WasSo}, added...)
	case len(added) > 0 || !a.Effect.None:
		return added
	case a.waited:
		return []string{"no effect seen"}
	}
	return []string{"no effect seen yet"}
}
