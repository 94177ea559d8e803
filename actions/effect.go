package actions

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/snapshot"
)

// Effects is what was seen of what an action led to, between the moment before it and its reply. It is the member effect of the reply's
// data. The reference of the documentation is made from the tags.
type Effects struct {
	Navigation   *Navigated         `json:"navigation,omitempty" doc:"The page is another document, or the same one under another address: from, to, status (HTTP), sameDocument, loading (not there yet)"`
	Tabs         []OpenedTab        `json:"tabs,omitempty" doc:"Tabs and popups that came: id, url, opener, active. The active tab does not change unless the command was to open one"`
	TabClosed    bool               `json:"tabClosed,omitempty" doc:"The tab that was acted on is gone"`
	Dialog       *ShownDialog       `json:"dialog,omitempty" doc:"A JavaScript dialog that is open: type, message, open, and tab when it is in another tab"`
	Answered     []ShownDialog      `json:"answered,omitempty" doc:"JavaScript dialogs that came and were answered: type, message, answer, and the text given to a prompt"`
	MoreAnswered int                `json:"moreAnswered,omitempty" doc:"How many more were answered than are listed"`
	Downloads    []Downloading      `json:"downloads,omitempty" doc:"Downloads that began: name, url. wait --download has them"`
	State        map[string]Changed `json:"state,omitempty" doc:"What changed of the control, from and to: value, checked, selected, expanded, pressed, current, disabled, selection"`
	Secret       []string           `json:"secret,omitempty" doc:"What changed of the control and is not shown: the value of a password field"`
	Focus        *Focused           `json:"focus,omitempty" doc:"What has the focus now and had not before: ref, role, name, self (it is the target)"`
	Appeared     []string           `json:"appeared,omitempty" doc:"Dialogs, menus, announcements and the like that came up, else the first things that came"`
	Closed       []string           `json:"closed,omitempty" doc:"Dialogs, menus and the like that went"`
	DOM          *Mutated           `json:"dom,omitempty" doc:"How many elements were added, removed and changed; near says whether beside the target, many that there was more than was counted, targetRemoved that the target left the page"`
	Scrolled     *Scrolled          `json:"scrolled,omitempty" doc:"Where what scrolls around the target, or the page, was and is: from and to, each [x, y]"`
	Requests     []Requested        `json:"requests,omitempty" doc:"The first requests that began, without those of a page that loads: method, url, type, status (when the answer was there already)"`
	None         bool               `json:"none,omitempty" doc:"The page was watched, and nothing of all this was seen"`
}

// Navigated says that the main frame shows another document, or the same one under another address.
type Navigated struct {
	From         string `json:"from"`
	To           string `json:"to"`
	Status       int    `json:"status,omitempty"` // HTTP; 0 where there is none
	SameDocument bool   `json:"sameDocument,omitempty"`
	Loading      bool   `json:"loading,omitempty"` // it has not arrived yet
}

// OpenedTab is a tab or popup that came. One that a page opened is not made the active one.
type OpenedTab struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	Opener string `json:"opener,omitempty"` // the tab whose page opened it
	Active bool   `json:"active,omitempty"` // commands go to it from now on
}

// ShownDialog is a JavaScript dialog.
type ShownDialog struct {
	Tab     string  `json:"tab,omitempty"` // when it is not that of the command
	Type    string  `json:"type"`
	Message string  `json:"message"`
	Open    bool    `json:"open,omitempty"`
	Answer  string  `json:"answer,omitempty"` // "accepted" or "dismissed"
	Text    *string `json:"text,omitempty"`   // what a prompt was answered with
}

// Changed is a state before and after.
type Changed struct {
	From any `json:"from"`
	To   any `json:"to"`
}

// Focused is an element that got the focus.
type Focused struct {
	Ref      string `json:"ref,omitempty"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Self     bool   `json:"self,omitempty"` // it is the one that was acted on
	editable bool
}

// Mutated counts the elements that came, went, and changed otherwise.
type Mutated struct {
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Changed int  `json:"changed"`
	Near    bool `json:"near"`           // some of it in the form, row, dialog or other group that the target is in
	Many    bool `json:"many,omitempty"` // there was more than was counted
	Gone    bool `json:"targetRemoved,omitempty"`
}

// Scrolled is where a scroll container was and is, as x and y.
type Scrolled struct {
	From [2]float64 `json:"from"`
	To   [2]float64 `json:"to"`
}

// Requested is a request that began.
type Requested struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Type   string `json:"type"`
	Status int    `json:"status,omitempty"` // of the answer that has come already
}

// Downloading is a download that began.
type Downloading struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// acting is what is kept of a command that may change something, from before it acts until its reply.
type acting struct {
	tab         *Tab
	tabs        []*Tab // that were open
	url, loader string // of the main frame
	traffic     *engine.Traffic
	frame       *engine.Frame // in whose document the in-page script watches
	around      *engine.Frame // the main frame, when that is another one and watched as well
	begun       bool          // the command has begun to act
	asked       bool          // the command itself was to open a page or a tab, so that its reply says which
	settled     bool          // an op has waited for what it set, so that no first effect needs to be waited for
	downloads   int           // the mark after which new ones come
	seen        *seenEffects  // what the script saw; nil: not asked yet
	effect      Effects
}

// moment is the point from which on a command acts.
type moment struct{}

// firstEffect is how long the first effect of an action may take to be seen. Handlers put work off to the next frame or a timer of 0 ms;
// what a server has to be asked for takes longer, and shows as a request.
const firstEffect = 50 * time.Millisecond

// attend begins to watch a tab for effects of the command.
func (c *Call) attend(ctx context.Context, tab *Tab) error {
	if c.acting != nil || !c.Command().Effect.Has(Mutates) {
		return nil
	}
	c.acting = c.begin(tab)
	c.acting.traffic = tab.Page.WatchTraffic()
	if c.Command().takesTarget() {
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
func (c *Call) before(tab *Tab) moment {
	c.answering(tab)
	c.dialogNotes(tab) // of what the page did since the last command
	mark := tab.Page.Context().MarkDownloads()
	if c.acting == nil {
		c.acting = c.begin(tab)
	}
	if !c.acting.begun {
		c.acting.begun, c.acting.downloads = true, mark
	}
	return moment{}
}

// after waits for a navigation that the action began.
func (c *Call) after(ctx context.Context, tab *Tab, _ moment) error {
	page := tab.Page
	if to := page.Navigating(); to != "" && page.Err() == nil {
		still, err := page.Settle(ctx, settleLimit)
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
		if err := c.look(ctx); err != nil {
			return err
		}
		a.navigation()
		a.requests()
	}
	c.openedTabs(ctx)
	for _, d := range page.Context().Downloads(a.downloads) {
		a.effect.Downloads = append(a.effect.Downloads, Downloading{Name: d.Name, URL: d.URL})
	}
	c.dialogNotes(a.tab)
	a.effect.Dialog = c.openDialogs(a.tab)
	a.effect.None = a.seen != nil && a.effect.nothing()
	if res.Data == nil {
		res.Data = map[string]any{}
	}
	if data, ok := res.Data.(map[string]any); ok && (a.seen != nil || !a.effect.nothing()) {
		data["effect"] = a.effect
	}
	c.tell(res)
	return nil
}

// look asks the in-page script what it saw, unless an op of the command has brought something already.
func (c *Call) look(ctx context.Context) error {
	a := c.acting
	for _, frame := range []*engine.Frame{a.frame, a.around} {
		if frame == nil || a.seen != nil && (a.seen.Any || a.settled) || !a.stays() {
			continue
		}
		seen, err := c.seenIn(ctx, frame)
		if err != nil {
			return err
		}
		if seen != nil && (a.seen == nil || seen.Any) {
			a.seen, a.frame = seen, frame
		}
	}
	if a.seen != nil {
		a.seen.into(&a.effect)
		c.giveFocusRef(ctx)
	}
	if c.Command().Effect.Has(Control) {
		return nil
	}
	return c.after(ctx, a.tab, moment{}) // what was seen last may have begun a navigation
}

// stays reports whether the page shows the document that the action met, and will, as far as can be told.
func (a *acting) stays() bool {
	page := a.tab.Page
	return page.Dialog() == nil && page.Navigating() == "" && page.Main().Loader() == a.loader
}

// seenIn asks one frame; nil when its document is gone, or blocked.
func (c *Call) seenIn(ctx context.Context, frame *engine.Frame) (*seenEffects, error) {
	watched, stop := frame.Page().Watch(ctx, true)
	defer stop()
	var seen *seenEffects
	err := frame.Call(watched, "effects", map[string]any{"wait": firstEffect.Milliseconds()}, &seen)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) || fault.Is(err, fault.DialogOpen) || fault.Is(err, fault.PageGone) {
		return nil, nil
	}
	return seen, err
}

// giveFocusRef lets the caller act on what has the focus.
func (c *Call) giveFocusRef(ctx context.Context) {
	a := c.acting
	focus := a.effect.Focus
	if focus == nil {
		return
	}
	doc, err := a.frame.Document(ctx)
	if err != nil {
		return
	}
	focus.Ref = c.Session.Refs().Give(snapshot.Ref{
		Tab: a.tab.ID, FrameID: a.frame.ID(), DocID: doc, URL: a.frame.URL(), Token: a.seen.Focus.Token, Role: focus.Role, Name: focus.Name,
	})
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
