package actions

import (
	"errors"
	"mime"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/policy"
)

// artifact is a file that a command is to write: a picture, a recording, a report.
type artifact struct {
	what  string // "screenshot"
	path  string // absolute
	shown string // as the caller named it, else the path
}

// artifact decides where a file goes before anything is done for it: to the path that the caller named, else to a name of its own in dir. It
// fails when no file can be written there.
func (c *Call) artifact(what, named, dir, ext string) (*artifact, error) {
	a := &artifact{what: what, shown: named}
	if named == "" {
		path, err := c.writing(filepath.Join(dir, what+"-"+strconv.FormatInt(time.Now().UnixMilli(), 10)+ext))
		a.path, a.shown = path, path
		return a, err
	}
	a.path = c.path(named)
	place, err := c.savePlace(named)
	switch {
	case fault.Is(err, fault.PolicyBlocked):
		return nil, err
	case err != nil:
		return nil, a.failed(errors.Unwrap(err))
	case place.name == "":
		return nil, a.failed(errors.New("it is a folder"))
	}
	a.path = filepath.Join(place.dir, place.name)
	return a, nil
}

// artifactDir is the folder for files of a kind that the caller gave no path for.
func (c *Call) artifactDir(kind string) string {
	if dir := c.Session.Rules().Folder(policy.Writing); dir != "" {
		return dir
	}
	if home := c.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".skua", kind)
	}
	return filepath.Join(os.TempDir(), "skua-"+kind)
}

// save writes the file whole, and puts where it is, its size in bytes and its media type into the data of the reply.
func (a *artifact) save(content []byte, data map[string]any) error {
	if err := atomicfile.Write(a.path, content); err != nil {
		return a.failed(err)
	}
	return a.describe(data)
}

// create begins the file, for those who write it bit by bit. After its Commit, describe tells of it.
func (a *artifact) create() (*atomicfile.File, error) {
	f, err := atomicfile.Create(a.path)
	if err != nil {
		return nil, a.failed(err)
	}
	return f, nil
}

// describe looks at the file that was written.
func (a *artifact) describe(data map[string]any) error {
	info, err := os.Stat(a.path)
	if err != nil {
		return a.failed(err)
	}
	data["path"], data["size"] = a.path, info.Size()
	if kind := mediaType(a.path); kind != "" {
		data["type"] = kind
	}
	return nil
}

func (a *artifact) failed(err error) error {
	return fault.New(fault.File, "Failed to save %s to %s: %w", a.what, a.shown, err).About(a.path)
}

// mediaTypes are those that systems do not agree on, or do not know.
var mediaTypes = map[string]string{
	".webm": "video/webm", ".mp4": "video/mp4", ".webp": "image/webp", ".json": "application/json", ".har": "application/json",
	".heapsnapshot": "application/json", ".cpuprofile": "application/json", ".pdf": "application/pdf", ".md": "text/markdown",
}

func mediaType(path string) string {
	ext := filepath.Ext(path)
	if kind := mediaTypes[ext]; kind != "" {
		return kind
	}
	return mime.TypeByExtension(ext)
}
