package actions

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

const findActions = "click, dblclick, fill, type, check, uncheck, hover, focus, text"

func findCommands() []Command {
	action := []Arg{
		{Name: "action", Optional: true, Default: "click", OneOf: strings.Split(findActions, ", "), Help: "What to do with the element"},
		{Name: "text", Kind: Text, Optional: true, Help: "The text for fill and type"},
	}
	find := func(by, summary string, args ...Arg) Command {
		return Command{
			Name: "find " + by, Group: "Locators", Summary: summary, Args: append(args, action...), Effect: Reads | Mutates | Navigates,
			Run: func(ctx context.Context, c *Call) (Result, error) { return runFind(ctx, c, by) },
		}
	}
	byValue := func(by, summary, help string, flags ...Flag) Command {
		cmd := find(by, summary, Arg{Name: "value", Help: help})
		cmd.Flags = flags
		return cmd
	}
	name := Flag{Name: "name", Kind: String, Value: "name", Help: "The accessible name, or a part of it"}
	exact := Flag{Name: "exact", Kind: Bool, Help: "Match the whole text, and upper and lower case"}
	role := byValue("role", "Act on an element by its role", "The role: button, link, textbox …", name, exact)
	role.Examples = []Example{{Line: `find role button click --name "Save"`}, {Line: "find role textbox fill hello --name Email"}}
	css := Arg{Name: "selector", Kind: Selector, Help: "CSS"}
	return []Command{
		role,
		byValue("text", "Act on the element that shows a text", "The text, or a part of it", exact),
		byValue("label", "Act on the field with a label", "The label's text, or a part of it", exact),
		byValue("placeholder", "Act on the field with a placeholder", "The placeholder, or a part of it", exact),
		byValue("alt", "Act on the image with an alternative text", "The alternative text", exact),
		byValue("title", "Act on the element with a title attribute", "The title", exact),
		byValue("testid", "Act on the element with a data-testid attribute", "The test id"),
		find("first", "Act on the first element that a selector matches", css),
		find("last", "Act on the last element that a selector matches", css),
		find("nth", "Act on one of the elements that a selector matches", Arg{Name: "index", Kind: Int, Help: "From 0; negative ones count from the end"}, css),
	}
}

// findTarget is the target that a find command names.
func (c *Call) findTarget(tab *Tab, by string) *target {
	find := &wantedFind{By: by, Value: c.String("value"), Name: c.String("name"), Exact: c.Bool("exact")}
	label := by + "=" + find.Value
	if find.Name != "" {
		label += "[name=" + quote(find.Name) + "]"
	}
	index := func(i int) {
		find.By, find.Value, find.Index = "css", c.String("selector"), &i
		label = find.Value
	}
	switch by {
	case "first":
		index(0)
	case "last":
		index(-1)
	case "nth":
		index(c.Int("index"))
		label += " (index " + strconv.Itoa(c.Int("index")) + ")"
	}
	return &target{label: label, frame: tab.Page.Main(), want: wanted{Find: find}}
}

func runFind(ctx context.Context, c *Call, by string) (Result, error) {
	tab, err := c.page(ctx)
	if err != nil {
		return Result{}, err
	}
	action := c.String("action")
	if !c.Has("text") && (action == "fill" || action == "type") {
		return Result{}, c.Invalid("Missing 'value' for " + action + " subaction")
	}
	if c.Has("text") && action != "fill" && action != "type" {
		return Result{}, c.Invalid("Unexpected argument: " + c.String("text") + " (only fill and type take a text)")
	}
	t := c.findTarget(tab, by)
	switch action {
	case "text":
		return c.findText(ctx, t)
	case "click":
		return c.clickTarget(ctx, tab, t, engine.ClickOptions{})
	case "dblclick":
		return c.clickTarget(ctx, tab, t, engine.ClickOptions{Count: 2})
	case "fill":
		return c.fill(ctx, tab, t, c.String("text"))
	case "type":
		return c.typeInto(ctx, tab, t, c.String("text"), 0)
	case "hover":
		return c.hover(ctx, tab, t)
	case "focus":
		return c.focused(ctx, tab, t)
	case "check", "uncheck":
		return c.setChecked(ctx, tab, t, action == "check")
	}
	return Result{}, fault.New(fault.Internal, "find has no action %s", action)
}

func (c *Call) findText(ctx context.Context, t *target) (Result, error) {
	var res readResult
	if err := c.run(ctx, t, "read", map[string]any{"what": "text"}, &res); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"text": text(res.Value)}, Text: text(res.Value)}, nil
}
