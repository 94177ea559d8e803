package run

import (
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// lateEffects are the effects that an action had after its reply. A reply does not wait for effects that may not come:
// it says "no effect seen yet", the in-page script goes on watching, and the next reply of the session reports what
// appeared.
type lateEffects struct {
	mu   sync.Mutex
	came []lateEffect

	of          string // the last command that may have changed the page
	url, loader string // what the page was when the last command that looked at it was over
	looked      bool   // the command at work has looked
	begun       LastAction
}

// LastAction is the last command that acted in a tab, with what its page was before.
type LastAction struct {
	Name        string // as later replies call it; empty means that it failed, or was to open a page itself
	URL, Loader string // of the main frame
	Watched     bool   // in the document
	Opens       bool   // it was to open the page
}

// LastActionIn returns that of a tab.
func LastActionIn(tab *actions.Tab) LastAction {
	late := actions.StateOf[lateEffects](&tab.States)
	late.mu.Lock()
	defer late.mu.Unlock()
	return late.begun
}

type lateEffect struct {
	of   string // the action
	text string // what happened, or else
	seen *SeenEffects
	in   *engine.Frame
	doc  string
}

// lateArg is the argument of the in-page op lateEffects.
type lateArg struct {
	Action int `json:"action"` // by which the script knows it
}

var opLateEffects = inpage.Define[lateArg, *SeenEffects]("lateEffects")

// lateWatch is an action that a frame goes on watching.
type lateWatch struct {
	late       *lateEffects
	of, loader string
	frame      *engine.Frame
}

func watchLate(c *actions.Call, frame *engine.Frame) lateWatch {
	return lateWatch{actions.StateOf[lateEffects](&Of(c).Tab.States), lateName(c), Of(c).loader, frame}
}

// awaitLate lets a frame in which no effect was seen go on watching, so that a later reply can report effects of the
// action.
func awaitLate(c *actions.Call, frame *engine.Frame, seen *SeenEffects) {
	a := Of(c)
	if seen.Any || a.blocked || c.Brief || a.Unrest != nil && a.Unrest.Frame == frame {
		return
	}
	watchLate(c, frame).await(seen.Action)
}

func (w lateWatch) await(action int) {
	_, _ = w.frame.Await(opLateEffects.Name(), lateArg{action}, func(value []byte, doc string) {
		var seen *SeenEffects
		if opLateEffects.Read(value, &seen) == nil && seen != nil {
			w.came(seen, doc)
		}
	})
}

func (w lateWatch) came(seen *SeenEffects, doc string) {
	sawTitle(w.frame, w.loader, seen) // now: what is seen later is newer
	w.late.add(lateEffect{of: w.of, seen: seen, in: w.frame, doc: doc})
}

func (l *lateEffects) add(one lateEffect) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.came = append(l.came, one)
}

// lateName is what an action is called in a later reply: the command, and its target.
func lateName(c *actions.Call) string {
	words := []string{c.Name()}
	for _, arg := range c.Command().Args {
		if arg.Kind == actions.Selector && c.Has(arg.Name) {
			words = append(words, c.String(arg.Name))
		}
	}
	if c.Has("at") {
		words = append(words, "--at", c.String("at"))
	}
	return strings.Join(words, " ")
}

// lateFrom keeps what the tab's page is at the end of a command, for lateNavigation. A command that did not look at the
// page leaves it to the next one to say that it is another one.
func lateFrom(c *actions.Call, tab *actions.Tab, failed bool) {
	late, page := actions.StateOf[lateEffects](&tab.States), tab.Page
	late.mu.Lock()
	defer late.mu.Unlock()
	acts := c.Command().Effect.Has(actions.Mutates) || c.Command().Effect.Has(actions.Navigates)
	if acts {
		late.of, late.begun = lateName(c), LastAction{URL: late.url, Loader: late.loader}
		if a := Of(c); a != nil && a.Tab == tab && !a.Asked { // what was to open a page is noted when it has
			late.begun = LastAction{URL: a.url, Loader: a.loader, Watched: a.Frame != nil}
			if !failed {
				late.begun.Name = late.of
			}
		}
		late.begun.Opens = Of(c) != nil && Of(c).Asked && Of(c).Tab == tab
	}
	if failed {
		late.of = "" // its error says what the page is
	}
	if acts || late.looked {
		late.url, late.loader, late.looked = "", "", false
		if page.Attached() { // else the address is what the browser says of the tab, and may not be that of its document
			late.url, late.loader = page.URL(), page.Main().Loader()
		}
	}
}

// lateNavigation reports that the page has navigated since the last command.
func lateNavigation(c *actions.Call, tab *actions.Tab) {
	late, page := actions.StateOf[lateEffects](&tab.States), tab.Page
	late.mu.Lock()
	defer late.mu.Unlock()
	late.looked = true
	url, loader := page.URL(), page.Main().Loader()
	if late.of == "" || late.url == "" || url == late.url {
		// who loaded the same page again, such as after a crash, says so
		return
	}
	effect := fact.Effects{Navigation: &fact.Navigated{From: late.url, To: url, SameDocument: loader == late.loader}}
	for _, line := range effect.Departures("") {
		c.Note("since `" + late.of + "`: " + line)
	}
}

// besides reports whether the command may run beside another one, whose notes those of earlier actions are.
func besides(c *actions.Call) bool {
	return c.Command().Effect.Has(actions.NoBrowser) || c.Command().Effect.Has(actions.Control)
}

// lateNotes reports the effects that earlier actions had after their replies. failed is whether the current command
// failed.
func lateNotes(c *actions.Call, failed bool) {
	if besides(c) {
		return
	}
	tabs, active := c.Tabs.All()
	for _, tab := range tabs {
		if tab != active && c.Beside(tab) {
			continue // the command that works there reports it
		}
		lateFrom(c, tab, failed)
		for _, one := range actions.StateOf[lateEffects](&tab.States).take() {
			if one.text != "" {
				c.Note("since `" + one.of + "`: " + one.text)
				continue
			}
			effect := &fact.Effects{}
			include(c, effect, one.seen, tab, one.in, one.doc)
			if lines := effect.Lines(tab.ID, idOf(active)); len(lines) > 0 {
				c.Note("since `" + one.of + "`: " + strings.Join(lines, "; "))
			}
		}
	}
}

// lateDownloads reports downloads that no reply has reported yet, except for those that a command has taken.
func lateDownloads(c *actions.Call) {
	if besides(c) {
		return
	}
	tabs, _ := c.Tabs.All()
	others := ofOthers(c)
	for _, tab := range tabs {
		for _, d := range tab.Page.Context().Downloads().News(0, others) {
			if d.Taken {
				continue
			}
			since := ""
			if i := slices.IndexFunc(tabs, func(t *actions.Tab) bool { return t.Page.ID() == d.Page }); i >= 0 {
				if of := actions.StateOf[lateEffects](&tabs[i].States).last(); of != "" {
					since = "since `" + of + "`: "
				}
			}
			effect := fact.Effects{Downloads: []fact.Downloading{{Name: d.Name, URL: d.URL, Path: d.Kept, Err: d.KeepErr}}}
			c.Note(since + strings.Join(effect.Lines(tab.ID, ""), "; "))
		}
	}
}

// last is the last command that may have changed the page.
func (l *lateEffects) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of
}

func (l *lateEffects) take() []lateEffect {
	l.mu.Lock()
	defer l.mu.Unlock()
	came := l.came
	l.came = nil
	return came
}
