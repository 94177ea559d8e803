package owncommand_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// stamped is the typed result of the command.
type stamped struct {
	Title string `json:"title"`
}

// stamp is the one definition: a command that sets the page's title, with a secret, that makes refs stale.
func stamp() []actions.Command {
	return []actions.Command{{
		Spec: actions.Spec{
			Name: "stamp", Aliases: []string{"imprint"}, Group: actions.GroupActions,
			Summary:  "Stamp the page's title with a text",
			Help:     "The title is replaced whole.",
			Args:     []actions.Arg{{Name: "text", Kind: actions.Text, Help: "The new title"}},
			Flags:    []actions.Flag{{Name: "seal", Value: "secret", Secret: true, Help: "What the stamp is sealed with"}},
			Examples: []actions.Example{{Line: "stamp Hello"}},
		},
		Schedule: actions.Schedule{Effect: actions.Mutates},
		Safety:   actions.Safety{Families: policy.Does()},
		Showing: actions.Showing{
			Refs:  trait.Refs{Stale: trait.Always, Why: "The page was stamped"},
			Brief: actions.OfResult(func(s stamped) string { return "Stamped: " + s.Title }),
			Next: actions.OfResult(func(s stamped) []actions.FollowUp {
				return []actions.FollowUp{{
					ID: "compare-stamp", Reason: "See whether the page kept it.",
					Line: []string{"get", "title"},
				}}
			}),
		},
		Bindings: actions.Bindings{
			Tools: []actions.AgentTool{{
				Name: "browser_stamp", Title: "Stamp", About: "Stamp the title of the page.",
				Params: []actions.Param{{Name: "text"}, {Name: "seal"}},
			}},
		},
		Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
			tab, err := run.Tab(ctx, c)
			if err != nil {
				return actions.Result{}, err
			}
			title, err := json.Marshal(c.String("text"))
			if err != nil {
				return actions.Result{}, err
			}
			if c.String("text") == "" {
				return actions.Result{}, fault.New(fault.Usage, "text: is empty; give the new title")
			}
			if _, err := tab.Page.Evaluate(ctx, "document.title = "+string(title)); err != nil {
				return actions.Result{}, err
			}
			return actions.Result{Data: stamped{c.String("text")}, Text: "✓ Stamped " + c.String("text")}, nil
		},
	}}
}

func TestMain(m *testing.M) {
	catalog.Add(stamp)
	os.Exit(m.Run())
}

// limit bounds each command, so that one that hangs is named.
const limit = 2 * time.Minute

const page = `data:text/html,<title>Before</title><button>Go</button>`

// manager is a host with the command.
func manager(t *testing.T) *session.Manager {
	t.Helper()
	m, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}

// host is how a command line asks such a host, with variables beside those of the machine.
func host(t *testing.T, variables map[string]string) func(args ...string) session.Reply {
	t.Helper()
	m, home := manager(t), t.TempDir()
	return func(args ...string) session.Reply {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return m.Do(ctx, session.Request{Args: args, Cwd: home, Getenv: func(name string) string {
			if value, is := variables[name]; is {
				return value
			}
			if name == "HOME" {
				return home
			}
			return os.Getenv(name)
		}})
	}
}

// Help, reference, manual, completion and corrections are made of the registry.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	r := catalog.Registry()
	for name, text := range map[string]string{
		"help of all": manual.Help(r, "skua", ""), "help": manual.Help(r, "skua", "stamp"),
		"reference": manual.Reference(r, "skua"), "manual": manual.Roff(r, "stamp", "1"),
	} {
		require.Contains(t, text, "stamp", name)
		require.Contains(t, text, "Stamp the page", name)
	}
	require.Contains(t, manual.Help(r, "skua", "stamp"), "--seal")
	require.NoError(t, r.CheckExamples())
	complete, err := json.Marshal(manual.Complete(r, []string{"stam"}))
	require.NoError(t, err)
	require.Contains(t, string(complete), "stamp")
	_, err = r.Parse([]string{"stmp", "x"}, actions.ParseOptions{})
	require.ErrorContains(t, err, "stmp")
	require.ErrorContains(t, err, "stamp", "a typing error is corrected")
}

// The command line, batch and journal run what the registry has.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	do := host(t, nil)
	require.NoError(t, do("open", page).Err)
	reply := do("stamp", "One", "--seal", "hunter2")
	require.NoError(t, reply.Err)
	require.Equal(t, stamped{"One"}, reply.Result.Data)
	require.Equal(t, "One", do("get", "title").Result.Text, "read in the page")
	reply = do("batch", "imprint Two", "get title")
	require.NoError(t, reply.Err)
	require.Contains(t, reply.Result.Text, "✓ Stamped Two")
	require.Equal(t, "Two", do("get", "title").Result.Text)

	reply = do("run", "--code", "return page.stamp('Three', {seal: 'hunter2'})")
	require.NoError(t, reply.Err)
	require.JSONEq(t, `{"title":"Three"}`, reply.Result.Text)
	require.Equal(t, "Three", do("get", "title").Result.Text, "a program has it as a method")

	journal, err := json.Marshal(do("journal").Result)
	require.NoError(t, err)
	require.Contains(t, string(journal), "stamp")
	require.NotContains(t, string(journal), "hunter2", "a secret flag is masked")
}

// Rules name it by its name, and hold for its other names.
func TestPolicy(t *testing.T) {
	t.Parallel()
	rules := filepath.Join(t.TempDir(), "policy.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"deny":["stamp"]}`), 0o600))
	denied := host(t, map[string]string{"SKUA_ACTION_POLICY": rules})
	require.NoError(t, denied("open", page).Err)
	require.ErrorContains(t, denied("imprint", "One").Err, "Action 'stamp' denied by policy")
	require.Equal(t, "Before", denied("get", "title").Result.Text)

	asks := host(t, map[string]string{"SKUA_CONFIRM_ACTIONS": "stamp"})
	require.NoError(t, asks("open", page).Err)
	require.True(t, asks("stamp", "One").Result.Held)
	require.Equal(t, "Before", asks("get", "title").Result.Text)
}
