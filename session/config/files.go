package config

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/home"
)

// trustVariable is the variable with which a person trusts the files of a project.
const trustVariable = "SKUA_TRUST_PROJECT_CONFIG"

// The files of a project, in the caller's folder and not above it: a parent folder may belong to another user, and
// changing the folder must not have surprising effects.
var (
	projectFiles = []string{"agent-browser.json", "skua.json"}
	trustedFile  = filepath.Join(".skua", "config.json") // read only in a trusted project, as the tool does
)

// caller is what decides which files are read.
type caller struct {
	cwd, home, base string // absolute; home and base may be empty
	chosen          string // absolute; empty means the default files are used
	chosenBy        string // the flag or variable
	ownerFile       string // the file of the variable if the command line names another one; absolute, may be empty
	trusted         bool
}

// callerOf returns the caller for a folder, an environment and a command line.
func callerOf(cwd string, getenv func(string) string, in *grammar.Parsed) caller {
	c := caller{cwd: cwd}
	if upstream, err := home.Upstream(getenv); err == nil {
		c.home = filepath.Dir(upstream)
	}
	if c.base = getenv("XDG_CONFIG_HOME"); !filepath.IsAbs(c.base) { // required by the XDG specification
		c.base = ""
		if c.home != "" {
			c.base = filepath.Join(c.home, ".config")
		}
	}
	if in.Has("config") {
		c.chosen, c.chosenBy = absolute(in.String("config"), c.cwd, c.home), in.Source("config")
		if path := actions.ConfigVariable(getenv); path != "" && strings.HasPrefix(c.chosenBy, "-") {
			c.ownerFile = absolute(path, c.cwd, c.home)
		}
		return c
	}
	switch strings.ToLower(getenv(trustVariable)) {
	case "1", "true", "yes":
		c.trusted = true
	}
	return c
}

// UserFile returns the file to which skua writes settings; empty if the caller has no folder for it.
func UserFile(getenv func(string) string) string {
	return callerOf("", getenv, &grammar.Parsed{}).userFile()
}

func (c caller) userFile() string {
	if c.base == "" {
		return ""
	}
	return filepath.Join(c.base, "skua", "config.json")
}

// files returns the files to read, in ascending order of precedence.
func (c caller) files() []grammar.ConfigFile {
	files := make([]grammar.ConfigFile, 0, 5)
	role := grammar.UserFile
	if c.chosen != "" {
		role = grammar.OwnerFile
	}
	user := func(path string) {
		if path != c.chosen && path != c.ownerFile {
			files = append(files, grammar.ConfigFile{Path: path, Role: role, Trusted: true})
		}
	}
	project := func(name string) {
		files = append(files, grammar.ConfigFile{
			Path:    filepath.Join(c.cwd, name),
			Role:    grammar.ProjectFile,
			Trusted: c.trusted,
		})
	}
	if c.home != "" {
		user(filepath.Join(c.home, ".agent-browser", "config.json"))
	}
	if own := c.userFile(); own != "" {
		user(own)
	}
	if c.ownerFile != "" && c.ownerFile != c.chosen {
		files = append(files, grammar.ConfigFile{Path: c.ownerFile, Role: grammar.OwnerFile, Trusted: true})
	}
	if c.chosen != "" {
		return append(files, grammar.ConfigFile{Path: c.chosen, Role: grammar.ChosenFile, Trusted: true})
	}
	if c.cwd == "" {
		return files
	}
	for _, name := range projectFiles {
		project(name)
	}
	if c.trusted {
		project(trustedFile)
	}
	return files
}

// shown returns a path for messages: relative to the caller's folder or home.
func (c caller) shown(path string) string {
	within := func(dir, sign string) (string, bool) {
		if dir == "" || dir == string(filepath.Separator) {
			return "", false
		}
		rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator))
		return sign + string(filepath.Separator) + rest, ok
	}
	if s, ok := within(c.cwd, "."); ok {
		return s
	}
	if s, ok := within(c.home, "~"); ok {
		return s
	}
	return path
}

// absolute returns the absolute form of a path, which may start with ~.
func absolute(path, cwd, home string) string {
	path = expand(path, home)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

// expand replaces ~ by the home folder, as no shell does in a file.
func expand(path, home string) string {
	if home == "" {
		return path
	}
	if path == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return path
}

// stamp identifies a version of a file.
type stamp struct {
	found    bool
	size     int64
	modified int64 // Unix nanoseconds
	problem  string
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err) || isNotDir(err):
		return stamp{}
	case err != nil:
		return stamp{found: true, problem: reason(err)}
	case !info.Mode().IsRegular():
		return stamp{found: true, problem: "it is not a regular file"}
	}
	return stamp{found: true, size: info.Size(), modified: info.ModTime().UnixNano()}
}
