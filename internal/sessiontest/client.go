package sessiontest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// Client is a caller with a session of its own.
type Client struct {
	T       testing.TB
	Manager *session.Manager
	Session string
	Dir     string            // its working directory
	Env     map[string]string // its environment
	Seen    string            // its last snapshot, for messages

	host   *Host
	traces *traces // nil means that the session is not given back
}

func (c *Client) closeSession() {
	reply := c.Manager.Do(context.Background(), session.Request{Args: []string{"--session", c.Session, "close"}})
	require.NoError(c.T, reply.Err)
}

// In is the same caller in a subtest.
func (c *Client) In(t testing.TB) *Client {
	sub := *c
	sub.T = t
	return &sub
}

// Request is a command line of the caller.
func (c *Client) Request(stdin string, args []string) session.Request {
	return session.Request{
		Args:   append([]string{"--session", c.Session}, args...),
		Cwd:    c.Dir,
		Getenv: func(name string) string { return c.Env[name] },
		Stdin:  []byte(stdin),
	}
}

// Try runs a command.
func (c *Client) Try(args ...string) session.Reply { return c.TryWith("", args...) }

// TryWith runs a command that reads stdin. The test fails if the reply's data is not as the command's definition says.
func (c *Client) TryWith(stdin string, args ...string) session.Reply {
	ctx, cancel := context.WithTimeoutCause(context.Background(), CommandLimit,
		errors.New("the test's own limit: "+strings.Join(args, " ")))
	defer cancel()
	req := c.Request(stdin, args)
	reply := c.Manager.Do(ctx, req)
	if err := CheckData(c.Manager, req, reply); err != nil {
		c.T.Error(err)
	}
	c.traces.note(args, reply)
	return reply
}

// Do runs a command that must succeed.
func (c *Client) Do(args ...string) session.Reply {
	c.T.Helper()
	return c.DoWith("", args...)
}

// DoWith runs a command that reads stdin and must succeed.
func (c *Client) DoWith(stdin string, args ...string) session.Reply {
	c.T.Helper()
	reply := c.TryWith(stdin, args...)
	require.NoError(c.T, reply.Err, "%q", args)
	return reply
}

// refusedTargets are the codes of errors about an element that the command could not use in time.
var refusedTargets = []fault.Code{
	fault.TargetHidden, fault.TargetCovered, fault.TargetOutside, fault.TargetDisabled,
	fault.SelectorNotFound,
}

// Fails runs a command that must fail with the code, and returns its error. A refusal is waited for half as long as the
// product would.
func (c *Client) Fails(code fault.Code, args ...string) *fault.Error {
	c.T.Helper()
	if slices.Contains(refusedTargets, code) && !slices.Contains(args, "--timeout") {
		args = append([]string{"--timeout", "1000"}, args...)
	}
	return c.Failed(c.Try(args...), code, args...)
}

// Failed returns the error of a reply, which must have the code.
func (c *Client) Failed(reply session.Reply, code fault.Code, args ...string) *fault.Error {
	c.T.Helper()
	require.Error(c.T, reply.Err, "%q said %q", args, reply.Result.Text)
	require.Equal(c.T, code, fault.CodeOf(reply.Err), "%q: %v", args, reply.Err)
	e, ok := errors.AsType[*fault.Error](reply.Err)
	require.True(c.T, ok, "%q: %T", args, reply.Err)
	return e
}

// Start runs a command in the background. The channel receives its reply.
func (c *Client) Start(args ...string) <-chan session.Reply {
	reply := make(chan session.Reply, 1)
	go func() { reply <- c.Try(args...) }()
	return reply
}

// Await takes the reply of a started command that must succeed.
func (c *Client) Await(reply <-chan session.Reply) session.Reply {
	c.T.Helper()
	r := <-reply
	require.NoError(c.T, r.Err)
	return r
}

// Until runs a check until it holds, since a page opens and closes tabs in its own time.
func (c *Client) Until(what string, holds func() bool) {
	c.T.Helper()
	for end := time.Now().Add(CommandLimit); !holds(); {
		require.True(c.T, time.Now().Before(end), "waiting for %s", what)
	}
}

// AwaitLoss waits until the session has noticed that its browser is gone.
func (c *Client) AwaitLoss() {
	c.T.Helper()
	require.Eventually(c.T, func() bool {
		names := Decode[struct{ Sessions []string }](c.T, c.Do("session", "list").Result.Data)
		return !slices.Contains(names.Sessions, c.Session)
	}, CommandLimit, 10*time.Millisecond)
}

// Page is the value of an expression in the page, as JSON decodes it.
func (c *Client) Page(expression string) any {
	c.T.Helper()
	reply := c.Do("eval", expression)
	data := Decode[struct{ Result any }](c.T, reply.Result.Data)
	return data.Result
}

// Log is what the page wrote into its array `log`, one entry a line.
func (c *Client) Log() string {
	c.T.Helper()
	return c.Page(`log.join("\n")`).(string)
}

// LastEvent is what the page noted last of a type.
func (c *Client) LastEvent(kind string) any {
	c.T.Helper()
	return c.Page(`log.findLast((line) => line.startsWith("` + kind + ` ")) ?? ""`)
}

// Data runs a command that must succeed and returns its data as in JSON, without its effect.
func (c *Client) Data(args ...string) map[string]any {
	c.T.Helper()
	return WithoutEffect(c.T, c.Do(args...))
}

// Effect runs a command that must succeed and returns what it says of its effect.
func (c *Client) Effect(args ...string) map[string]any {
	c.T.Helper()
	effect, ok := Decode[object](c.T, c.Do(args...).Result.Data)["effect"].(object)
	require.True(c.T, ok, "%q tells no effect", args)
	return effect
}

// Refs takes a snapshot and returns the ref of each element by `role "name"`; of several equal ones the first.
func (c *Client) Refs(args ...string) map[string]string {
	c.T.Helper()
	data := Decode[struct {
		Snapshot string
	}](c.T, c.Do(append([]string{"snapshot"}, args...)...).Result.Data)
	c.Seen = data.Snapshot
	refs := map[string]string{}
	for _, m := range RefLine.FindAllStringSubmatch(data.Snapshot, -1) {
		if key := strings.TrimSpace(m[1]); refs[key] == "" {
			refs[key] = "@" + m[2]
		}
	}
	return refs
}

// Ref is the ref of one element.
func (c *Client) Ref(roleAndName string) string {
	c.T.Helper()
	refs := c.Refs()
	require.Contains(c.T, refs, roleAndName, "in\n%s", c.Seen)
	return refs[roleAndName]
}

// RefLine matches the line of an element with a ref in a snapshot: its role with its name, and the number of its ref.
var RefLine = regexp.MustCompile(`(?m)^ *- (\w+(?: "(?:[^"\\]|\\.)*")?) @(e\d+)`)
