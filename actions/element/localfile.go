package element

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// LocalFile is a file or folder of the caller to upload.
type LocalFile struct {
	Path   string
	Size   int64
	Folder bool
}

// LocalFiles checks all files of the caller first, so that a missing one stops the command before it does anything.
func LocalFiles(ctx context.Context, c *actions.Call, paths []string) ([]LocalFile, error) {
	var problems []string
	files := make([]LocalFile, 0, len(paths))
	for _, path := range paths {
		f, err := localFile(ctx, c, path)
		switch {
		case fault.Is(err, fault.PolicyBlocked):
			return nil, err
		case err != nil:
			problems = append(problems, fmt.Sprintf("%s: %v", f.Path, err))
		}
		files = append(files, f)
	}
	if len(problems) > 0 {
		return nil, fault.New(fault.File, "The files cannot be uploaded: %s.", strings.Join(problems, "; ")).With("paths",
			paths).
			WithHint("Nothing was uploaded. Relative paths are looked for in %s.", c.Cwd)
	}
	return files, nil
}

func localFile(ctx context.Context, c *actions.Call, path string) (LocalFile, error) {
	f := LocalFile{Path: c.Path(path)}
	if path == "" {
		return f, errors.New("the path is empty")
	}
	real, err := files.Readable(c, path)
	if err != nil {
		return f, err
	}
	f.Path = real
	info, err := userfile.Stat(ctx, f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, errors.New("no such file")
	case err != nil:
		return f, err
	}
	f.Size, f.Folder = info.Size(), info.IsDir()
	if f.Folder {
		return f, readableFolder(f.Path)
	}
	opened, err := userfile.Open(ctx, f.Path)
	if err != nil {
		return f, err
	}
	return f, opened.Close()
}

func readableFolder(path string) error {
	opened, err := os.Open(path)
	if err != nil {
		return unwrapPath(err)
	}
	return opened.Close()
}

// unwrapPath takes the path off an error, which the message has already.
func unwrapPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
