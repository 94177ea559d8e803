package journal

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Step is an entry as an exported program uses it.
type Step struct {
	ID       int64
	Words    []Arg  // the command line, with selectors instead of refs
	Template string // the Playwright statement, in which {name} is a value, or empty
	Values   map[string][]Value
	Method   *Method // the call in a program for run, or nil
	URL      string  // the URL after the command; empty means that the command did not navigate
	Skipped  string  // why the command cannot be replayed; empty means that it can
	Line     string  // the command for people
}

// Arg is one word of a command line.
type Arg struct {
	Text    string
	Secret  bool   // the text is unknown: the user of the program sets it in a variable
	Purpose string // of a secret: its purpose, for people
}

// Value is the replacement of {name} in a template.
type Value struct {
	Arg
	Locator string // of an element
	Number  bool
}

// Plan is a journal to export.
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

// formats are the export formats, in the order of the help.
var formats = []format{{"sh", shell}, {"go", goTest}, {"playwright", playwright}, {"run", program}}

// Formats returns the names of the export formats.
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
		return "", fmt.Errorf("export format %q: unknown; use one of %s", name, strings.Join(Formats(), ", "))
	}
	return formats[i].write(p), nil
}

// secretVariable returns the name of the variable for the n-th unknown text.
func secretVariable(n int) string { return fmt.Sprintf("SKUA_SECRET_%d", n) }

// secrets numbers the unknown texts in the order in which the program needs them.
type secrets struct {
	count int
	whats []string
}

func (s *secrets) next(p Arg) string {
	s.count++
	s.whats = append(s.whats, secretVariable(s.count)+": "+p.Purpose)
	return secretVariable(s.count)
}

// StableURL returns the part of a URL that is the same on each run: without query and fragment. It is empty for URLs
// other than http and https.
func StableURL(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.RawQuery, u.Fragment, u.User, u.ForceQuery = "", "", nil, false
	return u.String()
}

// comment makes a text safe within a line comment.
func comment(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
