package clients

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/internal/atomicfile"
)

// Files returns the generated files that are not committed by their paths in the folder of the libraries, with slashes.
func (m *Model) Files() map[string]string {
	files := map[string]string{}
	for name, text := range m.TypeScript() {
		files["typescript/"+name] = text
	}
	for name, text := range m.Python() {
		files["python/skua/"+name] = text
	}
	return files
}

// WriteGo writes the generated files of the Go library into the top folder.
func WriteGo(m *Model, folder string) error {
	files, err := Go(m)
	if err != nil {
		return err
	}
	return writeAll(files, folder)
}

// Write writes the generated files into the folder of the libraries. It does not touch a file that is current, and
// replaces the others at once, since a program may be reading them.
func (m *Model) Write(folder string) error { return writeAll(m.Files(), folder) }

func writeAll(files map[string]string, folder string) error {
	for name, text := range files {
		if err := writeChanged(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func writeChanged(path string, text []byte) error {
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return nil
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if _, err := file.Write(text); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	_, err = file.Commit()
	return err
}
