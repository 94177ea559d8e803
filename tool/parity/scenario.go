package parity

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
)

// Scenario is a page, command lines, and what is known about how the two backends differ in them.
type Scenario struct {
	Path   string // of its file, below the folder of all
	Family string // of commands
	Name   string
	Page   string            // path of the page that is open at the beginning; "-": none is
	Before [][]string        // command lines that come before
	Run    [][]string        // the ones that are compared; none: there is nothing to run yet
	After  [][]string        // the ones that clean up
	Stdin  string            // of those that are compared
	Files  map[string]string // that lie in the folder in which commands run
	Ignore []string          // members of data that are different each time
	Leaves []string          // files that have to be there in the end, with the same in them
	Rules  []string          // of the tool's contract that it shows
	As     []string          // how it runs: text, data, or both when nothing is said
	Alone  string            // why no other scenario may run beside it; empty means that they may

	Better, Unlike, Later string   // why it differs: skua does better, it is nothing for skua, it is to come
	Differs               []string // in what: exit, text, error, data, files
}

// onlyLooks reports whether the command lines leave the page, and all else, as it was.
func (s *Scenario) onlyLooks() bool {
	for _, argv := range slices.Concat(s.Run, s.After) {
		in, err := catalog.Registry().Parse(argv, actions.ParseOptions{})
		if err != nil || in.Command() == nil || in.Changes() || !in.Command().Effect.Has(actions.Reads) {
			return false
		}
	}
	return true
}

// reason is why the scenario differs, or "".
func (s *Scenario) reason() string { return cmp.Or(s.Better, s.Unlike, s.Later) }

// Read reads all scenarios below a folder, in the order of their paths. Each folder in it is a family, and its name
// begins with a number.
func Read(dir fs.FS) ([]Scenario, error) {
	var all []Scenario
	names := map[string]string{}
	err := fs.WalkDir(dir, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".txtar" {
			return err
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		s, err := parse(file, text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if other, there := names[s.Name]; there {
			return fmt.Errorf("%s: %s has the same name, %q", file, other, s.Name)
		}
		names[s.Name] = file
		all = append(all, s)
		return nil
	})
	return all, err
}

// parse reads a scenario's file: lines that begin with a word of the grammar, then files that lie in the folder in
// which commands run.
//
//	name   click <sel>
//	page   /
//	before focus '#name'
//	run    click '#go'
//	better it says what the click did
//	-- a.txt --
//	content
func parse(file string, text []byte) (Scenario, error) {
	archive := txtar.Parse(text)
	s := Scenario{Path: file, Family: familyOf(file), Page: "/"}
	for _, f := range archive.Files {
		if s.Files == nil {
			s.Files = map[string]string{}
		}
		s.Files[f.Name] = string(f.Data)
	}
	for n, line := range strings.Split(string(archive.Comment), "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" || word == "#" {
			continue
		}
		if err := s.put(word, strings.TrimSpace(rest)); err != nil {
			return s, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return s, s.check()
}

func (s *Scenario) put(word, rest string) error {
	if rest == "" {
		return fmt.Errorf("%s is empty", word)
	}
	texts := map[string]*string{
		"name": &s.Name, "page": &s.Page, "stdin": &s.Stdin, "better": &s.Better, "unlike": &s.Unlike, "later": &s.Later,
		"alone": &s.Alone,
	}
	lists := map[string]*[]string{
		"ignore": &s.Ignore, "leaves": &s.Leaves, "rule": &s.Rules, "as": &s.As,
		"differs": &s.Differs,
	}
	lines := map[string]*[][]string{"before": &s.Before, "run": &s.Run, "after": &s.After}
	if to := texts[word]; to != nil {
		*to = rest
		return nil
	}
	if to := lists[word]; to != nil {
		*to = strings.Fields(rest)
		return nil
	}
	if to := lines[word]; to != nil {
		argv, err := split(rest)
		*to = append(*to, argv)
		return err
	}
	return fmt.Errorf("unknown word %q", word)
}

func (s *Scenario) check() error {
	reasons := 0
	for _, why := range []string{s.Better, s.Unlike, s.Later} {
		if why != "" {
			reasons++
		}
	}
	switch {
	case s.Name == "":
		return errors.New("it has no name")
	case s.Family == "":
		return errors.New("it lies in no family's folder")
	case reasons > 1:
		return errors.New("it has more than one of better, unlike and later")
	case len(s.Run) == 0 && reasons == 0:
		return errors.New("it runs nothing and does not say why")
	case len(s.Differs) > 0 && reasons == 0:
		return errors.New("it says in what it differs, and not why")
	case len(s.Run) > 0 && reasons > 0 && len(s.Differs) == 0:
		return errors.New("it does not say in what it differs")
	}
	for _, form := range s.As {
		if form != "text" && form != "data" {
			return fmt.Errorf("it runs as %q, which is neither text nor data", form)
		}
	}
	for _, part := range s.Differs {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("it differs in %q, which is not one of %s", part, strings.Join(parts, ", "))
		}
	}
	return nil
}

// runsAs says whether the scenario runs in this form. Help and versions are text, whatever is asked for.
func (s *Scenario) runsAs(form string) bool {
	if len(s.As) > 0 {
		return slices.Contains(s.As, form)
	}
	return form == "text" || !slices.ContainsFunc(s.Run, func(argv []string) bool {
		return slices.ContainsFunc(argv, func(word string) bool { return word == "--help" || word == "--version" })
	})
}

// familyOf is the name of a file's folder, without its number and in words.
func familyOf(file string) string {
	_, name, _ := strings.Cut(path.Base(path.Dir(file)), "-")
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
}

// split reads words as a shell would, if it knew only blanks and single quotes. A quote inside quotes is written twice.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, began := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, began = !quoted, true
		case c == ' ' && !quoted:
			if began {
				words = append(words, word.String())
			}
			word.Reset()
			began = false
		default:
			word.WriteByte(c)
			began = true
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	if began {
		words = append(words, word.String())
	}
	return words, nil
}
