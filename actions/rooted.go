package actions

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/state"
)

// Every file of the caller's that a command reads for a page or the session, or writes, gets its path from these two: they ask the owner's
// rules. What they return is what has to be opened.

// ReadablePath returns the path of a file of the caller's that is to be read.
func (c *Call) ReadablePath(p string) (string, error) {
	return c.Session.Rules().File(c.Input, policy.Reading, c.Path(p))
}

// WritablePath returns the path of a file that is to be written for the caller.
func (c *Call) WritablePath(p string) (string, error) {
	return c.Session.Rules().File(c.Input, policy.Writing, c.Path(p))
}

// stateFile asks the rules about the file of a state. One that is kept in the store was named without a path, and is not the caller's.
func (c *Call) stateFile(store *state.Store, use policy.Use, path string) (string, error) {
	if filepath.Dir(path) == store.Dir() || use == policy.Reading && state.IsName(c.String("path")) && store.Keeps(path) {
		return path, nil
	}
	return c.Session.Rules().File(c.Input, use, path)
}

// FileContent reads a file of the caller's.
func (c *Call) FileContent(named string, most int64) ([]byte, error) {
	file, err := c.ReadablePath(named)
	if err != nil {
		return nil, err
	}
	failed := func(why any) error {
		return fault.New(fault.File, "Failed to read %s: %v", named, why).About(file)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, failed(err)
	case info.IsDir():
		return nil, failed("it is a folder")
	case !info.Mode().IsRegular():
		return nil, failed("it is no regular file")
	case info.Size() > most:
		return nil, failed("it has " + strconv.FormatInt(info.Size(), 10) + " bytes, and the most is " + strconv.FormatInt(most, 10))
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, failed(err)
	}
	return content, nil
}
