package perceive

import (
	"slices"
	"strconv"

	"github.com/skua-browser/skua/copilot/pcd"
)

// template finds the actions that every item of a collection has, and lets those of the first item stand for them.
func (b *builder) template() {
	for c := range b.page.Collections {
		list := &b.page.Collections[c]
		if len(list.Items) < 2 {
			continue
		}
		b.templatesOf(c, list)
	}
}

// slot is one of several equal actions: by role and label, or by role and how many of that role stand before it in the
// item.
type slot struct{ role, label string }

func (b *builder) templatesOf(collection int, list *Collection) {
	labels := map[slot]int{}
	for i := range list.Items {
		for _, at := range list.Items[i].Actions {
			a := &b.page.Actions[at]
			labels[slot{a.Role, a.Label}]++
		}
	}
	heads := map[slot]int{} // the first action of each
	counts := map[slot]int{}
	for i := range list.Items {
		nth := map[string]int{}
		for _, at := range list.Items[i].Actions {
			a := &b.page.Actions[at]
			key := slot{a.Role, a.Label}
			if 2*labels[key] < len(list.Items) {
				nth[a.Role]++
				key = slot{a.Role, "\x00" + strconv.Itoa(nth[a.Role])}
			}
			if _, ok := heads[key]; !ok {
				heads[key] = at
			}
			counts[key]++
			a.group = key
		}
	}
	for key, at := range heads {
		if counts[key] >= 2 && 2*counts[key] >= len(list.Items) {
			a := &b.page.Actions[at]
			a.template = true
			a.CollectionID = list.ID
		}
	}
	for i := range list.Items {
		for _, at := range list.Items[i].Actions {
			a := &b.page.Actions[at]
			head := heads[a.group]
			a.shadowed = at != head && b.page.Actions[head].template
		}
	}
}

// pickActions returns the indexes of the actions that the summary shows, ascending, and how many actions there are when
// equal ones count as one.
func (b *builder) pickActions() (picked []int, groups int) {
	candidates := b.clusters()
	groups = len(candidates)
	if groups > pcd.MaxActions {
		candidates = b.diverse(candidates)
	}
	slices.Sort(candidates)
	return candidates, groups
}

// clusters returns one action of each cluster, the best one, in the order of the page. It leaves out
// actions that a template represents.
func (b *builder) clusters() []int {
	at := map[string]int{} // index in list
	var list []int
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		if a.shadowed {
			continue
		}
		key := a.cluster
		if a.template {
			key += a.CollectionID
		}
		if a.Form >= 0 {
			key += b.page.Forms[a.Form].ID
		}
		if first, ok := at[key]; !ok {
			at[key] = len(list)
			list = append(list, i)
		} else if b.score(i) > b.score(list[first]) {
			list[first] = i
		}
	}
	return list
}

// score is how much an action matters by itself.
func (b *builder) score(i int) int {
	a := &b.page.Actions[i]
	p := points(a.Unseen, a.Landmark, a.AboveFold) + worth(!a.Covered, 60) + worth(a.Dialog, 60) + worth(a.template, 15)
	p -= worth(a.Disabled, 20) + worth(a.Label == "", 40) + worth(len(a.Label) > 80, 10)
	p += worth(a.Form >= 0 && b.page.Forms[max(a.Form, 0)].SubmitID == a.ID, 20)
	switch a.Kind {
	case "":
	case pcd.KindNavigate, pcd.KindPage, pcd.KindExpand, pcd.KindShare, pcd.KindLanguage, pcd.KindSort:
		p += 5
	default:
		p += 20
	}
	return p
}

// diverse picks as many actions as a summary holds: the one with the most points first, where each that was picked
// takes some from those like it, so that a long menu does not leave out all else. Among equals the first of the page
// wins.
func (b *builder) diverse(candidates []int) []int {
	type rest struct {
		at, score     int
		kind, quarter string
		picked        bool
	}
	all := make([]rest, len(candidates))
	for i, at := range candidates {
		a := &b.page.Actions[at]
		all[i] = rest{at: at, score: b.score(at), kind: a.Kind, quarter: string(a.Landmark) + " " + a.Role}
	}
	kinds, quarters := map[string]int{}, map[string]int{}
	var picked []int
	for len(picked) < pcd.MaxActions {
		best, most := -1, 0
		for i := range all {
			r := &all[i]
			if r.picked {
				continue
			}
			score := r.score - 3*quarters[r.quarter]
			if r.kind != "" {
				score -= 8 * kinds[r.kind]
			}
			if best < 0 || score > most {
				best, most = i, score
			}
		}
		all[best].picked = true
		kinds[all[best].kind]++
		quarters[all[best].quarter]++
		picked = append(picked, all[best].at)
	}
	return picked
}
