package inspector

import (
	"context"
	_ "embed"
	"encoding/json"
)

var (
	//go:embed js/ipc.js
	ipcScript string

	//go:embed js/ipcwatch.js
	ipcWatchScript string
)

// Channel is a channel on which an app takes messages of its pages.
type Channel struct {
	Name      string `json:"name"`
	Handler   bool   `json:"handler"`   // it answers ipcRenderer.invoke
	Listeners int    `json:"listeners"` // of ipcRenderer.send and sendSync
	// the place, in the targets that were given, of the page whose own ipc has it; nil means ipcMain
	Page *int `json:"page,omitempty"`
}

// The outcomes of a call.
const (
	NoChannel  = "none"       // nothing of the app takes messages there
	NoPage     = "no-page"    // the app has no page that could have sent the message
	Answered   = "answered"   // the answer is known
	Unanswered = "unanswered" // listeners have got the message, and none of them answered
	CallFailed = "failed"     // the handler threw
	Unsendable = "unsendable" // the answer cannot be sent to a page
)

// ChannelCall is a message as a page would send it.
type ChannelCall struct {
	Channel string            `json:"call"`
	Args    []json.RawMessage `json:"args"`
	// the target of the page that sends it; empty or unknown: the focused window, else any
	From string `json:"from,omitzero"`
}

// ChannelAnswer is what a page would get for a call.
type ChannelAnswer struct {
	Outcome string `json:"outcome"`
	Answer  string `json:"answer"` // JSON; of Answered
	Error   string `json:"error"`  // of CallFailed and Unsendable
}

// Channels lists the channels on which the app takes messages: those of ipcMain, and those that pages of the targets
// have for themselves.
func (p *Process) Channels(ctx context.Context, targetIDs []string) ([]Channel, error) {
	var found struct {
		Channels []Channel `json:"channels"`
	}
	err := p.call(ctx, ipcScript, map[string][]string{"targetIds": targetIDs}, &found)
	return found.Channels, err
}

// CallChannel sends a message to the app as one of its pages does, through Electron's own dispatch, and returns what
// the page would get.
func (p *Process) CallChannel(ctx context.Context, c ChannelCall) (ChannelAnswer, error) {
	var answer ChannelAnswer
	err := p.call(ctx, ipcScript, c, &answer)
	return answer, err
}

// Message is a message between a page and the main process.
type Message struct {
	ID       int     `json:"id"`
	At       int64   `json:"at"`               // milliseconds since 1970
	Kind     string  `json:"kind"`             // invoke, send, send-sync, post, or to-page of one that the app sends
	Channel  string  `json:"channel"`          // its name
	Args     string  `json:"args"`             // as JavaScript writes them; at most about 1,000 characters
	Contents int     `json:"contents"`         // the id of the page's webContents; 0 means not known
	Answer   string  `json:"answer,omitempty"` // as Args; empty means none yet, or the kind has none
	Error    string  `json:"error,omitempty"`  // what the page got in place of an answer
	Took     float64 `json:"took,omitempty"`   // milliseconds until the answer
}

// Moves of a watch.
const (
	ClearMessages = "clear" // forgets what was noted
	StopWatching  = "stop"  // ends the watch and takes everything of it out of the app
)

// Messages are what was noted of the messages between an app's pages and its main process.
type Messages struct {
	Began    bool      `json:"began"` // the watch began with this call
	Messages []Message `json:"messages"`
	Dropped  int       `json:"dropped"`  // older ones that are not kept
	Contents []int     `json:"contents"` // the ids of the webContents of the targets that were given, or 0
}

// WatchMessages returns the messages that were noted since the first call, which begins to note them, and makes a move,
// if one is given. Members whose name says that they hold a secret are masked.
func (p *Process) WatchMessages(ctx context.Context, targetIDs []string, move string) (Messages, error) {
	var seen Messages
	err := p.call(ctx, ipcWatchScript, struct {
		TargetIDs []string `json:"targetIds"`
		Move      string   `json:"move,omitzero"`
	}{targetIDs, move}, &seen)
	return seen, err
}
