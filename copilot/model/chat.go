package model

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Chat is a conversation with a model that may use tools. It is for one goroutine.
type Chat struct {
	Model  Model
	System string
	Tools  []Tool
	// Do uses a tool. An error ends the turn; what the model is to know of a failure is an outcome.
	Do func(ctx context.Context, call Call) (Outcome, error)
	// OnText is called with text as it arrives; nil means that answers are not streamed.
	OnText func(string)

	history []Message
}

// Turn is the result of one message.
type Turn struct {
	Text  string // of all answers, as they came
	Last  string // of the last answer
	Usage Usage
}

// Bounds of a conversation.
const (
	maxRounds  = 50      // answers in a turn
	maxHistory = 240_000 // characters of results that a request carries; the oldest are left out first
	keptWhole  = 8_000   // of the newest results, which are never left out
)

// Say sends a message and does what the model asks for, until it answers with text alone. Of an answer with a call that
// does not fit the schema of its tool nothing is done, and the model is told so once. What was done before an error
// stays in the conversation, so that the next message may go on from there.
func (c *Chat) Say(ctx context.Context, text string) (Turn, error) {
	var turn Turn
	fits := fitting{model: c.Model, tools: c.Tools}
	before := len(c.history)
	c.history = append(c.history, Message{Role: User, Text: text})
	for range maxRounds {
		a, err := c.Model.Complete(ctx, Request{
			System:   c.System,
			Messages: bounded(c.history),
			Tools:    c.Tools,
			OnText:   c.OnText,
		})
		if err != nil {
			if len(c.history) == before+1 {
				c.history = c.history[:before] // nothing was answered to it
			}
			return turn, err
		}
		turn.Usage.Input += a.Usage.Input
		turn.Usage.Output += a.Usage.Output
		turn.Text += a.Text
		turn.Last = a.Text
		number(a.Calls, len(c.history))
		if a.Stop == TooLong { // its last call may be cut off
			a.Calls = nil
		}
		retried, err := fits.retry(a)
		switch {
		case retried != nil:
			c.history = append(c.history, retried...)
		case a.Text != "" || len(a.Calls) > 0:
			c.history = append(c.history, a.message())
		}
		switch {
		case err != nil:
			return turn, err
		case retried != nil:
			continue
		case a.Stop == Refused:
			return turn, fault.New(fault.ModelFailed, "The model %s refused to answer.", c.Model.Name()).About(c.Model.Name())
		case a.Stop == TooLong:
			return turn, fault.New(fault.ModelFailed, "The answer of the model %s was cut off, since it is too long.",
				c.Model.Name()).About(c.Model.Name())
		case len(a.Calls) == 0:
			return turn, nil
		}
		if err := c.doAll(ctx, a.Calls); err != nil {
			return turn, err
		}
	}
	return turn, fault.New(fault.ModelFailed, "The model %s did not finish in %d answers.", c.Model.Name(), maxRounds).
		About(c.Model.Name()).
		WithHint("Send another message that says what is left to do.")
}

// doAll uses the tools of an answer, one after the other. Each call has a result in the conversation, whatever
// happens.
func (c *Chat) doAll(ctx context.Context, calls []Call) error {
	results := Message{Role: Results}
	var failed error
	for _, call := range calls {
		o := Outcome{Text: "Nothing was done: the person ended the turn.", Failed: true}
		if failed == nil {
			var err error
			if o, err = c.Do(ctx, call); err != nil {
				o, failed = Outcome{Text: err.Error(), Failed: true}, err
			}
		}
		o.ID = call.ID
		if o.Text == "" {
			o.Text = "(nothing)" // endpoints refuse empty results
		}
		results.Results = append(results.Results, o)
	}
	c.history = append(c.history, results)
	return failed
}

// number gives ids to calls that have none, as some endpoints leave them.
func number(calls []Call, at int) {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = "call_" + strconv.Itoa(at) + "_" + strconv.Itoa(i)
		}
	}
}

// bounded is a conversation whose older results are left out when all of them are too much for a request. Pages are
// long, and what they showed some steps ago is seldom what they show now.
func bounded(history []Message) []Message {
	total := 0
	for _, m := range history {
		for _, o := range m.Results {
			total += len(o.Text)
		}
	}
	if total <= maxHistory {
		return history
	}
	kept := make([]Message, len(history))
	copy(kept, history)
	newer := 0
	for i := len(kept) - 1; i >= 0; i-- {
		if len(kept[i].Results) == 0 {
			continue
		}
		results := make([]Outcome, len(kept[i].Results))
		for k := len(results) - 1; k >= 0; k-- {
			o := kept[i].Results[k]
			if newer+len(o.Text) > maxHistory && newer > keptWhole {
				o.Text = "(left out, " + strconv.Itoa(len(o.Text)) + " bytes: call the tool again to see how it is now)"
			}
			newer += len(o.Text)
			results[k] = o
		}
		kept[i].Results = results
	}
	return kept
}

// Truncate returns a text of at most so many bytes, which says what is missing.
func Truncate(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head := wording.Head(text, most)
	return strings.TrimRight(head, "\n") + "\n… (" + strconv.Itoa(len(text)-len(head)) + " more bytes)"
}
