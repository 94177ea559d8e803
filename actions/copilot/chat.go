package copilot

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/copilot/model"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/visible"
)

func chatCommands() []actions.Command {
	return []actions.Command{{
		Spec: actions.Spec{
			Name:    "chat",
			Group:   actions.GroupCopilot,
			Summary: "Let a language model work in the session",
			Help: "Give the message as arguments or on standard input. At a terminal, without either, a conversation begins; " +
				"exit, quit or the end of input " +
				"ends it. The model works with the commands of this program, in the session and by its rules, which it cannot " +
				"change. The model's endpoint is " +
				"AI_GATEWAY_URL with the key AI_GATEWAY_API_KEY, else OPENAI_BASE_URL with OPENAI_API_KEY, or ANTHROPIC_BASE_URL " +
				"with ANTHROPIC_API_KEY. " +
				"AI_GATEWAY_MODEL or --model names the model.\n\n" +
				"Page text reaches the model as data, between marks that a page cannot guess. An action that cannot be undone, " +
				"such as to pay, to delete or to " +
				"run a script, needs your confirmation at the terminal; without a terminal it is not done unless --yes is given. " +
				"--timeout applies to each " +
				"command that the model runs. --verbose shows what these print.",
			Args: []actions.Arg{{Name: "message", Kind: actions.List, Optional: true, Help: "What to do"}},
			Flags: []actions.Flag{
				{
					Name:  "model",
					Value: "name",
					Help:  "The model, as the endpoint calls it: anthropic/claude-sonnet-4.6, openai/gpt-4o",
				},
				{
					Name:  "quiet",
					Short: "q",
					Kind:  actions.Bool,
					Early: true,
					Help:  "Print only what the model says, not what it does",
				},
				{Name: "yes", Kind: actions.Bool, Help: "Do what cannot be undone without asking"},
			},
			Stdin: actions.Without("message"),
			Examples: []actions.Example{{Line: `chat "open example.com and tell me what it is about"`}, {
				Line: `-q chat "summarize this page"`,
			}, {Line: "chat --model openai/gpt-4o"}},
			Upstream: []string{"chat", "chat <message>", `echo "instruction" | agent-browser chat`},
		},
		Schedule: actions.Schedule{
			Effect:   actions.Reads | actions.Mutates | actions.Navigates | actions.Control,
			Choosing: true,
			Rows:     true,
		},
		Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), OwnWords: true},
		Bindings: actions.Bindings{Data: []any{chatReply{}}, Bare: true},
		Run:      runChat,
	}}
}

// chatReply is the data of a chat.
type chatReply struct {
	Success bool `json:"success"`
	chatAnswer
}

// WithoutEnvelope returns the answer, for callers that learn of success in another way.
func (r chatReply) WithoutEnvelope() any { return r.chatAnswer }

// chatAnswer is what the model said and did.
type chatAnswer struct {
	Text  string      `json:"text"`
	Calls []chatCall  `json:"tool_calls"`
	Model string      `json:"model"`
	Usage model.Usage `json:"usage"`
}

// chatCall is what the model had done.
type chatCall struct {
	Command string `json:"command"` // the command line, or the tool with its arguments if it is another tool
	Output  string `json:"output"`
	Success bool   `json:"success"`
	Held    bool   `json:"held,omitempty"` // nothing was done: a person has to confirm it
}

// talk is one run of chat.
type talk struct {
	*actions.Call
	chat    *model.Chat
	calls   []chatCall // of the message
	out     io.Writer  // where text is shown while it comes; nil means nowhere
	open    bool       // the last line of text has not ended
	inquire bool       // a person can be asked
}

func runChat(ctx context.Context, c *actions.Call) (actions.Result, error) {
	client, err := model.Open(c.Getenv, c.String("model"))
	if err != nil {
		return actions.Result{}, err
	}
	defer client.Close()
	t := &talk{Call: c, inquire: c.Attended && !c.Bool("json")}
	t.chat = &model.Chat{Model: client, System: chatSystem(c), Tools: chatTools(), Do: t.do}
	// What is bounded or marked as a whole cannot be shown in pieces.
	if c.Out != nil && !c.Bool("json") && !c.Bool("content-boundaries") && !c.Has("max-output") {
		t.out, t.chat.OnText = c.Out, t.say
	}
	message := strings.TrimSpace(strings.Join(c.Strings("message"), " "))
	if message == "" {
		message = strings.TrimSpace(string(c.Stdin))
	}
	switch {
	case message != "":
		return t.once(ctx, message)
	case t.inquire && t.out != nil:
		return actions.Result{}, t.converse(ctx)
	}
	return actions.Result{}, fault.New(fault.Usage, "No input provided").With("type", grammar.MissingArguments).
		WithHint(
			"Give a message: %s chat \"summarize this page\". At a terminal, you can leave it out to start a conversation.",
			c.Program())
}

// once is a chat of one message.
func (t *talk) once(ctx context.Context, message string) (actions.Result, error) {
	turn, err := t.chat.Say(ctx, message)
	t.endLine()
	reply := chatReply{true, chatAnswer{turn.Text, t.calls, t.chat.Model.Name(), turn.Usage}}
	if reply.Calls == nil {
		reply.Calls = []chatCall{}
	}
	if err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok && (len(t.calls) > 0 || turn.Text != "") {
			// what was done is not lost
			f.With("text", turn.Text).With("tool_calls", reply.Calls)
		}
		return actions.Result{}, err
	}
	res := actions.Result{Data: reply}
	if t.out == nil {
		res.Text = turn.Text
	}
	return res, nil
}

// converse is a chat with the person at the terminal, until that wants no more.
func (t *talk) converse(ctx context.Context) error {
	for {
		line, err := t.Ask(ctx, "› ", false)
		switch {
		case errors.Is(err, actions.ErrNoTerminal):
			return nil
		case err != nil:
			return err
		}
		switch line = strings.TrimSpace(line); strings.ToLower(line) {
		case "":
			continue
		case "exit", "quit", "q":
			return nil
		}
		t.calls = nil
		_, err = t.chat.Say(ctx, line)
		t.endLine()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case actions.IsSessionClosed(err):
			return err
		case err != nil:
			t.tell("✗ " + err.Error())
		}
	}
}

// say shows a piece of the model's text.
func (t *talk) say(text string) {
	_, _ = io.WriteString(t.out, visible.Text(text))
	t.open = !strings.HasSuffix(text, "\n")
}

// endLine ends the line of text that was begun.
func (t *talk) endLine() {
	if t.open {
		_, _ = io.WriteString(t.out, "\n")
		t.open = false
	}
}

// tell writes a line beside the text.
func (t *talk) tell(line string) {
	if t.out == nil {
		return
	}
	t.endLine()
	_, _ = io.WriteString(t.ErrOut, visible.Text(line)+"\n")
}

// show reports what the model has done, with --verbose also the result.
func (t *talk) show(call chatCall) {
	if t.Bool("quiet") || !t.Bool("verbose") || call.Output == "" {
		return
	}
	t.tell("  " + strings.ReplaceAll(model.Truncate(call.Output, 4000), "\n", "\n  "))
}
