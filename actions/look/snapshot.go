package look

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/webmcp"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

func snapshotCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name: "snapshot",
			Synonyms: []string{
				"accessibility-tree", "get-snapshot", "aria-snapshot",
				"page-snapshot",
			},
			Group:   actions.GroupReading,
			Summary: "Show the page as a tree of roles and names with refs",
			Help: "Every element that can be acted on has a ref such as @e12, which actions take in place of a selector. A " +
				"ref keeps its number as long as its element exists. If the page is longer than --max-tokens, what is in view " +
				"comes first, repeated rows are folded into one line with a ref that shows them (snapshot -s), and the output " +
				"says what it leaves out. Text that a sighted user does not see is marked unseen; an element under another one " +
				"is marked covered; text that addresses an agent in place of a person says to agents.",
			Flags: []actions.Flag{
				{Name: "interactive", Short: "i", Kind: actions.Bool, Help: "Only elements that have a ref"},
				{Name: "compact", Short: "c", Kind: actions.Bool, Help: "Leave out lines without name, text, value or ref"},
				{
					Name: "all",
					Kind: actions.Bool,
					Help: "With -s: all items of a list, also those that the page draws only in view: scrolls it to its end, and back",
				},
				{
					Name:  "depth",
					Short: "d",
					Kind:  actions.Int,
					Value: "n",
					Help:  "Show at most this depth; 0 is the top level",
				},
				{
					Name:  "selector",
					Short: "s",
					Kind:  actions.String,
					Value: "sel",
					Help:  "Only the part of the page below this element, or the rows that are folded at it",
				},
				{Name: "urls", Short: "u", Kind: actions.Bool, Help: "Show the addresses of links"},
				{
					Name: "delta",
					Kind: actions.Bool,
					Help: "Only what changed since the last snapshot of this tab, whose options apply unless you give others",
				},
				{Name: "full", Kind: actions.Bool, Help: "The whole page, which --delta compares with from then on"},
				{
					Name:  "max-tokens",
					Kind:  actions.Int,
					Value: "n",
					Help: "About how long the text may be; 0 for any length. Without it " +
						strconv.Itoa(interactiveBudget) + " with -i, else " + strconv.Itoa(fullBudget) + ", and JSON is complete",
				},
				{
					Name:  "max-chars",
					Kind:  actions.Int,
					Value: "n",
					Help:  "The same in characters",
				},
				{
					Name:  "search",
					Kind:  actions.String,
					Value: "text",
					Help: "Only nodes that contain this text, ignoring case, with their context; or that match a regular " +
						"expression, as /total: \\d+/ or /total/i",
				},
				{
					Name:  "context",
					Short: "C",
					Kind:  actions.Int,
					Value: "n",
					Help:  "With --search: also so many lines before and after each match",
				},
				{Name: "filter", Kind: actions.String, Value: "role=R", Help: "Only nodes of this role"},
				{Name: "viewport", Kind: actions.Bool, Help: "Only what is on the screen"},
				{Name: "seen", Kind: actions.Bool, Help: "Leave out text that is marked unseen"},
				{Name: "boxes", Kind: actions.Bool, Help: "Say where elements are: x, y, width and height in CSS pixels"},
				{Name: "no-header", Kind: actions.Bool, Help: "Leave out the header line with the page's title and address"},
				{
					Name: "tree",
					Kind: actions.Bool,
					Help: "With --json: add the field tree, the nested nodes with all their properties",
				},
				{
					Name:    "source",
					Kind:    actions.String,
					Value:   "source",
					OneOf:   []string{"page", "ax"},
					Default: "page",
					Help: "Where the tree comes from: page (skua's own script), or ax (Chrome's accessibility tree: slower, the " +
						"same refs, without clickable elements that have no role for it)",
				},
			},
			Examples: []actions.Example{{
				Line:  "snapshot -i",
				Note:  "what can be acted on, each with a ref such as @e2",
				Start: 2,
			}, {Line: "snapshot -s main -c"}, {Line: "snapshot --search invoice"}, {
				Line: `snapshot --search "/order \d+/i" -C 2`,
				Note: "by a regular expression, with two lines around each match",
			}, {
				Line: "snapshot --all -s @e9",
				Note: "all items of a virtual list",
			}},
			Upstream:     []string{"snapshot", "snapshot [options]"},
			UpstreamHelp: "With --json --delta a reply has changes, and treeChange for the lines of the text.",
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety: actions.Safety{
			Families: policy.Does(),
			Further:  actions.IfGiven(policy.ActsByPointer, "all"),
			Implies:  scrolls,
		},
		Showing: actions.Showing{Refs: trait.Refs{Unchecked: true}},
		Bindings: actions.Bindings{
			Data: []any{snapshot.Data{}, actions.Given("delta", snapshot.DeltaData{}), actions.Given("all", ListSnapshot{})},
			Tools: []actions.AgentTool{{
				Name:     "browser_snapshot",
				Title:    "Look at the page",
				About:    "The page as a tree of roles and names, with the refs that other tools take.",
				ReadOnly: true,
				Params: []actions.Param{{Name: "interactive", About: "only what can be acted on"}, {Name: "compact"}, {
					Name: "selector",
				}},
			}},
		},
		Run: runSnapshot,
	}
}

// scrolls says that --all scrolls.
func scrolls(in *actions.Input) []string {
	if in.Has("all") {
		return []string{policy.Scroll}
	}
	return nil
}

func runSnapshot(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := snapshotOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("all") {
		return collect(watched, c, tab, o)
	}
	if o.Delta && !o.Afresh {
		o = asBefore(c, tab, o)
	}
	o.Notes = Embedded(watched, c, tab)
	if why := engine.ErrorShown(watched, tab.Page); why != nil && !c.UpstreamText() {
		o.Notes = append(o.Notes, "the browser's own error page: "+fault.MessageOf(why))
	}
	note := element.AwaitArrival(watched, c, tab)
	if note != "" {
		o.Notes = append(o.Notes, note)
	}
	o.Header, o.Digest, o.Upstream = header(c, tab, note != ""), digests(c, o), c.UpstreamText()
	t, o, err := ScopeSnapshot(watched, c, tab, o)
	if err != nil {
		return actions.Result{}, err
	}
	if o.Header != nil {
		webmcp.Listen(watched, tab.Page)
	}
	loader := tab.Page.Main().Loader()
	snap, err := TakeSnapshot(watched, c, tab, t.Frame, o)
	if err != nil {
		return actions.Result{}, SnapshotError(ctx, c, t, err)
	}
	if o.Header != nil {
		o.Header.Tools = toolNames(tab)
		if title := snap.Tree.About.Title; title != "" && tab.Page.Loading().To() == "" {
			tab.Page.SawTitle(loader, title)
		}
	}
	return actions.Result{Data: snap, Text: snap.Text()}, nil
}

// digests reports whether the text chooses what it shows. It may have cut what a regular expression is to match.
func digests(c *actions.Call, o snapshot.Options) bool {
	return o.Interactive && !c.UpstreamText() && !axtree.IsPattern(o.Search.Text)
}

// header asks for the line that says which page this is, unless the caller expects agent-browser's texts.
func header(c *actions.Call, tab *actions.Tab, loading bool) *snapshot.Header {
	if c.UpstreamText() {
		return nil
	}
	h := &snapshot.Header{Tab: tab.ID, Label: tab.Label, Title: tab.Page.Title(), Hidden: c.Bool("no-header")}
	if chosen := element.ChosenFrame(tab); chosen != nil {
		h.Frame = chosen.Label
	}
	if loading {
		h.Loading = "still loading parts"
	}
	return h
}

// toolNames are the names of the tools that the page offers to agents. Those that several frames have are named once.
func toolNames(tab *actions.Tab) []string {
	var names []string
	for _, t := range webmcp.Known(tab.Page) {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// CutHeader is [snapshot.CutHeader], for those who show what the command printed.
func CutHeader(text string) (header, rest string, partial bool) { return snapshot.CutHeader(text) }

// Embedded returns notes about the webviews in a page. They are tabs of their own, so that snapshots of the page do not
// enter them.
func Embedded(ctx context.Context, c *actions.Call, tab *actions.Tab) []string {
	tab.Page.Context().FindParents(ctx)
	var notes []string
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		if t.Page.Parent() == tab.Page.ID() {
			notes = append(notes,
				"the page embeds the webview "+t.ID+", "+wording.Quote(t.Page.Title())+" "+wording.OneLine(t.Page.URL())+
					": `tab switch "+t.ID+"`, or --tab "+t.ID+" for one command, to see it and act in it")
		}
	}
	return notes
}

// ScopeSnapshot limits a snapshot to the element that --selector names, and returns that, or the main frame without an
// element.
func ScopeSnapshot(
	ctx context.Context, c *actions.Call, tab *actions.Tab, o snapshot.Options,
) (*element.Target, snapshot.Options, error) {
	sel := c.String("selector")
	if sel == "" {
		return &element.Target{Tab: tab, Frame: tab.Page.Main()}, o, nil
	}
	t, err := element.Resolve(ctx, c, tab, sel)
	if err != nil {
		return nil, o, err
	}
	if t.Ref != nil { // the walk cannot describe what happened to a ref
		if _, err := element.Exists(ctx, c, t); err != nil {
			return nil, o, err
		}
	}
	if o.Scope, err = json.Marshal(t.Want); err != nil {
		return nil, o, err
	}
	if t.Ref != nil {
		o.Until, _ = c.Session.Refs().Folded(*t.Ref)
	}
	return t, o, nil
}

// SameScope reports whether two snapshots are limited to the same element. A ref's element may have another name by
// now.
func SameScope(a, b []byte) bool {
	var one, other element.Wanted
	if string(a) == string(b) {
		return true
	}
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &other) != nil || one.Ref == nil || other.Ref == nil {
		return false
	}
	return one.Ref.Doc == other.Ref.Doc && one.Ref.Token == other.Ref.Token
}

// SnapshotError is why a snapshot could not be taken: what the walk refused is about the element that it was limited
// to.
func SnapshotError(ctx context.Context, c *actions.Call, t *element.Target, err error) error {
	if f, ok := errors.AsType[*walkRefused](err); ok && t.Label != "" {
		return element.Failure(ctx, c, t, f.failure)
	}
	return err
}

// About how many tokens a snapshot has at most, unless the caller says otherwise.
const (
	interactiveBudget = 6_000
	fullBudget        = 20_000
)

// SnapshotBytes is about how long the text of a snapshot is at most, unless the caller says otherwise.
func SnapshotBytes(interactive bool) int {
	if interactive {
		return interactiveBudget * snapshot.TokenBytes
	}
	return fullBudget * snapshot.TokenBytes
}

// BesideMain is the line of a snapshot between the main content and what is around it.
const BesideMain = snapshot.BesideMain

func snapshotOptions(c *actions.Call) (snapshot.Options, error) {
	o := snapshot.Options{
		Interactive: c.Bool("interactive"),
		Compact:     c.Bool("compact"),
		URLs:        c.Bool("urls"),
		Depth:       -1,
		Search:      snapshot.Search{Text: c.String("search"), Around: c.Int("context")},
		Viewport:    c.Bool("viewport"),
		Seen:        c.Bool("seen"),
		Delta: c.Bool("delta") ||
			c.Bool("full"),
		Afresh:    c.Bool("full"),
		Boxes:     c.Bool("boxes"),
		MaxTokens: fullBudget,
		Whole:     !c.Bool("short"),
		JSONForm:  snapshot.JSONForm{Tree: c.Bool("tree"), Printed: !c.DropIn(), Short: c.Bool("short")},
	}
	if o.Interactive {
		o.MaxTokens = interactiveBudget
	}
	if c.String("source") == "ax" {
		o.Source = axtree.AX
	}
	if c.Has("depth") {
		if o.Depth = c.Int("depth"); o.Depth < 0 {
			return o, c.Invalid("--depth takes 0 or more, got " + strconv.Itoa(o.Depth))
		}
	}
	if c.Has("max-tokens") && c.Has("max-chars") {
		return o, c.Invalid("--max-tokens and --max-chars say the same: give one of them")
	}
	for _, flag := range []string{"max-tokens", "max-chars"} {
		if !c.Has(flag) {
			continue
		}
		most := c.Int(flag)
		if most < 0 {
			return o, c.Invalid("--" + flag + " takes 0 or more, got " + strconv.Itoa(most))
		}
		if flag == "max-chars" {
			most = (most + snapshot.TokenBytes - 1) / snapshot.TokenBytes
		}
		o.MaxTokens, o.Whole = most, false
	}
	if _, err := axtree.NewMatcher(o.Search.Text); err != nil {
		return o, c.Invalid("--search: " + err.Error())
	}
	switch {
	case o.Search.Around < 0:
		return o, c.Invalid("-C, --context takes 0 or more, got " + strconv.Itoa(o.Search.Around))
	case c.Has("context") && o.Search.Text == "":
		return o, c.Invalid("-C, --context: there is no --search whose matches it is about")
	}
	if c.Has("filter") {
		role, ok := strings.CutPrefix(c.String("filter"), "role=")
		if !ok || role == "" {
			return o, c.Invalid("--filter takes role=R, such as role=button, got " + c.String("filter"))
		}
		o.Role = role
	}
	return o, nil
}

// looks are the flags that say what a snapshot shows.
var looks = []string{
	"interactive", "compact", "depth", "selector", "search", "context", "filter", "viewport", "seen", "source",
}

// asBefore returns the options of the last snapshot of the tab for a delta that does not say what to show.
func asBefore(c *actions.Call, tab *actions.Tab, o snapshot.Options) snapshot.Options {
	last, ok := c.Session.Refs().Last(tab.ID, snapshot.Options{})
	if !ok || slices.ContainsFunc(looks, c.Has) {
		return o
	}
	last.Delta, last.JSONForm, last.Boxes, last.URLs = true, o.JSONForm, o.Boxes, o.URLs
	last.Whole, last.Upstream = o.Whole, c.UpstreamText()
	last.Header, last.Notes = nil, nil
	if !o.Whole {
		last.MaxTokens = o.MaxTokens
	}
	return last
}

// TakeSnapshot takes a snapshot, again when the page moved to another document meanwhile.
func TakeSnapshot(
	ctx context.Context, c *actions.Call, tab *actions.Tab, root *engine.Frame, o snapshot.Options,
) (*snapshot.Snapshot, error) {
	const tries = 3
	for try := 1; ; try++ {
		snap, err := snapshot.Take(ctx, tab.ID, walkable{root}, c.Session.Refs(), o)
		if err == nil || !engine.IsNavigated(err) || try == tries {
			return snap, err
		}
		if _, err := tab.Page.Loading().Settle(ctx, run.Patience(c, tab.Page, run.LeastSettle)); err != nil {
			return nil, err
		}
	}
}

// walkable offers a frame of the engine to package snapshot.
type walkable struct{ frame *engine.Frame }

func (w walkable) ID() string { return w.frame.ID() }

func (w walkable) Walk(ctx context.Context, arg axtree.WalkArg) (axtree.Walked, error) {
	value, doc, err := w.frame.Walk(ctx, arg.JSON())
	if err != nil {
		return axtree.Walked{}, err
	}
	if f := element.FailureOf(value).In(w.frame, doc); f != nil {
		return axtree.Walked{}, &walkRefused{f}
	}
	wire, err := world.Text(value)
	if err != nil {
		return axtree.Walked{}, fault.New(fault.Internal, "reading the walk of a frame: %w", err)
	}
	return axtree.Walked{Wire: wire, DocID: doc, URL: w.frame.URL()}, nil
}

func (w walkable) AXTree(ctx context.Context, scope []byte) (axtree.BrowserTree, error) {
	reply, doc, err := w.frame.AXTree(ctx)
	if err != nil {
		return axtree.BrowserTree{}, err
	}
	tree := axtree.BrowserTree{Reply: reply, DocID: doc, URL: w.frame.URL()}
	if len(scope) > 0 {
		tree.Inside, err = w.inside(ctx, doc, scope)
	}
	return tree, err
}

// scopeArg is the argument of the in-page op scope.
type scopeArg struct {
	Scope json.RawMessage `json:"scope"` // a target
}

var opScope = inpage.Define[scopeArg, int64]("scope")

// inside returns the backend ids of the nodes in a scope.
func (w walkable) inside(ctx context.Context, doc string, scope []byte) (map[int64]bool, error) {
	value, _, err := opScope.Raw(ctx, w.frame, scopeArg{scope})
	if err != nil {
		return nil, err
	}
	if f := element.FailureOf(value); f != nil {
		return nil, &walkRefused{f}
	}
	var token int64
	if err := opScope.Read(value, &token); err != nil {
		return nil, err
	}
	return w.frame.Inside(ctx, doc, token)
}

func (w walkable) Elements(ctx context.Context, doc string, backendIDs []int64) ([]axtree.Element, error) {
	found, err := w.frame.Elements(ctx, doc, backendIDs)
	elements := make([]axtree.Element, len(found))
	for i, e := range found {
		elements[i] = axtree.Element(e)
	}
	return elements, err
}

func (w walkable) Children(ctx context.Context) ([]axtree.Frame, error) {
	children, err := w.frame.Children(ctx)
	if err != nil {
		return nil, err
	}
	frames := make([]axtree.Frame, len(children))
	for i, f := range children {
		frames[i] = walkable{f}
	}
	return frames, nil
}

func (w walkable) Owner(ctx context.Context) (axtree.Owner, error) {
	token, doc, err := w.frame.OwnerToken(ctx)
	return axtree.Owner{DocID: doc, Token: token}, err
}

// walkRefused is a walk that the in-page script could not do: an invalid scope, or one that matches nothing.
type walkRefused struct{ failure *element.OpFailure }

func (w *walkRefused) Error() string { return "walk refused: " + string(w.failure.Code) }

// Looker is what commands look at their page with, see [actions.Call].
type Looker struct{}

func (Looker) Rest(ctx context.Context, c *actions.Call, tab *actions.Tab, r actions.Rest) error {
	return element.Rest(ctx, c, tab, r)
}

func (Looker) TakeSnapshot(
	ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, o snapshot.Options,
) (*snapshot.Snapshot, error) {
	return TakeSnapshot(ctx, c, tab, frame, o)
}
