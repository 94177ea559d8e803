package licenses

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// licenseFile is what license files are called.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([-._].*)?$`)

// read adds the license files of a folder.
func (m *Module) read(top, dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range all {
		if entry.IsDir() || !licenseFile.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, Text{filepath.ToSlash(name), text})
	}
	return nil
}

// sure is the part of a file, in percent, that has to be text of known licenses.
const sure = 60

// patents is what licensecheck calls the grant of patents that Go and its libraries have beside the license. SPDX has
// no name for it.
const patents = "GooglePatentsFile"

// judge finds out which licenses the files are. A module whose license is not known cannot be given away.
func (m *Module) judge() error {
	var names []string
	for _, f := range m.Files {
		found := licensecheck.Scan(f.Text)
		if found.Percent < sure {
			continue // such as a notice beside the license
		}
		for _, match := range found.Match {
			if !match.IsURL && match.ID != patents && !slices.Contains(names, match.ID) {
				names = append(names, match.ID)
			}
		}
	}
	if len(names) == 0 {
		return fmt.Errorf(
			"%s %s: it has no license file that is known; read what it has, and name it in scripts/packaging/release/licenses",
			m.Name, m.Version)
	}
	slices.Sort(names)
	m.SPDX = strings.Join(names, " AND ")
	return nil
}

// Document is a text with all licenses.
func Document(all []Module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("skua contains the following software of others, under the licenses that follow its name.\n")
	for _, m := range all {
		if len(m.Files) == 0 {
			return nil, fmt.Errorf("%s %s: it has no license file", m.Name, m.Version)
		}
		name := m.Name
		switch {
		case name == "std":
			name = "Go, its standard library and runtime"
		case m.Kind == NPM:
			name += " (a file beside the programs)"
		}
		fmt.Fprintf(&b, "\n%s\n%s %s\n%s\n", strings.Repeat("=", 80), name, m.Version, m.SPDX)
		for _, f := range m.Files {
			fmt.Fprintf(&b, "\n--- %s\n\n%s\n", f.Name, bytes.TrimSpace(bytes.ReplaceAll(f.Text, []byte("\r\n"), []byte("\n"))))
		}
	}
	return b.Bytes(), nil
}
