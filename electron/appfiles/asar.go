package appfiles

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// Limits of what is read of an archive. Real headers have some megabytes at most.
const (
	maxHeader = 64 << 20
	maxEntry  = 16 << 20
)

// Archive is an open asar archive, the form in which Electron apps ship their files: two Chromium pickles with a JSON
// header, and the files one after another (https://github.com/electron/asar#format).
type Archive struct {
	fsys fs.FS
	name string // in fsys
	file readerAt
	root []byte // the members of its folder
	base int64  // where the files begin
	size int64
}

// readerAt is what a file of an archive has to be.
type readerAt interface {
	fs.File
	io.ReaderAt
}

// entry is a file or folder of an archive's header.
type entry struct {
	Size     int64  `json:"size"`
	Offset   string `json:"offset"` // a number, since it may not fit a double
	Unpacked bool   `json:"unpacked"`
	Link     string `json:"link"`
}

// errNotAsar says that a file is not an asar archive.
var errNotAsar = errors.New("not an asar archive")

// OpenArchive opens an archive. The caller closes it.
func OpenArchive(name string) (*Archive, error) {
	return openArchive(os.DirFS(filepath.Dir(name)), filepath.Base(name))
}

// openArchive opens an archive in a file system whose files can be read from anywhere.
func openArchive(fsys fs.FS, name string) (_ *Archive, err error) {
	opened, err := openRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = opened.Close()
		}
	}()
	f, ok := opened.(readerAt)
	info, err := opened.Stat()
	switch {
	case err != nil:
		return nil, err
	case !ok || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", name, errNotAsar)
	}
	a := &Archive{fsys: fsys, name: name, file: f, size: info.Size()}
	header, err := a.header()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var isHeader bool
	if a.root, isHeader = member(header, "files"); !isHeader {
		return nil, fmt.Errorf("%s: its header is not a JSON list of files: %w", name, errNotAsar)
	}
	return a, nil
}

// header reads the JSON of the header, and finds where the files begin.
func (a *Archive) header() ([]byte, error) {
	var words [16]byte // the pickle of the header's size, and the beginning of the header's pickle
	if _, err := a.file.ReadAt(words[:], 0); err != nil {
		return nil, errNotAsar
	}
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint32(words[4*i:])) }
	pickle, text := word(1), word(3)
	if word(0) != 4 || pickle < 8 || pickle > maxHeader || text > pickle-8 || 8+pickle > a.size {
		return nil, errNotAsar
	}
	a.base = 8 + pickle
	header := make([]byte, text)
	if _, err := a.file.ReadAt(header, 16); err != nil {
		return nil, errNotAsar
	}
	return header, nil
}

// Close closes the archive.
func (a *Archive) Close() error { return a.file.Close() }

// ReadFile returns a file of the archive by its path with slashes. It follows links and reads unpacked files from the
// folder beside the archive.
func (a *Archive) ReadFile(name string) ([]byte, error) { return a.readFile(name, 0) }

func (a *Archive) readFile(name string, links int) ([]byte, error) {
	name = path.Clean("/" + name)[1:]
	e, ok := a.find(name)
	const most = 8
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
	case e.Link != "" && links == most:
		return nil, fmt.Errorf("%s: too many links", name)
	case e.Link != "":
		return a.readFile(e.Link, links+1)
	case e.Size < 0 || e.Size > maxEntry:
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", name, e.Size, maxEntry)
	case e.Unpacked:
		return readSmall(a.fsys, a.name+".unpacked/"+name, maxEntry)
	}
	offset, err := strconv.ParseInt(e.Offset, 10, 64)
	if err != nil || offset < 0 || offset > math.MaxInt64-a.base-e.Size || a.base+offset+e.Size > a.size {
		return nil, fmt.Errorf("%s lies outside the archive", name)
	}
	b := make([]byte, e.Size)
	if _, err := a.file.ReadAt(b, a.base+offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

// find returns a file's entry.
func (a *Archive) find(name string) (e entry, ok bool) {
	at, files := []byte(nil), a.root
	for part := range strings.SplitSeq(name, "/") {
		if at, ok = member(files, part); !ok {
			return entry{}, false
		}
		files, _ = member(at, "files")
	}
	if files != nil || json.Unmarshal(at, &e) != nil {
		return entry{}, false
	}
	return e, true
}

// openRegular opens a file that is neither a pipe nor a device: a folder that is looked through for apps may have any.
func openRegular(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, userfile.ErrNotRegular)
	}
	return fsys.Open(name)
}

// readSmall reads a file unless it is longer than most bytes.
func readSmall(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := openRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, most)
	}
	return b, err
}

// readSmallFile is readSmall for a path of this machine.
func readSmallFile(name string, most int64) ([]byte, error) {
	return readSmall(os.DirFS(filepath.Dir(name)), filepath.Base(name), most)
}
