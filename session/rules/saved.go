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

// Saved are the rules of a session as the ledger keeps them, so that a restored session has its rules.
type Saved struct {
	Gates  map[string]string     `json:"gates,omitempty"` // the network rules of calls, by flag
	Above  []policy.NetworkRules `json:"above,omitempty"` // the network rules of environments and configuration files
	Rules  []*policy.Actions     `json:"rules,omitempty"`
	Files  []savedFile           `json:"files,omitempty"`  // which are among the rules
	Broken []string              `json:"broken,omitempty"` // files that could not be read
}

// savedFile is a policy file and its checksum.
type savedFile struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// Equal reports whether both are the same.
func (k *Saved) Equal(o *Saved) bool { return reflect.DeepEqual(k, o) }

// Save returns the rules to save, or nil.
func (r *Set) Save() *Saved {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.gates)+len(r.ceilings)+len(r.rules)+len(r.broken) == 0 {
		return nil
	}
	k := &Saved{
		Gates:  maps.Clone(r.gates),
		Above:  slices.Clone(r.ceilings),
		Rules:  slices.Clone(r.rules),
		Broken: slices.Sorted(maps.Keys(r.broken)),
	}
	for _, f := range r.files {
		k.Files = append(k.Files, savedFile{f.path, hex.EncodeToString(f.sum[:])})
	}
	return k
}

// errNotRestored is why a file denies everything that an earlier host could not use.
var errNotRestored = errors.New("it could not be read before the host of this session was restarted")

// Restore applies the saved rules of an earlier host.
func (r *Set) Restore(k *Saved) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gates, r.ceilings = k.Gates, k.Above
	r.rules = slices.DeleteFunc(k.Rules, func(a *policy.Actions) bool { return a == nil })
	deny := func(path string) {
		if r.broken == nil {
			r.broken = map[string]error{}
		}
		r.broken[path] = errNotRestored
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
