package perceive

import (
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// actionRoles are the roles of what a click is for, as summaries have them. Boxes and radio buttons of forms are
// fields, not actions.
var actionRoles = map[string]string{
	"button": "button", "link": "link", "menuitem": "menuitem", "menuitemcheckbox": "menuitem",
	"menuitemradio": "menuitem", "tab": "tab",
	"checkbox": "checkbox", "switch": "checkbox", "radio": "radio", "treeitem": "other", "DisclosureTriangle": "button",
	"DisclosureTriangleGrouped": "button",
}

// actions finds what can be clicked.
func (b *builder) actions() {
	counts := map[string]int{}
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.Token == 0 || n.Spare {
			continue
		}
		role, ok := actionRoles[n.Role]
		if !ok {
			if n.Hints&(axtree.Pointer|axtree.OnClick|axtree.Listener) == 0 {
				continue
			}
			if withoutIcons(n.Name) == "" {
				b.unnamed += worth(!n.Visibility.IsHidden() && !b.holdsMore(i), 1)
				continue
			}
			role = "other"
		}
		at := place{n.Doc, n.Token}
		form, inForm := b.forms[at]
		if inForm && (role == "checkbox" || role == "radio") {
			continue
		}
		a := b.action(int32(i), role)
		b.unnamed += worth(a.Label == "" && !a.Unseen, 1)
		a.Form, a.Collection = -1, -1
		if inForm {
			a.Form = form
		}
		if in, ok := b.items[at]; ok {
			a.Collection, a.Item = in.collection, in.item
		}
		b.page.Actions = append(b.page.Actions, a)
	}
	b.classify()
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		counts[same(&a.At)]++
	}
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		a.At.Same = counts[same(&a.At)]
	}
}

// holdsMore reports whether a node has others in it: what listens to clicks on them is not one more control.
func (b *builder) holdsMore(at int) bool {
	return at+1 < len(b.nodes) && b.nodes[at+1].Depth > b.nodes[at].Depth
}

func same(e *Element) string { return e.DocID + "\x00" + e.Role + "\x00" + e.Name }

func (b *builder) action(at int32, role string) Action {
	n, s := &b.nodes[at], &b.spots[at]
	a := Action{
		Action: pcd.Action{
			ID:        b.id(at),
			Label:     withoutIcons(n.Name),
			Role:      role,
			Landmark:  s.landmark,
			AboveFold: s.fold,
			URL:       n.URL,
			Disabled:  n.Disabled,
			Unseen:    n.Visibility.IsHidden(),
			FramePath: b.page.docs[n.Doc].path,
		},
		At:       b.element(at),
		Dialog:   s.dialog,
		Pressed:  n.Pressed,
		Expanded: n.Expanded,
	}
	if a.Label == "" && n.More != nil {
		a.Label = withoutIcons(n.More.Description)
	}
	if n.More != nil {
		a.Covered = n.More.Covered
	}
	return a
}

// withoutIcons is a name without the letters of icon fonts, which are in the private use areas of Unicode and say
// nothing. Style sheets put them before and behind texts, where they belong to the accessible name.
func withoutIcons(name string) string {
	if !strings.ContainsFunc(name, isIcon) {
		return name
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if isIcon(r) {
			return -1
		}
		return r
	}, name))
}

func isIcon(r rune) bool { return unicode.Is(unicode.Co, r) }

// classify finds the kind of each action.
func (b *builder) classify() {
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		at := b.node(b.docOf(a), a.At.Token)
		n, s := &b.nodes[at], &b.spots[at]
		around := pcd.ActionContext{
			Role:     a.Role,
			URL:      a.URL,
			Landmark: a.Landmark,
			Paging:   s.paging,
			Expands:  n.Expanded != axtree.Unset,
			Invoices: b.isInvoices(a.Collection),
			Cookies:  s.cookies,
		}
		if n.More != nil {
			around.Pops = n.More.HasPopup
		}
		if a.Form >= 0 {
			f := &b.page.Forms[a.Form]
			around.Submits = f.SubmitID == a.ID
			around.Purpose = f.Purpose
		}
		a.Kind = pcd.Kind(a.Label, around)
		a.cluster = clusterOf(a, b.page.docs[0].URL)
		a.ClusterID = a.cluster
	}
}

func (b *builder) docOf(a *Action) int32 {
	for i := range b.page.docs {
		if b.page.docs[i].DocID == a.At.DocID {
			return int32(i)
		}
	}
	return 0
}

// join tells the items of collections which actions they have.
func (b *builder) join() {
	for i := range b.page.Actions {
		a := &b.page.Actions[i]
		if a.Collection >= 0 {
			item := &b.page.Collections[a.Collection].Items[a.Item]
			item.Actions = append(item.Actions, i)
		}
	}
}
