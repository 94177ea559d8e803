package rules

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/skua-browser/skua/guard/policy"
)

// Kept is what a session's owner has forbidden, as it outlives the host: a session that comes back is under the rules that it was under.
type Kept struct {
	Gates  map[string]string     `json:"gates,omitempty"` // what was said of what it may reach, by flag
	Above  []policy.NetworkRules `json:"above,omitempty"` // what environments and configuration files said of that
	Rules  []*policy.Actions     `json:"rules,omitempty"`
	Files  []keptFile            `json:"files,omitempty"`  // which are among the rules
	Broken []string              `json:"broken,omitempty"` // files that could not be read
}

// keptFile is a policy file as it was read.
type keptFile struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// Equal reports whether the same is kept.
func (k *Kept) Equal(o *Kept) bool { return reflect.DeepEqual(k, o) }

// Keep returns what is to be kept of the rules, and of what was said of what the session may reach; nil: there is nothing.
func (r *Set) Keep(gates map[string]string, above []policy.NetworkRules) *Kept {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(gates)+len(above)+len(r.rules)+len(r.broken) == 0 {
		return nil
	}
	k := &Kept{Gates: maps.Clone(gates), Above: slices.Clone(above), Rules: slices.Clone(r.rules), Broken: slices.Sorted(maps.Keys(r.broken))}
	for _, f := range r.files {
		k.Files = append(k.Files, keptFile{f.path, hex.EncodeToString(f.sum[:])})
	}
	return k
}

// errNotKept is why a file denies everything that could not be used by the host before this one.
var errNotKept = errors.New("it could not be read before the host of this session was restarted")

// Restore puts a session under the rules of a host that ended.
func (r *Set) Restore(k *Kept) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = slices.DeleteFunc(k.Rules, func(a *policy.Actions) bool { return a == nil })
	deny := func(path string) {
		if r.broken == nil {
			r.broken = map[string]error{}
		}
		r.broken[path] = errNotKept
	}
	for _, path := range k.Broken {
		deny(path)
	}
	for _, f := range k.Files {
		sum, err := hex.DecodeString(f.Sum)
		file := policyFile{path: f.Path}
		if err != nil || len(sum) != len(file.sum) || bytes.Equal(sum, file.sum[:]) {
			deny(f.Path)
			continue
		}
		copy(file.sum[:], sum)
		r.files = append(r.files, file)
	}
}
