package tool

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// files are those that the call writes.
type files struct {
	began   time.Time
	planned []artifacts.Planned
}

// reserve makes sure, before anything runs, that the files of the call can be written: no file by two, none that a recording is going to write.
func (c *call) reserve(context.Context) *contract.Refusal {
	c.files.began = time.Now()
	cwd, rows := c.tool.options.Cwd, c.plan.rows
	planned, err := artifacts.Plan(&c.words, rows, cwd)
	if err != nil {
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	c.files.planned = planned
	for _, p := range planned {
		if c.tool.files.Reserved(p.Place) {
			return contract.Refuse(contract.ValidationError, p.Path+" is reserved by an active recording. Write to another file, or end the recording first: record stop.")
		}
	}
	if r := c.reserveOutput(); r != nil {
		return r
	}
	if !c.backend.Can().WritesFiles {
		return c.prepareFolders()
	}
	return nil
}

// reserveOutput makes sure that outputPath is not a file that the call or a recording writes.
func (c *call) reserveOutput() *contract.Refusal {
	if c.params.OutputPath == nil {
		return nil
	}
	path, absolute := c.outputPath()
	place := artifacts.PlaceOf(absolute)
	for _, p := range c.files.planned {
		if p.Place.Same(place) {
			return contract.Refuse(contract.ValidationError, "outputPath "+path+" is the same destination as artifact path "+p.Path+"; the result would overwrite the file. Give it another one.")
		}
	}
	if c.tool.files.Reserved(place) {
		return contract.Refuse(contract.ValidationError, "outputPath "+path+" is reserved by an active recording. Give another path, or end the recording first: record stop.")
	}
	if _, err := c.outputPlace(absolute); err != nil {
		return contract.Refuse(contract.PolicyBlocked, "policy-blocked: outputPath "+path+": "+err.Error())
	}
	return nil
}

// outputPlace asks the owner's rules about outputPath.
func (c *call) outputPlace(absolute string) (policy.Destination, error) {
	env, name := c.tool.options.Env, c.plan.key.Name
	if c.sessions != nil { // a script has a session of its own
		if c.sessions.Env() != nil {
			env = c.sessions.Env()
		}
		if name == "" { // a command without a session
			name = c.sessions.Managed().Name
		}
	}
	return c.backend.Place(backend.Invocation{
		Args: c.plan.effective, Cwd: c.tool.options.Cwd, Env: env, Session: name, Namespace: c.plan.key.Namespace,
	}, artifacts.PlaceOf(absolute).Path())
}

// outputPath is where the result is to go, as the caller named it and in full.
func (c *call) outputPath() (path, absolute string) {
	path = strings.TrimPrefix(*c.params.OutputPath, "@")
	return path, artifacts.Absolute(path, c.tool.options.Cwd)
}

// prepareFolders does for agent-browser what skua's own commands do by themselves: it makes the folders of its files, and writes the path of
// a screenshot so that it is not taken for a selector. Rows that are strings stay as they are.
func (c *call) prepareFolders() *contract.Refusal {
	cwd := c.tool.options.Cwd
	for _, p := range c.files.planned {
		dir := artifacts.Absolute(p.Path, cwd)
		if !p.Folder {
			dir = filepath.Dir(dir)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return contract.Refuse(contract.ValidationError, "The folder of "+p.Path+" cannot be made: "+err.Error())
		}
	}
	if c.plan.rows == nil {
		c.plan.effective = c.plainPath(&c.words, c.plan.effective)
		return nil
	}
	if len(c.words.Positionals) > 0 || len(c.stdin) == 0 {
		return nil
	}
	lines, changed := make([][]string, len(c.plan.rows)), false
	for i := range c.plan.rows {
		row := &c.plan.rows[i]
		if row.Does(trait.Photographs) && row.Has("annotate") {
			return contract.Refuse(contract.ValidationError, "A step of a batch takes no --annotate; put --annotate in top-level args: {\"args\": [\"screenshot\", \"--annotate\"]}.")
		}
		lines[i] = c.plainPath(row, row.Args)
		changed = changed || !slices.Equal(lines[i], row.Args)
	}
	if changed {
		if raw, err := json.Marshal(lines); err == nil {
			c.stdin = raw
		}
	}
	return nil
}

// plainPath writes the path of a screenshot in full.
func (c *call) plainPath(line *argv.Words, args []string) []string {
	if !line.Does(trait.Photographs) {
		return args
	}
	for _, o := range artifacts.OutputsOf(line, c.tool.options.Cwd) {
		for i := len(args) - 1; i >= 0; i-- {
			if args[i] == o.Path && !filepath.IsAbs(o.Path) {
				args = slices.Clone(args)
				args[i] = artifacts.Absolute(o.Path, c.tool.options.Cwd)
				return args
			}
		}
	}
	return args
}
