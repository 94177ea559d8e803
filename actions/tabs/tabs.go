package tabs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func tabCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "tab list",
				Aliases: []string{"tab"},
				Group:   actions.GroupTabs,
				Summary: "List the open tabs, or switch to one",
				Args: []actions.Arg{{
					Name:     "which",
					Value:    "tab",
					Optional: true,
					Kept:     true,
					Help:     "The tab to switch to: an id such as t2, a label, or a target id",
				}},
				Upstream: []string{"tab [new|list|close|<n>]", "tab [operation] [args]", "tab list", "tab <t<N>|label|target>"},
				UpstreamHelp: "A tab is named by its id (`t1`, `t2`, `t3`), its label (`docs`, `app`) or its target id, which " +
					"`tab list --json` has as targetId. A label cannot look like an id, `t<N>` or `T<N>`. With --pin-tab a command " +
					"whose tab was closed fails with `tab_gone`; with --json that is code=tab_gone, with data.targetId and " +
					"data.lastUrl. `click --new-tab` opens tabs, too.",
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true, Alters: actions.With("which")},
			Safety: actions.Safety{
				Action: "tab_list tab_switch",
				Acts: func(in *actions.Input) string {
					if in.Has("which") {
						return "tab_switch"
					}
					return "tab_list"
				},
				Families: policy.Does(),
			},
			Showing: actions.Showing{
				Traits: trait.AboutTabs | trait.MayLosePage, Refs: trait.Refs{Stale: trait.MoreThan(0)},
			},
			Bindings: actions.Bindings{
				Data:   []any{TabsResult{}, actions.Given("which", TabResult{})},
				InTool: inTabs(toolList),
				Tools: []actions.AgentTool{{
					Name:  "browser_tabs",
					Title: "Tabs",
					About: "List tabs, switch to one, or close one.",
					Params: []actions.Param{
						{Name: "action", Required: true, OneOf: []string{toolList, toolClose, toolSwitch}}, {
							Name:  "id",
							Of:    "which",
							About: "t2, from the list",
						},
					},
					Lines: tabLines,
				}},
			},
			Run: runTab,
		},
		{
			Spec: actions.Spec{
				Name:     "tab switch",
				Synonyms: []string{"switch-tab", "select-tab", "switch-to-tab"},
				Group:    actions.GroupTabs,
				Summary:  "Make a tab the active one, which commands without --tab use",
				Args: []actions.Arg{{
					Name:  "which",
					Value: "tab",
					Kept:  true,
					Help:  "An id such as t2, a label, or a target id",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true, Steps: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.AboutTabs | trait.MayLosePage | trait.Sets, Refs: trait.Refs{Stale: trait.Always},
			},
			Bindings: actions.Bindings{Data: []any{TabResult{}}, InTool: inTabs(toolSwitch)},
			Run:      runTabSwitch,
		},
		{
			Spec: actions.Spec{
				Name: "tab new",
				Synonyms: []string{
					"new-tab", "open-tab",
					"newtab",
				},
				Group:   actions.GroupTabs,
				Summary: "Open a tab and make it the active one",
				Args:    []actions.Arg{{Name: "url", Kind: actions.URL, Optional: true, Help: "What to open in it"}},
				Flags: []actions.Flag{{
					Name:  "label",
					Value: "name",
					Kept:  true,
					Help:  "A name of your own for the tab",
				}, actions.DialogFlag()},
				Upstream: []string{"tab new [url]", "tab new --label <name> [url]"},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Navigates | actions.Control, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does(), Opens: true},
			Showing:  actions.Showing{Traits: trait.AboutTabs},
			Bindings: actions.Bindings{Data: []any{NewTabResult{}}},
			Run:      runTabNew,
		},
		{
			Spec: actions.Spec{
				Name:     "tab close",
				Synonyms: []string{"close-tab"},
				Group:    actions.GroupTabs,
				Summary:  "Close a tab",
				Args: []actions.Arg{{
					Name:     "which",
					Value:    "tab",
					Optional: true,
					Kept:     true,
					Help:     "The tab to close; the active tab when not given",
				}},
				Flags:    []actions.Flag{actions.DialogFlag()},
				Upstream: []string{"tab close [t<N>|label|target]"},
			},
			Schedule: actions.Schedule{Effect: actions.Closes | actions.Control},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.AboutTabs, Refs: trait.Refs{Stale: trait.Always},
			},
			Bindings: actions.Bindings{Data: []any{ClosedTabResult{}}, InTool: inTabs(toolClose)},
			Run:      runTabClose,
		},
		{
			Spec: actions.Spec{
				Name: "window new", Group: actions.GroupTabs,
				Summary:  "Open a window with a tab and make that the active one",
				Upstream: []string{"window new", "window <operation>"},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Control, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutTabs},
			Bindings: actions.Bindings{Data: []any{NewWindowResult{}}},
			Run:      runWindowNew,
		},
	}
}

// listName is the command that has browser_tabs.
const listName = "tab list"

// What browser_tabs does.
const (
	toolList   = "list"
	toolClose  = "close"
	toolSwitch = "switch"
)

// inTabs is the call of browser_tabs that does an action.
func inTabs(action string) actions.ToolForm {
	return actions.ToolForm{Of: listName, With: map[string]string{"action": action}}
}

func tabLines(c actions.ToolCall) ([][]string, error) {
	action, id := c.String("action"), c.String("id")
	switch {
	case action == toolList:
		return [][]string{{"tab", "list"}}, nil
	case action == toolClose && id == "":
		return [][]string{{"tab", "close"}}, nil
	case action == toolClose:
		return [][]string{actions.ToolLine([]string{"tab", "close"}, id)}, nil
	case id == "":
		return nil, errors.New("to switch needs the tab's id")
	}
	return [][]string{actions.ToolLine([]string{"tab"}, id)}, nil
}

// labelOf is the tab's label as JSON has it.
func labelOf(t *actions.Tab) *string {
	if t.Label == "" {
		return nil
	}
	return new(t.Label)
}

// tabWords are a tab in a list. One that is not a window says so, and whose it is.
func tabWords(title, url, kind, parent string) string {
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
func parentOf(t *actions.Tab, tabs []*actions.Tab) string {
	if id := t.Page.Parent(); id != "" {
		for _, other := range tabs {
			if other.Page.ID() == id {
				return other.ID
			}
		}
	}
	return ""
}

func tabData(t *actions.Tab) TabResult {
	return TabResult{labelOf(t), t.ID, t.Page.ID(), t.Page.Title(), t.Page.URL()}
}

// AppWindows knows how windows of desktop apps are shown, which pages do not report.
type AppWindows interface {
	// WindowsInApp says how a person sees targets of the app that the session works in, by their IDs. There is nothing
	// about those of other browsers.
	WindowsInApp(ctx context.Context, targetIDs []string) map[string]*electron.WindowFacts
}

// windowOf returns the tab of the window's own page, or "".
func windowOf(view *electron.WindowFacts, tabs []*actions.Tab, windows map[string]*electron.WindowFacts) string {
	for _, t := range tabs {
		if w := windows[t.Page.ID()]; w != nil && w.Kind == "window" && w.ID == view.ID {
			return t.ID
		}
	}
	return ""
}

func runTab(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("which") {
		if c.Name() == "tab list" {
			return actions.Result{}, c.Invalid("Unexpected argument: " + c.String("which"))
		}
		return runTabSwitch(ctx, c)
	}
	tabs, active := c.Tabs.All()
	var wg sync.WaitGroup
	if len(tabs) > 0 {
		wg.Go(func() { tabs[0].Page.Context().FindParents(ctx) })
	}
	targets := make([]string, len(tabs))
	for i, tab := range tabs {
		targets[i] = tab.Page.ID()
		wg.Go(func() { tab.Page.RefreshTitle(ctx) })
	}
	windows := actions.Service[AppWindows](c).WindowsInApp(ctx, targets)
	wg.Wait()
	list := make([]TabEntry, len(tabs))
	lines := make([]string, len(tabs))
	for i, tab := range tabs {
		parent := parentOf(tab, tabs)
		list[i] = TabEntry{TabResult: tabData(tab), Active: tab == active, Parent: parent, Type: tab.Page.Type()}
		mark, label := "  ", ""
		if tab == active {
			mark = "→ "
		}
		if tab.Label != "" {
			label = tab.Label + " "
		}
		lines[i] = fmt.Sprintf("%s[%s] %s%s", mark, tab.ID, label,
			tabWords(tab.Page.Title(), tab.Page.URL(), tab.Page.Type(), parent))
		if w := windows[targets[i]]; w != nil {
			list[i].Hidden, list[i].Modal, list[i].View = w.Hidden, w.Modal, w.View()
			if w.View() {
				list[i].Parent = windowOf(w, tabs, windows)
			}
			lines[i] += w.Unlike(list[i].Parent)
		}
		if d := tab.Page.Dialogs().Open(); d != nil {
			list[i].Dialog = new(run.DescribeDialog(tab, tab, *d))
			lines[i] += " (a " + d.Type + " dialog is open: " + wording.Quote(d.Message) + ")"
		}
		if opener := tab.Page.Opener(); opener != "" {
			for _, o := range tabs {
				if o.Page.ID() == opener {
					list[i].Opener = o.ID
				}
			}
		}
		if err := tab.Page.Err(); err != nil {
			list[i].Error = err.Error()
			lines[i] += " (" + err.Error() + ")"
		}
	}
	if len(tabs) == 0 {
		lines = []string{"No tabs are open"}
	}
	return actions.Result{Data: TabsResult{list}, Text: strings.Join(lines, "\n")}, nil
}

func runTabSwitch(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.SwitchTab(ctx, c.String("which"))
	if err != nil {
		return actions.Result{}, err
	}
	tab.Page.RefreshTitle(ctx)
	return actions.Result{Data: tabData(tab), Text: navigate.PageText(tab.Page.Title(), tab.Page.URL())}, nil
}

func runWindowNew(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.NewTab(ctx, "", true)
	if err != nil {
		return actions.Result{}, err
	}
	tabs, _ := c.Tabs.All()
	return actions.Result{
		Data: NewWindowResult{tab.ID, len(tabs)},
		Text: fmt.Sprintf("✓ Window opened [%s] (%d total)", tab.ID, len(tabs)),
	}, nil
}

func runTabNew(ctx context.Context, c *actions.Call) (actions.Result, error) {
	address := ""
	if c.Has("url") {
		var err error
		if address, err = navigate.Address(c, c.String("url")); err != nil {
			return actions.Result{}, err
		}
	}
	tab, err := c.Tabs.NewTab(ctx, c.String("label"), false)
	if err != nil {
		return actions.Result{}, err
	}
	title, url := "", "about:blank"
	if address != "" {
		nav, err := navigate.GoTo(ctx, c, tab, address)
		if err != nil {
			return actions.Result{}, navigate.Abandon(ctx, c, tab, err)
		}
		title, url = nav.Title, nav.URL
		navigate.NoteLoad(c, nav)
	}
	tabs, _ := c.Tabs.All()
	data := NewTabResult{tabData(tab), len(tabs)}
	data.Title, data.URL = title, url
	text := url
	if address != "" {
		text = navigate.PageText(title, url)
	}
	return actions.Result{Data: data, Text: text}, nil
}

func runTabClose(ctx context.Context, c *actions.Call) (actions.Result, error) {
	_, tab := c.Tabs.All()
	if c.Has("which") {
		var err error
		if tab, err = c.Tabs.FindTab(c.String("which")); err != nil {
			return actions.Result{}, err
		}
	}
	if tab != nil {
		run.AnswerDialogs(c, tab)
		c.Session.States().LeaveTab(tab)
	}
	closed, active, err := c.Tabs.CloseTab(ctx, c.String("which"))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: ClosedTabResult{active.ID, true, labelOf(closed), closed.ID, closed.Page.ID()},
		Text: "✓ Tab [" + closed.ID + "] closed",
	}, nil
}
