package journal

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Step is an entry as a program has it.
type Step struct {
	ID       int64
	Words    []Piece // of the command line, with selectors for refs
	Template string  // of the statement for Playwright, in which {name} stands for a value; empty: there is none
	Values   map[string][]Value
	At       string // the address that the command led to; empty: it led to none
	Left     string // why the command cannot be done again; empty: it can
	Line     string // the command for people
}

// Piece is one word of a command line.
type Piece struct {
	Text   string
	Secret bool   // the text is not known: whoever runs the program has it in a variable
	What   string // of a secret: what it is for, for people
}

// Value is the replacement of {name} in a template.
type Value struct {
	Piece
	Locator string // of an element
	Number  bool
}

// Plan is a journal that is to become a program.
type Plan struct {
	Program string // of the command line: "skua"
	Module  string // of the library, for Go
	Steps   []Step
}

// format writes a plan in one language.
type format struct {
	name  string
	write func(*Plan) string
}

// formats are the languages, in the order of the help.
var formats = []format{{"sh", shell}, {"go", goTest}, {"playwright", playwright}}

// Formats are the names of the languages that a journal can be exported in.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Export writes a plan in one of Formats.
func Export(name string, p *Plan) (string, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return "", fmt.Errorf("%q is no format of a journal; there are %s", name, strings.Join(Formats(), ", "))
	}
	return formats[i].write(p), nil
}

// secretVariable is the name of the variable for the n-th text that is not known.
func secretVariable(n int) string { return fmt.Sprintf("SKUA_SECRET_%d", n) }

// secrets numbers the texts that are not known, in the order in which they are needed.
type secrets struct {
	count int
	whats []string
}

func (s *secrets) next(p Piece) string {
	s.count++
	s.whats = append(s.whats, secretVariable(s.count)+": "+p.What)
	return secretVariable(s.count)
}

// Place is the part of an address that is the same each time: without query and fragment. It is empty where that says nothing.
func Place(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.RawQuery, u.Fragment, u.User, u.ForceQuery = "", "", nil, false
	return u.String()
}

// comment makes a text safe behind a comment's mark.
func comment(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
