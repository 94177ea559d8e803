package trait

// Set is a set of traits.
type Set uint64

// What a command does in the session.
const (
	Opens         Set = 1 << iota // opens the address that it is given
	Leads                         // leads the tab to another page, or to the same one again, and its data says to which
	Reloads                       // loads the page of the tab again
	Traverses                     // goes through the history of the tab
	Connects                      // attaches to a browser that runs already
	EndsSession                   // closes the session
	RunsRows                      // runs the command lines that it is given, or reads from standard input, one after another
	ListsSessions                 // lists the sessions
	LoadsState                    // puts a saved state into the browser
	SavesLogin                    // keeps a login, whose secrets it reads from standard input
	ServesTools                   // serves the commands to others
	AboutSession                  // is about sessions, not about a page of one
	AboutTabs                     // works with tabs or windows, not in one
	ListsTabs                     // lists the tabs
	ChoosesTab                    // makes a tab that is there the active one
	OpensTab                      // opens a tab
	ClosesTab                     // closes a tab
	AboutDialog                   // is about JavaScript dialogs
)

// What a command does in the page.
const (
	Snapshots      Set = AboutDialog << (1 + iota) // shows the page with refs
	Evaluates                                      // runs a script of the caller's in the page
	Waits                                          // waits for a state of the page
	Finds                                          // looks for an element, and does with it what its argument "action" says
	FindsRole                                      // looks for an element by its role
	Clicks                                         // clicks an element
	Presses                                        // presses a pointer's button on an element
	Replaces                                       // puts a text in place of what a field holds
	TypesText                                      // puts a text into a field
	FollowsLinks                                   // acts on an element that may navigate, and does not report whether it did
	ReadsAddress                                   // returns the address of the page
	ReadsTitle                                     // returns the title of the page
	ReadsText                                      // returns the text of an element
	ReadsElement                                   // returns what an element or the page says, and does nothing else
	ScrollsBy                                      // scrolls by a distance
	ScrollsTo                                      // scrolls to a place
	PressesKey                                     // presses a key and releases it
	TakesOneKey                                    // takes one key or chord as its only word
	AboutClipboard                                 // reads or writes the clipboard
	MayOpenDialog                                  // may well open a JavaScript dialog, which it then meets
)

// What a command records, watches and saves.
const (
	Photographs    Set = MayOpenDialog << (1 + iota) // takes a screenshot, whose path may stand in place of a selector
	StartsStream                                     // starts to stream the session
	ListsRequests                                    // lists the requests of the page
	Routes                                           // answers or blocks requests of an address from now on
	Unroutes                                         // takes that back
	ListsPageTools                                   // lists the tools that the page offers to agents
	CallsPageTool                                    // calls one of them
)

// How callers are to handle a command.
const (
	LookAgain    Set = CallsPageTool << (1 + iota) // the page is worth another look afterwards; effects say more than that: hover and focus change it, too
	Summarized                                     // its outcome is told in short as a change of the page
	Once                                           // running it twice is not the same as once, although it changes no page
	Sets                                           // changes a session, a browser, what a page stores or what is kept; running it twice is the same as once
	MayLosePage                                    // when it fails, the page may be another one
	NotInScripts                                   // works with sessions or logins, which scripts have none of
	SecretInput                                    // what it reads from standard input is a secret
	ShowsStorage                                   // its result has what pages keep in web storage
	ShowsState                                     // its result has values of cookies or saved states, all of them secret
	RunsCode                                       // runs a program of the caller\'s that runs commands, and may read it from standard input
)

// Any reports whether s has one of these traits.
func (s Set) Any(of Set) bool { return s&of != 0 }
