package installer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// Section is the part of a Markdown file between two comments. The first one has the SHA-256 of what was written, so
// that no record is needed.
type Section struct {
	File string // absolute
	Name string // of the section: the program's
}

// comment matches the comment that opens a section.
func (s Section) comment() *regexp.Regexp {
	return regexp.MustCompile(`<!-- ` + regexp.QuoteMeta(s.Name) +
		` guides ([^ ]+) sha256=([0-9a-f]{64})( new-file)? -->\n`)
}

func (s Section) end() string { return "<!-- end of " + s.Name + " guides -->\n" }

// found is a section in the text of its file.
type found struct {
	before, body, after string
	version             string
	isNew               bool // the file was made for it
	changed             bool // by a person
}

var errOpenEnd = errors.New("the comment that ends the section is missing")

// find looks for the section, or nil.
func (s Section) find(text string) (*found, error) {
	at := s.comment().FindStringSubmatchIndex(text)
	if at == nil {
		return nil, nil
	}
	rest := text[at[1]:]
	body, after, ok := strings.Cut(rest, s.end())
	if !ok {
		return nil, errOpenEnd
	}
	return &found{
		before:  text[:at[0]],
		body:    body,
		after:   after,
		version: text[at[2]:at[3]],
		isNew:   at[6] >= 0,
		changed: sum([]byte(body)) != text[at[4]:at[5]],
	}, nil
}

func (s Section) write(version, body string, isNew bool) string {
	mark := ""
	if isNew {
		mark = " new-file"
	}
	return fmt.Sprintf("<!-- %s guides %s sha256=%s%s -->\n", s.Name, version, sum([]byte(body)), mark) + body + s.end()
}

// maxInstalled is the largest file that a guide is compared with.
const maxInstalled = 16 << 20

// target is the file of a section as it is now.
type target struct {
	*os.Root // its folder, which no link leads out of
	text     string
	isNew    bool // there is no file yet
}

// read opens the folder of the file and reads the file.
func (s Section) read() (*target, error) {
	root, err := os.OpenRoot(filepath.Dir(s.File))
	if err != nil {
		return nil, err
	}
	data, err := userfile.ReadIn(context.Background(), root, filepath.Base(s.File), maxInstalled)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		_ = root.Close()
		return nil, err
	}
	return &target{root, string(data), isNew}, nil
}

// Version returns the version of the section, or empty.
func (s Section) Version() string {
	file, err := s.read()
	if err != nil {
		return ""
	}
	defer file.Close()
	if f, err := s.find(file.text); err == nil && f != nil {
		return f.version
	}
	return ""
}

// Install writes the section at the end of the file, or replaces the one that is there, unless a person changed it.
// body ends with a line end.
func (s Section) Install(version, body string) (Outcome, error) {
	file, err := s.read()
	if err != nil {
		return Outcome{}, err
	}
	defer file.Close()
	text := file.text
	f, err := s.find(text)
	switch {
	case err != nil:
		return Outcome{s.File, Kept, err.Error()}, nil
	case f == nil:
		switch {
		case text != "" && !strings.HasSuffix(text, "\n"):
			text += "\n\n"
		case text != "" && !strings.HasSuffix(text, "\n\n"):
			text += "\n"
		}
		action := Updated
		if file.isNew {
			action = Written
		}
		return Outcome{
			Path:   s.File,
			Action: action,
		}, writeShared(file.Root, filepath.Base(s.File), []byte(text+s.write(version, body, file.isNew)))
	case f.changed:
		return Outcome{s.File, Kept, "its section was changed since it was written, and stays as it is"}, nil
	case f.body == body && f.version == version:
		return Outcome{Path: s.File, Action: Unchanged}, nil
	}
	return Outcome{
		Path:   s.File,
		Action: Updated,
	}, writeShared(file.Root, filepath.Base(s.File), []byte(f.before+s.write(version, body, f.isNew)+f.after))
}

// Remove takes the section away, and the file with it when it was made for the section and has nothing else. It returns
// nil where there is no section.
func (s Section) Remove() (*Outcome, error) {
	file, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.isNew {
		return nil, nil
	}
	f, err := s.find(file.text)
	switch {
	case err != nil:
		return &Outcome{s.File, Kept, err.Error()}, nil
	case f == nil:
		return nil, nil
	case f.changed:
		return &Outcome{s.File, Kept, "its section was changed since it was written, and stays as it is"}, nil
	}
	if f.isNew && strings.TrimSpace(f.before+f.after) == "" {
		return &Outcome{Path: s.File, Action: Removed}, file.Remove(filepath.Base(s.File))
	}
	left := strings.TrimRight(f.before, "\n") // the blank line in front of it
	if left != "" {
		left += "\n"
	}
	return &Outcome{Path: s.File, Action: Updated}, writeShared(file.Root, filepath.Base(s.File), []byte(left+f.after))
}
