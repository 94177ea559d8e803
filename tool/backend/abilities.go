package backend

// Abilities say what can be relied on of a backend, so that no stage has to ask which one it is. What a backend cannot
// do, the tool does for it or finds out by itself.
type Abilities struct {
	TellsPage    bool // each answer says which page the session shows, and only commands choose another tab
	TellsEffects bool // an answer says what the command did to the page, and what was in its way
	KnowsRefs    bool // it refuses refs that do not hold, and an element keeps its ref from snapshot to snapshot
	// it knows the words that skua has beside those of agent-browser: scrolls to edges and by shares, snapshots of what is
	// on the screen
	OwnWords     bool
	KeepsDomains bool // pages load only from the allowed domains, of which it needs the full list
	GuardsTraces bool // it refuses what would be in the way of a trace
	// files go where they were named, in folders that are made for them, and videos need no other program
	WritesFiles  bool
	RunsPrograms bool // a program can work in a session of the caller's
	ShowsChanges bool // an action can show what it changed of the snapshot
	ChecksRows   bool // a batch that stops at its first failure runs nothing if a row of it cannot be read
	// its sessions are those of this process: other tools of it may share them, they end with it, and a list of them names
	// those with a browser
	InProcess bool

	// IdleVariable is the variable of the environment by which a session ends by itself when it was not used for some
	// milliseconds; empty means that the tool ends idle sessions.
	IdleVariable string
}

// Can returns what our own engine does.
func (n *Native) Can() Abilities {
	return Abilities{
		TellsPage:    true,
		TellsEffects: true,
		KnowsRefs:    true,
		OwnWords:     true,
		KeepsDomains: true,
		GuardsTraces: true,
		WritesFiles:  true,
		RunsPrograms: true,
		ShowsChanges: true,
		ChecksRows:   true,
		InProcess:    true,
	}
}

// Can returns what the agent-browser program does.
func (*Subprocess) Can() Abilities { return Abilities{IdleVariable: "AGENT_BROWSER_IDLE_TIMEOUT_MS"} }

// EndsWithProcess reports whether the sessions of the backend of a name have gone when the process has that used them.
func EndsWithProcess(name Name) bool { return name == NameNative }
