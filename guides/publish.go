package guides

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// First is the name of the guide of ours that comes before the others.
const First = "core"

// Published is a guide as another program gets it.
type Published struct {
	Name        string
	Description string
	version     string
	body        string
	references  []Reference
}

// skillName is what an Agent Skill and its folder may be called.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// The limits of Agent Skills, in characters.
const (
	maxName        = 64
	maxDescription = 1024
)

// Publish prepares guides for other programs, by the names that rename gives them.
func Publish(all []Guide, version string, rename func(name string) string) ([]Published, error) {
	published := make([]Published, 0, len(all))
	for _, s := range all {
		p := Published{
			Name:        rename(s.Name),
			Description: s.Description,
			version:     version,
			body:        bodyOf(s.Content),
			references:  s.References,
		}
		if !skillName.MatchString(p.Name) || len(p.Name) > maxName {
			return nil,
				fmt.Errorf(
					"guide %q: other programs take only names of at most %d lower-case letters, digits and single dashes; change "+
						"`name` in its %s", p.Name, maxName, File)
		}
		if n := len([]rune(p.Description)); n == 0 || n > maxDescription {
			return nil,
				fmt.Errorf(
					"guide %q: its description has %d characters, and other programs take 1 to %d; change `description` in its %s",
					p.Name, n, maxDescription, File)
		}
		published = append(published, p)
	}
	slices.SortStableFunc(published, func(a, b Published) int { return strings.Compare(a.Name, b.Name) })
	return published, nil
}

// Among returns a rename that says what our guides are of, for a place where those of others lie, too. The first one
// has the program's name alone.
func Among(program string) func(string) string {
	return func(name string) string {
		if name == First {
			return program
		}
		return program + "-" + name
	}
}

// Kept is a rename for a place that has a name of its own, such as a plugin.
func Kept(name string) string { return name }

// bodyOf is a guide without its front matter.
func bodyOf(content string) string {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	if rest, ok := strings.CutPrefix(content, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			content = body
		}
	}
	return strings.Trim(content, "\n") + "\n"
}

// Files returns the guide as an Agent Skill, in a folder of its name. Its front matter has no key of ours: programs
// refuse those they do not know.
func (p Published) Files() []Reference {
	head := "---\nname: " + p.Name + "\ndescription: " + scalar(p.Description) + "\nmetadata:\n  version: " +
		scalar(p.version) + "\n---\n\n"
	files := []Reference{{Path: path.Join(p.Name, File), Content: head + p.body}}
	for _, r := range p.references {
		files = append(files, Reference{Path: path.Join(p.Name, r.Path), Content: r.Content})
	}
	return files
}

// Rule returns the guide as a rule that Cursor's agent takes when the description fits.
func (p Published) Rule() Reference {
	return Reference{
		Path:    p.Name + ".mdc",
		Content: "---\ndescription: " + scalar(p.Description) + "\nglobs:\nalwaysApply: false\n---\n\n" + p.body,
	}
}

// scalar is a text in quotes: those of JSON are YAML, too.
func scalar(text string) string {
	quoted, _ := json.Marshal(text) // a text can always be encoded
	return string(quoted)
}
