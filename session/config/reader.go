package config

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// Reader reads and caches the configuration files of a process's callers. It is safe for concurrent use.
type Reader struct {
	flags []actions.Flag // the flags that have a key

	mu    sync.Mutex
	known map[caller]*cachedConfig
}

// cachedConfig is the configuration of a caller.
type cachedConfig struct {
	stamps []stamp
	fresh  bool // a file changed so recently that another change might not change its stamp
	config *grammar.Configuration
}

// New returns a reader for the global flags of the registry.
func New() *Reader {
	flags := slices.DeleteFunc(actions.Globals(), func(f actions.Flag) bool { return f.ConfigKey() == "" })
	return &Reader{flags: flags, known: map[caller]*cachedConfig{}}
}

// For returns a function for [actions.ParseOptions]: the configuration of a caller with a folder and an environment.
func (r *Reader) For(cwd string, getenv func(string) string) func(*grammar.Parsed) *grammar.Configuration {
	return func(in *grammar.Parsed) *grammar.Configuration { return r.read(callerOf(cwd, getenv, in)) }
}

// The limits of the cache and of a file.
const (
	maxCallers   = 64
	maxFileBytes = 1 << 20 // of a file, which usually has a few lines
)

// tick is longer than the time within which two changes of a file may leave the same stamp.
const tick = 2 * time.Second

func (r *Reader) read(c caller) *grammar.Configuration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was := r.known[c]; was != nil && !was.fresh && was.unchanged() {
		return was.config
	}
	if len(r.known) >= maxCallers {
		clear(r.known)
	}
	now := r.load(c)
	r.known[c] = now
	return now.config
}

// unchanged reports whether no file has changed.
func (r *cachedConfig) unchanged() bool {
	for i := range r.config.Files {
		if stampOf(r.config.Files[i].Path) != r.stamps[i] {
			return false
		}
	}
	return true
}

// load reads the files.
func (r *Reader) load(c caller) *cachedConfig {
	config := &grammar.Configuration{
		Files:    c.files(),
		Settings: map[string]grammar.Setting{},
		Owner:    map[string][]grammar.Setting{},
		Sections: map[string]grammar.Section{},
	}
	l := &cachedConfig{config: config, stamps: make([]stamp, len(config.Files))}
	for i := range config.Files {
		f := &config.Files[i]
		s := stampOf(f.Path) // before reading: a change in between is noticed next time
		l.stamps[i] = s
		l.fresh = l.fresh || s.found && time.Since(time.Unix(0, s.modified)) < tick
		f.Found = s.found
		if s.found {
			r.add(config, f, c, s)
		} else if f.Role == grammar.ChosenFile {
			config.Err = fault.New(fault.ConfigInvalid, "config file not found: %s", c.shown(f.Path)).About(f.Path).
				With("reason", "not-found").WithHint("%s names it.", c.chosenBy)
		}
	}
	return l
}

// add merges the content of a file over that of the earlier ones.
func (r *Reader) add(config *grammar.Configuration, f *grammar.ConfigFile, c caller, s stamp) {
	name := c.shown(f.Path)
	text, err := contents(f.Path, s)
	var said *file
	if err == nil {
		said, err = r.parse(text, f.Trusted, c.home)
	}
	if err != nil {
		f.Err = err
		if !f.Trusted { // an untrusted file must not keep people from working
			config.Notes = append(config.Notes, "invalid config file "+name+": "+err.Error()+"; it is left out")
			return
		}
		if config.Err == nil || f.Role == grammar.ChosenFile {
			config.Err = fault.New(fault.ConfigInvalid, "invalid config file %s: %w", name, err).About(f.Path).
				With("reason", "invalid").WithHint("Repair it or move it away; `skua config show` lists all files.")
		}
		return
	}
	f.Ignored, f.Unknown = said.ignored, said.unknown
	if n := len(said.ignored) + len(said.unknown); !f.Trusted && n > 0 {
		config.Notes = append(config.Notes, ignoredNote(n, name, said.ignored, c))
	}
	r.addOwnerRules(config, f, c, said, name)
	if f.Role == grammar.OwnerFile {
		return
	}
	for flag, words := range said.words {
		setting := grammar.Setting{Words: words, Source: said.keys[flag] + " in " + name, File: f.Path}
		if before, ok := config.Settings[flag]; ok && said.merges[flag] {
			setting.Words = append(slices.Clone(before.Words), words...)
			setting.Source = before.Source + " and " + name
		}
		config.Settings[flag] = setting
	}
	for key, value := range said.sections {
		config.Sections[key] = grammar.Section{
			Value:  value,
			Source: key + " in " + name,
			File:   f.Path,
			Chosen: f.Role == grammar.ChosenFile,
		}
	}
}

// addOwnerRules collects the rules of a file that belongs to the owner. Of the user's own files the later one counts,
// as for all settings; a file that a variable names is added to them, and so is one that only the variable chooses.
func (r *Reader) addOwnerRules(
	config *grammar.Configuration, f *grammar.ConfigFile, c caller, said *file, name string,
) {
	if f.Role != grammar.UserFile && f.Role != grammar.OwnerFile {
		return
	}
	for i := range r.flags {
		flag := &r.flags[i]
		words, ok := said.words[flag.Name]
		if !ok || !flag.Rule {
			continue
		}
		setting := grammar.Setting{Words: words, Source: said.keys[flag.Name] + " in " + name, File: f.Path}
		if f.Path == c.ownerFile {
			config.Owner[flag.Name] = append(config.Owner[flag.Name], setting)
		} else {
			config.Owner[flag.Name] = []grammar.Setting{setting}
		}
	}
}

// contents reads a file. Its errors do not repeat the path.
func contents(path string, s stamp) ([]byte, error) {
	if s.problem != "" {
		return nil, errors.New(s.problem)
	}
	if s.size > maxFileBytes {
		return nil, errTooLarge
	}
	// configuration is read before there is a deadline
	text, err := userfile.Read(context.Background(), path, maxFileBytes)
	if _, large := errors.AsType[*userfile.TooLargeError](err); large {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, errors.New(reason(err))
	}
	return text, nil
}

var errTooLarge = errors.New("it is larger than 1 MiB")

// reason returns an error's text without the path.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// isNotDir reports whether a path leads through something that is not a folder.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
