package sessiontest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/replydata"
)

// object is a decoded JSON object.
type object = map[string]any

// WithoutEffect returns the data of a reply as in JSON, without its effect.
func WithoutEffect(t testing.TB, reply session.Reply) map[string]any {
	t.Helper()
	data := Decode[object](t, reply.Result.Data)
	delete(data, "effect")
	return data
}

// Decode takes a value through JSON.
func Decode[T any](t testing.TB, v any) T {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var out T
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// Printed is what a reply shows to its caller.
type Printed struct {
	Out, Err string
	Code     int
}

// PrintedReply prints a reply as a program does.
func PrintedReply(reply session.Reply) Printed {
	var out, errOut bytes.Buffer
	code := reply.Write(&out, &errOut)
	return Printed{Out: out.String(), Err: errOut.String(), Code: code}
}

// Told is all that a reply tells in words.
func Told(reply session.Reply) string { return reply.Result.Text + "\n" + Notes(reply) }

// Notes are the warnings of a reply.
func Notes(reply session.Reply) string { return strings.Join(reply.Result.Notes, "\n") }

// Everything returns what a reply prints, as text and as JSON.
func Everything(r session.Reply) string {
	var out, errOut strings.Builder
	r.Write(&out, &errOut)
	r.JSON = true
	r.Write(&out, &errOut)
	return out.String() + errOut.String()
}

// CheckData returns what in the data of a reply is not as the command's definition says. Each command of a [Client] is
// checked: programs in other languages are typed by the definitions.
func CheckData(m *session.Manager, req session.Request, reply session.Reply) error {
	if reply.Err != nil || reply.Text != "" || reply.Result.Held {
		return nil
	}
	in, err := m.Registry().Parse(req.Args, actions.ParseOptions{Getenv: req.Getenv})
	if err != nil {
		return nil // the test brings a configuration file
	}
	raw, err := json.Marshal(reply.Result.Data)
	if err != nil {
		return err
	}
	var data any
	if err := json.Unmarshal(raw, &data); err != nil {
		return err
	}
	if data == nil {
		data = object{}
	}
	if host, is := data.(object); is && reply.Bare() && host["data"] != nil && len(host) == 2 {
		data = host["data"]
	}
	var errs []error
	for _, form := range replydata.Of(in.Command()) {
		if form.Given != "" && !in.Has(form.Given) {
			continue
		}
		err := form.Check(data)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("the data of `%s` is not as its definition says: %w; %.2000s", strings.Join(req.Args, " "),
		errors.Join(errs...), raw)
}

// Enveloped runs a command whose JSON reply is an envelope, and returns what is in it.
func Enveloped[T any](c *Client, args ...string) T {
	c.T.Helper()
	reply := c.Do(args...)
	require.True(c.T, reply.Bare())
	envelope := Decode[struct {
		Data    T
		Success bool
	}](c.T, reply.Result.Data)
	require.True(c.T, envelope.Success)
	return envelope.Data
}
