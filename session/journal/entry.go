package journal

import (
	"strings"
	"time"
)

// State is how far a command is.
type State string

// The states.
const (
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
)

// Hidden replaces a word that may be a secret.
const Hidden = "•••"

// Entry is a command that ran.
type Entry struct {
	ID      int64     `json:"id"` // counts in the session, from 1
	Begun   time.Time `json:"begun"`
	MS      float64   `json:"ms"`
	Command string    `json:"command"` // its name, without aliases
	Words   []Word    `json:"words,omitempty"`
	Tab     string    `json:"tab,omitempty"`    // that was active when it began
	From    string    `json:"from,omitempty"`   // the address of that tab's page
	To      string    `json:"to,omitempty"`     // and the one after the command, of the tab that was active then
	Effect  []string  `json:"effect,omitempty"` // what it led to, in words
	State   State     `json:"state"`
	Code    string    `json:"code,omitempty"` // of an error
	Error   string    `json:"error,omitempty"`
	Steps   bool      `json:"steps,omitempty"` // doing the same again needs it: it did something to a page, or waited for it

	Shown string `json:"-"` // the command line for people who look on: without what was typed
}

// Word is an argument or a flag as it was given.
type Word struct {
	Name   string   `json:"name"`
	Flag   bool     `json:"flag,omitempty"`
	Values []string `json:"values,omitempty"` // none of a flag without value
	Hidden bool     `json:"hidden,omitempty"` // the values are not kept
	Target *Target  `json:"target,omitempty"` // what the value, a ref, stood for
	Typed  bool     `json:"-"`                // goes into the page, and is forgotten when the page treats it as a secret
}

// Target is an element as anybody finds it again.
type Target struct {
	Ref   string   `json:"ref"` // that the session knew it by
	Role  string   `json:"role,omitempty"`
	Name  string   `json:"name,omitempty"`
	Nth   int      `json:"nth,omitempty"`   // among those of the same role and name
	Frame []string `json:"frame,omitempty"` // names or addresses of the frames around it, the outermost first; nil: the page itself
}

// String names the element for people.
func (t *Target) String() string {
	words := t.Role
	if t.Name != "" {
		words += ` "` + t.Name + `"`
	}
	if words = strings.TrimSpace(words); words == "" {
		return t.Ref
	}
	if len(t.Frame) > 0 {
		words += " in frame " + strings.Join(t.Frame, " > ")
	}
	return words
}

// Line is the command line in words: refs with what they stood for, and Hidden where a word is not kept.
func (e *Entry) Line() string {
	words := []string{e.Command}
	for _, w := range e.Words {
		if w.Flag {
			words = append(words, "--"+w.Name)
		}
		switch {
		case w.Hidden:
			words = append(words, Hidden)
		case w.Target != nil:
			words = append(words, w.Target.Ref+" ("+w.Target.String()+")")
		default:
			for _, v := range w.Values {
				words = append(words, Quote(v))
			}
		}
	}
	return strings.Join(words, " ")
}

// Quote writes a word for a POSIX shell. Words that need no quotes get none.
func Quote(word string) string {
	plain := word != ""
	for _, c := range word {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("@%+=:,./_-", c)) {
			plain = false
			break
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
