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

// program is one of the two that are compared, with a place of its own, so that nothing that runs elsewhere is used or
// disturbed.
type program struct {
	name, path string
	dir        string
	env        []string
	again      []string // flags of its snapshots from the second of a session on
}

// onlyChanges is the program as an agent uses it that asks for changes from its second look on.
func (p *program) onlyChanges() *program {
	changes := *p
	changes.name, changes.again = p.name+" "+deltaFlag, []string{deltaFlag}
	return &changes
}

// callLimit ends a call that hangs; it lies above each program's own limits.
const callLimit = 60 * time.Second

func newProgram(root, name, path, browser string) (*program, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	p := &program{name: name, path: path, dir: filepath.Join(root, name)}
	for _, folder := range []string{"run", "home", "tmp"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(p.dir, folder), 0o700))
	}
	for _, entry := range os.Environ() {
		key, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		switch {
		case strings.HasPrefix(key, "SKUA_"), strings.HasPrefix(key, "AGENT_BROWSER_"), strings.HasPrefix(key, "XDG_"),
			strings.HasSuffix(key, "_PROXY"):
		case key == "HOME", key == "PWD", key == "TMPDIR":
		default:
			p.env = append(p.env, entry)
		}
	}
	home := filepath.Join(p.dir, "home")
	p.env = append(p.env, "HOME="+home, "PWD="+home, "TMPDIR="+filepath.Join(p.dir, "tmp"),
		"AGENT_BROWSER_SOCKET_DIR="+filepath.Join(p.dir, "run"),
		"AGENT_BROWSER_EXECUTABLE_PATH="+browser, "SKUA_NO_SANDBOX_NOTE=1")
	if name != "skua" && os.Geteuid() == 0 {
		p.env = append(p.env, "AGENT_BROWSER_ARGS=--no-sandbox")
	}
	return p, err
}

// reply is what one call printed.
type reply struct {
	text   string // what an agent reads: both streams
	stdout string
	took   time.Duration
	failed bool
}

// run makes one call. A call that the program refuses is a reply that failed; an error is one that could not be made.
func (p *program) run(ctx context.Context, args ...string) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Join(p.dir, "home"), p.env, 2*time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	r := reply{text: stderr.String() + stdout.String(), stdout: stdout.String(), took: time.Since(began)}
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		r.failed, err = true, nil
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w", p.name, strings.Join(args, " "), err)
	}
	return r, err
}

// must makes a call that has to succeed.
func (p *program) must(ctx context.Context, args ...string) (reply, error) {
	r, err := p.run(ctx, args...)
	if err == nil && r.failed {
		err = fmt.Errorf("%s %s: %s", p.name, strings.Join(args, " "), strings.TrimSpace(r.text))
	}
	return r, err
}

// close ends the program's browser and host.
func (p *program) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	_, err := p.run(ctx, "close", "--all")
	return err
}
