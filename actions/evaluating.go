package actions

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/policy"
)

func evalCommand() Command {
	return Command{
		Name:     "eval",
		Upstream: []string{"eval <js>", "eval [options] <script>"},
		Blind:    true, Group: GroupReading, Summary: "Run JavaScript in the page and print its value",
		Help: "Runs in the page's own world, in the top frame. Promises are awaited, and top-level await works. The value is printed as JSON.",
		Args: []Arg{{Name: "script", Kind: Text, Optional: true, Kept: true, Help: "The script"}},
		Flags: []Flag{
			{Name: "stdin", Kind: Bool, Help: "Read the script from standard input"},
			{Name: "base64", Short: "b", Kind: Bool, Help: "The script is base64"},
		},
		Stdin: func(in *Input) bool { return in.Bool("stdin") && !in.Has("script") }, Effect: Reads | Mutates | Navigates, Traits: trait.Evaluates | trait.MayOpenDialog | trait.LookAgain | trait.MayLosePage, View: trait.ViewScript, Place: trait.PlaceOrigin,
		Examples:   []Example{{Line: "eval document.title"}, {Line: `eval "[...document.links].length"`}},
		Playwright: []string{"await page.evaluate({script});"},
		Run:        runEval,
		Policy:     Policy{Action: "evaluate", Families: policy.Does(policy.RunsScript)},
	}
}

func runEval(ctx context.Context, c *Call) (Result, error) {
	script, err := c.script()
	if err != nil {
		return Result{}, err
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	c.before(tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	value, err := tab.Page.Evaluate(watched, script)
	if err != nil {
		if tab.Page.EndedByCaller() { // how far the script came, nothing tells
			return Result{}, c.closedMeanwhile(tab)
		}
		if err := c.interrupted(tab, err); err != nil {
			return Result{}, err
		}
		data := map[string]any{"origin": tab.Page.URL(), "result": nil}
		if c.stopped(tab) {
			data["dialogOpened"] = true
		}
		return Result{Data: data}, nil
	}
	if err := c.after(ctx, tab); err != nil {
		return Result{}, err
	}
	data := map[string]any{"origin": tab.Page.URL(), "result": value.JSON}
	if value.Unserializable != "" {
		data["unserializable"] = value.Unserializable
	}
	if value.Undefined {
		data["unserializable"] = "undefined"
	}
	return Result{Data: data, Text: valueText(value)}, nil
}

// script returns the script of the command line or of stdin.
func (c *Call) script() (string, error) {
	script := c.String("script")
	if c.Bool("stdin") {
		if c.Has("script") {
			return "", c.Invalid("--stdin takes the script from standard input alone, and there is one on the command line, too.")
		}
		script = string(c.Stdin)
	}
	if script == "" {
		return "", c.Missing("script")
	}
	if c.Bool("base64") {
		raw, err := base64.StdEncoding.DecodeString(script)
		if err != nil {
			return "", c.Invalid("Invalid base64 encoding: " + err.Error())
		}
		script = string(raw)
	}
	return script, nil
}

// valueText is a script's value as text mode prints it: JSON, objects over several lines, and what JSON cannot say as it is.
func valueText(v engine.Value) string {
	switch {
	case v.Undefined:
		return "undefined"
	case v.Unserializable != "":
		return v.Unserializable
	}
	var b bytes.Buffer
	if json.Indent(&b, v.JSON, "", "  ") != nil {
		return string(v.JSON)
	}
	return b.String()
}
