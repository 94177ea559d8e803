package showing

import (
	"strings"

	"github.com/skua-browser/skua/actions/fact"
)

// guide is a guide, or one line about it.
type guide struct{ Name, Description, Content string }

// skills shows guides in the words of the tool: what they say of the program's command line is said as calls.
func skills(c *Command, v *View) bool {
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
		if g.Content != "" {
			lines = append(lines, "", asCalls(g.Content))
			continue
		}
		lines = append(lines, "- "+g.Name+": "+clip(g.Description, 200))
	}
	v.Text = strings.Join(lines, "\n")
	return true
}
