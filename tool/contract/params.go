package contract

import "encoding/json"

// ToolName is what the tool is called by.
const ToolName = "agent_browser"

// Params are the parameters of a call. Exactly one of the input modes (Script to Electron) is given; the modes that are
// objects stay as they came, for their compiler to check.
type Params struct {
	Script              *string         `json:"script,omitempty"`
	Session             ScriptTarget    `json:"session,omitempty"` // where a script runs
	Args                []string        `json:"args,omitempty"`
	SemanticAction      json.RawMessage `json:"semanticAction,omitempty"`
	Job                 json.RawMessage `json:"job,omitempty"`
	QA                  json.RawMessage `json:"qa,omitempty"`
	SourceLookup        json.RawMessage `json:"sourceLookup,omitempty"`
	NetworkSourceLookup json.RawMessage `json:"networkSourceLookup,omitempty"`
	Electron            json.RawMessage `json:"electron,omitempty"`

	Stdin       *string     `json:"stdin,omitempty"`
	OutputPath  *string     `json:"outputPath,omitempty"`
	TimeoutMs   *float64    `json:"timeoutMs,omitempty"`
	SessionMode SessionMode `json:"sessionMode,omitempty"`
	Observe     bool        `json:"observe,omitempty"` // adds what changed in the snapshot to the reply of an action
	// reports the page behind the call; only tools for page capabilities ask for it
	Observation bool `json:"-"`
}

// SessionMode says which session a call without --session works in.
type SessionMode string

// The session modes.
const (
	Auto  SessionMode = "auto"  // the managed session, made when there is none
	Fresh SessionMode = "fresh" // a new managed session, which takes the place of the one before
)

// ScriptTarget says which session a script works in.
type ScriptTarget string

// The sessions of scripts.
const (
	OwnSession     ScriptTarget = "own"     // a new one, which ends with the script; the same as not saying it
	CurrentSession ScriptTarget = "current" // the one that the call would work in without the script
)

// Mode is an input mode.
type Mode string

// The input modes, in the order in which messages name them.
const (
	ModeScript              Mode = "script"
	ModeArgs                Mode = "args"
	ModeSemanticAction      Mode = "semanticAction"
	ModeJob                 Mode = "job"
	ModeQA                  Mode = "qa"
	ModeSourceLookup        Mode = "sourceLookup"
	ModeNetworkSourceLookup Mode = "networkSourceLookup"
	ModeElectron            Mode = "electron"
)

// Given returns the input modes that the parameters have, in the order in which messages name them.
func (p *Params) Given() []Mode {
	var given []Mode
	add := func(there bool, m Mode) {
		if there {
			given = append(given, m)
		}
	}
	object := func(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
	add(p.Script != nil, ModeScript)
	add(p.Args != nil, ModeArgs)
	add(object(p.SemanticAction), ModeSemanticAction)
	add(object(p.Job), ModeJob)
	add(object(p.QA), ModeQA)
	add(object(p.SourceLookup), ModeSourceLookup)
	add(object(p.NetworkSourceLookup), ModeNetworkSourceLookup)
	add(object(p.Electron), ModeElectron)
	return given
}

// Modes returns all input modes, in the order in which messages name them.
func Modes() []Mode {
	return []Mode{
		ModeScript, ModeArgs, ModeSemanticAction, ModeJob, ModeQA, ModeSourceLookup, ModeNetworkSourceLookup,
		ModeElectron,
	}
}
