package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/agents"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/configedit"
	"github.com/skua-browser/skua/internal/userfile"
)

// Server is the server as the program is to start it.
type Server struct {
	Name    string
	Command string
	Args    []string
}

// Change is what a program's configuration is to become.
type Change struct {
	Program agents.Program
	Path    string // of the file
	Exists  bool   // the file is there
	Had     bool   // it has the server already, maybe started otherwise
	Changed bool   // it has to be written
	Entry   string // the server alone, as it is in a file of this format
	// the same of the entry that is replaced or removed: what this package would write of it, or empty
	Was string

	project string // the folder around the file that no link leads out of; empty means that the file is the user's own
	after   []byte
	gone    bool // nothing is left in the file
}

// ErrNoProject says that a program has no file for one project.
var ErrNoProject = errors.New("it has no configuration for one project")

// file opens the folder in which the file is, of a project or of the user's own, and returns the file's path in it.
func (c *Change) file() (root *os.Root, name string, err error) {
	if c.project != "" {
		name, err = filepath.Rel(c.project, c.Path)
		if err == nil {
			root, err = os.OpenRoot(c.project)
		}
		return root, name, err
	}
	// Links of the user's own lead where they lead; a file behind one is replaced where it is.
	target := c.Path
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	dir := filepath.Dir(target)
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	if name, err = filepath.Rel(dir, target); err == nil {
		root, err = os.OpenRoot(dir)
	}
	return root, name, err
}

// Plan reads a program's configuration and returns the change that adds the server, or with remove takes it away.
func Plan(p agents.Program, at agents.Place, s Server, remove bool) (*Change, error) {
	c := &Change{Program: p, Path: p.MCP.User.Resolve(at), project: at.Project}
	if at.Project != "" {
		c.Path = p.MCP.Project.Resolve(at)
		if c.Path == "" {
			return nil, fmt.Errorf("%s: %w", p.Name, ErrNoProject)
		}
	}
	if c.Path == "" {
		return nil, fmt.Errorf("%s: its configuration is in the home folder, and no home folder is known; set HOME", p.Name)
	}
	text, err := c.read()
	if err != nil {
		return nil, err
	}
	format := configedit.Format(p.MCP.Format)
	path := []string{p.MCP.Key, s.Name}
	members := membersOf(p.MCP.Entry(s.Command, s.Args))
	alone, err := configedit.Set(format, nil, path, members)
	if err != nil {
		return nil, err
	}
	c.Entry = strings.TrimRight(string(alone), "\n")
	if c.Had, err = configedit.Has(format, text, path); err != nil {
		return nil, fmt.Errorf("%s: it is not %s that can be read: %w; correct it first", c.Path,
			strings.ToUpper(string(format)), err)
	}
	if c.Had {
		c.Was = was(format, text, path, members)
	}
	if remove {
		c.after, err = configedit.Remove(format, text, path)
		c.gone = c.Had && configedit.Empty(format, c.after)
	} else {
		c.after, err = configedit.Set(format, text, path, members)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; change it by hand:\n%s", c.Path, err, c.Entry)
	}
	c.Changed = string(c.after) != string(text)
	return c, nil
}

// maxSettings is the largest settings file of a client.
const maxSettings = 64 << 20

func (c *Change) read() ([]byte, error) {
	root, name, err := c.file()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := userfile.ReadIn(context.Background(), root, name, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c.Exists = err == nil
	return text, err
}

// was is the entry that is there, as far as its members are among those that are written: others may be secrets of the
// user's.
func was(format configedit.Format, text []byte, path []string, members []configedit.Member) string {
	there, err := configedit.Members(format, text, path)
	if err != nil {
		return ""
	}
	var known []configedit.Member
	for _, m := range members {
		if v, ok := there[m.Key]; ok {
			known = append(known, configedit.Member{Key: m.Key, Value: v})
		}
	}
	alone, err := configedit.Set(format, nil, path, known)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(alone), "\n")
}

func membersOf(entry agents.Members) []configedit.Member {
	all := make([]configedit.Member, len(entry))
	for i, m := range entry {
		all[i] = configedit.Member{Key: m.Key, Value: m.Value}
	}
	return all
}

// Write puts the change into effect. A file in which nothing is left is removed.
func (c *Change) Write() error {
	if !c.Changed {
		return nil
	}
	root, name, err := c.file()
	if err != nil {
		return err
	}
	defer root.Close()
	if c.gone {
		return root.Remove(name)
	}
	mode := fs.FileMode(0o600)
	if c.project != "" {
		mode = 0o644 // files of a project are for all who work in it
	}
	if info, err := root.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := atomicfile.CreateIn(root, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(c.after); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	_, err = f.Commit()
	return err
}
