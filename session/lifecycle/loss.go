package lifecycle

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/ledger"
)

// loss is what a session had in a browser that ended, or with a host that ended.
type loss struct {
	host      bool // the host ended, too
	moved     bool // the host made way for this one, which is of a newer build
	unhealthy bool // the browser ran but opened no pages
	tabs      []ledger.Tab
	active    string               // id
	before    *engine.Context      // the context in the browser that ended; nil means unknown
	launch    *launch.Options      // how the browser was started; nil means unknown
	saved     *launch.SavedOptions // the launch options that the ledger saved, or nil
	cookies   []storage.NewCookie
	leftOut   []string // URLs that are not restored
	why       string   // the resource that the browser lacked; "": it is not known
}

// lossOf returns what the session loses with a browser that has ended. The active page counts as the cause if it was
// loaded and the session did not abandon the browser.
func (b *Browser) lossOf(l *lease.Lease) *loss {
	why := launch.Shortage(l.Browser)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tabs.active != nil && !l.Unhealthy.Load() && !b.tabs.active.Page.IsUnloaded() {
		countCrash(&b.crashes.browsers, b.tabs.active.Page.URL())
	}
	lost := &loss{
		tabs:      b.tabs.records(),
		before:    l.Context,
		launch:    &l.Launch,
		cookies:   b.checkpoint.cookies,
		unhealthy: l.Unhealthy.Load(),
		why:       why,
	}
	if b.tabs.active != nil {
		lost.active = b.tabs.active.ID
	}
	return lost
}

// crashes counts, by URL, how often in a row a page crashed its browser or its process. Guarded by the browser's mu.
type crashes struct{ browsers, processes map[string]int }

func countCrash(m *map[string]int, url string) int {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[url]++
	return (*m)[url]
}

// forget resets the counts of a page that lives.
func (c *crashes) forget(url string) {
	delete(c.browsers, url)
	delete(c.processes, url)
}

// Recover takes over what an earlier host had open for the session.
func (b *Browser) Recover(lost *ledger.Session) {
	if lost.Rules != nil {
		b.Rules.Restore(lost.Rules)
	}
	for _, note := range lost.Notes {
		b.Notices.Add(note)
	}
	switch {
	case lost.RulesOnly:
		return
	case lost.App == nil && lost.External != "":
		why := "the host of this session was restarted"
		if lost.Moved {
			why = "a newer build of skua took over session " + b.Session
		}
		b.Notices.Add(why + "; it was attached to the browser at " + lost.External +
			", which was left running: `connect` to it again. Refs of earlier snapshots are gone")
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if app := lost.App; app != nil { // its windows are nothing without it
		b.ended = launch.AppEnded(b.Session, &electron.Record{LaunchID: app.LaunchID, AppName: app.Name})
		return
	}
	b.loss = &loss{
		host:    true,
		moved:   lost.Moved,
		tabs:    lost.Tabs,
		active:  lost.Active,
		saved:   lost.Launch,
		cookies: lost.Cookies,
	}
	b.tabs.last = lost.LastTab
}

// note describes what was restored and what was lost.
func (l *loss) note(session string, restored, gone, applied, ended []string) string {
	note := "the browser of session " + session + " ended unexpectedly"
	switch {
	case l.unhealthy:
		note = "the browser of session " + session + " stopped opening pages and was abandoned"
	case l.moved:
		note = "a newer build of skua took over session " + session + ", and its browser is a new one"
	case l.host:
		note = "the host of this session was restarted and its browser is gone"
	}
	if l.why != "" {
		note += " (" + l.why + ")"
	}
	parts := []string{note}
	add := func(what string, list []string, more string) {
		if len(list) > 0 {
			parts = append(parts, what+": "+strings.Join(wording.ClipList(list), ", ")+more)
		}
	}
	later := ""
	if len(restored) > 1 {
		later = ", each loaded when it is used"
	}
	add("restored", restored, later)
	add("applied again", applied, "")
	add("lost", append(gone, ended...), "")
	if len(l.leftOut) > 0 {
		parts = append(parts,
			fmt.Sprintf("not restored after %d crashes in a row: %s", maxCrashes,
				strings.Join(wording.ClipList(l.leftOut), ", ")))
	}
	if len(parts) == 1 {
		parts = append(parts, "nothing was open")
	}
	note = strings.Join(parts, "; ")
	switch {
	case len(restored) > 0:
		return note + ". Refs of earlier snapshots and text typed into forms are gone"
	case l.host:
		return note + ". Refs of earlier snapshots are gone, too."
	}
	return note + ". This is a new browser, and refs of earlier snapshots are gone"
}
