package trait

// Set is a set of traits.
type Set uint64

// What a command works with.
const (
	AboutSession   Set = 1 << iota // is about sessions, not about a page of one
	AboutTabs                      // works with tabs or windows, not in one
	AboutDialog                    // is about JavaScript dialogs
	AboutClipboard                 // reads or writes the clipboard
	Traverses                      // goes through the history of the tab
	ServesTools                    // serves the commands to others
	Finds                          // looks for an element, and does with it what its argument "action" says
	Clicks                         // clicks an element, which may be a link
	Presses                        // presses a pointer's button on an element
	ReadsElement                   // returns what an element or the page says, and does nothing else
)

// How callers are to handle a command.
const (
	// the page is worth another look afterwards; effects say more than that: hover and focus change it, too
	LookAgain  Set = ReadsElement << (1 + iota)
	Summarized     // its outcome is summarized as a change of the page
	Retitles       // the page may get another title, which no effect reports
	Once           // running it twice is not the same as once, although it changes no page
	// changes a session, a browser, what a page stores or what is kept; running it twice is the same as once
	Sets
	MayLosePage // when it fails, the page may be another one
	// works with sessions or logins, which scripts have none of, or runs other commands
	NotInScripts
	SecretInput  // what it reads from standard input is a secret
	ShowsStorage // its result has what pages keep in web storage
	ShowsState   // its result has values of cookies or saved states, all of them secret
)

// Any reports whether s has one of these traits.
func (s Set) Any(of Set) bool { return s&of != 0 }
