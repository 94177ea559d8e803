package actions

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/policy"
)

// nature is what a command does beside what its name says: what an owner forbids by what is done is forbidden for whatever does it.
type nature struct {
	families []policy.Family
	further  func(in *Input) []policy.Family // by what it was given
	like     []string                        // commands that it does the work of, for rules that deny or confirm these
	also     func(in *Input) []string        // the same, by what it was given

	// around says that it would get around rules, so that it is refused under any unless their owner allows it by name; nil: it does not.
	around func(in *Input) bool
	// aroundByAgents says so where an agent asks, since what it prints is meant for a person.
	aroundByAgents bool
}

// natures has an entry for every command, so that a new one is thought about. Those that have others run do nothing by themselves: each of these
// is judged.
var natures = func() map[string]nature {
	const (
		script, pointer, keyboard = policy.RunsScript, policy.ActsByPointer, policy.ActsByKeyboard
		reads, writes, sends      = policy.ReadsFiles, policy.WritesFiles, policy.Sends
		programs                  = policy.RunsPrograms
	)
	does := func(f ...policy.Family) nature { return nature{families: f} }
	given := func(f policy.Family, names ...string) nature {
		return nature{further: func(in *Input) []policy.Family {
			if slices.ContainsFunc(names, in.Has) {
				return []policy.Family{f}
			}
			return nil
		}}
	}
	clicks := nature{families: []policy.Family{pointer}, like: []string{"click"}}
	always := func(*Input) bool { return true }
	all := []policy.Family{script, pointer, keyboard, reads, writes, sends}
	n := map[string]nature{
		"eval": does(script), "dblclick": clicks, "tap": clicks, "check": clicks, "uncheck": clicks, "mouse down": clicks, "mouse up": clicks,
		"press": {families: []policy.Family{keyboard}, further: entersForm, also: activates}, "keydown": {families: []policy.Family{keyboard}, further: entersForm, also: activates},
		"network route": {
			further: func(in *Input) (f []policy.Family) {
				if in.Has("body") || in.Has("file") {
					f = append(f, script)
				}
				if in.Has("file") {
					f = append(f, reads)
				}
				return f
			},
			also: func(in *Input) []string { // the page runs what it is answered with
				if in.Has("body") || in.Has("file") {
					return []string{"eval"}
				}
				return nil
			},
		},
		"wait": {further: func(in *Input) (f []policy.Family) {
			if in.Has("fn") {
				f = append(f, script)
			}
			if in.Has("download") {
				f = append(f, writes)
			}
			return f
		}},
		"upload": does(reads), "drop": does(pointer, reads), "download": does(pointer, writes), "submit": does(pointer, keyboard, sends),
		"webmcp invoke": {families: []policy.Family{sends}, further: func(in *Input) []policy.Family {
			if strings.HasPrefix(in.String("params"), "@") {
				return []policy.Family{reads}
			}
			return nil
		}},
		"auth login": does(pointer, keyboard, sends), "cookies set": given(reads, "curl"), "state load": does(reads), "diff snapshot": given(reads, "baseline"),
		"diff screenshot": {families: []policy.Family{reads}, further: given(writes, "output").further}, "diff url": given(writes, "output"),
		"network har stop": does(writes), "network request": given(writes, "body-file"), "journal export": given(writes, "path"),
		"inspect": {families: all, around: always}, "get cdp-url": {families: all, around: always},
		"plugin add": {families: []policy.Family{programs}, around: always}, "plugin run": does(programs),
		"electron launch": {families: []policy.Family{programs}, around: always},
		"install": {around: func(in *Input) bool { return in.Bool("with-deps") || in.Bool("system") }, further: func(in *Input) []policy.Family {
			if in.Bool("with-deps") || in.Bool("system") {
				return []policy.Family{programs}
			}
			return nil
		}},
		"upgrade":         {around: func(in *Input) bool { return in.Has("from") }, further: given(programs, "from").further},
		"dashboard start": {aroundByAgents: true}, "dashboard status": {aroundByAgents: true}, "task confirm": {aroundByAgents: true},
	}
	add := func(nature nature, names ...string) {
		for _, name := range names {
			n[name] = nature
		}
	}
	add(does(pointer), "click", "hover", "select", "scroll", "scroll to", "scrollintoview", "drag", "mouse move", "mouse wheel", "swipe", "dialog accept",
		"dialog dismiss", "dialog policy")
	add(does(keyboard), "fill", "type", "focus", "keyup", "keyboard type", "keyboard inserttext", "keyboard compose", "clipboard copy", "clipboard paste")
	add(does(writes), "screenshot", "pdf", "record start", "record stop", "record restart", "trace start", "trace stop", "profiler start", "profiler stop",
		"heap snapshot", "state save")
	add(nature{}, // what goes to pages, looks at them, or says how the browser shows them
		"open", "back", "forward", "reload", "pushstate", "snapshot", "read", "get text", "get html", "get value", "get attr", "get title", "get url", "get count",
		"get box", "get styles", "is visible", "is enabled", "is checked", "clipboard read", "clipboard write", "tab list", "tab switch", "tab new", "tab close",
		"window new", "frame", "dialog status", "network unroute", "network routes", "network requests", "network har start", "set offline", "set network",
		"set headers", "set credentials", "cookies get", "cookies clear", "storage local get", "storage local set", "storage local remove", "storage local clear",
		"storage session get", "storage session set", "storage session remove", "storage session clear", "storage indexeddb list", "storage indexeddb get",
		"storage indexeddb clear", "storage cache list", "storage cache get", "storage cache clear", "storage usage", "set viewport", "set device", "set geo",
		"set media", "set timezone", "set locale", "set user-agent", "set permissions", "set cpu", "console", "errors", "removeinitscript", "initscripts",
		"highlight", "vitals", "a11y", "stream enable", "stream disable", "stream status", "dashboard stop", "webmcp list", "webmcp result", "webmcp cancel",
		"react tree", "react inspect", "react renders start", "react renders stop", "react suspense", "capabilities", "capabilities query",
		"capabilities details", "extract", "capture candidates")
	add(nature{}, // what runs others
		"find role", "find text", "find label", "find placeholder", "find alt", "find title", "find testid", "find first", "find last", "find nth",
		"batch", "chat", "task run", "task replay", "explore", "journal replay", "confirm")
	add(nature{}, // what is about sessions and the program
		"skills list", "skills get", "skills path", "connect", "close", "session", "session list", "session id", "session info", "session lock", "session unlock",
		"profiles", "journal", "journal clear", "deny", "policy", "policy log", "task list", "task show", "task deny", "task cancel", "auth save", "auth list",
		"auth show", "auth delete", "plugin list", "plugin show", "state list", "state show", "state rename", "state clear", "state clean", "electron list",
		"electron status", "electron probe", "electron cleanup", "config", "config path", "config schema", "completion", "completion words",
		"completion values", "man", "mcp", "mcp call", "serve", "doctor", "device list")
	return n
}()

// activating reports whether a key or chord activates what has the focus.
func activating(in *Input) (enter, any bool) {
	word := in.String("key")
	key := strings.ToLower(word[strings.LastIndex(word, "+")+1:])
	enter = key == "enter" || key == "return" || key == "numpadenter" || key == "\n" || key == "\r"
	return enter, enter || key == "space" || key == " "
}

// activates is the click that a key is on a button or a link that has the focus.
func activates(in *Input) []string {
	if _, yes := activating(in); yes {
		return []string{"click"}
	}
	return nil
}

// entersForm is the form that the key sends in a field.
func entersForm(in *Input) []policy.Family {
	if enter, _ := activating(in); enter {
		return []policy.Family{policy.Sends}
	}
	return nil
}

// familiesOf returns what a command does with what it was given.
func familiesOf(in *Input) []policy.Family {
	n := natures[in.Command().Name]
	if n.further == nil {
		return n.families
	}
	return slices.Concat(n.families, n.further(in))
}

// shownFamily is a family as `policy` shows it.
type shownFamily struct {
	policy.FamilyInfo
	Commands []string `json:"commands"` // that always do it; others do with some of their flags
}

func shownFamilies() []shownFamily {
	var all []shownFamily
	for _, info := range policy.Families() {
		f := shownFamily{FamilyInfo: info}
		for name, n := range natures {
			if slices.Contains(n.families, info.Name) {
				f.Commands = append(f.Commands, name)
			}
		}
		slices.Sort(f.Commands)
		all = append(all, f)
	}
	return all
}

// The names by which rules call the launch options that say which program runs, and how.
const (
	ExecutableAction = "executable-path"
	SwitchesAction   = "args"
)

// launching are the deeds of launch options of the caller's own. Those that the owner has set in the environment or in a configuration file are
// none.
func launching(in *Input) (deeds []policy.Deed, also []string) {
	for _, name := range []string{ExecutableAction, SwitchesAction} {
		if in.Typed(name) {
			deeds = append(deeds, policy.Deed{
				Action: name, Names: []string{name}, Reach: policy.WhenNamed, Families: []policy.Family{policy.RunsPrograms}, Granted: true,
			})
		}
	}
	if c := in.Configuration(); c != nil && in.Typed("config") {
		if s, ok := c.Sections["plugins"]; ok && s.Chosen {
			deeds = append(deeds, policy.Deed{
				Action: "plugin_add", Names: []string{"plugin add", "plugin_add"}, Reach: policy.WhenNamed, Families: []policy.Family{policy.RunsPrograms}, Granted: true,
			})
		}
	}
	if in.Typed("extension") || in.Typed("restore-check-fn") {
		also = append(also, "eval")
	}
	return deeds, also
}

// Classified reports whether it is said what the command does.
func Classified(name string) bool { _, ok := natures[name]; return ok }
