package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// program is one of the two, in a home of its own.
type program struct {
	name string
	path string
	home string
	site string
}

func newProgram(name, path, root, site, browser string) (*program, error) {
	p := &program{name: name, path: path, home: filepath.Join(root, name), site: site}
	for _, dir := range []string{p.home, p.work(), filepath.Join(p.home, "run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return p, os.WriteFile(filepath.Join(p.home, "browser"), []byte(browser), 0o600)
}

// work is the folder that commands run in.
func (p *program) work() string { return filepath.Join(p.home, "work") }

// outcome is what came of a command line.
type outcome struct {
	out, err string
	code     int
}

// commandLimit bounds each command line.
const commandLimit = 60 * time.Second

func (p *program) run(ctx context.Context, stdin string, argv ...string) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	browser, err := os.ReadFile(filepath.Join(p.home, "browser"))
	if err != nil {
		return outcome{}, err
	}
	cmd := exec.CommandContext(ctx, p.path, argv...)
	cmd.Dir = p.work()
	cmd.Stdin = strings.NewReader(stdin)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.WaitDelay = time.Second
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8",
		"AGENT_BROWSER_SOCKET_DIR=" + filepath.Join(p.home, "run"), "SKUA_SOCKET_DIR=" + filepath.Join(p.home, "run"),
		"AGENT_BROWSER_EXECUTABLE_PATH=" + string(browser), "AGENT_BROWSER_ARGS=--no-sandbox", "AGENT_BROWSER_NO_VERSION_CHECK=1",
		"AGENT_BROWSER_DEFAULT_TIMEOUT=3000",
	}
	err = cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return outcome{}, err
	}
	return outcome{p.plain(out.String()), p.plain(errOut.String()), cmd.ProcessState.ExitCode()}, nil
}

var (
	targetIDs = regexp.MustCompile(`\b[0-9A-F]{32}\b`)
	refs      = regexp.MustCompile(`@e\d+`)
	refNames  = regexp.MustCompile(`\b(ref=|\[)e?\d+\b`)
	ports     = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	tokens    = regexp.MustCompile(`token=\w+|127\.0\.0\.1:PORT/[A-Z2-7]{20,}`)
	versions  = regexp.MustCompile(`\b(skua|agent-browser)\b`)
)

// plain takes out what is different each time and of each program.
func (p *program) plain(s string) string {
	s = strings.NewReplacer(p.site, "SITE", strings.TrimPrefix(p.site, "http://"), "SITE", p.work()+"/", "", p.work(), "WORK", p.home, "HOME").Replace(s)
	s = targetIDs.ReplaceAllString(s, "ID")
	s = ports.ReplaceAllString(s, "127.0.0.1:PORT")
	s = tokens.ReplaceAllString(s, "TOKEN")
	s = refs.ReplaceAllString(s, "@eN")
	s = refNames.ReplaceAllString(s, "${1}eN")
	return strings.TrimSpace(versions.ReplaceAllString(s, "PROGRAM"))
}
