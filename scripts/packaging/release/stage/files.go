package stage

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// File is one of a folder, as all packages have it: neither the mode of the file system nor the umask of who builds
// goes into a release.
type File struct {
	Name string // with slashes, relative to the folder
	Path string
	Mode fs.FileMode
}

// Files returns the files in the order of their names.
func (f Folder) Files() ([]File, error) {
	var files []File
	err := filepath.WalkDir(f.Path, func(full string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.Path, full)
		if err != nil {
			return err
		}
		file := File{Name: filepath.ToSlash(name), Path: full, Mode: 0o644}
		if path.Dir(file.Name) == Bin && !strings.HasSuffix(name, ".js") {
			file.Mode = 0o755
		}
		files = append(files, file)
		return nil
	})
	return files, err
}
