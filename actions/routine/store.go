package routine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/sandbox"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/internal/wording"
)

// ending is that of the files of kept programs.
const ending = ".js"

// source returns the program that is to run.
func source(ctx context.Context, c *actions.Call) (string, error) {
	where := c.String("program")
	var code []byte
	switch {
	case c.Has("code") && c.Has("program"):
		return "", c.Invalid("--code: is the program itself; leave out the other one.")
	case c.Has("code"):
		code = []byte(c.String("code"))
	case readsStdin(c.Input):
		code = c.Stdin
	case isName(where):
		path, err := fileOf(c, where)
		if err != nil {
			return "", err
		}
		if code, err = userfile.Read(ctx, path, sandbox.SourceBytes); err != nil {
			return "", notKept(c, where, err)
		}
	default:
		var err error
		if code, err = files.Read(ctx, c, where, sandbox.SourceBytes); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(string(code)) == "" {
		return "", grammar.UsageError(grammar.MissingArguments, "run", "The program is empty",
			"Usage: "+c.Program()+" run <file>, "+c.Program()+" run -c <js>, or the program on standard input")
	}
	return string(code), nil
}

// isName reports whether a word is the name of a kept program and not a file.
func isName(word string) bool {
	for _, r := range word {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return word != "" && word != "-" && len(word) <= 100
}

// checkName refuses a name that a program cannot be called by.
func checkName(c *actions.Call, name string) error {
	if !isName(name) {
		return fault.New(fault.Usage, "program name %q: only letters, digits, - and _ are allowed, 100 at most", name).
			About(name)
	}
	if cmd, _ := c.Registry().Lookup("run " + name); cmd != nil && cmd.Name != "run" {
		return fault.New(fault.Usage, "program name %q: `run %s` is a command; use another name", name, name).About(name)
	}
	return nil
}

func folder(c *actions.Call) (string, error) {
	dir, err := home.Subdir(c.Getenv, c.String("namespace"), "routines")
	if err != nil {
		return "", fault.New(fault.File, "the folder for programs is unknown: %w", err)
	}
	return dir, nil
}

func fileOf(c *actions.Call, name string) (string, error) {
	dir, err := folder(c)
	return filepath.Join(dir, name+ending), err
}

func notKept(c *actions.Call, name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.File, "The program %s cannot be read: %w", name, err).About(name)
	}
	return fault.New(fault.File, "No program is kept as %s.", name).About(name).
		WithHint("`%s run list` names them; write ./%s for a file.", c.Program(), name)
}

// keep puts a program into the folder, in place of one that has the name.
func keep(c *actions.Call, name, code string) error {
	dir, err := folder(c)
	if err != nil {
		return err
	}
	if err = home.Make(dir); err == nil {
		err = atomicfile.Write(filepath.Join(dir, name+ending), []byte(code))
	}
	if err != nil {
		return fault.New(fault.File, "The program ran, but cannot be kept as %s: %w", name, err).About(name)
	}
	return nil
}

func list(ctx context.Context, c *actions.Call) (actions.Result, error) {
	dir, err := folder(c)
	if err != nil {
		return actions.Result{}, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return actions.Result{}, fault.New(fault.File, "The folder of programs cannot be read: %w", err).About(dir)
	}
	data := ListResult{Programs: []Kept{}, Folder: dir}
	var lines []string
	for _, e := range entries {
		name, is := strings.CutSuffix(e.Name(), ending)
		info, err := e.Info()
		if !is || !isName(name) || err != nil {
			continue
		}
		k := Kept{
			Name:     name,
			Bytes:    info.Size(),
			Modified: info.ModTime().Unix(),
			About:    firstComment(ctx, filepath.Join(dir, e.Name())),
		}
		data.Programs = append(data.Programs, k)
		line := name + "  " + strconv.FormatInt(k.Bytes, 10) + " bytes, " + info.ModTime().Format(time.DateTime)
		if k.About != "" {
			line += "  " + k.About
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"No programs are kept"}
	}
	slices.Sort(lines)
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// firstComment is what the first line of a program says, if it is a comment.
func firstComment(ctx context.Context, path string) string {
	code, err := userfile.Read(ctx, path, sandbox.SourceBytes)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(code), "\n")
	text, is := strings.CutPrefix(strings.TrimSpace(first), "//")
	if !is {
		return ""
	}
	return wording.Clip(wording.OneLine(strings.TrimSpace(text)), 100)
}

func show(ctx context.Context, c *actions.Call) (actions.Result, error) {
	name := c.String("name")
	if err := checkName(c, name); err != nil {
		return actions.Result{}, err
	}
	path, err := fileOf(c, name)
	if err != nil {
		return actions.Result{}, err
	}
	code, err := userfile.Read(ctx, path, sandbox.SourceBytes)
	if err != nil {
		return actions.Result{}, notKept(c, name, err)
	}
	return actions.Result{
		Data: ShownResult{Name: name, Code: string(code)},
		Text: strings.TrimSuffix(string(code), "\n"),
	}, nil
}

func remove(_ context.Context, c *actions.Call) (actions.Result, error) {
	name := c.String("name")
	if err := checkName(c, name); err != nil {
		return actions.Result{}, err
	}
	path, err := fileOf(c, name)
	if err != nil {
		return actions.Result{}, err
	}
	if err := os.Remove(path); err != nil {
		return actions.Result{}, notKept(c, name, err)
	}
	return actions.Result{Data: RemovedResult{Removed: name}, Text: "✓ Removed " + name}, nil
}
