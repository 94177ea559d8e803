package parity

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/skua-browser/skua/session/identity"
	"github.com/skua-browser/skua/tool/backend"
)

// side is one of the two backends, in a home of its own.
type side struct {
	backend backend.Backend
	home    string
	site    string
	env     map[string]string
	port    string // no program listens on it
	ownPort *regexp.Regexp
}

// Browser is the browser that both sides drive unless another is named: the smallest that is installed.
func Browser() string {
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// commandLimit bounds each command line.
const commandLimit = 60 * time.Second

// newSide makes the home of a backend. Agent-browser finds its browser on PATH: a path in the environment of each call
// would count as a wish for another browser than the one that a flag started.
func newSide(b backend.Backend, home, site, browser string) (*side, error) {
	s := &side{backend: b, home: home, site: site}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	_, s.port, _ = net.SplitHostPort(free.Addr().String())
	if err := free.Close(); err != nil {
		return nil, err
	}
	s.ownPort = regexp.MustCompile(`\b` + s.port + `\b`)
	for _, dir := range []string{s.work(), s.sockets()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	s.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": home, "TMPDIR": os.TempDir(), "LANG": "C.UTF-8",
		"AGENT_BROWSER_NO_VERSION_CHECK": "1", "AGENT_BROWSER_DEFAULT_TIMEOUT": "3000",
		"SKUA_SOCKET_DIR": s.sockets(), "AGENT_BROWSER_SOCKET_DIR": s.sockets(),
	}
	if b.Can().InProcess {
		s.env["AGENT_BROWSER_EXECUTABLE_PATH"] = browser
		return s, nil
	}
	programs := filepath.Join(home, "bin")
	if err := os.Mkdir(programs, 0o700); err != nil {
		return nil, err
	}
	s.env["PATH"] = programs + string(filepath.ListSeparator) + s.env["PATH"]
	return s, os.WriteFile(filepath.Join(programs, "google-chrome"), []byte("#!/bin/sh\nexec '"+browser+"' \"$@\"\n"),
		0o700)
}

// work is the folder that commands run in.
func (s *side) work() string { return filepath.Join(s.home, "work") }

func (s *side) sockets() string { return filepath.Join(s.home, "run") }

// run runs one command line.
func (s *side) run(ctx context.Context, stdin string, argv []string) backend.Answer {
	filled := make([]string, len(argv))
	for i, word := range argv {
		filled[i] = strings.NewReplacer("SITE", s.site, "WORK", s.work(), "OWNPORT", s.port).Replace(word)
	}
	return s.backend.Run(ctx, backend.Invocation{
		Args:        filled,
		Stdin:       []byte(stdin),
		Cwd:         s.work(),
		Env:         s.env,
		Timeout:     commandLimit,
		CommandLine: true,
	})
}

// put writes the files of a scenario, and takes away those that it is to leave.
func (s *side) put(sc Scenario) error {
	for _, name := range sc.Leaves {
		if err := os.Remove(filepath.Join(s.work(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for name, text := range sc.Files {
		if err := os.WriteFile(filepath.Join(s.work(), name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// left is what a file in the folder of the commands holds.
func (s *side) left(name string) string {
	text, err := os.ReadFile(filepath.Join(s.work(), name))
	if err != nil {
		return "no file"
	}
	return string(text)
}

// outcome is the result of a command line, without what differs between runs and programs.
type outcome struct {
	Exit    int
	Text    string
	Error   string
	Code    string
	Success bool
	Data    any // of a batch: its rows
}

// comparedRow is a row of a batch in it.
type comparedRow struct {
	Command []string `json:"command"`
	Success bool     `json:"success"`
	Result  any      `json:"result"`
	Error   string   `json:"error"`
}

// outcome takes what is compared out of an answer.
func (s *side) outcome(a backend.Answer) outcome {
	o := outcome{
		Exit:    a.ExitCode,
		Text:    s.plain(a.Text),
		Error:   s.plain(a.Error),
		Code:    string(a.Code),
		Success: a.Success,
	}
	if o.Error == "" && !a.Success {
		o.Error = strings.TrimPrefix(s.plain(a.Stderr), "✗ ")
	}
	data := a.Data
	if a.Rows != nil {
		var rows []any
		for _, r := range a.Rows {
			if !r.Skipped { // agent-browser leaves them out
				rows = append(rows, comparedRow{r.Command, r.Success, r.Result, r.Error})
			}
		}
		data = rows
	}
	text, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal([]byte(s.plain(string(text))), &o.Data)
	}
	if err != nil {
		o.Data = "no JSON: " + err.Error()
	}
	return o
}

var (
	// of targets and browsers
	ids       = regexp.MustCompile(`\b([0-9A-F]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)
	refs      = regexp.MustCompile(`@e\d+`)
	refNames  = regexp.MustCompile(`\b(ref=|\[)e?\d+\b`)
	ports     = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	tokens    = regexp.MustCompile(`token=\w+|127\.0\.0\.1:PORT/[A-Z2-7]{20,}`)
	events    = regexp.MustCompile(`\(\d+ events\)`)
	durations = regexp.MustCompile(`\b\d+(\.\d+)?ms\b`)
	packages  = regexp.MustCompile(`[^\s"]*/node_modules/`)
	programs  = regexp.MustCompile(`\b(skua|agent-browser)\b`)
)

// plain takes out what is different each time and of each program.
func (s *side) plain(text string) string {
	text = strings.NewReplacer(s.site, "SITE", strings.TrimPrefix(s.site, "http://"), "SITE", s.work()+"/", "", s.work(),
		"WORK", s.home, "HOME", identity.Hash(s.work()), "HASH").
		Replace(text)
	text = s.ownPort.ReplaceAllString(text, "49000") // a number, since it is in data
	text = ids.ReplaceAllString(text, "ID")
	text = ports.ReplaceAllString(text, "127.0.0.1:PORT")
	text = tokens.ReplaceAllString(text, "TOKEN")
	text = refs.ReplaceAllString(text, "@eN")
	text = refNames.ReplaceAllString(text, "${1}eN")
	text = events.ReplaceAllString(text, "(N events)")
	text = durations.ReplaceAllString(text, "N ms")
	text = packages.ReplaceAllString(text, "node_modules/")
	return strings.TrimSpace(programs.ReplaceAllString(text, "PROGRAM"))
}
