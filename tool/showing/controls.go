package showing

import "strings"

// control is a kind of control that a caller may look for.
type control uint8

const (
	noControl control = iota
	editable          // what can be filled
	surface           // a tab, by whose name another part of the page appears
	action            // a button that does what the page is for
	namedLink
	otherControl
	controls
)

// mostOf is how many of a kind are listed at most.
var mostOf = [controls]int{editable: 4, surface: 3, action: 3, namedLink: 3, otherControl: 6}

// mostControls is how many controls are listed in all.
const mostControls = 10

// mainActions are words of buttons that do what a page is for.
var mainActions = []string{
	"save", "submit", "continue", "next", "search", "sign in", "log in", "login", "sign up", "register", "create", "add",
	"buy", "checkout", "check out", "pay",
	"order", "send", "post", "apply", "confirm", "ok", "done", "finish", "download", "upload", "export", "import",
	"delete", "remove", "edit", "publish", "start",
	"accept", "agree", "book", "go", "update",
}

// kindOf says which kind of control a line is.
func kindOf(l *snapLine) control {
	if l.ref == "" {
		return noControl
	}
	switch l.role {
	case "textbox", "searchbox", "combobox", "spinbutton", "textarea":
		return editable
	case "tab":
		if l.name != "" {
			return surface
		}
	case "button":
		if isDeed(l.name) {
			return action
		}
	case "link":
		if l.name != "" && len(l.name) <= 80 {
			return namedLink
		}
	case "checkbox", "radio", "option", "menuitem", "menuitemcheckbox", "menuitemradio", "switch", "slider", "listbox",
		"treeitem":
		return otherControl
	}
	return noControl
}

func isDeed(name string) bool {
	if name == "" || len(name) > 60 {
		return false
	}
	lower := strings.ToLower(name)
	for _, action := range mainActions {
		if rest, ok := strings.CutPrefix(lower, action); ok && (rest == "" || !isLetter(rest[0])) {
			return true
		}
	}
	return false
}

// omitted chooses among the controls that are not shown, in turn from each kind, so that many of one do not hide the
// others.
func omitted(lines []snapLine, shown map[string]bool) []*snapLine {
	var byKind [controls][]*snapLine
	names := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		kind := kindOf(l)
		if kind == noControl || len(byKind[kind]) == mostOf[kind] || shown[l.ref] {
			continue
		}
		if key := l.role + "\x00" + l.name; l.name != "" {
			if names[key] {
				continue
			}
			names[key] = true
		}
		byKind[kind] = append(byKind[kind], l)
	}
	var out []*snapLine
	for turn := 0; len(out) < mostControls; turn++ {
		before := len(out)
		for kind := editable; kind < controls && len(out) < mostControls; kind++ {
			if turn < len(byKind[kind]) {
				out = append(out, byKind[kind][turn])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}
