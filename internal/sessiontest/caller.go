package sessiontest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
)

// Caller is a caller that works in a folder, by default without naming a session.
type Caller struct {
	T       *testing.T
	Manager *session.Manager
	Dir     string
	Env     map[string]string
}

func (c Caller) Try(args ...string) session.Reply {
	ctx, cancel := context.WithTimeout(context.Background(), CommandLimit)
	defer cancel()
	return c.Manager.Do(ctx, session.Request{Args: args, Cwd: c.Dir, ByFolder: true, Getenv: func(name string) string {
		return c.Env[name]
	}})
}

func (c Caller) Do(args ...string) session.Reply {
	c.T.Helper()
	r := c.Try(args...)
	require.NoError(c.T, r.Err, "%q", args)
	return r
}

func (c Caller) Eval(script string) string {
	c.T.Helper()
	return c.Do("eval", script).Result.Text
}

// Data is what --json prints of a reply.
func (c Caller) Data(args ...string) map[string]any {
	c.T.Helper()
	raw, err := json.Marshal(c.Do(args...).Result.Data)
	require.NoError(c.T, err)
	var data map[string]any
	require.NoError(c.T, json.Unmarshal(raw, &data))
	return data
}

func (c Caller) PID(name string) int {
	c.T.Helper()
	details, _ := c.Data("session", "list")["details"].([]any)
	for _, d := range details {
		if entry, _ := d.(map[string]any); entry["name"] == name {
			pid, _ := entry["browserPid"].(float64)
			return int(pid)
		}
	}
	c.T.Fatalf("no session %s in %v", name, details)
	return 0
}
