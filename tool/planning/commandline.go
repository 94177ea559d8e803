package planning

import (
	"slices"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
)

// commandLine refuses what the session cannot take, and writes the command line.
func (s *planner) commandLine() *contract.Refusal {
	w, p := &s.Words, s.Plan
	running := p.Managed && p.Before.Active && p.Key == conversation.KeyOf(p.Before)
	if flags := s.lateFlags(); running && !p.Closes && len(flags) > 0 {
		message, hint := TooLate(w, flags)
		p.Details.SessionRecoveryHint = hint
		return contract.Refuse(contract.ValidationError, message)
	}
	if p.Managed && !p.Closes {
		if conflict := IdleConflict(w, s.Desk.Sessions.Limits().ManagedIdle); conflict != "" {
			return contract.Refuse(contract.ValidationError, conflict)
		}
	}
	for _, check := range []func() *contract.Refusal{s.domains, s.localFiles, s.promised} {
		if r := check(); r != nil {
			return r
		}
	}
	can := s.Can()
	drop := p.Views.Drop(w, p.State.Refs.Snapshot, can.OwnWords, s.ours())
	if p.Managed && p.Closes {
		drop = func(f *argv.Flag) bool { return f.Global }
	}
	p.Command = p.Scroll.Line(w, Line(w, p.Namespace, p.Key.Name, drop), can.OwnWords)
	if s.stopsAtFailure() && can.ChecksRows {
		at := len(p.Command) - 1
		for p.Command[at] != w.Command { // a session may have the same name, and a row cannot
			at--
		}
		p.Command = slices.Insert(p.Command, at+1, "--bail")
	}
	if list := w.Value("allowed-domains"); list != "" && can.KeepsDomains && !p.Closes {
		allowed, err := Domains(list)
		if err != nil {
			return contract.Refuse(contract.ValidationError, err.Error())
		}
		// the browser itself keeps to them, in all that pages load
		p.Command = slices.Insert(p.Command, 1, "--allowed-domains", allowed.String())
	}
	return nil
}

// stopsAtFailure reports whether the call is a batch of the caller's own that does not say whether it goes on after a
// failure. The rows of a batch count on each other.
func (s *planner) stopsAtFailure() bool {
	return s.Line.Mode == contract.ModeArgs && s.Words.IsBatch() && s.Words.Flag("bail") == nil
}

// lateFlags are the launch-scoped flags of the line. The namespace that the session has is already in effect.
func (s *planner) lateFlags() []string {
	flags := s.Words.LaunchScoped()
	if s.Words.HasNamespace && s.Words.Namespace == s.Key.Namespace {
		flags = slices.DeleteFunc(flags, func(token string) bool { return token == "--namespace" })
	}
	return flags
}

// ours are global flags that the tool itself sees to on this backend.
func (s *planner) ours() func(*argv.Flag) bool {
	can := s.Can()
	return func(f *argv.Flag) bool {
		return f.Global &&
			(can.KeepsDomains && f.Name == "allowed-domains" || can.IdleVariable == "" && f.Name == "idle-timeout" && s.Managed)
	}
}
