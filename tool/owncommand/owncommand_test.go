package owncommand_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session"
)

// stamped is the typed result of the command.
type stamped struct {
	Title string `json:"title"`
}

// stamp is the one definition: a command that sets the page's title, with a secret, that makes refs stale.
func stamp() []actions.Command {
	return []actions.Command{{
		Name: "stamp", Aliases: []string{"imprint"}, Group: actions.GroupActions, Summary: "Stamp the page's title with a text",
		Help:   "The title is replaced whole.",
		Args:   []actions.Arg{{Name: "text", Kind: actions.Text, Help: "The new title"}},
		Flags:  []actions.Flag{{Name: "seal", Value: "secret", Secret: true, Help: "What the stamp is sealed with"}},
		Effect: actions.Mutates, Refs: trait.Refs{Stale: trait.Always, Why: "The page was stamped"},
		Examples: []actions.Example{{Line: "stamp Hello"}},
		Policy:   actions.Policy{Families: policy.Does()},
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

// host is a host with the command, and how it is asked.
func host(t *testing.T) func(args ...string) session.Reply {
	t.Helper()
	m, err := session.New(session.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(context.Background()) })
	home := t.TempDir()
	return func(args ...string) session.Reply {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return m.Do(ctx, session.Request{Args: args, Cwd: home, Getenv: func(name string) string {
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
		"help of all": r.Help("skua", ""), "help": r.Help("skua", "stamp"), "reference": r.Reference("skua"), "manual": r.Manual("stamp", "1"),
	} {
		require.Contains(t, text, "stamp", name)
		require.Contains(t, text, "Stamp the page", name)
	}
	require.Contains(t, r.Help("skua", "stamp"), "--seal")
	require.NoError(t, r.CheckExamples())
	complete, err := json.Marshal(r.Complete([]string{"stam"}))
	require.NoError(t, err)
	require.Contains(t, string(complete), "stamp")
	_, err = r.Parse([]string{"stmp", "x"}, actions.ParseOptions{})
	require.ErrorContains(t, err, "stmp")
	require.ErrorContains(t, err, "stamp", "a typing error is corrected")
}

// The command line, batch and journal run what the registry has.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	do := host(t)
	require.NoError(t, do("open", page).Err)
	reply := do("stamp", "One", "--seal", "hunter2")
	require.NoError(t, reply.Err)
	require.Equal(t, stamped{"One"}, reply.Result.Data)
	require.Equal(t, "One", do("get", "title").Result.Text, "read in the page")
	reply = do("batch", "imprint Two", "get title")
	require.NoError(t, reply.Err)
	require.Contains(t, reply.Result.Text, "✓ Stamped Two")
	require.Equal(t, "Two", do("get", "title").Result.Text)

	journal, err := json.Marshal(do("journal").Result)
	require.NoError(t, err)
	require.Contains(t, string(journal), "stamp")
	require.NotContains(t, string(journal), "hunter2", "a secret flag is masked")
}
