package element

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// LocalFile is a file or folder of the caller to upload.
type LocalFile struct {
	Path   string
	Size   int64
	Folder bool
}

// LocalFiles checks all the files of the caller's, so that nothing is done when one of them is not there.
func LocalFiles(c *actions.Call, paths []string) ([]LocalFile, error) {
	var problems []string
	files := make([]LocalFile, 0, len(paths))
	for _, path := range paths {
		f, err := localFile(c, path)
		switch {
		case fault.Is(err, fault.PolicyBlocked):
			return nil, err
		case err != nil:
			problems = append(problems, fmt.Sprintf("%s: %v", f.Path, err))
		}
		files = append(files, f)
	}
	if len(problems) > 0 {
		return nil, fault.New(fault.File, "The files cannot be uploaded: %s.", strings.Join(problems, "; ")).With("paths", paths).
			WithHint("Nothing was uploaded. Relative paths are looked for in %s.", c.Cwd)
	}
	return files, nil
}

func localFile(c *actions.Call, path string) (LocalFile, error) {
	f := LocalFile{Path: c.Path(path)}
	if path == "" {
		return f, errors.New("the path is empty")
	}
	real, err := c.ReadablePath(path)
	if err != nil {
		return f, err
	}
	f.Path = real
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, errors.New("no such file")
	case err != nil:
		return f, unwrapPath(err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return f, errors.New("it is not a regular file")
	}
	f.Size, f.Folder = info.Size(), info.IsDir()
	opened, err := os.Open(f.Path)
	if err != nil {
		return f, unwrapPath(err)
	}
	return f, opened.Close()
}

// unwrapPath takes the path off an error, which the message has already.
func unwrapPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
