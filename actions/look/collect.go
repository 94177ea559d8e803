package look

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// What `snapshot --all` collects at most.
const mostCollected = 5_000 // items

// ListSnapshot is the data of `snapshot --all`: the items of a list as a person reads them, in their order.
type ListSnapshot struct {
	Origin   string   `json:"origin"`
	Snapshot string   `json:"snapshot,omitempty" short:"never"` // the text, without header; not with --short
	Text     string   `json:"text,omitempty" short:"always"`    // the text as it is printed
	Refs     struct{} `json:"refs"`                             // none: most items have no element any more
	Items    []string `json:"items"`
	Total    int      `json:"total,omitempty"`   // how many the page says there are
	Complete bool     `json:"complete"`          // the end was reached, and no fewer were found than the page says
	Stopped  string   `json:"stopped,omitempty"` // why it was not: items or time
}

// AddFacts reports which page was looked at. Its items have no refs.
func (l ListSnapshot) AddFacts(f *fact.Facts) {
	f.Refs, f.Page.URL = &fact.HandedOut{Text: l.Snapshot, Whole: true}, l.Origin
}

// collectArg is the argument of the in-page op collect.
type collectArg struct {
	element.Targeted
	Most   int   `json:"most"`   // items
	Within int64 `json:"within"` // ms
}

var opCollect = inpage.Define[collectArg, collected]("collect")

// collected is its result.
type collected struct {
	element.Located
	Items   []string `json:"items"`
	Total   int      `json:"total"`
	Stopped string   `json:"stopped"`
	HasGaps bool     `json:"hasGaps"` // some were scrolled past
}

// notWithAll are the flags that choose elements, which --all does not show.
var notWithAll = []string{
	"interactive", "compact", "depth", "urls", "delta", "full", "filter", "viewport", "boxes",
	"tree", "source",
}

// collect scrolls a list to its end and returns all of its items.
func collect(ctx context.Context, c *actions.Call, tab *actions.Tab, o snapshot.Options) (actions.Result, error) {
	if !c.Has("selector") {
		return actions.Result{}, c.Invalid("--all needs -s with the list: snapshot --all -s @e9")
	}
	if i := slices.IndexFunc(notWithAll, c.Has); i >= 0 {
		return actions.Result{}, c.Invalid("--all shows texts: leave out --" + notWithAll[i])
	}
	t, err := element.Resolve(ctx, c, tab, c.String("selector"))
	if err != nil {
		return actions.Result{}, err
	}
	within := c.TimeLeft() * 3 / 4
	got, err := element.RunOp(ctx, c, t, opCollect, collectArg{Most: mostCollected, Within: within.Milliseconds()})
	if err != nil {
		return actions.Result{}, err
	}
	list := ListSnapshot{Origin: tab.Page.URL(), Items: got.Items, Total: got.Total, Stopped: got.Stopped}
	list.Complete = got.Stopped == "" && !got.HasGaps && len(got.Items) >= got.Total
	list.Snapshot = list.text(o)
	text := list.Snapshot
	if h := header(c, tab, false); h != nil && !h.Hidden {
		text = h.Line(list.Origin) + text
	}
	if !c.DropIn() {
		list.Text = text
	}
	if c.Bool("short") {
		list.Snapshot = ""
	}
	return actions.Result{Data: &list, Text: text}, nil
}

// text has a line for each item that the search finds, as far as there is room, and then says what is missing.
func (l *ListSnapshot) text(o snapshot.Options) string {
	var b strings.Builder
	found, left := 0, 0
	wanted, _ := axtree.NewMatcher(o.Search.Text) // the options were checked
	for _, item := range l.Items {
		if o.Search.Text != "" && !wanted.Find(item) {
			continue
		}
		found++
		if o.MaxTokens > 0 && b.Len() > o.MaxTokens*snapshot.TokenBytes {
			left++
			continue
		}
		b.WriteString("- " + wording.OneLine(item) + "\n")
	}
	b.WriteString("(" + l.counts() + ")")
	if o.Search.Text != "" {
		b.WriteString("\n(" + strconv.Itoa(found) + " of them with " + wording.Quote(o.Search.Text) + ")")
	}
	if left > 0 {
		b.WriteString("\n(" + wording.Plural(left, "item") + " left out: --max-tokens 0 shows all, --search TEXT some)")
	}
	return b.String()
}

// counts says how many items there are, and of how many.
func (l *ListSnapshot) counts() string {
	count := wording.Plural(len(l.Items), "item")
	if l.Total > len(l.Items) {
		count = wording.Plural(len(l.Items), "item") + " of " + wording.Plural(l.Total, "item")
	}
	switch l.Stopped {
	case "items":
		return count + ": no more are collected"
	case "time":
		return count + ": the time was over; --timeout gives it more"
	}
	switch {
	case len(l.Items) == 0:
		return "no items"
	case l.Complete:
		return "all " + count
	}
	return count + ": the page did not show all of them when it was scrolled"
}
