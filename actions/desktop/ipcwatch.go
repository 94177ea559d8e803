package desktop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func ipcWatchCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "electron ipc watch",
			Group:   actions.GroupDesktop,
			Summary: "List the messages between the app's pages and its main process",
			Help: "Prints one line for each message, oldest first: number, time, tab, kind, channel, arguments, answer, and " +
				"how long the answer took. The first " +
				"call begins to note them, for all pages, also those that open later, and for all handlers, also those that the " +
				"app adds later. The app's handlers " +
				"are not replaced. `to-page` is what the app sends to a page.\n\n" +
				"The newest 1,000 messages are kept, and about 1,000 characters of the arguments and of the answer of each. What " +
				"was typed into a password field, and " +
				"members with a name such as password or token, are masked.",
			Flags: []actions.Flag{
				{Name: "clear", Kind: actions.Bool, Help: "Discard the noted messages; watching continues, or begins"},
				{Name: "stop", Kind: actions.Bool, Help: "Print the messages, and stop watching"},
				{Name: "filter", Value: "pattern", Help: "Only channels that contain this, or match it when it has a *"},
				launchFlag,
			},
			Examples: []actions.Example{
				{Line: "electron ipc watch --clear", Note: "before the action that you want to see"},
				{Line: "electron ipc watch --filter 'notes:*'"},
			},
		},
		Schedule: actions.Schedule{Effect: actions.NoBrowser},
		Safety:   actions.Safety{Families: policy.Does(), PageText: true},
		Bindings: actions.Bindings{Data: []any{MessagesResult{}}},
		Run:      runWatchMessages,
	}
}

// MessagesResult are the messages between an app's pages and its main process.
type MessagesResult struct {
	Messages []AppMessage `json:"messages"`
	Dropped  int          `json:"dropped,omitzero"` // how many older messages were dropped
	Began    bool         `json:"began"`            // they are noted since this command
	Stopped  bool         `json:"stopped"`          // they are noted no longer
}

// AppMessage is a message.
type AppMessage struct {
	inspector.Message
	// the page's tab; empty means that the session has no tab for it, or that it is unknown
	Tab string `json:"tab,omitempty"`
}

func runWatchMessages(ctx context.Context, c *actions.Call) (actions.Result, error) {
	move := ""
	switch {
	case c.Bool("clear") && c.Bool("stop"):
		return actions.Result{}, c.Invalid("--clear and --stop exclude each other.")
	case c.Bool("clear"):
		move = inspector.ClearMessages
	case c.Bool("stop"):
		move = inspector.StopWatching
	}
	tabs, targets := shownTabs(c)
	var seen inspector.Messages
	err := inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) (err error) {
		seen, err = p.WatchMessages(ctx, targets, move)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	data := MessagesResult{Messages: []AppMessage{}, Dropped: seen.Dropped, Began: seen.Began, Stopped: c.Bool("stop")}
	if c.Bool("clear") {
		return actions.Result{
			Data: MessagesResult{Messages: data.Messages, Began: seen.Began},
			Text: "✓ Messages cleared",
		}, nil
	}
	tabOf := map[int]string{0: ""}
	for i, contents := range seen.Contents {
		if contents != 0 {
			tabOf[contents] = tabs[i]
		}
	}
	var lines []string
	for _, m := range seen.Messages {
		if !urls.Match(c.String("filter"), m.Channel) {
			continue
		}
		for _, text := range []*string{&m.Args, &m.Answer, &m.Error} {
			*text = withoutTyped(c, *text)
		}
		data.Messages = append(data.Messages, AppMessage{m, tabOf[m.Contents]})
		lines = append(lines, data.Messages[len(data.Messages)-1].line())
	}
	if data.Dropped > 0 {
		c.Note(wording.Plural(data.Dropped, "older message") + " were discarded for newer ones")
	}
	switch {
	case len(lines) > 0:
	case data.Began:
		lines = []string{"Messages are noted from now on"}
	case len(seen.Messages) > 0:
		lines = []string{"None of the " + wording.Plural(len(seen.Messages), "noted message") + " matches"}
	default:
		lines = []string{"There were no messages since they are noted"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// withoutTyped is a text without what was typed into fields that do not show it.
func withoutTyped(c *actions.Call, text string) string {
	if tab := c.Tabs.Active(); tab != nil {
		return network.WithoutSecrets(tab.Page.Context(), text, grammar.Hidden)
	}
	return text
}

// line shows a message: `[3] 20:14:03.120 [t1] invoke notes:save ("note.txt") → true in 12.3 ms`.
func (m *AppMessage) line() string {
	line := fmt.Sprintf("[%d] %s", m.ID, time.UnixMilli(m.At).Format("15:04:05.000"))
	if m.Tab != "" {
		line += " [" + m.Tab + "]"
	}
	line += fmt.Sprintf(" %s %s (%s)", m.Kind, m.Channel, m.Args)
	switch {
	case m.Error != "":
		line += " failed: " + wording.OneLine(m.Error)
	case m.Answer != "":
		line += " → " + m.Answer
	case m.Kind == "invoke" || m.Kind == "send-sync":
		return line + " without an answer yet"
	}
	if m.Took > 0 {
		line += fmt.Sprintf(" in %.1f ms", m.Took)
	}
	return line
}
