package electron

import (
	"context"
	"errors"
	"slices"

	"github.com/skua-browser/skua/internal/procgroup"
)

// Status is the externally visible state of a launch.
type Status struct {
	LaunchID   string   `json:"launchId"`
	State      string   `json:"state"` // as CleanupState, after a look
	PID        int      `json:"pid,omitempty"`
	PIDAlive   bool     `json:"pidAlive"`
	Port       int      `json:"port,omitempty"`
	PortAlive  bool     `json:"portAlive"`           // it answers, and it is this app that does
	PortSilent bool     `json:"portSilent,omitzero"` // it takes connections and does not answer
	Targets    []Target `json:"targets"`
	Version    Version  `json:"version"`
	TargetsCut int      `json:"targetsOmitted,omitempty"`
	// how its process ended; empty means that it runs, or it was not ours to wait for
	Exit      string `json:"exit,omitempty"`
	Main      *Main  `json:"main,omitempty"`      // what its main process is doing; nil means not asked, or not inspected
	LastWords string `json:"lastWords,omitempty"` // the end of what an app printed that has ended or waits in native code
}

// Main is what the main process of an app is doing.
type Main struct {
	Activity string   `json:"activity"`        // answering, busy, blocked or gone, as package inspector has them
	Stack    []string `json:"stack,omitempty"` // where its JavaScript is, if it is busy; the innermost function first
}

// Status looks at a launch without changing the app. Each question to its port has a second. Its error is
// LaunchNotFound.
func (k *Launcher) Status(ctx context.Context, launchID string) (Status, error) {
	k.mu.Lock()
	l := k.launches[launchID]
	var a account
	known := l != nil
	if known {
		a = l.account
	} else {
		a, known = k.finished[launchID]
	}
	attached, isAttached := k.attached[launchID]
	k.mu.Unlock()
	if isAttached {
		s := Status{
			LaunchID: launchID,
			State:    string(Active),
			PID:      attached.PID,
			PIDAlive: procgroup.Alive(attached.PID),
			Port:     attached.Port,
			Targets:  []Target{},
		}
		if s.askPort(ctx, &attached); !s.PIDAlive {
			s.State = string(Dead)
		}
		return s, nil
	}
	if !known {
		return Status{}, launchNotFound(launchID)
	}
	s := Status{
		LaunchID: launchID,
		State:    string(a.CleanupState),
		PID:      a.PID,
		Port:     a.Port,
		Targets:  []Target{},
	}
	if l == nil {
		s.Exit, s.LastWords = a.Exit, a.LastWords
		return s, nil
	}
	if s.PIDAlive = l.pidAlive(a.PID); !s.PIDAlive {
		s.Exit, s.LastWords = l.exit(), l.lastWords()
	}
	s.askPort(ctx, &a.Record)
	if !s.PIDAlive && !s.PortAlive && a.CleanupState == Active {
		s.State = string(Dead)
	}
	return s, nil
}

// askPort adds what the app's port says of its windows, if it has one.
func (s *Status) askPort(ctx context.Context, r *Record) {
	p := portOf(r)
	if p.number == 0 {
		return
	}
	version, err := p.version(ctx)
	s.PortSilent = err != nil && s.PIDAlive && errors.Is(err, context.DeadlineExceeded)
	if err != nil {
		return
	}
	s.PortAlive, s.Version = true, version
	if targets, err := p.targets(ctx); err == nil {
		s.Targets, s.TargetsCut = bounded(targets)
	}
}

// pidAlive reports whether the app's process runs. The id may have gone to another process in the meantime; that one
// counts for nothing.
func (l *launch) pidAlive(pid int) bool {
	if pid == 0 {
		return false
	}
	if l.group != nil && l.group.PID() == pid {
		select {
		case <-l.group.Done():
			return false
		default:
			return true
		}
	}
	args, ok := procgroup.Args(pid)
	return ok && procgroup.Alive(pid) && (procgroup.ArgsContainPath(args, l.dir) || l.member(pid))
}

// member reports whether a process is in the group that the launch has started.
func (l *launch) member(pid int) bool {
	if l.group == nil {
		return false
	}
	return slices.Contains(l.group.Members(), pid)
}
