package showing

import (
	"strings"

	"github.com/skua-browser/skua/actions/fact"
)

// guide is a guide, or one line about it, or files of it.
type guide struct {
	Name, Description, Content string
	Files                      []struct{ Content string }
}

// content is what is shown of it; empty for one line.
func (g *guide) content() string {
	parts := []string{g.Content}
	for _, file := range g.Files {
		parts = append(parts, file.Content)
	}
	return asCalls(strings.TrimSpace(strings.Join(parts, "\n\n")))
}

// skills shows guides in the words of the tool: what they say of the program's command line is said as calls. They are
// shown whole, since a client may not be able to read the file that they would be put into.
func skills(c *Command, v *View) bool {
	shown := guidesOf(c, v)
	v.Bounded = shown && isGuide(v.Text)
	return shown
}

func guidesOf(c *Command, v *View) bool {
	if list := fact.Read[[]guide](c.Data); list != nil {
		return skillList(v, list)
	}
	of := fact.Read[struct {
		guide
		Skills, Data []guide
	}](c.Data)
	switch {
	case of.Skills != nil:
		return skillList(v, of.Skills)
	case of.Data != nil:
		return skillList(v, of.Data)
	case of.Content != "":
		v.Summary = "Skill: " + of.Name
		v.Text = asCalls(of.Content)
		return true
	case c.Text == "":
		return false
	}
	v.Text = asCalls(c.Text)
	return true
}

func skillList(v *View, list []guide) bool {
	v.Summary = "Skills: " + number(len(list))
	lines := []string{v.Summary}
	for _, g := range list {
		if content := g.content(); content != "" {
			lines = append(lines, "", content)
			continue
		}
		lines = append(lines, "- "+g.Name+": "+clip(g.Description, 200))
	}
	v.Text = strings.Join(lines, "\n")
	return true
}
