package backend

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine/fault"
)

// UpstreamVersion is the version of agent-browser that the tool is written for.
const UpstreamVersion = "0.41.2"

// SubprocessOptions are how a Subprocess runs its program. The zero value is the agent-browser of the caller's PATH.
type SubprocessOptions struct {
	Path       string // of the program; empty: agent-browser, looked for on the PATH of each call
	Version    string // which it has to be; empty: UpstreamVersion
	SocketDir  string // where its sockets are; empty: a private folder among the temporary files
	LocalFiles bool   // callers may say themselves whether pages may read local files
	Log        *slog.Logger
}

// Subprocess runs command lines in the real agent-browser: one process a call, without a shell.
type Subprocess struct {
	options SubprocessOptions
	log     *slog.Logger

	mu       sync.Mutex
	versions map[versionKey]struct{} // those that were right
}

// NewSubprocess returns a backend that starts nothing until its first call.
func NewSubprocess(o SubprocessOptions) *Subprocess {
	if o.Version == "" {
		o.Version = UpstreamVersion
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Subprocess{options: o, log: o.Log, versions: map[versionKey]struct{}{}}
}

// Name returns NameSubprocess.
func (s *Subprocess) Name() Name { return NameSubprocess }

// Close has nothing to end: no process of a call outlives it. Sessions are closed by those who opened them.
func (s *Subprocess) Close(context.Context) error { return nil }

// Run runs one command line.
func (s *Subprocess) Run(ctx context.Context, inv Invocation) Answer {
	if inv.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, inv.Timeout, errWatchdog)
		defer cancel()
	}
	path, err := s.program(inv)
	if err != nil {
		return unstarted(err, exitMissing)
	}
	dir, err := socketDir(s.options.SocketDir, inv.Env)
	if err == nil && !inv.NoBrowser {
		err = checkSocketPath(dir, inv.Namespace, inv.Session)
	}
	if err != nil {
		return unstarted(err, 1)
	}
	job := job{path: path, cwd: inv.Cwd, stdin: inv.Stdin, args: s.line(inv)}
	if job.env, err = childEnv(inv, dir); err != nil {
		return unstarted(err, 1)
	}
	if !inv.NoBrowser {
		if a := s.checkVersion(ctx, job, inv); a != nil {
			return *a
		}
	}
	ran := job.run(ctx)
	defer ran.discard()
	s.log.Debug("agent-browser ran", "exit", ran.exit, "bytes", ran.out.size())
	return ran.answer(inv)
}

// unstarted is the answer to a call for which no process was started. What is wrong with the call itself says so by its code.
func unstarted(err error, exit int) Answer {
	a := Answer{ExitCode: exit, Error: err.Error(), SpawnError: err.Error(), Code: fault.CodeOf(err)}
	if a.Code == fault.Usage {
		a.SpawnError = ""
	}
	a.Missing = a.Code == fault.BrowserMissing
	return a
}

// program returns the path of the program.
func (s *Subprocess) program(inv Invocation) (string, error) {
	if path := s.options.Path; path != "" {
		if found := executable(path); found != "" {
			return found, nil
		}
		return "", missing("there is none at " + path)
	}
	for _, dir := range filepath.SplitList(inv.Env["PATH"]) {
		if !filepath.IsAbs(dir) { // what lies in a project must not become the program
			continue
		}
		if found := executable(filepath.Join(dir, "agent-browser")); found != "" {
			return found, nil
		}
	}
	return "", missing("it was not found on PATH")
}

func missing(where string) error {
	return fault.New(fault.BrowserMissing, "agent-browser is required for this backend, but %s. It is not bundled with this tool.", where).
		WithHint("Install it with `npm install -g agent-browser@%s` (https://github.com/vercel-labs/agent-browser), "+
			"give its path with SKUA_AGENT_BROWSER, or use the native backend.", UpstreamVersion)
}

// line is the command line with what keeps pages from reading local files in front. The caller's own word on that is taken out.
func (s *Subprocess) line(inv Invocation) []string {
	if s.options.LocalFiles || inv.NoBrowser || inv.Attached {
		return inv.Args
	}
	line := []string{fileAccess, "false"}
	for i := 0; i < len(inv.Args); i++ {
		switch word := inv.Args[i]; {
		case word == fileAccess:
			if i+1 < len(inv.Args) && (inv.Args[i+1] == "true" || inv.Args[i+1] == "false") {
				i++
			}
		case strings.HasPrefix(word, fileAccess+"="):
		default:
			line = append(line, word)
		}
	}
	return line
}

const fileAccess = "--allow-file-access"

// wantsJSON says whether the answer of the command line is to be data.
func wantsJSON(args []string) bool { return slices.Contains(args, "--json") }

// plainError is what a program says on stderr of a failure, without its marks.
func plainError(stderr []byte) string {
	text := string(bytes.TrimSpace(stderr))
	return strings.TrimPrefix(text, "✗ ")
}
