package main

// module is how the import paths of this module's packages begin.
const module = "github.com/skua-browser/skua/"

// selection is tests of a package, by a regular expression for their names; an empty one means all of them.
type selection struct{ pkg, tests string }

// raced is what runs under the race detector on every change: the packages with goroutines and locks of their own, and
// of the packages that drive browsers those tests in which many goroutines meet. All others have their turn in the deep
// tier.
var raced = []selection{
	{pkg: "actions/annotations", tests: `^TestBoard`}, // persons and agents
	{pkg: "engine/cdp"},    // one reader, many callers
	{pkg: "guard/gate"},    // connections of many pages
	{pkg: "internal/ring"}, // written by events, read by commands
	{pkg: "session/daemon"},
	{pkg: "session/journal"},
	{pkg: "session/turn"}, // the queue
	{pkg: "guard/policy"},
	{pkg: "session/wire"},
	{pkg: "session/wire/hostdir"},
	{pkg: "snapshot"}, // refs
	{pkg: "tool/lease"},
	{
		pkg:   "engine",
		tests: `^Test(AsideThat|Attach$|DocumentOfManyCallers|Download|FrameChangesProcess|Popup|Screencast|Settle|Traffic)`,
	},
	{pkg: "session", tests: `^Test(Confirm|Idle|Journal(Is|Of|That)|EndLeaves|Tabs?|Batch|Dialogs)`},
	{pkg: "actions/batch", tests: `^TestBatch`},
	{pkg: "actions/live", tests: `^Test(Stream|Dashboard(ClosedSession|Commands|Records|TakeOver))`},
	{pkg: "actions/tabs", tests: `^Test(Tabs?|Dialogs)`},
	{pkg: "tool/mcp", tests: `^Test(Bridge|Calls|Cancel|Progress|Session|Serve)`},
}
