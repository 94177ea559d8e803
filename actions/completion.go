package actions

import (
	"cmp"
	"slices"
	"strings"
)

// Candidate is what may stand next on a command line.
type Candidate struct {
	Word string
	Help string // one line; may be empty
}

// Completion is what may follow the words of a command line that is being typed.
type Completion struct {
	Candidates []Candidate
	Files      bool   // paths fit, too
	Live       string // values of this kind fit, too; see [LiveRef]
	Prefix     string // of the word that is being typed: what precedes the part that Live and Files complete, as in --tab=
	Globals    []string
}

// The kinds of values that only a running host, or the disk, knows.
const (
	LiveRef     = "ref"
	LiveTab     = "tab"
	LiveSession = "session"
	LiveProfile = "profile"
	LiveState   = "state"
	LiveLogin   = "login"
)

// Complete returns what may stand in place of the last of words, which may be empty or begun. The words before are taken as they are.
func (r *Registry) Complete(words []string) Completion {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	w := walker{r: r}
	for _, word := range words[:len(words)-1] {
		w.take(word)
	}
	return w.complete(last)
}

// walker follows a command line as far as it is typed.
type walker struct {
	r       *Registry
	name    string // the longest beginning of a command's name so far
	settled bool   // it gets no longer
	args    int    // positional words after the name
	pending *slot  // the flag whose value comes next
	literal bool
	globals []string // global flags that were typed, with their values
}

func (w *walker) entry() *entry { return w.r.names[w.name] }

func (w *walker) flag(word string) *slot {
	flags, shorts := w.r.flags, w.r.shorts
	if e := w.entry(); e != nil {
		flags, shorts = e.flags, e.shorts
	}
	if name, long := strings.CutPrefix(word, "--"); long {
		return flags.get(name)
	}
	return shorts.get(word[1:])
}

func (w *walker) take(word string) {
	switch {
	case w.pending != nil:
		w.keep(w.pending, word)
		w.pending = nil
	case w.literal:
		w.args++
	case word == "--":
		w.literal, w.settled = true, true
	case len(word) > 1 && word[0] == '-':
		label, value, has := strings.Cut(word, "=")
		s := w.flag(label)
		if s != nil && has {
			w.keep(s, value)
		} else if s != nil && s.kind != Bool {
			w.pending = s
		}
	default:
		w.plain(word)
	}
}

// keep remembers a global flag, since what is there depends on the session and the namespace.
func (w *walker) keep(s *slot, value string) {
	if s.global && (s.name == "session" || s.name == "namespace" || s.name == "config") {
		w.globals = append(w.globals, "--"+s.name+"="+value)
	}
}

func (w *walker) plain(word string) {
	if !w.settled {
		longer := strings.TrimSpace(w.name + " " + word)
		if w.r.starts[longer] || w.r.names[longer] != nil {
			w.name = longer
			return
		}
		w.settled = true
	}
	w.args++
}

func (w *walker) complete(last string) Completion {
	c := Completion{Globals: w.globals}
	switch label, value, has := strings.Cut(last, "="); {
	case w.pending != nil:
		c.value(w.pending, "", last)
	case !w.literal && has && strings.HasPrefix(label, "--"):
		if s := w.flag(label); s != nil {
			c.Prefix = label + "="
			c.value(s, c.Prefix, value)
		}
	case !w.literal && strings.HasPrefix(last, "-"):
		w.flags(&c, last)
	default:
		w.words(&c, last)
	}
	return c
}

// words offers the next word of the command's name, or an argument.
func (w *walker) words(c *Completion, last string) {
	if !w.settled {
		w.names(c, last)
	}
	e := w.entry()
	if e == nil || len(e.args) == 0 {
		return
	}
	at := w.args
	if most := len(e.args) - 1; at > most {
		if kind := e.args[most].kind; kind != List && kind != Text {
			return
		}
		at = most
	}
	arg := &e.cmd.Args[at]
	for _, word := range arg.OneOf {
		c.add(word, "", last)
	}
	if len(arg.OneOf) > 0 {
		return
	}
	c.Files = arg.Kind == Path || strings.Contains(arg.Value, "path")
	if arg.Kind == Selector {
		c.Live = LiveRef
		return
	}
	c.Live = cmp.Or(liveKind(arg.Value), liveKind(arg.Name))
	first, _, _ := strings.Cut(e.cmd.Name, " ")
	if arg.Name == "name" && c.Live == "" {
		c.Live = map[string]string{"auth": LiveLogin, "state": LiveState}[first]
	}
}

// names offers the words that make the command's name longer.
func (w *walker) names(c *Completion, last string) {
	seen := map[string]bool{}
	for _, cmd := range w.r.commands {
		for i, name := range append([]string{cmd.Name}, cmd.Aliases...) {
			rest, within := name, true
			if w.name != "" {
				rest, within = strings.CutPrefix(name, w.name+" ")
			}
			word, further, _ := strings.Cut(rest, " ")
			if !within || seen[word] || i > 0 && last == "" && w.name == "" { // other names only when they are typed
				continue
			}
			help := cmd.Summary
			if further != "" {
				if e := w.r.names[strings.TrimSpace(w.name+" "+word)]; e != nil {
					help = e.cmd.Summary
				} else {
					help = strings.Join(w.r.families[strings.TrimSpace(w.name+" "+word)], ", ")
				}
			}
			if c.add(word, help, last) {
				seen[word] = true
			}
		}
	}
}

// flags offers those of the command, then those of all.
func (w *walker) flags(c *Completion, last string) {
	if e := w.entry(); e != nil {
		for i := range e.cmd.Flags {
			c.add("--"+e.cmd.Flags[i].Name, e.cmd.Flags[i].Help, last)
		}
	}
	for _, s := range w.r.globals {
		c.add("--"+s.name, s.flag.Help, last)
	}
}

// value offers the values of a flag.
func (c *Completion) value(s *slot, prefix, last string) {
	for _, word := range s.oneOf {
		c.add(prefix+word, "", prefix+last)
	}
	if s.kind == Bool {
		c.add(prefix+"true", "", prefix+last)
		c.add(prefix+"false", "", prefix+last)
	}
	if len(s.oneOf) == 0 {
		c.Files = s.flag.HasPath()
		c.Live = cmp.Or(liveKind(s.name), liveKind(s.flag.Value))
	}
}

// liveKind returns the kind that a flag or argument of this name is about.
func liveKind(name string) string {
	for _, kind := range []string{LiveTab, LiveSession, LiveProfile, LiveState} {
		if name == kind {
			return kind
		}
	}
	return ""
}

// add offers a word if it goes on from what is typed.
func (c *Completion) add(word, help, typed string) bool {
	if !strings.HasPrefix(word, typed) || slices.ContainsFunc(c.Candidates, func(have Candidate) bool { return have.Word == word }) {
		return false
	}
	c.Candidates = append(c.Candidates, Candidate{Word: word, Help: help})
	return true
}

// Add offers a value that was found elsewhere, if it goes on from the word that is typed.
func (c *Completion) Add(word, help, typed string) { c.add(c.Prefix+word, help, typed) }
