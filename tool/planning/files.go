package planning

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

// files makes sure, before anything runs, that the files of the call can be written: no file by two, none that a
// recording is going to write.
func (s *planner) files(context.Context) *contract.Refusal {
	s.Began = time.Now()
	planned, err := artifacts.Plan(&s.Words, s.Rows, s.Desk.Sessions.Cwd())
	if err != nil {
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	s.Plan.Files = planned
	for _, p := range planned {
		if s.Desk.Files.Reserved(p.Place) {
			return contract.Refuse(contract.ValidationError,
				p.Path+" is reserved by an active recording. Write to another file, or end the recording first: record stop.")
		}
	}
	inv := s.Invocation(0)
	inv.Args = s.Command
	if inv.Session == "" { // a command without a session
		inv.Session = s.Desk.Sessions.Managed().Name
	}
	s.Output = NewOutput(s.Line.Output, s.Desk.Sessions.Backend(), inv)
	if r := s.Output.Reserve(s.Desk.Files, planned); r != nil {
		return r
	}
	if !s.Can().WritesFiles {
		return s.prepareFolders()
	}
	return nil
}

// prepareFolders does for a backend what skua's own commands do by themselves: it makes the folders of its files, and
// writes the path of a screenshot so that it is not taken for a selector. Rows that are strings stay as they are.
func (s *planner) prepareFolders() *contract.Refusal {
	cwd := s.Desk.Sessions.Cwd()
	for _, p := range s.Plan.Files {
		dir := artifacts.Absolute(p.Path, cwd)
		if !p.Folder {
			dir = filepath.Dir(dir)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return contract.Refuse(contract.ValidationError, "The folder of "+p.Path+" cannot be made: "+err.Error())
		}
	}
	if s.Rows == nil {
		s.Command = plainPath(&s.Words, s.Command, cwd)
		return nil
	}
	if len(s.Words.Positionals) > 0 || len(s.Stdin) == 0 {
		return nil
	}
	lines, changed := make([][]string, len(s.Rows)), false
	for i := range s.Rows {
		row := &s.Rows[i]
		if writesImage(row) && row.Has("annotate") {
			return contract.Refuse(contract.ValidationError,
				"A step of a batch takes no --annotate; put --annotate in top-level args: {\"args\": [\"screenshot\", "+
					"\"--annotate\"]}.")
		}
		lines[i] = plainPath(row, row.Args, cwd)
		changed = changed || !slices.Equal(lines[i], row.Args)
	}
	if changed {
		if raw, err := json.Marshal(lines); err == nil {
			s.Stdin = raw
		}
	}
	return nil
}

func writesImage(line *argv.Words) bool {
	out := line.Writes()
	return out != nil && out.Kind == trait.Image
}

// plainPath writes the path of a screenshot in full.
func plainPath(line *argv.Words, args []string, cwd string) []string {
	if !writesImage(line) {
		return args
	}
	for _, o := range artifacts.OutputsOf(line, cwd) {
		for i := len(args) - 1; i >= 0; i-- {
			if args[i] == o.Path && !filepath.IsAbs(o.Path) {
				args = slices.Clone(args)
				args[i] = artifacts.Absolute(o.Path, cwd)
				return args
			}
		}
	}
	return args
}
