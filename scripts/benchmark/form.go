//go:build linux

package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// field is one step of the form flow: what is done to which control.
type field struct {
	command    []string // before the target
	role, name string
	css        string
	value      string // after the target; may be empty
}

// formFields are the seven steps between the snapshot and the click on the button.
func formFields() []field {
	return []field{
		{command: []string{"fill"}, role: "textbox", name: "Name", css: "#name", value: "Ada Lovelace"},
		{command: []string{"fill"}, role: "textbox", name: "Email", css: "#email", value: "ada@example.org"},
		{command: []string{"fill"}, role: "textbox", name: "City", css: "#city", value: "London"},
		{command: []string{"select"}, role: "combobox", name: "Country", css: "#country", value: "fr"},
		{command: []string{"check"}, role: "radio", name: "Express", css: "#express"},
		{command: []string{"fill"}, role: "textbox", name: "Message", css: "#message", value: "Please ring twice"},
		{command: []string{"check"}, role: "checkbox", name: "I accept the terms", css: "#terms"},
	}
}

// sentOrder is what the page must report when the form was sent. The page sorts the values, as Encode does.
var sentOrder = url.Values{
	"name": {"Ada Lovelace"}, "email": {"ada@example.org"}, "city": {"London"}, "country": {"fr"},
	"shipping": {"express"}, "message": {"Please ring twice"}, "terms": {"yes"},
}

// formCalls fills and sends a form in eleven calls, as an agent does: open, snapshot, seven steps by ref, click, read.
func formCalls(ctx context.Context, s *side) ([]float64, error) {
	address := s.publish("form", orderForm())
	began := time.Now()
	if _, err := s.warm.run(ctx, "open", address); err != nil {
		return nil, err
	}
	view, err := s.warm.run(ctx, "snapshot", "-i")
	if err != nil {
		return nil, err
	}
	for _, f := range formFields() {
		ref, err := refOf(view.stdout, f.role, f.name)
		if err != nil {
			return nil, err
		}
		if _, err := s.warm.run(ctx, f.args(ref)...); err != nil {
			return nil, err
		}
	}
	button, err := refOf(view.stdout, "button", "Send order")
	if err != nil {
		return nil, err
	}
	if _, err := s.warm.run(ctx, "click", button); err != nil {
		return nil, err
	}
	last, err := s.warm.run(ctx, "get", "text", "#result")
	if err != nil {
		return nil, err
	}
	return milliseconds(last.ended.Sub(began)), s.orderIsIn(ctx, last.stdout)
}

// formBatch does the same in one call. A batch cannot know refs that its own snapshot will hand out, so it uses
// selectors.
func formBatch(ctx context.Context, s *side) ([]float64, error) {
	args := []string{"batch", "open " + s.publish("batch", orderForm()), "snapshot -i"}
	for _, f := range formFields() {
		args = append(args, shellWords(f.args(f.css)))
	}
	args = append(args, "click #send", "get text #result")
	result, err := s.warm.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	return milliseconds(result.took), s.orderIsIn(ctx, result.stdout)
}

func (f field) args(target string) []string {
	args := append(append([]string{}, f.command...), target)
	if f.value != "" {
		args = append(args, f.value)
	}
	return args
}

// orderIsIn checks that the page received every value, once, and that the program read the page's thanks.
func (s *side) orderIsIn(ctx context.Context, printed string) error {
	if thanks := fmt.Sprintf("Thank you, order %s is in.", s.token); !strings.Contains(printed, thanks) {
		return fmt.Errorf("get text did not print %q: %s", thanks, firstLines(printed, 3))
	}
	if _, err := s.site.await(ctx, s.token, "order", sentOrder.Encode()); err != nil {
		return err
	}
	if n := s.site.count(s.token, "order"); n != 1 {
		return fmt.Errorf("the form was sent %d times", n)
	}
	return nil
}

// shellWords joins words so that a shell, or batch, takes them apart again.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if strings.ContainsAny(word, " '\"\\#") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
