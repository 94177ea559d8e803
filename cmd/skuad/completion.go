package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/grammar"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/internal/visible"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/wire"
)

//go:embed shells
var shells embed.FS

// printScript writes the script for a shell.
func printScript(out io.Writer, shell string) error {
	text, err := shells.ReadFile("shells/" + shell)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// valuesLimit is how long completion waits for a host.
const valuesLimit = 500 * time.Millisecond

// completeWords prints the completions.
func completeWords(ctx context.Context, out io.Writer, registry *actions.Registry, in *actions.Input) error {
	words, typed := in.Strings("words"), ""
	if in.Has("line") {
		words = wordsOfLine(in.String("line"))
	}
	if len(words) > 0 {
		typed = words[len(words)-1]
	}
	c := manual.Complete(registry, words)
	if c.Live != "" {
		for _, v := range liveValues(ctx, in, c.Globals) {
			if v.Kind == c.Live {
				c.Add(v.Value, v.About, typed)
			}
		}
	}
	// The shell replaces its own current word by a candidate; what it split off before stays.
	kept := ""
	if in.Has("typed") {
		kept, _ = strings.CutSuffix(typed, in.String("typed"))
	}
	w := bufio.NewWriter(out)
	for _, candidate := range c.Candidates {
		fmt.Fprintf(w, "%s\t%s\n", strings.TrimPrefix(candidate.Word, kept), oneLine(candidate.Help))
	}
	if c.Files {
		fmt.Fprintln(w, ":files")
	}
	return w.Flush()
}

// wordsOfLine splits the typed part of a line, without the program's name. An open quote is closed at the end.
func wordsOfLine(line string) []string {
	for _, end := range []string{"", `"`, "'", " "} {
		words, err := grammar.SplitWords(line + end)
		if err != nil || len(words) == 0 {
			continue
		}
		if end == "" && (strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t")) && !strings.HasSuffix(line, `\ `) {
			words = append(words, "") // the next word is empty so far
		}
		return words[1:]
	}
	return nil
}

// oneLine makes page text fit on a line of candidates.
func oneLine(text string) string {
	return visible.Text(strings.Join(strings.Fields(text), " "))
}

// liveValues asks the host for values, if one is running.
func liveValues(ctx context.Context, in *actions.Input, globals []string) []admin.LiveValue {
	out, err := runOnHost(ctx, in, append(globals, "--json", "completion", "values"))
	var reply struct {
		Data struct {
			Values []admin.LiveValue `json:"values"`
		} `json:"data"`
	}
	if err != nil || json.Unmarshal(out, &reply) != nil {
		return nil
	}
	return reply.Data.Values
}

func printValues(ctx context.Context, out io.Writer, in *actions.Input) error {
	args := []string{"completion", "values"}
	if in.Bool("json") {
		args = append(args, "--json")
	}
	if in.Has("session") {
		args = append(args, "--session="+in.String("session"))
	}
	text, err := runOnHost(ctx, in, args)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// runOnHost runs a command line on a running host; without one it returns nothing.
func runOnHost(ctx context.Context, in *actions.Input, args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, valuesLimit)
	defer cancel()
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	namespace := in.String("namespace")
	for _, word := range args {
		if name, ok := strings.CutPrefix(word, "--namespace="); ok {
			namespace = name
		}
	}
	req := wire.Request{Name: "skua", Args: args, Cwd: cwd}
	for _, entry := range os.Environ() {
		for _, prefix := range []string{"HOME=", "USERPROFILE=", "XDG_", "SKUA_", "AGENT_BROWSER_"} {
			if strings.HasPrefix(entry, prefix) {
				req.Env = append(req.Env, entry)
			}
		}
	}
	run, err := daemon.RunOnHost(ctx, daemon.SocketDir(os.Environ()), namespace, req)
	return run.Out, err
}
