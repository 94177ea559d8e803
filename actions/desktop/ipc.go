package desktop

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// callPolicy is that of a message to the app: its handlers have the rights of the user.
var callPolicy = actions.Safety{Families: mainPolicy.Families, Around: mainPolicy.Around, PageText: true}

// ipcCommands are the commands about the messages between an app's pages and its main process.
func ipcCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "electron ipc",
				Group:   actions.GroupDesktop,
				Summary: "List the channels on which the app's main process takes messages",
				Help: "Each channel has a handler, which answers `ipcRenderer.invoke`, or listeners, which get " +
					"`ipcRenderer.send` and `sendSync`. A channel that one page has for itself is listed with its tab.",
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron ipc"}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ChannelsResult{}}},
			Run:      runChannels,
		},
		{
			Spec: actions.Spec{
				Name:    "electron ipc call",
				Group:   actions.GroupDesktop,
				Summary: "Send a message to the main process as a page of the app does, and print the answer",
				Help: "The message comes from the session's active tab, and goes the app's own way: a handler or the listeners " +
					"of the channel do what they do for a page. An argument that is JSON is sent as its value, any other as text; " +
					"the answer is printed as JSON.",
				Args: []actions.Arg{
					{Name: "channel", Kept: true, Help: "The channel, as `electron ipc` lists it"},
					{
						Name:     "message",
						Value:    "arg",
						Kind:     actions.List,
						Optional: true,
						Help:     "Arguments: JSON or text",
					},
				},
				Flags: []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron ipc call notes:list"}, {
					Line: `electron ipc call notes:save note.txt '{"draft": true}'`,
				}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, Logged: true},
			Safety:   callPolicy,
			Bindings: actions.Bindings{Data: []any{CallResult{}}},
			Run:      runChannelCall,
		},
		ipcWatchCommand(),
	}
}

// shownTabs are the session's tabs: their ids, and the ids of their targets.
func shownTabs(c *actions.Call) (ids, targets []string) {
	targets = []string{} // not nil, which is null in JSON
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		ids, targets = append(ids, t.ID), append(targets, t.Page.ID())
	}
	return ids, targets
}

// ChannelsResult are the channels on which an app takes messages.
type ChannelsResult struct {
	Channels []AppChannel `json:"channels"`
}

// AppChannel is a channel.
type AppChannel struct {
	Name      string `json:"name"`
	Handler   bool   `json:"handler"`       // it answers ipcRenderer.invoke
	Listeners int    `json:"listeners"`     // of ipcRenderer.send and sendSync
	Tab       string `json:"tab,omitempty"` // the tab whose own ipc has it; empty means that it is of ipcMain
}

func runChannels(ctx context.Context, c *actions.Call) (actions.Result, error) {
	data := ChannelsResult{Channels: []AppChannel{}}
	tabs, targets := shownTabs(c)
	err := inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) error {
		found, err := p.Channels(ctx, targets)
		for _, channel := range found {
			one := AppChannel{Name: channel.Name, Handler: channel.Handler, Listeners: channel.Listeners}
			if channel.Page != nil {
				one.Tab = tabs[*channel.Page]
			}
			data.Channels = append(data.Channels, one)
		}
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	lines := make([]string, 0, len(data.Channels))
	for i := range data.Channels {
		lines = append(lines, data.Channels[i].line())
	}
	if len(lines) == 0 {
		lines = []string{"The app listens on no channel"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// line shows a channel: "notes:save (handler)".
func (ch *AppChannel) line() string {
	var facts []string
	if ch.Handler {
		facts = append(facts, "handler")
	}
	if ch.Listeners > 0 {
		facts = append(facts, wording.Plural(ch.Listeners, "listener"))
	}
	if ch.Tab != "" {
		facts = append(facts, "of tab "+ch.Tab)
	}
	return ch.Name + " (" + strings.Join(facts, ", ") + ")"
}

// CallResult is the reply that a page would have got to a message.
type CallResult struct {
	Channel  string          `json:"channel"`
	Answered bool            `json:"answered"`         // else listeners have got the message, and none of them answered
	Answer   json.RawMessage `json:"answer,omitempty"` // of any kind; absent if there is none
}

// ipcArgs reads the arguments of a message: what is JSON as its value, everything else as text.
func ipcArgs(words []string) []json.RawMessage {
	args := make([]json.RawMessage, len(words))
	for i, word := range words {
		if args[i] = json.RawMessage(word); !json.Valid(args[i]) {
			args[i], _ = json.Marshal(word) // a text always has a form
		}
	}
	return args
}

func runChannelCall(ctx context.Context, c *actions.Call) (actions.Result, error) {
	call := inspector.ChannelCall{Channel: c.String("channel"), Args: ipcArgs(c.Strings("message"))}
	if tab := c.Tabs.Active(); tab != nil {
		call.From = tab.Page.ID()
	}
	var got inspector.ChannelAnswer
	err := inMain(ctx, c, func(app *electron.Record, p *inspector.Process) (err error) {
		if got, err = p.CallChannel(ctx, call); err != nil {
			return err
		}
		return callFault(app, call.Channel, got)
	})
	if err != nil {
		return actions.Result{}, err
	}
	data := CallResult{
		Channel:  call.Channel,
		Answered: got.Outcome == inspector.Answered,
		Answer:   json.RawMessage(got.Answer),
	}
	if !data.Answered {
		return actions.Result{Data: data, Text: "✓ Sent to the listeners of " + call.Channel + ", which did not answer"}, nil
	}
	return actions.Result{Data: data, Text: got.Answer}, nil
}

// callFault says why a message has no answer, or nothing if that is in order.
func callFault(app *electron.Record, channel string, got inspector.ChannelAnswer) error {
	switch got.Outcome {
	case inspector.NoChannel:
		return fault.New(fault.SelectorNotFound, "%s has no handler and no listener for %q", app.AppName, channel).
			About(channel).
			WithHint("`electron ipc` lists its channels. An app may add one only when a page needs it.")
	case inspector.NoPage:
		return fault.New(fault.AppUnsuitable, "%s has no window that could have sent the message", app.AppName).
			About(channel).
			WithHint("Wait for its window, or run `electron main` with a script that does what the handler does.")
	case inspector.CallFailed:
		return fault.New(fault.EvalFailed, "%s: the app answered with an error: %s", channel, got.Error).About(channel).
			WithHint("`electron logs` has the error with its stack.")
	case inspector.Unsendable:
		return fault.New(fault.EvalFailed, "%s: the app's answer cannot be sent to a page: %s", channel, got.Error).
			About(channel).
			WithHint(
				"A page gets this error, too. The handler has to answer with plain data: no functions, no objects of Electron.")
	}
	return nil
}
