package installer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/userfile"
)

// RecordName is the file in a folder that says what was written there.
const RecordName = ".skua-guides.json"

// File is one file of a guide.
type File struct {
	Path    string // below the folder, with slashes
	Content string
}

// Action is what happened to a file.
type Action string

// The actions.
const (
	Written   Action = "written"
	Updated   Action = "updated"
	Unchanged Action = "unchanged"
	Removed   Action = "removed"
	Kept      Action = "kept" // a person changed or made it
	Gone      Action = "gone" // it was not there any longer
)

// Outcome is what happened to one file.
type Outcome struct {
	Path   string `json:"path"` // absolute
	Action Action `json:"action"`
	Why    string `json:"why,omitempty"` // of Kept
}

// Folder is where guides are written to.
type Folder struct {
	Dir string // absolute
	// a folder around it that no link leads out of, such as a project that others may have written; empty means that links
	// are followed
	Inside string
}

// record is the content of RecordName.
type record struct {
	Program string            `json:"program"`
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // SHA-256 by path
	// folders that were made, from the inside: "." is the folder itself, ".." the one around it
	Made []string `json:"made,omitempty"`
}

// Version returns the version of the guides that were written to the folder, or empty.
func (f Folder) Version() string {
	o, err := f.open(false)
	if err != nil {
		return ""
	}
	defer o.close()
	return o.record.Version
}

// Install writes files, replaces those that it wrote before, and removes those of them that are not among the files.
// program and version go into the record.
func (f Folder) Install(program, version string, files []File) ([]Outcome, error) {
	o, err := f.open(true)
	if err != nil {
		return nil, err
	}
	defer o.close()
	o.record.Program, o.record.Version = program, version
	var done []Outcome
	names := map[string]bool{}
	for _, file := range files {
		names[file.Path] = true
		outcome, err := o.put(file)
		if err != nil {
			return done, errors.Join(err, o.save())
		}
		done = append(done, outcome)
	}
	for _, name := range slices.Sorted(maps.Keys(o.record.Files)) {
		if !names[name] {
			done = append(done, o.drop(name))
		}
	}
	return done, o.save()
}

// Remove removes what was written and is unchanged, then folders that it leaves empty and that were made for it, and
// the record.
func (f Folder) Remove() ([]Outcome, error) {
	o, err := f.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer o.close()
	if o.record.Version == "" {
		return nil, nil
	}
	var done []Outcome
	for _, name := range slices.Sorted(maps.Keys(o.record.Files)) {
		done = append(done, o.drop(name))
	}
	if err := o.root.Remove(o.at(RecordName)); err != nil {
		return done, err
	}
	o.removeMade()
	return done, nil
}

// removeMade removes the folders that were made for the guides, as far as nothing else is in them.
func (o *opened) removeMade() {
	at := "."
	for _, up := range o.record.Made {
		if up != at || o.root.Remove(o.at(up)) != nil {
			// the record can be anybody's: it names the folder and those around it, one after the other
			return
		}
		at = path.Join("..", at)
	}
}

// opened is a folder while it is worked in.
type opened struct {
	dir    string // absolute
	root   *os.Root
	below  string // the folder, below root
	record record
}

// open reads the record of a folder and makes the folder if the caller writes.
func (f Folder) open(make bool) (*opened, error) {
	o := &opened{dir: f.Dir}
	base, dir := f.Inside, f.Dir
	if base == "" {
		var err error
		if dir, err = followed(f.Dir); err != nil {
			return nil, err
		}
		base = filepath.VolumeName(dir) + string(filepath.Separator)
	}
	var err error
	if o.below, err = filepath.Rel(base, dir); err != nil {
		return nil, err
	}
	if o.root, err = os.OpenRoot(base); err != nil {
		return nil, err
	}
	text, err := userfile.ReadIn(context.Background(), o.root, o.at(RecordName), maxInstalled)
	switch {
	case err == nil:
		if json.Unmarshal(text, &o.record) != nil || o.record.Version == "" {
			err = fmt.Errorf("%s is damaged; remove it, and the guides beside it that you do not need",
				filepath.Join(f.Dir, RecordName))
		}
	case errors.Is(err, fs.ErrNotExist) && make:
		var missing []string
		for up := "."; ; up = path.Join("..", up) {
			inside := o.at(up)
			if _, gone := o.root.Stat(inside); gone == nil || inside == "." {
				break
			}
			missing = append(missing, up)
		}
		if err = o.root.MkdirAll(o.below, 0o755); err == nil {
			o.record.Made = missing
		}
	}
	if err != nil {
		o.close()
		return nil, err
	}
	if o.record.Files == nil {
		o.record.Files = map[string]string{}
	}
	return o, nil
}

// followed is the path of a folder without links: those of a user's own lead where they lead. It may not exist.
func followed(dir string) (string, error) {
	there, err := filepath.EvalSymlinks(dir)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
		return there, err
	}
	if there, err = followed(filepath.Dir(dir)); err != nil {
		return "", err
	}
	return filepath.Join(there, filepath.Base(dir)), nil
}

func (o *opened) close() { _ = o.root.Close() }

// at is a path below the root, of one with slashes below the folder.
func (o *opened) at(name string) string { return filepath.Join(o.below, filepath.FromSlash(name)) }

func (o *opened) outcome(name string, a Action, why string) Outcome {
	return Outcome{Path: filepath.Join(o.dir, filepath.FromSlash(name)), Action: a, Why: why}
}

// put writes a file, unless a person changed or made it.
func (o *opened) put(file File) (Outcome, error) {
	if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
		return Outcome{}, fmt.Errorf("%q is not a path below the folder", file.Path)
	}
	there, err := userfile.ReadIn(context.Background(), o.root, o.at(file.Path), maxInstalled)
	ours := o.record.Files[file.Path]
	action := Updated
	switch {
	case errors.Is(err, fs.ErrNotExist):
		action = Written
	case err != nil:
		return Outcome{}, err
	case string(there) == file.Content:
		return o.outcome(file.Path, Unchanged, ""), nil
	case ours == "":
		return o.outcome(file.Path, Kept, "it was there before, and stays as it is; remove it to get the guide"), nil
	case ours != sum(there):
		return o.outcome(file.Path, Kept, changedSince), nil
	}
	if err := writeShared(o.root, o.at(file.Path), []byte(file.Content)); err != nil {
		return Outcome{}, err
	}
	o.record.Files[file.Path] = sum([]byte(file.Content))
	return o.outcome(file.Path, action, ""), nil
}

// drop removes a file of the record, and the folders below the folder that it leaves empty.
func (o *opened) drop(name string) Outcome {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		delete(o.record.Files, name)
		return Outcome{
			Path:   name,
			Action: Kept,
			Why:    "the record " + RecordName + " was changed: the path is not below the folder",
		}
	}
	there, err := userfile.ReadIn(context.Background(), o.root, o.at(name), maxInstalled)
	ours := o.record.Files[name]
	delete(o.record.Files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.outcome(name, Gone, "")
	case err != nil:
		return o.outcome(name, Kept, err.Error())
	case ours != sum(there):
		return o.outcome(name, Kept, changedSince)
	}
	if err := o.root.Remove(o.at(name)); err != nil {
		return o.outcome(name, Kept, err.Error())
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if o.root.Remove(o.at(dir)) != nil {
			break
		}
	}
	return o.outcome(name, Removed, "")
}

func (o *opened) save() error {
	if len(o.record.Files) == 0 { // everything that is there belongs to a person
		err := o.root.Remove(o.at(RecordName))
		o.removeMade()
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	text, err := json.MarshalIndent(o.record, "", "  ")
	if err != nil {
		return err
	}
	return writeShared(o.root, o.at(RecordName), append(text, '\n'))
}

// writeShared replaces a file by one that others may read, as far as they can get to it.
func writeShared(root *os.Root, name string, data []byte) error {
	f, err := atomicfile.CreateIn(root, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	_, err = f.Commit()
	return err
}

// changedSince says why a file of the record is kept.
const changedSince = "it was changed since it was written, and stays as it is"

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
