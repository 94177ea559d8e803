//go:build linux

package main

import (
	"slices"
	"strings"
)

// entry is a call of a session with its reply, and what the page was like by its own account, which no agent reads.
type entry struct {
	Words    []string // the command and its arguments
	Reply    string
	Failed   bool
	Millis   float64
	Document string // of the page afterwards: changes with each navigation; empty means not known
	Address  string
	Title    string
	Screen   string // the texts on the screen, a line each, where the agent asked the page itself
	Whole    string // what a read would have to have for not to be cut; empty means not known
}

func (e *entry) command() string {
	if len(e.Words) == 0 {
		return ""
	}
	return e.Words[0]
}

// isView reports whether the reply shows the page.
func (e *entry) isView() bool { return !e.Failed && e.command() == "snapshot" }

const deltaFlag = "--delta"

// isDelta reports whether the reply shows only what changed on the page.
func (e *entry) isDelta() bool {
	head, _, _ := strings.Cut(e.Reply, "\n")
	return e.isView() && slices.Contains(e.Words, deltaFlag) &&
		(strings.HasSuffix(head, "delta]") || strings.HasSuffix(head, "unchanged]"))
}

// isAsked reports whether the agent had to ask the page itself for what it shows.
func (e *entry) isAsked() bool {
	switch e.command() {
	case "eval", "screenshot":
		return !e.Failed
	}
	return !e.Failed && len(e.Words) > 1 && e.Words[0] == "get" && e.Words[1] == "text"
}

// transcript is a session by one program.
type transcript struct {
	Program, Name string
	Entries       []entry
}

// pieces are the lines of a reply that are long enough to be told apart.
func pieces(text string) []string {
	var found []string
	for l := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		l = strings.Trim(plain(unquote(l)), `"',: []{}`)
		if len(l) >= 8 && strings.ContainsAny(l, "abcdefghijklmnopqrstuvwxyz") {
			found = append(found, l)
		}
	}
	return found
}
