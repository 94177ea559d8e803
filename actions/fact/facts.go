package fact

import "github.com/skua-browser/skua/snapshot"

// Facts are what other parts of the program need to know of a command's result: which page is shown, which refs there
// are, which files were written. A result type adds those of its own data, see [Source]; the run adds the others, such
// as effects.
type Facts struct {
	Page Shown      // the page that the command led to or that the result is about; zero if there is none
	Tabs []ShownTab // the session's, when it lists them
	Refs *HandedOut // the refs that it hands out; nil means that it hands out none

	Sessions []string // that it lists

	Files Files // that it wrote

	Effects *Effects // what it led to; nil means that nothing was watched
	Matches int      // how many elements its selector means, when it means several
	Match   int      // which of them was taken, from 0

	Confirmation string // the id under which it waits for a person; empty means that it was done

	Collections []Collection // lists of things on the page
	FocusedRole string       // of the element that has the focus
}

// Shown is a page that a session shows.
type Shown struct {
	Tab, Title, URL string
}

// ShownTab is one of a session's tabs.
type ShownTab struct {
	Shown
	Label  string
	Active bool
}

// HandedOut is what a command shows of a page with the refs by which other commands act on it.
type HandedOut struct {
	Refs  map[string]snapshot.RefData // by their names without @
	Text  string
	Whole bool // the text is the page, and not what changed
}

// Files are the files that a command wrote.
type Files struct {
	Path      string // the one that it is for
	Previous  string // a video that ended before this one began
	Sheet     string // a picture of what a video shows
	Picture   bool   // the file is a picture that callers are to see
	Unchanged bool   // there was nothing to write
}

// Collection is a list of things on a page.
type Collection struct {
	ID    string
	Count int // about how many it has
}
