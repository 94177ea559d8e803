package policy

import "slices"

// Family is what a command does, whatever its name: rules may deny, confirm and allow families as they do commands, so that a command which
// comes later is under the rule, too.
type Family string

// The families. Their names have a dash, which no command's name has where it could be taken for one.
const (
	RunsScript     Family = "runs-script"      // a script of the caller's runs in a page
	ActsByPointer  Family = "acts-by-pointer"  // a mouse or a finger, or what does as they do
	ActsByKeyboard Family = "acts-by-keyboard" // keys, or text that gets into a field
	ReadsFiles     Family = "reads-files"      // a file of the machine gets into a page or the session
	WritesFiles    Family = "writes-files"     // a file of the machine is written
	Sends          Family = "sends"            // a form is sent, or a tool of the page is called
	RunsPrograms   Family = "runs-programs"    // a program that the caller names runs on the machine
)

// Does is a list of families, also of none.
func Does(families ...Family) []Family {
	if families == nil {
		return []Family{}
	}
	return families
}

// Everything is the list of what gets around all rules: all families but the one of starting programs.
func Everything() []Family {
	return Does(RunsScript, ActsByPointer, ActsByKeyboard, ReadsFiles, WritesFiles, Sends)
}

// Actions that others do the work of as well, so that rules about these hold for them.
const (
	AddPlugin = "plugin add"
	Click     = "click"
	Eval      = "eval"
	NewTab    = "tab new"
	Open      = "open"
	Press     = "press"
)

// FamilyInfo describes a family for people.
type FamilyInfo struct {
	Name  Family `json:"name"`
	About string `json:"about"`
}

// Families returns all families in the order in which they are shown.
func Families() []FamilyInfo {
	return []FamilyInfo{
		{RunsScript, "runs a script of the caller's in a page"},
		{ActsByPointer, "acts by mouse or touch"},
		{ActsByKeyboard, "acts by keys, or puts text into fields"},
		{ReadsFiles, "reads files of the machine for a page or the session"},
		{WritesFiles, "writes files of the machine"},
		{Sends, "sends a form, or calls a tool of the page"},
		{RunsPrograms, "runs a program that the caller names"},
	}
}

// matchFamily returns the family of the deed that a list names.
func matchFamily(list []string, d Deed) (name string, ok bool) {
	for _, name := range list {
		if slices.Contains(d.Families, Family(name)) {
			return name, true
		}
	}
	return "", false
}

// allowsFamilies reports whether a list names all families of the deed: to be allowed one of them does not allow the others.
func allowsFamilies(list []string, d Deed) bool {
	for _, f := range d.Families {
		if !slices.Contains(list, string(f)) {
			return false
		}
	}
	return len(d.Families) > 0
}
