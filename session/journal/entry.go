package journal

import (
	"strings"
	"time"
)

// State is the state of a command.
type State string

// The states.
const (
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
)

// Hidden replaces a word that may be secret.
const Hidden = "•••"

// Entry is a command that ran.
type Entry struct {
	ID         int64     `json:"id"` // numbered in the session from 1
	Begun      time.Time `json:"begun"`
	MS         float64   `json:"ms"`
	Command    string    `json:"command"` // its name, without aliases
	Words      []Word    `json:"words,omitempty"`
	Tab        string    `json:"tab,omitempty"`    // that the command works in, else the active one when it began
	From       string    `json:"from,omitempty"`   // the address of that tab's page
	To         string    `json:"to,omitempty"`     // its address after the command
	Effect     []string  `json:"effect,omitempty"` // what the command changed, in words
	State      State     `json:"state"`
	Code       string    `json:"code,omitempty"` // of a failure
	Error      string    `json:"error,omitempty"`
	Replayable bool      `json:"steps,omitempty"` // a replay needs it: the command acted on a page or waited for it

	Shown string `json:"-"` // the command line for viewers, without typed text
}

// Word is an argument or a flag as the caller gave it.
type Word struct {
	Name   string   `json:"name"`
	Flag   bool     `json:"flag,omitempty"`
	Values []string `json:"values,omitempty"` // empty for a flag without a value
	Hidden bool     `json:"hidden,omitempty"` // the values are not kept
	Target *Target  `json:"target,omitempty"` // the element of the value, a ref or a name
	Typed  bool     `json:"-"`                // typed into the page, and hidden if the page treats it as a secret
}

// Target identifies an element without a ref.
type Target struct {
	Ref  string `json:"ref"` // the ref in the session, or the word that named the element
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	Nth  int    `json:"nth,omitempty"` // among those of the same role and name
	// names or addresses of the frames around it, outermost first; nil means the main frame
	Frame []string `json:"frame,omitempty"`
}

// String describes the element for people.
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

// Line returns the command line with refs described, and Hidden for words that are not kept.
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
