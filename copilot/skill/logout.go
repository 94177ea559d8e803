package skill

import (
	"fmt"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// logout ends the user's session on the site.
type logout struct {
	What string `json:"what,omitempty"`
}

func logoutSkill() Skill {
	return define[logout](Skill{
		Name:     "logout",
		Verb:     goal.Logout,
		About:    "Log out: by what the page has for it, or what a menu of the account has.",
		Params:   []Param{{Name: "what", Kind: Text, About: "words that the control has besides, such as all devices"}},
		Ends:     "the page offers to log in, and no way to log out, or says goodbye",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{}`},
	}, func(*logout) error { return nil })
}

func (p *logout) wants() []Want {
	return []Want{{Slot: "logout", Text: "log out|sign out|abmelden|account|profile", Of: []string{pcd.CandidateAction}}}
}

func (p *logout) match(page *pcd.Summary) []Match {
	var all []Match
	for _, a := range usableActions(page, ofKind(pcd.KindLogout)) {
		if a.CollectionID == "" && len(a.FramePath) == 0 && sameSite(page, a.URL) &&
			(p.What == "" || saysAny(a.Label, []string{p.What})) {
			all = append(all,
				matched(lastStage, 0.9*a.Landmark.Weight(), fmt.Sprintf("%q", short(a.Label)), map[string]string{"label": a.ID}))
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindMenu, pcd.KindAccount)) {
		if a.CollectionID == "" && a.Role != "link" && len(a.FramePath) == 0 {
			all = append(all,
				matched(menuStage, 0.5*a.Landmark.Weight(), "a menu that is closed", map[string]string{"label": a.ID}))
		}
	}
	return all
}

func (p *logout) plan(b Binding) []toolbox.Step {
	return []toolbox.Step{click(b.Details["label"], labelOf(b.page, b.Slots["label"]), toolbox.Low), settle()}
}

func (p *logout) checks(b Binding) []Check {
	if b.stage == menuStage {
		return []Check{{Name: "the menu is open", Kind: SawPage, Changed: true, Part: true}}
	}
	return []Check{{Name: "the user is logged out", Kind: SawLogout, Goal: "no:action:logout", Changed: true}}
}
