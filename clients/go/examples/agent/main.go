package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua"
)

// call is what a model asks for, as most of them take tools.
type call struct{ Tool, Ref, Text, URL string }

// tool does what a model asks for. Its answer is the short text of the result.
func tool(ctx context.Context, page *skua.Page, c call) (string, error) {
	switch c.Tool {
	case "click":
		r, err := page.Click(ctx, c.Ref, skua.ClickOptions{Observe: true})
		return r.Text, err
	case "fill":
		r, err := page.Fill(ctx, c.Ref, c.Text, skua.FillOptions{Observe: true})
		return r.Text, err
	case "open":
		r, err := page.Open(ctx, c.URL, skua.OpenOptions{Observe: true})
		return r.Text, err
	}
	r, err := page.Snapshot(ctx, skua.SnapshotOptions{Interactive: true, MaxChars: new(12_000)})
	return r.Text, err
}

var (
	buttons = regexp.MustCompile(`(?m)^ *- buttons?\b.*`)
	named   = regexp.MustCompile(`"([^"]+)" (@e\d+)`)
)

// model stands for a model, so that this runs without a network: it clicks the first button whose name has words of the
// task. Put the call of yours here. It gets the conversation, and returns a call of a tool, or an answer.
func model(conversation []string) (c call, answer string) {
	last := conversation[len(conversation)-1]
	if strings.HasPrefix(last, "✓") {
		answer, _, _ = strings.Cut(last, "\n")
		return c, answer
	}
	task := strings.Fields(strings.ToLower(conversation[0]))
	for _, line := range buttons.FindAllString(last, -1) {
		for _, button := range named.FindAllStringSubmatch(line, -1) {
			foreign := func(word string) bool { return !slices.Contains(task, word) }
			if !slices.ContainsFunc(strings.Fields(strings.ToLower(button[1])), foreign) {
				return call{Tool: "click", Ref: button[2]}, ""
			}
		}
	}
	return c, "There is nothing to click."
}

func agent(ctx context.Context, address, task string) (string, error) {
	host, err := skua.Open(skua.Options{})
	if err != nil {
		return "", err
	}
	defer host.Close(ctx)
	page := host.Page("agent", skua.SessionOptions{})
	if _, err := page.Open(ctx, address); err != nil {
		return "", err
	}
	conversation, next, answer := []string{task}, call{Tool: "look"}, ""
	for range 20 {
		said, err := tool(ctx, page, next)
		if failed, ok := errors.AsType[*skua.Error](err); ok {
			said = string(failed.Code) + ": " + failed.Error() // which says what to do next
		}
		conversation = append(conversation, strings.Join(append([]string{said}, page.Notices()...), "\n"))
		if next, answer = model(conversation); answer != "" {
			return answer, nil
		}
	}
	return "", errors.New("the task took too many turns")
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: agent ADDRESS TASK")
		os.Exit(2)
	}
	answer, err := agent(context.Background(), os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, answer)
}
