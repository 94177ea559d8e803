package manual

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
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

// Complete returns what may stand in place of the last of words, which may be empty or begun. The words before are
// taken as they are.
func Complete(r *actions.Registry, words []string) Completion {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	w := walker{r: r, globals: actions.Globals()}
	for _, word := range words[:len(words)-1] {
		w.take(word)
	}
	return w.complete(last)
}

// walker follows a command line as far as it is typed.
type walker struct {
	r       *actions.Registry
	globals []actions.Flag
	name    string // the longest beginning of a command's name so far
	settled bool   // it gets no longer
	args    int    // positional words after the name
	pending *given // the flag whose value comes next
	literal bool
	typed   []string // global flags that were typed, with their values
}

// given is a flag on the line.
type given struct {
	*actions.Flag
	global bool
}

func (w *walker) command() *actions.Command {
	c, _ := w.r.Lookup(w.name)
	return c
}

func (w *walker) flag(word string) *given {
	is := func(f *actions.Flag) bool { return word == "--"+f.Name || f.Short != "" && word == "-"+f.Short }
	if c := w.command(); c != nil {
		for i := range c.Flags {
			if is(&c.Flags[i]) {
				return &given{&c.Flags[i], false}
			}
		}
	}
	for i := range w.globals {
		if is(&w.globals[i]) {
			return &given{&w.globals[i], true}
		}
	}
	return nil
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
		f := w.flag(label)
		if f != nil && has {
			w.keep(f, value)
		} else if f != nil && f.Kind != actions.Bool {
			w.pending = f
		}
	default:
		w.plain(word)
	}
}

// keep remembers a global flag, since what is there depends on the session and the namespace.
func (w *walker) keep(f *given, value string) {
	if f.global && (f.Name == "session" || f.Name == "namespace" || f.Name == "config") {
		w.typed = append(w.typed, "--"+f.Name+"="+value)
	}
}

func (w *walker) plain(word string) {
	if !w.settled {
		longer := strings.TrimSpace(w.name + " " + word)
		if w.r.Begins(longer) || known(w.r, longer) {
			w.name = longer
			return
		}
		w.settled = true
	}
	w.args++
}

func (w *walker) complete(last string) Completion {
	c := Completion{Globals: w.typed}
	switch label, value, has := strings.Cut(last, "="); {
	case w.pending != nil:
		c.value(w.pending.Flag, "", last)
	case !w.literal && has && strings.HasPrefix(label, "--"):
		if f := w.flag(label); f != nil {
			c.Prefix = label + "="
			c.value(f.Flag, c.Prefix, value)
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
	cmd := w.command()
	if cmd == nil || len(cmd.Args) == 0 {
		return
	}
	at := w.args
	if most := len(cmd.Args) - 1; at > most {
		if kind := cmd.Args[most].Kind; kind != actions.List && kind != actions.Text {
			return
		}
		at = most
	}
	arg := &cmd.Args[at]
	for _, word := range arg.OneOf {
		c.add(word, "", last)
	}
	if len(arg.OneOf) > 0 {
		return
	}
	c.Files = arg.Kind == actions.Path || strings.Contains(arg.Value, "path")
	if arg.Kind == actions.Selector {
		c.Live = LiveRef
		return
	}
	c.Live = cmp.Or(liveKind(arg.Value), liveKind(arg.Name))
	first, _, _ := strings.Cut(cmd.Name, " ")
	if arg.Name == "name" && c.Live == "" {
		c.Live = map[string]string{"auth": LiveLogin, "state": LiveState}[first]
	}
}

// names offers the words that make the command's name longer.
func (w *walker) names(c *Completion, last string) {
	seen := map[string]bool{}
	for _, cmd := range w.r.Commands() {
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
				longer := strings.TrimSpace(w.name + " " + word)
				if c, known := w.r.Lookup(longer); known {
					help = c.Summary
				} else {
					help = strings.Join(w.r.Family(longer), ", ")
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
	var own []actions.Flag
	if cmd := w.command(); cmd != nil {
		own = cmd.Flags
	}
	for _, f := range slices.Concat(own, w.globals) {
		c.add("--"+f.Name, f.Help, last)
	}
}

// value offers the values of a flag.
func (c *Completion) value(f *actions.Flag, prefix, last string) {
	for _, word := range f.OneOf {
		c.add(prefix+word, "", prefix+last)
	}
	if f.Kind == actions.Bool {
		c.add(prefix+"true", "", prefix+last)
		c.add(prefix+"false", "", prefix+last)
	}
	if len(f.OneOf) == 0 {
		c.Files = f.HasPath()
		c.Live = cmp.Or(liveKind(cmp.Or(f.As, f.Name)), liveKind(f.Value))
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
	if !strings.HasPrefix(word, typed) || slices.ContainsFunc(c.Candidates, func(have Candidate) bool {
		return have.Word == word
	}) {
		return false
	}
	c.Candidates = append(c.Candidates, Candidate{Word: word, Help: help})
	return true
}

// Add offers a value that was found elsewhere, if it goes on from the word that is typed.
func (c *Completion) Add(word, help, typed string) { c.add(c.Prefix+word, help, typed) }

func known(r *actions.Registry, name string) bool {
	_, known := r.Lookup(name)
	return known
}
