package backend

import (
	"context"
	"errors"
	"strings"
	"time"
)

// versionLimit bounds the look at the program's version.
const versionLimit = 5 * time.Second

// observedMost is how much of a foreign program's output is reported.
const observedMost = 80

// versionKey is what decides which program runs.
type versionKey struct{ cwd, path, program string }

// checkVersion makes sure that the program is the one that the tool is written for. nil means that it is.
func (s *Subprocess) checkVersion(ctx context.Context, job job, inv Invocation) *Answer {
	key := versionKey{inv.Cwd, inv.Env["PATH"], job.path}
	s.mu.Lock()
	_, right := s.versions[key]
	s.mu.Unlock()
	if right {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, versionLimit, errWatchdog)
	defer cancel()
	job.args, job.stdin = []string{"--version"}, nil
	ran := job.run(ctx)
	defer ran.discard()
	if ran.aborted || ran.spawnErr != nil {
		a := ran.answer(inv)
		a.Started = false
		return &a
	}
	printed, err := ran.out.text()
	printed = strings.TrimSpace(printed)
	if err == nil && !ran.timedOut && printed == "agent-browser "+s.options.Version {
		s.mu.Lock()
		s.versions[key] = struct{}{}
		s.mu.Unlock()
		return nil
	}
	observed, _, _ := strings.Cut(strings.TrimPrefix(printed, "agent-browser "), "\n")
	if len(observed) > observedMost {
		observed = observed[:observedMost]
	}
	a := unstarted(mismatch(s.options.Version, observed), 1)
	a.Mismatch = &Mismatch{Expected: s.options.Version, Observed: observed}
	return &a
}

func mismatch(expected, observed string) error {
	if observed == "" {
		observed = "one that does not report its version"
	}
	return errors.New("This tool needs agent-browser " + expected + ", and the installed one is " + observed +
		". Install the right one with `npm install -g agent-browser@" + expected +
		"`, give its path with SKUA_AGENT_BROWSER, or use the native backend.")
}
