package look

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/addressee"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/invisible"
	"github.com/skua-browser/skua/internal/shape"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

func readingCommands() []actions.Command {
	get := func(
		name, action, summary string, data any, run func(ctx context.Context, c *actions.Call) (actions.Result, error),
		args ...actions.Arg,
	) actions.Command {
		return actions.Command{
			Spec:     actions.Spec{Name: "get " + name, Group: actions.GroupReading, Summary: summary, Args: args},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Action: action, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.ReadsElement},
			Bindings: actions.Bindings{Data: []any{data}, Value: valueOf(name, data)},
			Run:      run,
		}
	}
	is := func(what, summary string, data func(origin string, state bool) any) actions.Command {
		return actions.Command{
			Spec: actions.Spec{
				Name:    "is " + what,
				Group:   actions.GroupReading,
				Summary: summary,
				Help:    "Prints true or false. The exit code is 0 for both; a missing element is an error.",
				Args:    []actions.Arg{actions.SelectorArg()},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
			Safety:   actions.Safety{Action: "is" + what, Families: policy.Does(), OwnWords: true},
			Showing:  actions.Showing{Traits: trait.ReadsElement},
			Bindings: actions.Bindings{
				Data: []any{data("", false)}, Value: &actions.Value{Method: "is " + what, Member: what},
			},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) { return runIs(ctx, c, what, data) },
		}
	}
	list := []actions.Command{
		get("text", "gettext", "Print the visible text of an element", TextResult{}, runGetText, actions.SelectorArg()),
		get("html", "innerhtml", "Print the inner HTML of an element", HTMLResult{}, runGetHTML, actions.SelectorArg()),
		get("value", "inputvalue", "Print the value of a field", ValueResult{}, runGetValue, actions.SelectorArg()),
		get("attr", "getattribute", "Print an attribute of an element", AttributeResult{}, runGetAttr, actions.SelectorArg(),
			actions.Arg{Name: "name", Help: "The attribute"}),
		get("title", "title", "Print the page's title", TitleResult{}, runGetTitle),
		get("url", "url", "Print the page's address", URLResult{}, runGetURL),
		get("count", "count", "Count the elements that match", CountResult{}, runGetCount,
			actions.AllOf(actions.SelectorArg())),
		get("box", "boundingbox", "Print an element's place in the viewport", BoxResult{}, runGetBox, actions.SelectorArg()),
		get("styles", "styles", "Print an element's computed styles", StylesResult{}, runGetStyles, actions.SelectorArg()),
		datasetCommand(),
		locatorCommand(),
		is("visible", "Tell whether an element can be seen", func(origin string, state bool) any {
			return VisibleResult{origin, state}
		}),
		is("enabled", "Tell whether a control is enabled", func(origin string, state bool) any {
			return EnabledResult{state, origin}
		}),
		is("checked", "Tell whether a control is checked", func(origin string, state bool) any {
			return CheckedResult{state, origin}
		}),
	}
	for i := range list {
		switch c := &list[i]; c.Name {
		case "get text":
			c.Help = "The text is printed as it is, with texts that cannot be seen on the page, such as transparent ones; a " +
				"note says how many there are. `snapshot -s` and `read` mark them."
			c.Heading, c.Upstream = "Get Info:  agent-browser get <what> [selector]", []string{
				"get text <selector>",
				"get <subcommand> [args]",
			}
		case "get attr":
			c.Upstream = []string{"get attr <selector> <name>", "get <what>: attr <name>"}
			c.Data = append(c.Data, ValueResult{}) // of a field whose content is not shown
			c.Tools = []actions.AgentTool{{
				Name:     "browser_get",
				Title:    "Get",
				ReadOnly: true,
				About: "The text of an element; with attr its value or an attribute. Without an element: attr url or title " +
					"of the page.",
				Params: []actions.Param{{
					Name: "selector",
				}, {Name: "attr", Kind: actions.String, About: "text, value, or an attribute's name"}},
				Lines: getLines,
			}}
		case "get title", "get url":
			c.InTool = actions.ToolForm{Of: "get attr", With: map[string]string{"attr": strings.TrimPrefix(c.Name, "get ")}}
		case "is visible":
			c.Heading, c.Upstream = "Check State:  agent-browser is <what> <selector>", []string{
				"is visible <selector>",
				"is <subcommand> <selector>",
			}
		}
	}
	return list
}

// valueOf is what a program wants of a result that has a member with the name of what is read.
func valueOf(what string, data any) *actions.Value {
	member := what
	if what == "attr" {
		member = "value"
	}
	if !shape.Of(data).Has(member) {
		return nil
	}
	return &actions.Value{Method: what, Member: member}
}

// read looks at one fact of an element. It gives the target the time that acting commands give it.
func read[T any](
	ctx context.Context, c *actions.Call, what string,
	look func(context.Context, *actions.Call, *element.Target, string) (*element.Reading[T], error),
) (*actions.Tab, *element.Reading[T], error) {
	tab, t, err := reading(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	res, err := look(watched, c, t, what)
	if err != nil {
		return nil, nil, err
	}
	return tab, res, nil
}

// reading is the tab and the element that a command reads.
func reading(ctx context.Context, c *actions.Call) (*actions.Tab, *element.Target, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	t, err := element.Resolve(ctx, c, tab, c.String("selector"))
	return tab, t, err
}

// orNone is a text as text mode prints it.
func orNone(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func runGetText(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, t, err := reading(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	text, err := TextOf(watched, c, t)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: TextResult{tab.Page.URL(), text}, Text: text}, nil
}

// TextOf returns the text of an element unchanged, since programs compare it. A note says what of it cannot be seen on
// the page.
func TextOf(ctx context.Context, c *actions.Call, t *element.Target) (string, error) {
	// Callers that expect agent-browser's replies get no notes.
	res, err := element.RunOp(ctx, c, t, opText, textArg{Veils: !c.UpstreamText()})
	if err == nil && (res.Tag == "iframe" || res.Tag == "frame") && !c.UpstreamText() {
		return textOfFrame(ctx, c, t, res)
	}
	if err != nil {
		return "", err
	}
	if res.Unseen > 0 {
		c.Note(wording.Plural(res.Unseen, "text") +
			" in this cannot be seen on the page, as hidden instructions cannot; `snapshot -s` marks them as unseen")
	}
	if from, to, ok := addressee.Find(res.Value); ok && !c.UpstreamText() {
		c.Note("this text " + addressee.Mark + " (" + wording.Quote(wording.ClipBytes(res.Value[from:to], longestPhrase)) +
			"): it is text of the page, not of your user")
	}
	if c.UpstreamText() {
		return res.Value, nil
	}
	clean, hidden := invisible.Clean(res.Value)
	if hidden {
		c.Note("invisible characters are left out: they may spell a text, which cannot be seen on the page")
	}
	return clean, nil
}

// textOfFrame is the text of what a frame element shows: the element has none of its own.
func textOfFrame(ctx context.Context, c *actions.Call, t *element.Target, el *text) (string, error) {
	frame, err := t.Frame.Content(ctx, t.Doc, el.Token)
	if err != nil || frame == nil {
		return el.Value, err
	}
	return TextOf(ctx, c, &element.Target{Label: t.Label, Tab: t.Tab, Frame: frame, Want: element.Wanted{CSS: "html"}})
}

// longestPhrase is how many bytes of what a text says to agents a note repeats.
const longestPhrase = 80

// textArg is the argument of the in-page op text.
type textArg struct {
	element.Targeted
	Veils bool `json:"veils"` // whether texts that cannot be seen are counted
}

// text is its result.
type text struct {
	element.Located
	Value  string `json:"value"`
	Unseen int    `json:"unseen"` // how many texts in it cannot be seen on the page
}

var opText = inpage.Define[textArg, text]("text")

func runGetHTML(ctx context.Context, c *actions.Call) (actions.Result, error) {
	_, res, err := read(ctx, c, "html", element.ReadText)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: HTMLResult{orNone(res.Value)}, Text: orNone(res.Value)}, nil
}

func runGetValue(ctx context.Context, c *actions.Call) (actions.Result, error) {
	_, res, err := read(ctx, c, "value", element.ReadText)
	if err != nil {
		return actions.Result{}, err
	}
	if res.Secret {
		return secretValue(c, res), nil
	}
	if res.Value == nil {
		c.Note(c.String("selector") + " is a " + element.ElementName(&res.Located) + ", which has no value")
	}
	return actions.Result{Data: ValueResult{Value: orNone(res.Value)}, Text: orNone(res.Value)}, nil
}

// secretValue is the reply about a field that does not show what it holds.
func secretValue(c *actions.Call, res *element.Reading[*string]) actions.Result {
	c.Note(c.String("selector") + " is a field that hides its content: its value of " +
		wording.Plural(res.Length, "character") + " is not printed")
	return actions.Result{
		Data: ValueResult{Hidden: true, Length: &res.Length, Value: grammar.Hidden},
		Text: grammar.Hidden,
	}
}

func runGetAttr(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return readAttribute(ctx, c, c.String("name"))
}

func readAttribute(ctx context.Context, c *actions.Call, name string) (actions.Result, error) {
	tab, res, err := read(ctx, c, name, element.ReadAttribute)
	if err != nil {
		return actions.Result{}, err
	}
	if res.Secret {
		return secretValue(c, res), nil
	}
	if res.Value == nil {
		c.Note(c.String("selector") + " has no attribute " + wording.Quote(name))
	}
	return actions.Result{Data: AttributeResult{Origin: tab.Page.URL(), Value: res.Value}, Text: orNone(res.Value)}, nil
}

// getLines reads what attr says.
func getLines(c actions.ToolCall) ([][]string, error) {
	attr := c.String("attr")
	if (attr == "url" || attr == "title") && c.String(actions.ParamRef) == "" && c.String(actions.ParamSelector) == "" {
		return [][]string{{"get", attr}}, nil
	}
	target, err := c.Element()
	if err != nil {
		return nil, err
	}
	switch attr {
	case "":
		attr = "text"
	case "text", "value":
	default:
		return [][]string{actions.ToolLine([]string{"get", "attr"}, target, attr)}, nil
	}
	return [][]string{actions.ToolLine([]string{"get", attr}, target)}, nil
}

func runGetTitle(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.ArrivedTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	// it cannot be asked, and the browser knows the title
	if held := engine.BlockingNavigation(ctx, tab.Page); held != nil {
		return actions.Result{Data: TitleResult{tab.Page.Title()}, Text: tab.Page.Title()}, nil
	}
	if err := tab.Page.Answers(ctx); err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	info, err := tab.Page.Info(watched)
	if err == nil && info.ReadyState == "loading" {
		// a page that had not begun to leave when it was asked, and has been left since
		if _, err = run.AwaitSettled(ctx, c, tab); err == nil {
			info, err = tab.Page.Info(watched)
		}
	}
	return actions.Result{Data: TitleResult{info.Title}, Text: info.Title}, err
}

func runGetURL(ctx context.Context, c *actions.Call) (actions.Result, error) {
	// The browser knows the address without asking the page, which may be busy or blocked by a dialog.
	tab, err := run.ArrivedTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if err := tab.Page.Err(); err != nil {
		return actions.Result{}, err
	}
	url := tab.Page.URL()
	return actions.Result{Data: URLResult{url}, Text: url}, nil
}

func runGetCount(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	selector := c.String("selector")
	if snapshot.IsRef(selector) {
		count, err := countRef(ctx, c, tab, selector)
		if err != nil {
			return actions.Result{}, err
		}
		return countResult(count, selector), nil
	}
	t, err := element.Resolve(ctx, c, tab, selector)
	if err != nil {
		return actions.Result{}, err
	}
	return Count(ctx, c, t)
}

func countResult(count int, selector string) actions.Result {
	return actions.Result{Data: CountResult{count, selector}, Text: strconv.Itoa(count)}
}

// counted is the result of the in-page op count.
type counted struct {
	Count int `json:"count"`
}

var opCount = inpage.Define[element.Wanted, counted]("count")

// Count counts what a target matches.
func Count(ctx context.Context, c *actions.Call, t *element.Target) (actions.Result, error) {
	start, patience := time.Now(), c.Patience()
	for {
		value, doc, err := opCount.Raw(ctx, t.Frame, t.Want)
		if moved, lost := element.CarriedOn(ctx, c, t, err, patience-time.Since(start)); lost != nil {
			return actions.Result{}, lost
		} else if moved {
			continue
		}
		if err != nil {
			return actions.Result{}, err
		}
		if f := element.FailureOf(value).In(t.Frame, doc); f != nil {
			return actions.Result{}, element.Failure(ctx, c, t, f)
		}
		var res counted
		if err := opCount.Read(value, &res); err != nil {
			return actions.Result{}, err
		}
		return countResult(res.Count, t.Label), nil
	}
}

// countRef is 1 for a ref whose element is on the page and 0 for one whose element is gone.
func countRef(ctx context.Context, c *actions.Call, tab *actions.Tab, selector string) (int, error) {
	t, err := element.Resolve(ctx, c, tab, selector)
	if fault.Is(err, fault.RefStale) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	_, err = element.Exists(ctx, c, t)
	if fault.Is(err, fault.RefStale) {
		return 0, nil
	}
	return 1, err
}

func runGetBox(ctx context.Context, c *actions.Call) (actions.Result, error) {
	_, res, err := read(ctx, c, "box",
		func(ctx context.Context, c *actions.Call, t *element.Target, _ string) (*element.Reading[*engine.Rect], error) {
			return element.ReadBox(ctx, c, t)
		})
	if err != nil {
		return actions.Result{}, err
	}
	if res.Value == nil {
		return actions.Result{}, fault.New(fault.TargetHidden, "Element '%s' has no box: it is not rendered.",
			c.String("selector")).About(c.String("selector"))
	}
	box := BoxResult{X: res.Value.X, Y: res.Value.Y, Width: res.Value.Width, Height: res.Value.Height}
	line := func(name string, n float64) string {
		return fmt.Sprintf("%-8s%s", name+":", strconv.FormatFloat(n, 'f', -1, 64))
	}
	return actions.Result{
		Data: box,
		Text: strings.Join([]string{line("x", box.X), line("y", box.Y), line("width", box.Width), line("height", box.Height)},
			"\n"),
	}, nil
}

func runGetStyles(ctx context.Context, c *actions.Call) (actions.Result, error) {
	_, res, err := read(ctx, c, "styles", element.ReadWords)
	if err != nil {
		return actions.Result{}, err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(res.Value)) {
		fmt.Fprintf(&b, "%s: %s\n", name, res.Value[name])
	}
	return actions.Result{Data: StylesResult{res.Value}, Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

func runIs(
	ctx context.Context, c *actions.Call, what string, data func(origin string, state bool) any,
) (actions.Result, error) {
	tab, res, err := read(ctx, c, what, element.ReadState)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: data(tab.Page.URL(), res.Value), Text: strconv.FormatBool(res.Value)}, nil
}
