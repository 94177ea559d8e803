//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// program is one of the two that are compared.
type program struct {
	name string
	argv []string // how a call starts

	// Settings for calls that may start a browser. They are given to those calls only: agent-browser sends an extra
	// message to its host for every call that carries a launch option, which would be counted against it.
	launchEnv []string
	sameEnv   []string // instead of launchEnv where both have to use the same browser
}

// commandLimit ends a call that hangs; it is above each program's own limits.
const commandLimit = 60 * time.Second

// place is a program with a socket directory of its own: nothing that ran elsewhere is reused, and what it started can
// be found.
type place struct {
	program *program
	dir     string // private; holds the sockets, and the home directory of what runs here
	launch  []string
}

// newPlace makes an empty place below root.
func newPlace(root string, p *program, launch []string) (*place, error) {
	dir, err := os.MkdirTemp(root, "p")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"run", "home", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	return &place{program: p, dir: dir, launch: launch}, nil
}

// outcome is what one call printed and how long its process took.
type outcome struct {
	stdout string
	took   time.Duration
	ended  time.Time
}

// run makes one call. A call that fails is an error that carries what the program said.
func (p *place) run(ctx context.Context, args ...string) (outcome, error) {
	return p.call(ctx, nil, args)
}

// start makes one call that may have to start a browser.
func (p *place) start(ctx context.Context, args ...string) (outcome, error) {
	return p.call(ctx, p.launch, args)
}

func (p *place) call(ctx context.Context, env, args []string) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	argv := append(append([]string{}, p.program.argv...), args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = filepath.Join(p.dir, "home")
	cmd.Env = append(p.environment(), env...)
	// A host that keeps its caller's output open would hang every caller that reads it to the end.
	cmd.WaitDelay = 2 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	ended := time.Now()
	result := outcome{stdout: stdout.String(), took: ended.Sub(began), ended: ended}
	if err == nil {
		return result, nil
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return result, fmt.Errorf("%s %s: something it started keeps its output open", p.program.name,
			strings.Join(args, " "))
	}
	output := strings.TrimSpace(stderr.String() + "\n" + stdout.String())
	return result, fmt.Errorf("%s %s: %w: %s", p.program.name, strings.Join(args, " "), err, firstLines(output, 3))
}

// environment is that of a user who has set nothing: no settings of either program, no proxies, an empty home
// directory.
func (p *place) environment() []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		upper := strings.ToUpper(name)
		switch {
		case strings.HasPrefix(upper, "SKUA_"), strings.HasPrefix(upper, "AGENT_BROWSER_"),
			strings.HasSuffix(upper, "_PROXY"):
		case upper == "XDG_RUNTIME_DIR", upper == "HOME", upper == "XDG_CONFIG_HOME", upper == "XDG_CACHE_HOME",
			upper == "PWD", upper == "TMPDIR":
		default:
			env = append(env, entry)
		}
	}
	home := filepath.Join(p.dir, "home")
	// Browser profiles go to TMPDIR; those of a browser that had to be killed are removed with the place.
	return append(env, "HOME="+home, "PWD="+home, "TMPDIR="+filepath.Join(p.dir, "tmp"),
		"AGENT_BROWSER_SOCKET_DIR="+filepath.Join(p.dir, "run"))
}

// end closes what runs in the place, the hard way where needed, and removes the place. It works after an interrupt too.
func (p *place) end(ctx context.Context, sessions ...string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	var failed error
	for _, session := range sessions {
		if _, err := p.run(ctx, "--session", session, "close"); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if err := endProcesses(ctx, p.dir); err != nil {
		failed = errors.Join(failed, err)
	}
	return errors.Join(failed, os.RemoveAll(p.dir))
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	if len(lines) > n {
		lines[n] = "..."
	}
	return strings.Join(lines, "\n")
}
