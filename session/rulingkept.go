package session

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/skua-browser/skua/policy"
)

// keptRules is what a session's owner has forbidden, as it outlives the host: a session that comes back is under the rules that it was under.
type keptRules struct {
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

func (k *keptRules) equal(o *keptRules) bool { return reflect.DeepEqual(k, o) }

// keptRulesLocked returns what is to be kept of the rules; nil: there are none. The caller holds s.mu.
func (s *Session) keptRulesLocked() *keptRules {
	r := &s.ruling
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(s.gates)+len(s.ceilings)+len(r.rules)+len(r.broken) == 0 {
		return nil
	}
	k := &keptRules{Gates: maps.Clone(s.gates), Above: slices.Clone(s.ceilings), Rules: slices.Clone(r.rules), Broken: slices.Sorted(maps.Keys(r.broken))}
	for _, f := range r.files {
		k.Files = append(k.Files, keptFile{f.path, hex.EncodeToString(f.sum[:])})
	}
	return k
}

// errNotKept is why a file denies everything that could not be used by the host before this one.
var errNotKept = errors.New("it could not be read before the host of this session was restarted")

// restoreRules puts the session under the rules of a host that ended.
func (s *Session) restoreRules(k *keptRules) {
	if k == nil {
		return
	}
	s.mu.Lock()
	s.gates, s.ceilings = k.Gates, k.Above
	s.mu.Unlock()
	r := &s.ruling
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
