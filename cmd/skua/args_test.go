package main

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/catalog"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/agents"
)

func TestScan(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		args []string
		want cmdline
	}{
		{"nothing", nil, cmdline{}},
		{"a command", []string{"click", "@e1"}, cmdline{}},
		{"namespace", []string{"--namespace", "n", "click"}, cmdline{namespace: "n", hasNamespace: true}},
		{"namespace after =", []string{"click", "--namespace=n"}, cmdline{namespace: "n", hasNamespace: true}},
		{"the last one counts", []string{"--namespace=a", "--namespace", "b"}, cmdline{namespace: "b", hasNamespace: true}},
		{"no value", []string{"click", "--namespace"}, cmdline{}},
		{"an empty value is the host's to refuse", []string{"--namespace="}, cmdline{}},
		{"not after --", []string{"fill", "--", "--namespace", "--json", "--stdin"}, cmdline{}},
		{"not as a value", []string{"--session", "--json", "click"}, cmdline{}},
		{"json", []string{"--json", "get", "url"}, cmdline{json: true}},
		{"json with its value", []string{"--json", "true", "batch", "--json=true"}, cmdline{json: true, stdin: true}},
		{"no json", []string{"batch", "--json", "false"}, cmdline{stdin: true}},
		{"true as an argument", []string{"batch", "true"}, cmdline{}},
		{"stdin", []string{"eval", "--stdin"}, cmdline{stdin: true}},
		{"password", []string{"auth", "save", "x", "--password-stdin"}, cmdline{stdin: true}},
		{"batch", []string{"batch"}, cmdline{stdin: true}},
		{"batch with flags", []string{"--session", "s", "--json", "batch", "--bail"}, cmdline{stdin: true, json: true}},
		{"batch with a flag that has a value", []string{"batch", "--session", "s"}, cmdline{stdin: true}},
		{"batch with a value after =", []string{"--session=s", "batch"}, cmdline{stdin: true}},
		{"chat", []string{"chat"}, cmdline{stdin: true, model: true}},
		{"chat with a model", []string{"--model", "m", "-q", "chat"}, cmdline{stdin: true, model: true}},
		{"chat with a message", []string{"chat", "hello"}, cmdline{model: true}},
		{"chat as an argument", []string{"fill", "@e1", "chat"}, cmdline{}},
		{"a task", []string{"task", "run", "buy milk"}, cmdline{model: true}},
		{"batch with commands", []string{"batch", "get url"}, cmdline{}},
		{"batch with commands after --", []string{"batch", "--", "get url"}, cmdline{}},
		{"batch as an argument", []string{"fill", "@e1", "batch"}, cmdline{}},
		{"batch as a session", []string{"--session", "batch", "snapshot"}, cmdline{}},
		{"help of batch", []string{"batch", "--help"}, cmdline{}},
		{"help of chat", []string{"chat", "-h"}, cmdline{model: true}},
		{"help before the command", []string{"--help", "batch"}, cmdline{}},
		{"help of what reads", []string{"eval", "--stdin", "--help"}, cmdline{}},
		{"no help but a value", []string{"--session", "--help", "batch"}, cmdline{stdin: true}},
		{"a program of the caller's", []string{"run"}, cmdline{stdin: true}},
		{"a program that may be in a file", []string{"--json", "run", "rows.js"}, cmdline{stdin: true, json: true}},
		{"help of run", []string{"run", "--help"}, cmdline{}},
		{"run as an argument", []string{"fill", "@e1", "run"}, cmdline{}},
		{"a flag of other commands before the batch", []string{"--screenshot-dir", "shots", "batch"}, cmdline{stdin: true}},
		{"a lone dash is a word", []string{"batch", "-"}, cmdline{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, scan(tc.args))
		})
	}
}

// The client knows of the registry what it needs to find the command and its input, and no more. A failure here means
// that flags.go has to be generated again: go generate ./cmd/skua
func TestScanAgreesWithTheRegistry(t *testing.T) {
	t.Parallel()
	for _, f := range actions.Globals() {
		require.Equal(t, f.Kind != actions.Bool, takesValue("--"+f.Name), f.Name)
		if f.Short != "" {
			require.Equal(t, f.Kind != actions.Bool, takesValue("-"+f.Short), f.Short)
		}
	}
	readers := 0
	for _, c := range catalog.Commands() {
		require.Equal(t, c.Program, startsProgram(strings.Fields(c.Name)), c.Name)
		if c.Stdin == nil {
			continue
		}
		readers++
		args := strings.Fields(c.Name)
		for _, f := range c.Flags {
			if f.Name == "stdin" || f.Name == "password-stdin" {
				args = append(args, "--"+f.Name)
			}
			require.True(t, c.Name != "batch" || f.Kind == actions.Bool || takesValue("--"+f.Name), f.Name)
		}
		require.True(t, scan(args).stdin, c.Name)
	}
	require.NotZero(t, readers)
}

func TestQuote(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a\"b\\c\u000a ü �"`, string(quote("a\"b\\c\n ü \xff")))
}

func TestBaseName(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"skua": "skua", "/a/b/agent-browser": "agent-browser", "": "", "a/": ""} {
		require.Equal(t, want, baseName(path))
	}
}

func TestGranted(t *testing.T) {
	t.Parallel()
	args := []string{
		"task", "run", "log in", "--grant", "password=env:SHOP_PW",
		"--grant=pin=env:PIN@https://bank.example",
	}
	for entry, want := range map[string]bool{
		"SHOP_PW=x": true, "PIN=1": true, "SHOP=x": false, "SHOP_PW2=x": false, "P=x": false, "=x": false, "": false,
		"PATH=/bin": false,
	} {
		require.Equal(t, want, granted(args, entry), entry)
	}
}

// What moves the folders of other programs decides where their guides are written to.
func TestForwardsWhereOtherProgramsLook(t *testing.T) {
	t.Parallel()
	for _, p := range agents.WithGuides() {
		if name := p.Guides.User.Variable; name != "" && !isForwarded(name+"=/x") {
			t.Errorf("%s, which moves the guides of %s, is not sent to the host", name, p.Name)
		}
	}
}
