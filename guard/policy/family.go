package policy

import "slices"

// Family is a kind of effect, whatever the command's name. Rules may deny, confirm and allow families like commands, so
// that they also cover commands that are added later.
type Family string

// The families. Their names contain a dash where no command's name does.
const (
	RunsScript     Family = "runs-script"      // runs a script of the caller in a page
	ActsByPointer  Family = "acts-by-pointer"  // uses the mouse or touch, or has the same effect
	ActsByKeyboard Family = "acts-by-keyboard" // uses keys, or puts text into a field
	ReadsFiles     Family = "reads-files"      // reads a file of the machine for a page or the session
	WritesFiles    Family = "writes-files"     // writes a file of the machine
	Sends          Family = "sends"            // submits a form, or calls a tool of the page
	RunsPrograms   Family = "runs-programs"    // runs a program that the caller names
)

// Does returns a list of families, which is never nil.
func Does(families ...Family) []Family {
	if families == nil {
		return []Family{}
	}
	return families
}

// Everything returns the families of what gets around all rules: all but RunsPrograms.
func Everything() []Family {
	return Does(RunsScript, ActsByPointer, ActsByKeyboard, ReadsFiles, WritesFiles, Sends)
}

// Actions that other commands perform as well, so that rules about these apply to them.
const (
	AddPlugin = "plugin add"
	SignIn    = "auth login"
	Click     = "click"
	Eval      = "eval"
	NewTab    = "tab new"
	Open      = "open"
	Press     = "press"
	Scroll    = "scroll"
)

// The names by which rules call the launch options that say which program runs, and how.
const (
	Executable = "executable-path"
	Switches   = "args"
	FileAccess = "allow-file-access" // pages of files read other files, of which Chromium does not tell everything
)

// FamilyInfo describes a family for people.
type FamilyInfo struct {
	Name  Family `json:"name"`
	About string `json:"about"`
}

// Families returns all families in the order in which they are shown.
func Families() []FamilyInfo {
	return []FamilyInfo{
		{RunsScript, "runs the caller's script in a page"},
		{ActsByPointer, "acts by mouse or touch"},
		{ActsByKeyboard, "acts by keys, or puts text into fields"},
		{ReadsFiles, "reads files of the machine for a page or the session"},
		{WritesFiles, "writes files of the machine"},
		{Sends, "sends a form, or calls a tool of the page"},
		{RunsPrograms, "runs a program that the caller names"},
	}
}

// matchFamily returns the first family of the request in a list.
func matchFamily(list []string, d ActionRequest) (name string, ok bool) {
	for _, name := range list {
		if slices.Contains(d.Families, Family(name)) {
			return name, true
		}
	}
	return "", false
}

// allowsFamilies reports whether a list contains all families of the request: allowing one of them does not allow the
// others.
func allowsFamilies(list []string, d ActionRequest) bool {
	for _, f := range d.Families {
		if !slices.Contains(list, string(f)) {
			return false
		}
	}
	return len(d.Families) > 0
}
