package perceive

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// summarize makes the bounded summary of the page.
func (b *builder) summarize() *pcd.Summary {
	p := b.page
	main := &p.docs[0]
	s := &pcd.Summary{
		URL:         main.URL,
		Origin:      origin(main.URL),
		Title:       main.reply.Title,
		LoginState:  b.loginState(),
		Landmarks:   b.landmarks(),
		Actions:     []pcd.Action{},
		Forms:       []pcd.Form{},
		Collections: []pcd.Collection{},
		Tab:         p.tab,
		FocusedRole: b.focusedRole(),
	}
	b.template()
	var omitted pcd.Omitted
	picked, groups := b.pickActions()
	for _, i := range picked {
		s.Actions = append(s.Actions, p.Actions[i].Action)
	}
	omitted.Actions = groups - len(picked)
	s.Forms, omitted.Forms = b.pickForms()
	s.Collections, omitted.Collections = b.pickCollections()
	if omitted != (pcd.Omitted{}) {
		s.Omitted = &omitted
	}
	s.Unnamed = b.unnamed
	s.Metrics = &pcd.Metrics{ARIACoverage: b.coverage(), ViewportH: main.reply.Height, ViewportW: main.reply.Width}
	return s
}

// landmarks lists those that the page has.
func (b *builder) landmarks() []pcd.Landmark {
	has := map[pcd.Landmark]bool{}
	for i := range b.nodes {
		if l, ok := landmarks[b.nodes[i].Role]; ok {
			has[l] = true
		}
	}
	list := []pcd.Landmark{}
	for _, l := range []pcd.Landmark{pcd.Header, pcd.Nav, pcd.Main, pcd.Aside, pcd.Footer} {
		if has[l] {
			list = append(list, l)
		}
	}
	return list
}

func (b *builder) focusedRole() string {
	for i := range b.nodes {
		if b.nodes[i].Focused {
			return b.nodes[i].Role
		}
	}
	return ""
}

// loginState follows from controls that only logged-in users have, and from those that only others need. Where the page
// offers both, it does not say.
func (b *builder) loginState() pcd.LoginState {
	hint := b.page.docs[0].reply.Login
	in, out := hint == "in", hint == "out"
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		if a.Unseen || len(a.FramePath) > 0 {
			continue
		}
		switch a.Kind {
		case pcd.KindLogout:
			in = true
		case pcd.KindLogin, pcd.KindSignup:
			out = true
		}
	}
	for i := range b.page.Forms {
		f := &b.page.Forms[i]
		if !f.Unseen && len(f.FramePath) == 0 && (f.Purpose == pcd.PurposeLogin || f.Purpose == pcd.PurposeOTP) {
			out = true
		}
	}
	switch {
	case in && !out:
		return pcd.LoggedIn
	case out && !in:
		return pcd.LoggedOut
	}
	return pcd.LoginUnknown
}

// coverage is the part of the actions that say by role and name what they are.
func (b *builder) coverage() float64 {
	if len(b.page.Actions) == 0 {
		return 0
	}
	told := 0
	for i := range b.page.Actions {
		if a := &b.page.Actions[i]; a.Role != "other" && a.At.Name != "" {
			told++
		}
	}
	return float64(told*100/len(b.page.Actions)) / 100
}

// pickForms takes the forms that are seen before others, in the order of the page. Of a form in every row the first is
// enough.
func (b *builder) pickForms() (forms []pcd.Form, omitted int) {
	var at []int
	rows := map[string]bool{}
	for i := range b.page.Forms {
		f := &b.page.Forms[i]
		if f.Collection >= 0 {
			key := strings.Join([]string{f.Purpose, f.SubmitLabel, b.page.Collections[f.Collection].ID}, "\x00")
			if rows[key] {
				continue
			}
			rows[key] = true
		}
		at = append(at, i)
	}
	score := func(i int) int {
		f := &b.page.Forms[i]
		return points(f.Unseen, f.Landmark, f.AboveFold) + worth(f.Purpose != "", 10)
	}
	at, omitted = best(at, pcd.MaxForms, score)
	forms = []pcd.Form{}
	for _, i := range at {
		forms = append(forms, b.page.Forms[i].Form)
	}
	return forms, omitted
}

func (b *builder) pickCollections() (collections []pcd.Collection, omitted int) {
	at := make([]int, len(b.page.Collections))
	for i := range at {
		at[i] = i
	}
	score := func(i int) int {
		c := &b.page.Collections[i]
		return points(c.Unseen, c.Landmark, c.AboveFold) + min(c.ApproxCount, 20) + 2*len(c.ItemFields)
	}
	at, omitted = best(at, pcd.MaxCollections, score)
	collections = []pcd.Collection{}
	for _, i := range at {
		collections = append(collections, b.page.Collections[i].Collection)
	}
	return collections, omitted
}

// best returns those with the most points, at most so many, in the order in which they were given.
func best(at []int, most int, score func(int) int) (picked []int, omitted int) {
	if len(at) <= most {
		return at, 0
	}
	ranked := slices.Clone(at)
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	ranked = ranked[:most]
	slices.Sort(ranked)
	return ranked, len(at) - most
}

func worth(yes bool, points int) int {
	if yes {
		return points
	}
	return 0
}

// points is what where it is says of how much it matters.
func points(unseen bool, l pcd.Landmark, aboveFold bool) int {
	p := worth(!unseen, 1000) + worth(aboveFold, 25)
	switch l {
	case pcd.Main:
		p += 40
	case "":
		p += 35
	case pcd.Header, pcd.Nav:
		p += 30
	case pcd.Aside:
		p += 15
	}
	return p
}
