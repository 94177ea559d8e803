package guide

import "strings"

// Prompt is a text that a person picks to begin with, with blanks to fill in.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []Argument
}

// Argument is a blank of a prompt.
type Argument struct {
	Name        string
	Description string
	Required    bool
}

// Prompts returns what there is to pick from.
func Prompts() []Prompt {
	return []Prompt{
		{
			Name:        "browse",
			Title:       "Do something in a browser",
			Description: "Reach a goal on web pages: look, act, check the result.",
			Arguments: []Argument{
				{Name: "goal", Description: "The goal, in plain words", Required: true},
				{Name: "url", Description: "Where to begin"},
			},
		},
		{
			Name:        "check-page",
			Title:       "Check a page",
			Description: "Check that a page loads and shows what it should, with evidence.",
			Arguments: []Argument{
				{Name: "url", Description: "The page", Required: true},
				{Name: "expect", Description: "What the page must show"},
			},
		},
		{
			Name: "recover", Title: "Recover from a failure", Description: "What to do about an error of the tool.",
			Arguments: []Argument{{Name: "error", Description: "The error's text or code", Required: true}},
		},
	}
}

// Fill returns the prompt's text with its blanks filled in; lines whose blank is empty are left out. It reports whether
// there is such a prompt.
func Fill(name string, values map[string]string) (string, bool) {
	text := Text(Reader("prompt:" + name))
	if text == "" {
		return "", false
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line, ok := fillLine(line, values); ok {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()), true
}

// fillLine fills the blanks of a line, each {{name}}. What is filled in is not looked at again.
func fillLine(line string, values map[string]string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			b.WriteString(line)
			return b.String(), true
		}
		if values[name] == "" {
			return "", false
		}
		b.WriteString(before + values[name])
		line = after
	}
}
