//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a call of a session with its reply, and what the page was like by its own account, which no agent reads.
type entry struct {
	Words    []string `json:"words"` // the command and its arguments
	Reply    string   `json:"reply"`
	Failed   bool     `json:"failed,omitempty"`
	Millis   float64  `json:"ms,omitempty"`
	View     bool     `json:"view,omitempty"`     // the reply has a snapshot, whatever the command was
	Document string   `json:"document,omitempty"` // of the page afterwards: changes with each navigation; empty: not known
	Address  string   `json:"address,omitempty"`
	Title    string   `json:"title,omitempty"`
	Whole    string   `json:"whole,omitempty"` // what a read would have to have for not to be cut; empty: not known
}

func (e *entry) command() string {
	if len(e.Words) == 0 {
		return ""
	}
	return e.Words[0]
}

// isView tells that the reply shows the page.
func (e *entry) isView() bool { return !e.Failed && (e.View || e.command() == "snapshot") }

// isAsked tells that the agent had to ask the page itself for what it shows.
func (e *entry) isAsked() bool {
	switch e.command() {
	case "eval", "screenshot":
		return !e.Failed
	}
	return !e.Failed && len(e.Words) > 1 && e.Words[0] == "get" && e.Words[1] == "text"
}

// transcript is a session by one program.
type transcript struct {
	Program string  `json:"program"`
	Name    string  `json:"name"`
	Entries []entry `json:"entries"`
}

// readTranscripts reads those that scripts/bench --workflows --transcripts wrote.
func readTranscripts(dir string) (found []transcript, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t transcript
		if err := json.Unmarshal(content, &t); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		found = append(found, t)
	}
	return found, nil
}

// pieces are the lines of a reply that are long enough to be told apart.
func pieces(text string) []string {
	var found []string
	for _, l := range strings.Split(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		l = strings.Trim(plain(unquote(l)), `"',: []{}`)
		if len(l) >= 8 && strings.ContainsAny(l, "abcdefghijklmnopqrstuvwxyz") {
			found = append(found, l)
		}
	}
	return found
}
