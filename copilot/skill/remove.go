package skill

import (
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// remove deletes one thing. What of the page it is about is found in its snapshot by who runs the skill: a summary does
// not have the text around a control.
type remove struct {
	What string `json:"what"`
}

func deleteSkill() Skill {
	return define[remove](Skill{
		Name: "delete",
		Verb: goal.Delete,
		About: "Delete one thing that the page names, by the control that is for it alone. A question of the page about " +
			"it is answered, too.",
		Params: []Param{{
			Name:     "what",
			Kind:     Text,
			Required: true,
			About:    "words that its row, card or page has: ticket 17",
		}},
		Ends:     "it is gone, or the page says so",
		Confirms: "the control that deletes, and the page's own question about it",
		Effects:  []Effect{Changes, Navigates, Sends, Deletes},
		Examples: []string{`{"what":"ticket 17"}`},
	}, func(p *remove) error {
		if strings.TrimSpace(p.What) == "" {
			return wrong("delete", "what", "is empty")
		}
		return nil
	})
}

func (p *remove) wants() []Want {
	return []Want{{Slot: "what", Text: p.What + "|delete " + p.What + "|delete|remove"}}
}

func (p *remove) match(*pcd.Summary) []Match  { return nil }
func (p *remove) plan(Binding) []toolbox.Step { return nil }
func (p *remove) checks(Binding) []Check      { return nil }
