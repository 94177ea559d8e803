package files

import (
	"errors"
	"mime"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
)

// Artifact is a file that a command is to write: a picture, a recording, a report.
type Artifact struct {
	what  string // "screenshot"
	Path  string // absolute
	Shown string // as the caller named it, else the path
}

// NewArtifact decides where a file goes before anything is done for it: to the path that the caller named, else to a
// name of its own in dir. It fails when no file can be written there.
func NewArtifact(c *actions.Call, what, named, dir, ext string) (*Artifact, error) {
	a := &Artifact{what: what, Shown: named}
	if named == "" {
		path, err := Writable(c, filepath.Join(dir, what+"-"+strconv.FormatInt(time.Now().UnixMilli(), 10)+ext))
		a.Path, a.Shown = path, path
		if err == nil && home.IsArtifacts(c.Getenv, dir) { // one of skua's own is private
			if err = home.Make(dir); err != nil {
				err = a.Failed(err)
			}
		}
		return a, err
	}
	a.Path = c.Path(named)
	place, err := NewPlace(c, named)
	switch {
	case fault.Is(err, fault.PolicyBlocked):
		return nil, err
	case err != nil:
		return nil, a.Failed(errors.Unwrap(err))
	case place.name == "":
		return nil, a.Failed(errors.New("it is a folder"))
	}
	a.Path = filepath.Join(place.dir, place.name)
	return a, nil
}

// ArtifactDir is the folder for files of a kind that the caller gave no path for.
func ArtifactDir(c *actions.Call, kind home.ArtifactKind) string {
	if dir := c.Rules.Folder(policy.Writing); dir != "" {
		return dir
	}
	return home.Artifacts(c.Getenv, kind)
}

// Save writes the whole file and returns where it is.
func (a *Artifact) Save(content []byte) (SavedFile, error) {
	if err := a.Write(content); err != nil {
		return SavedFile{}, err
	}
	return a.Saved()
}

// Write writes the file whole.
func (a *Artifact) Write(content []byte) error {
	if err := atomicfile.Write(a.Path, content); err != nil {
		return a.Failed(err)
	}
	return nil
}

// Create begins the file, for a command that writes it bit by bit. Its errors are those of Failed. After its Commit,
// Saved returns it.
func (a *Artifact) Create() (*atomicfile.File, error) {
	f, err := atomicfile.Create(a.Path)
	if err != nil {
		return nil, a.Failed(err)
	}
	f.Explain = a.Failed
	return f, nil
}

// SavedFile is where a file was written, its size in bytes and its media type, if that is known.
type SavedFile struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Type string `json:"type,omitempty"`
}

// AddFacts reports where the file is.
func (s SavedFile) AddFacts(f *fact.Facts) { f.Files.Path = s.Path }

// Saved looks at the file that was written.
func (a *Artifact) Saved() (SavedFile, error) {
	info, err := os.Stat(a.Path)
	if err != nil {
		return SavedFile{}, a.Failed(err)
	}
	return SavedFile{Path: a.Path, Size: info.Size(), Type: MediaType(a.Path)}, nil
}

// Failed is the error of a file that could not be written, for a cause.
func (a *Artifact) Failed(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.File && f.Subject == a.Path {
		return f
	}
	return fault.New(fault.File, "Failed to save %s to %s: %w", a.what, a.Shown, atomicfile.Reason(err)).About(a.Path)
}

// KeptError returns the error for a file that could not be written but whose content is kept, so that command can save
// it elsewhere.
func (a *Artifact) KeptError(err error, command string) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.File {
		return f.WithHint("What was recorded is kept: `%s <other path>` saves it.", command)
	}
	return err
}

// mediaTypes are the types that systems do not agree on, or do not know.
var mediaTypes = map[string]string{
	".webm": "video/webm", ".mp4": "video/mp4", ".webp": "image/webp", ".json": "application/json",
	".har":          "application/json",
	".heapsnapshot": "application/json", ".cpuprofile": "application/json", ".pdf": "application/pdf",
	".md": "text/markdown",
}

// MediaType is the media type of a file by its extension, "" when it is unknown.
func MediaType(path string) string {
	ext := filepath.Ext(path)
	if kind := mediaTypes[ext]; kind != "" {
		return kind
	}
	return mime.TypeByExtension(ext)
}
