package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/agents"
	"github.com/skua-browser/skua/internal/agents/setup"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/product"
)

// setupFlags are the flags of `mcp` that are about the client's configuration, and not for the server that the client
// starts.
var setupFlags = []string{"setup", "write", "remove", "project"}

// setupAnswer is the reply in JSON.
type setupAnswer struct {
	Success bool        `json:"success"`
	Data    clientSetup `json:"data"`
}

// clientSetup is its data.
type clientSetup struct {
	Client  string   `json:"client"`
	Path    string   `json:"path"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Entry   string   `json:"entry"`         // as it is in a file of the client's
	Was     string   `json:"was,omitempty"` // what is replaced or removed
	Changed bool     `json:"changed"`       // the file is not as it has to be, or was not before this call
	Written bool     `json:"written"`
}

// setUpClient shows or writes the configuration with which a client starts the server.
func setUpClient(out io.Writer, in *actions.Input, cwd string) error {
	if in.Has("http") || in.Has("token") {
		return fault.New(fault.Usage,
			"%s: clients start skua themselves and need no address; leave it out, or use --serve with the address of a "+
				"running service", in.Source("http")+in.Source("token"))
	}
	client, ok := agents.Find(in.String("setup"))
	if !ok {
		return in.Invalid("--setup: no such client")
	}
	args, err := serverArgs(in)
	if err != nil {
		return err
	}
	at := agents.Place{System: runtime.GOOS, Getenv: os.Getenv}
	if in.Bool("project") {
		at.Project = agents.ProjectRoot(cwd)
	}
	server := setup.Server{Name: product.Name, Command: ownCommand(in.Bool("project")), Args: args}
	change, err := setup.Plan(client, at, server, in.Bool("remove"))
	if err != nil {
		return fault.New(fault.File, "mcp --setup %s: %w", client.ID, err)
	}
	written := change.Changed && in.Bool("write")
	if written {
		if err := change.Write(); err != nil {
			return fault.New(fault.File, "%s: it cannot be written: %w", change.Path, err).About(change.Path)
		}
	}
	if in.Bool("json") {
		return json.NewEncoder(out).Encode(setupAnswer{Success: true, Data: clientSetup{
			client.ID, change.Path, server.Command, args, change.Entry, change.Was, change.Changed, written,
		}})
	}
	_, err = fmt.Fprintln(out, setupText(in, change, written))
	return err
}

// serverArgs are the words behind the program's name: `mcp` and the flags of this command line that are for the server.
// Paths are made absolute, since clients start it in folders of their own.
func serverArgs(in *actions.Input) ([]string, error) {
	args := []string{in.Command().Name}
	flags := in.Command().Flags
	for _, g := range actions.Globals() {
		if g.Rule || slices.Contains([]string{"config", "debug", "max-output"}, g.Name) {
			flags = append(slices.Clip(flags), g)
		}
	}
	for _, f := range flags {
		if !in.Flagged(f.Name) || slices.Contains(setupFlags, f.Name) {
			continue
		}
		if f.Kind == actions.Bool {
			if in.Bool(f.Name) {
				args = append(args, "--"+f.Name)
			}
			continue
		}
		for _, value := range in.Strings(f.Name) {
			if f.Kind == actions.Path || f.Value == "folder" {
				var err error
				if value, err = absolute(value); err != nil {
					return nil, err
				}
			}
			args = append(args, "--"+f.Name, value)
		}
	}
	return args, nil
}

// ownCommand is how others start this program. The files of a project are for several machines, so that they name it by
// its name alone; on this machine the whole path finds it also for programs that a desktop starts, which often have
// another PATH.
func ownCommand(shared bool) string {
	name := product.Name
	own, err := os.Executable()
	if shared || err != nil {
		return name
	}
	beside := filepath.Join(filepath.Dir(own), name+filepath.Ext(own))
	if found, err := exec.LookPath(name); err == nil && sameFile(found, beside) {
		if found, err = filepath.Abs(found); err == nil {
			return found // maybe a link, which stays when the version changes
		}
	}
	if _, err := os.Stat(beside); err != nil {
		return name
	}
	return beside
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// setupText tells people what changes, or has changed.
func setupText(in *actions.Input, c *setup.Change, written bool) string {
	remove, again := in.Bool("remove"), "To write it, add --write."
	var lines []string
	switch {
	case remove && !c.Had:
		return "✓ " + c.Program.Name + " does not start skua: it is not in " + c.Path
	case !remove && !c.Changed:
		return "✓ " + c.Program.Name + " starts skua already: " + c.Path
	case remove && written:
		lines = append(lines, "✓ Removed skua from "+c.Path)
	case remove:
		lines, again = append(lines, "This is removed from "+c.Path+":", "", c.Was, ""), "To remove it, add --write."
	case written:
		lines = append(lines, "✓ "+c.Program.Name+" starts skua from now on: "+c.Path, "", c.Entry, "")
	case c.Exists:
		lines = append(lines, "This goes into "+c.Path+"; what else is there stays as it is:", "", c.Entry, "")
	default:
		lines = append(lines, "This goes into the new file "+c.Path+":", "", c.Entry, "")
	}
	if c.Was != "" && !remove && c.Was != c.Entry {
		lines = append(lines, "In place of:", "", c.Was, "")
	}
	switch {
	case written && remove:
		again = ""
	case written:
		again = c.Program.MCP.Then
	}
	return strings.TrimRight(strings.Join(append(lines, again), "\n"), "\n")
}
