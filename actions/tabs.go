package actions

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

func tabCommands() []Command {
	return []Command{
		{
			Name:     "tab list",
			Upstream: []string{"tab [new|list|close|<n>]", "tab [operation] [args]", "tab list", "tab <t<N>|label|target>"},
			Aliases:  []string{"tab"}, Group: GroupTabs, Summary: "List the open tabs, or switch to one",
			Args:   []Arg{{Name: "which", Value: "tab", Optional: true, Kept: true, Help: "The tab to switch to: an id such as t2, a label, or a target id"}},
			Effect: Reads | Control, Traits: trait.AboutTabs | trait.ListsTabs | trait.MayLosePage, Refs: trait.Refs{Stale: trait.MoreThan(0)}, View: trait.ViewTabs, Place: trait.PlaceTab, Tabless: true, Run: runTab,
			Policy: Policy{Action: "tab_list tab_switch", Families: policy.Does(), Acts: func(in *Input) string {
				if in.Has("which") {
					return "tab_switch"
				}
				return "tab_list"
			}},
		},
		{
			Name: "tab switch", Group: GroupTabs, Summary: "Make a tab the active one, to which commands go that do not say --tab",
			Args:   []Arg{{Name: "which", Value: "tab", Kept: true, Help: "An id such as t2, a label, or a target id"}},
			Effect: Reads | Control, Traits: trait.AboutTabs | trait.ChoosesTab | trait.MayLosePage, Refs: trait.Refs{Stale: trait.Always}, View: trait.ViewTabs, Place: trait.PlaceTab, Steps: true, Tabless: true, Run: runTabSwitch,
			Policy: Policy{Families: policy.Does()},
		},
		{
			Name:     "tab new",
			Upstream: []string{"tab new [url]", "tab new --label <name> [url]"},
			Group:    GroupTabs, Summary: "Open a tab and make it the active one",
			Args:   []Arg{{Name: "url", Kind: URL, Optional: true, Help: "What to open in it"}},
			Flags:  []Flag{{Name: "label", Value: "name", Kept: true, Help: "A name of your own for the tab"}, dialogFlag()},
			Effect: Mutates | Navigates | Control, Traits: trait.AboutTabs | trait.OpensTab, View: trait.ViewTabs, Place: trait.PlaceTab, Tabless: true, Run: runTabNew,
			Policy: Policy{Families: policy.Does(), Also: Opens("url")},
		},
		{
			Name:     "tab close",
			Upstream: []string{"tab close [t<N>|label|target]"},
			Group:    GroupTabs, Summary: "Close a tab",
			Args:   []Arg{{Name: "which", Value: "tab", Optional: true, Kept: true, Help: "Which one; the active tab when not given"}},
			Flags:  []Flag{dialogFlag()},
			Effect: Closes | Control, Traits: trait.AboutTabs | trait.ClosesTab, Refs: trait.Refs{Stale: trait.Always}, View: trait.ViewTabs, Place: trait.PlaceNone, Run: runTabClose,
			Policy: Policy{Families: policy.Does()},
		},
		{
			Name:     "window new",
			Upstream: []string{"window new", "window <operation>"},
			Group:    GroupTabs, Summary: "Open a window with a tab and make that the active one",
			Effect: Mutates | Control, Traits: trait.AboutTabs, Tabless: true, Run: runWindowNew,
			Policy: Policy{Families: policy.Does()},
		},
	}
}

// labelOf is the tab's label as JSON has it.
func labelOf(t *Tab) any {
	if t.Label == "" {
		return nil
	}
	return t.Label
}

// TabWords are a tab in a list. One that is not a window says so, and whose it is.
func TabWords(title, url, kind, parent string) string {
	words := title + " - " + url
	if kind == "page" || kind == "" {
		return words
	}
	if parent != "" {
		kind += " in " + parent
	}
	return words + " (" + kind + ")"
}

// parentOf returns the tab of the window that embeds a webview, or "".
func parentOf(t *Tab, tabs []*Tab) string {
	if id := t.Page.Parent(); id != "" {
		for _, other := range tabs {
			if other.Page.ID() == id {
				return other.ID
			}
		}
	}
	return ""
}

func tabData(t *Tab) map[string]any {
	return map[string]any{"label": labelOf(t), "tabId": t.ID, "targetId": t.Page.ID(), "title": t.Page.Title(), "url": t.Page.URL()}
}

func runTab(ctx context.Context, c *Call) (Result, error) {
	if c.Has("which") {
		if c.Name() == "tab list" {
			return Result{}, c.Invalid("Unexpected argument: " + c.String("which"))
		}
		return runTabSwitch(ctx, c)
	}
	tabs, active := c.Session.Tabs()
	var wg sync.WaitGroup
	for _, tab := range tabs {
		wg.Go(func() { tab.Page.RefreshTitle(ctx) })
	}
	wg.Wait()
	list := make([]map[string]any, len(tabs))
	lines := make([]string, len(tabs))
	for i, tab := range tabs {
		list[i] = tabData(tab)
		list[i]["active"] = tab == active
		list[i]["type"] = tab.Page.Type()
		parent := parentOf(tab, tabs)
		if parent != "" {
			list[i]["parent"] = parent
		}
		mark, label := "  ", ""
		if tab == active {
			mark = "→ "
		}
		if tab.Label != "" {
			label = tab.Label + " "
		}
		lines[i] = fmt.Sprintf("%s[%s] %s%s", mark, tab.ID, label, TabWords(tab.Page.Title(), tab.Page.URL(), tab.Page.Type(), parent))
		if d := tab.Page.Dialog(); d != nil {
			list[i]["dialog"] = shownDialog(tab, tab, *d)
			lines[i] += " (a " + d.Type + " dialog is open: " + wording.Quote(d.Message) + ")"
		}
		if opener := tab.Page.Opener(); opener != "" {
			for _, o := range tabs {
				if o.Page.ID() == opener {
					list[i]["opener"] = o.ID
				}
			}
		}
		if err := tab.Page.Err(); err != nil {
			list[i]["error"] = err.Error()
			lines[i] += " (" + err.Error() + ")"
		}
	}
	if len(tabs) == 0 {
		lines = []string{"No tabs are open"}
	}
	return Result{Data: map[string]any{"tabs": list}, Text: strings.Join(lines, "\n")}, nil
}

func runTabSwitch(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.Session.SwitchTab(ctx, c.String("which"))
	if err != nil {
		return Result{}, err
	}
	tab.Page.RefreshTitle(ctx)
	return Result{Data: tabData(tab), Text: pageText(tab.Page.Title(), tab.Page.URL())}, nil
}

func runWindowNew(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.Session.NewTab(ctx, "", true)
	if err != nil {
		return Result{}, err
	}
	tabs, _ := c.Session.Tabs()
	return Result{
		Data: map[string]any{"tabId": tab.ID, "total": len(tabs)},
		Text: fmt.Sprintf("✓ Window opened [%s] (%d total)", tab.ID, len(tabs)),
	}, nil
}

func runTabNew(ctx context.Context, c *Call) (Result, error) {
	address := ""
	if c.Has("url") {
		var err error
		if address, err = c.Address(c.String("url")); err != nil {
			return Result{}, err
		}
	}
	tab, err := c.Session.NewTab(ctx, c.String("label"), false)
	if err != nil {
		return Result{}, err
	}
	title, url := "", "about:blank"
	if address != "" {
		nav, err := c.GoTo(ctx, tab, address)
		if err != nil {
			return Result{}, c.abandon(ctx, tab, err)
		}
		title, url = nav.Title, nav.URL
		c.NoteLoad(nav)
	}
	tabs, _ := c.Session.Tabs()
	data := tabData(tab)
	data["title"], data["url"], data["total"] = title, url, len(tabs)
	text := url
	if address != "" {
		text = pageText(title, url)
	}
	return Result{Data: data, Text: text}, nil
}

// abandon closes a tab whose address could not be opened, so that a failed command leaves the session as it was.
func (c *Call) abandon(ctx context.Context, tab *Tab, cause error) error {
	if tabs, _ := c.Session.Tabs(); len(tabs) < 2 {
		return cause
	}
	if _, active, err := c.Session.CloseTab(ctx, tab.ID); err == nil {
		return fault.New(fault.CodeOf(cause), "%w The tab was closed again; %s is the active one.", cause, active.ID)
	}
	return cause
}

func runTabClose(ctx context.Context, c *Call) (Result, error) {
	_, tab := c.Session.Tabs()
	if c.Has("which") {
		var err error
		if tab, err = c.Session.FindTab(c.String("which")); err != nil {
			return Result{}, err
		}
	}
	if tab != nil {
		c.AnswerDialogs(tab)
		c.Session.Film().leave(tab)
	}
	closed, active, err := c.Session.CloseTab(ctx, c.String("which"))
	if err != nil {
		return Result{}, err
	}
	return Result{
		Data: map[string]any{"closed": true, "tabId": closed.ID, "targetId": closed.Page.ID(), "label": labelOf(closed), "activeTabId": active.ID},
		Text: "✓ Tab [" + closed.ID + "] closed",
	}, nil
}
