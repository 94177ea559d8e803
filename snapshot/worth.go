package snapshot

import "github.com/skua-browser/skua/snapshot/axtree"

// What a line costs and what it is worth, when not all can be shown.

// TokenBytes is of how many bytes of such text models make a token.
const TokenBytes = 3

// lineCost is about how many tokens a line has: see [TokenBytes].
func lineCost(n *axtree.Node, level, clipAt int) int {
	bytes := 3 + 2*level + len(n.Role) + clipped(n.Name, clipAt) + clipped(n.Value, clipAt)
	if n.Name != "" {
		bytes += 3
	}
	if n.Ref != 0 {
		bytes += 12
	}
	if n.Level != 0 || n.Checked != axtree.Unset || n.Expanded != axtree.Unset {
		bytes += 14
	}
	if n.Hints != 0 {
		bytes += 30
	}
	if n.More != nil {
		bytes += len(n.More.Description)
	}
	return bytes/TokenBytes + 1
}

// joinedCost is about how many tokens a node adds to the line that it shares.
func joinedCost(n *axtree.Node, clipAt int) int { return (clipped(n.Name, clipAt)+10)/TokenBytes + 1 }

func clipped(s string, at int) int {
	if at > 0 {
		return min(len(s), at)
	}
	return len(s)
}

// The values of lines by what they are: from controlValue on a line is one that an agent is likely to look for.
const (
	linkValue    = 30
	controlValue = 40
	maxWorth     = 127
)

var values = map[string]int{
	"alert": 60, "alertdialog": 60, "dialog": 60, axtree.RoleUnreadable: 60,
	"textbox": 45, "searchbox": 45, "combobox": 45, "listbox": 44, "spinbutton": 44, "slider": 42, "switch": 42,
	"checkbox": 42, "radio": 41,
	"button": 43, "tab": 42, "menuitem": 41, "menuitemcheckbox": 41, "menuitemradio": 41, "ColorWell": 41, "Date": 41,
	"DateTime": 41, "InputTime": 41,
	"DisclosureTriangle": 40, "DisclosureTriangleGrouped": 40, axtree.RoleIframe: 38, "heading": 36, "link": linkValue,
	"treeitem": linkValue, "option": 20,
	"main": 36, "navigation": 36, "region": 34, "form": 34, "search": 34, "banner": 34, "contentinfo": 34,
	"complementary": 34, "table": 34,
	"grid": 34, "treegrid": 34, "list": 10, "cell": 14, "gridcell": 16, "columnheader": 30, "rowheader": 24, "row": 12,
	"listitem": 12,
	"status":   36, "log": 30, "paragraph": 10, axtree.RoleStaticText: 22, "image": 12, axtree.RoleGeneric: 4,
}

// value is what a node is worth by itself.
func value(n *axtree.Node) int {
	v, known := values[n.Role]
	switch {
	case !known:
		v = 15
	case n.Role == axtree.RoleGeneric && n.Hints != 0:
		v = controlValue
	}
	if n.InView {
		v += 40
	}
	if n.Focused || n.Invalid {
		v += 40
	}
	if n.Visibility.IsHidden() {
		v -= 15
	}
	if n.More != nil && n.More.Covered {
		v -= 10
	}
	return v
}

// placeWorth is what a node adds to the worth of all that is in it.
func placeWorth(n *axtree.Node) int16 {
	switch n.Role {
	case "main", "dialog", "alertdialog", "alert":
		return 12
	case "navigation", "contentinfo", "banner", "complementary":
		return -8
	}
	return 0
}
