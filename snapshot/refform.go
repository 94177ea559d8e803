package snapshot

import "github.com/skua-browser/skua/internal/lazyregexp"

// Forms in which callers write refs. Snapshots have @e12, and agent-browser's have [ref=e12]; who reads either also
// writes e12, ref="e12" or "@e12", or copies the line.
var (
	refForm = lazyregexp.New(`^\s*["']?\[?(@|@?ref[=:] ?["']?@?)?e(\d*)["']?\]?["']?\s*$`)
	// A line with the ref of one element: `- button "Save" @e12 [disabled]`, `button "Save" [disabled, ref=e12]: text`.
	refLine = lazyregexp.New(
		`^\s*(?:- )?[A-Za-z][\w-]*(?: "(?:[^"\\]|\\.)*")? (?:@e(\d+)(?:[ :].*)?|\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*?\bref=e(\d+)\b.*)$`)
)

// RefID returns the ref that a target is which a user typed, without its mark: e12 for @e12, e12, ref=e12, [ref=e12]
// and the like, and for a line of a snapshot. "@e" counts as one, so that it is answered as an unknown ref; "@x1" and
// "@" do not.
func RefID(target string) (id string, ok bool) {
	if m := refForm.FindStringSubmatch(target); m != nil {
		return "e" + m[2], m[1] != "" || m[2] != ""
	}
	if m := refLine.FindStringSubmatch(target); m != nil {
		return "e" + m[1] + m[2], true
	}
	return "", false
}

// IsRef reports whether a target is a ref in one of the forms of [RefID].
func IsRef(target string) bool {
	_, ok := RefID(target)
	return ok
}
