package admin

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// shellCommands help those who type at a terminal.
func shellCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "completion",
				Group:   actions.GroupShells,
				Summary: "Print the script that makes a shell complete skua commands",
				Help: "Completes commands, arguments, flags and values. If a host is running, it also completes refs, tabs and " +
					"sessions; it never starts a host.\n\n" +
					"bash:        source <(skua completion bash), in ~/.bashrc\n" +
					"zsh:         skua completion zsh > \"${fpath[1]}/_skua\"\n" +
					"fish:        skua completion fish > ~/.config/fish/completions/skua.fish\n" +
					"PowerShell:  skua completion powershell | Out-String | Invoke-Expression, in $PROFILE",
				Args:     []actions.Arg{{Name: "shell", OneOf: Shells(), Help: "Which shell"}},
				Program:  true,
				Examples: []actions.Example{{Line: "completion bash"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name:    "completion words",
				Group:   actions.GroupShells,
				Summary: "Print the completions of a line, for the completion scripts",
				Help: "Prints one candidate on each line, followed by a tab and its description. A last line `:files` says " +
					"that paths are possible, too.",
				Args: []actions.Arg{{
					Name:     "words",
					Kind:     actions.List,
					Optional: true,
					Help:     "The words after the program's name, the last one being typed",
				}},
				Flags: []actions.Flag{
					{Name: "line", Help: "The line up to the cursor, with the program's name, instead of words"},
					{
						Name: "typed",
						Help: "The word that is being typed, as the shell sees it, if the shell does not split only at spaces",
					},
				},
				Program:  true,
				Examples: []actions.Example{{Line: "completion words -- get te"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name:    "man",
				Group:   actions.GroupShells,
				Summary: "Print the manual page of skua, or of a command or family, as roff",
				Help:    "`skuad man -o dir` writes all pages as files. To read one: skua man get | man -l -",
				Args: []actions.Arg{{
					Name:     "topic",
					Kind:     actions.List,
					Optional: true,
					Help:     "The words of a command or family",
				}},
				Program:  true,
				Examples: []actions.Example{{Line: "man"}, {Line: "man get"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name: "completion values", Group: actions.GroupShells,
				Summary: "Print the refs, tabs and sessions that a running host knows, without asking a page", Program: true,
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ValuesResult{}}},
			Run:      runValues,
		},
	}
}

// Shells returns the shells that there are scripts for.
func Shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// mostRefs limits the refs that are offered: a longer list does not help.
const mostRefs = 200

// ValuesResult is the data of the command that shells ask for what to complete.
type ValuesResult struct {
	Values []LiveValue `json:"values"`
}

// LiveValue is a value that `completion values` prints.
type LiveValue struct {
	Kind  string `json:"kind"` // see [LiveRef]
	Value string `json:"value"`
	About string `json:"about,omitempty"`
}

func runValues(_ context.Context, c *actions.Call) (actions.Result, error) {
	values := []LiveValue{}
	tabs, active := c.Tabs.All()
	for _, tab := range tabs {
		about := tab.Page.Title()
		if tab.Label != "" {
			values = append(values, LiveValue{manual.LiveTab, tab.Label, about})
		}
		values = append(values, LiveValue{manual.LiveTab, tab.ID, about})
	}
	if active != nil {
		for _, ref := range c.Session.Refs().LastShown(active.ID, mostRefs) {
			values = append(values, LiveValue{manual.LiveRef, "@" + ref.ID(), ref.Role + " " + wording.OneLine(ref.Name)})
		}
	}
	for _, name := range c.Host.All() {
		values = append(values, LiveValue{manual.LiveSession, name, ""})
	}
	var text strings.Builder
	for _, v := range values {
		text.WriteString(v.Kind + "\t" + v.Value + "\t" + wording.OneLine(v.About) + "\n")
	}
	return actions.Result{Data: ValuesResult{values}, Text: text.String()}, nil
}
