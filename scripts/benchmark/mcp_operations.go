//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// mcpOperation is something that is measured on all peers.
type mcpOperation struct {
	name   string // for --only
	title  string
	ratio  float64 // what skua's time may be of agent-browser's; 0 means no target
	effort effort

	ready   func(context.Context, *server) error // before the rounds of a peer; may be nil
	measure func(context.Context, *server) (time.Duration, error)
}

// mcpOperations returns them in the order in which they are run. The targets are those that the project set itself, as
// a share of what agent-browser's MCP server takes in the same run.
func mcpOperations() []mcpOperation {
	return []mcpOperation{
		{name: "title", title: "title", ratio: 0.1, ready: onServedTable(30), measure: titleByTool},
		{name: "text", title: "text of an element", ratio: 0.1, ready: onServedTable(30), measure: textByTool},
		{name: "eval", title: "eval", ratio: 0.1, ready: onServedTable(30), measure: evalByTool},
		{
			name:    "click",
			title:   "click by ref",
			ratio:   0.25,
			ready:   onServedElement("button", "Save main"),
			measure: clickByTool,
		},
		{
			name:    "fill",
			title:   "fill by ref",
			ratio:   0.25,
			ready:   onServedElement("textbox", "Note for main"),
			measure: fillByTool,
		},
		{
			name:    "snapshot-30",
			title:   "snapshot, 30 elements",
			ratio:   0.25,
			ready:   onServedTable(30),
			measure: snapshotByTool(30, "snapshot", "-i"),
		},
		{
			name:    "snapshot-10000",
			title:   "snapshot, 10,000 elements, as it comes",
			ratio:   0.1,
			effort:  heavy,
			ready:   onServedTable(10000),
			measure: snapshotByTool(0, "snapshot", "-i"),
		},
		{
			name:    "snapshot-10000-whole",
			title:   "snapshot, 10,000 elements, all of it",
			ratio:   0.1,
			effort:  heavy,
			ready:   onServedTable(10000),
			measure: snapshotByTool(10000, wholeSnapshot...),
		},
		{name: "job", title: "a form of 10 steps: one job, others call by call", ratio: 0.4, measure: formByTool},
	}
}

func onServedTable(elements int) func(context.Context, *server) error {
	return func(ctx context.Context, s *server) error {
		return s.visit(ctx, fmt.Sprintf("table-%d", elements), tablePage("Orders", elements).body.String())
	}
}

func onServedElement(role, name string) func(context.Context, *server) error {
	return func(ctx context.Context, s *server) error {
		if err := onServedTable(30)(ctx, s); err != nil {
			return err
		}
		view, err := s.do(ctx, "snapshot", "-i")
		if err != nil {
			return err
		}
		s.ref, err = s.peer.ref(view.text, role, name)
		return err
	}
}

func titleByTool(ctx context.Context, s *server) (time.Duration, error) {
	r, err := s.do(ctx, "get", "title")
	if err == nil && !strings.Contains(r.text, s.title) {
		err = fmt.Errorf("the title is %q, the reply %q", s.title, firstLines(r.text, 3))
	}
	return r.took, err
}

// textByTool reads the page's heading. Peers without a tool for that use their script.
func textByTool(ctx context.Context, s *server) (time.Duration, error) {
	words := []string{"get", "text", "h1"}
	if _, err := s.peer.call(words); err != nil {
		words = []string{"eval", "document.querySelector('h1').innerText"}
	}
	r, err := s.do(ctx, words...)
	if err == nil && !strings.Contains(r.text, "Orders") {
		err = fmt.Errorf("the text is %q, the reply %q", "Orders", firstLines(r.text, 3))
	}
	return r.took, err
}

func evalByTool(ctx context.Context, s *server) (time.Duration, error) {
	s.count++
	// The sum is in the reply only when the page has computed it; the expression is echoed by some.
	left, right := 1_000_000+s.count*7, 2_000_000+s.count
	r, err := s.do(ctx, "eval", fmt.Sprintf("%d + %d", left, right))
	if err == nil && !strings.Contains(r.text, fmt.Sprint(left+right)) {
		err = fmt.Errorf("eval of %d + %d replied %q", left, right, firstLines(r.text, 3))
	}
	return r.took, err
}

func clickByTool(ctx context.Context, s *server) (time.Duration, error) {
	r, err := s.do(ctx, "click", s.ref)
	if err != nil {
		return 0, err
	}
	s.count++
	if _, err := s.site.await(ctx, s.token, "click", fmt.Sprint(s.count)); err != nil {
		return 0, err
	}
	if n := s.site.count(s.token, "click"); n != s.count {
		return 0, fmt.Errorf("the page saw %d clicks after %d calls", n, s.count)
	}
	return r.took, nil
}

func fillByTool(ctx context.Context, s *server) (time.Duration, error) {
	s.count++
	text := fmt.Sprintf("Text number %d", s.count)
	r, err := s.do(ctx, "fill", s.ref, text)
	if err != nil {
		return 0, err
	}
	_, err = s.site.await(ctx, s.token, "note", text)
	return r.took, err
}

// snapshotByTool takes a snapshot and counts the buttons of the table in it, or in the file that it names, when all of
// them have to be there. With 0 elements the page's heading is enough: the peer shows as much as it thinks right.
func snapshotByTool(elements int, words ...string) func(context.Context, *server) (time.Duration, error) {
	const button = `button "Open `
	expected := 0
	if elements > 0 {
		expected = strings.Count(tablePage("Orders", elements).body.String(), ">Open ")
	}
	return func(ctx context.Context, s *server) (time.Duration, error) {
		r, err := s.do(ctx, words...)
		if err != nil {
			return 0, err
		}
		if !strings.Contains(r.text, `heading "Orders"`) {
			return 0, fmt.Errorf("the snapshot has no heading: %s", firstLines(r.text, 5))
		}
		if n := strings.Count(r.text, button); n < expected {
			if n, err = inSpill(r, button); err != nil || n != expected {
				return 0, fmt.Errorf("the snapshot has %d buttons, the page %d: %s (%w)", n, expected, firstLines(r.text, 5), err)
			}
		}
		return r.took, nil
	}
}

// inSpill counts a text in the file into which a result was put since it is too long to show.
func inSpill(r reply, text string) (int, error) {
	path, _ := r.facts["fullOutputPath"].(string)
	if path == "" {
		return strings.Count(r.text, text), nil
	}
	whole, err := os.ReadFile(path)
	// A file of JSON has its quotes escaped.
	return strings.Count(strings.ReplaceAll(string(whole), `\"`, `"`), text), err
}

// formByTool opens the order form, fills it, sends it and waits for the page's thanks. skua does that in one job; the
// others have no such thing and make the same ten calls, and a snapshot where they take refs only. agent-browser has
// batch, which the same row of the command line measures.
func formByTool(ctx context.Context, s *server) (time.Duration, error) {
	address := s.publish("form", orderForm())
	thanks := fmt.Sprintf("Thank you, order %s is in.", s.token)
	took, err := formStepByStep, error(nil)
	if s.program.name == "skua" {
		took = formInOneJob
	}
	d, err := took(ctx, s, address, thanks)
	if err != nil {
		return 0, err
	}
	// The tool itself has waited for the thanks; that they are true, the page says.
	return d, s.orderIsIn(ctx, thanks)
}

func formInOneJob(ctx context.Context, s *server, address, thanks string) (time.Duration, error) {
	steps := []map[string]any{arguments("action", "open", "url", address)}
	for _, f := range formFields() {
		step := arguments("action", "click", "selector", f.css)
		switch f.command[0] {
		case "fill":
			step = arguments("action", "fill", "selector", f.css, "text", f.value)
		case "select":
			step = arguments("action", "select", "selector", f.css, "value", f.value)
		}
		steps = append(steps, step)
	}
	steps = append(steps, arguments("action", "click", "selector", "#send"),
		arguments("action", "assertText", "text", thanks))
	r, err := s.call(ctx, toolCall{"agent_browser", arguments("job", arguments("steps", steps))})
	if err == nil && r.failed {
		err = fmt.Errorf("%s: %s", s.program.name, firstLines(r.text, 5))
	}
	return r.took, err
}

func formStepByStep(ctx context.Context, s *server, address, thanks string) (time.Duration, error) {
	began := time.Now()
	if _, err := s.do(ctx, "open", address); err != nil {
		return 0, err
	}
	target := func(role, name, css string) (string, error) { return css, nil }
	if !s.peer.css {
		view, err := s.do(ctx, "snapshot")
		if err != nil {
			return 0, err
		}
		target = func(role, name, _ string) (string, error) { return s.peer.ref(view.text, role, name) }
	}
	for _, f := range formFields() {
		element, err := target(f.role, f.name, f.css)
		if err != nil {
			return 0, err
		}
		words := []string{"click", element}
		if f.command[0] != "check" {
			words = f.args(element)
		}
		if !s.peer.css && f.command[0] == "select" {
			words[2] = "France" // it takes what is shown
		}
		if _, err := s.do(ctx, words...); err != nil {
			return 0, err
		}
	}
	send, err := target("button", "Send order", "#send")
	if err != nil {
		return 0, err
	}
	if _, err := s.do(ctx, "click", send); err != nil {
		return 0, err
	}
	_, err = s.do(ctx, "wait", "--text", thanks)
	return time.Since(began), err
}
