package backend

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// UpstreamVersion is the version of agent-browser that the tool is written for.
const UpstreamVersion = "0.41.2"

// SubprocessOptions are how a Subprocess runs its program. The zero value is the agent-browser of the caller's PATH.
type SubprocessOptions struct {
	Path       string        // of the program; empty means agent-browser, looked for on the PATH of each call
	Version    string        // which it has to be; empty means UpstreamVersion
	SocketDir  string        // where its sockets are; empty means a private folder among the temporary files
	LocalFiles bool          // callers may say themselves whether pages may read local files
	Owner      *policy.Owner // what the owner has forbidden, or nil
	Log        *slog.Logger
}

// Subprocess runs command lines in the real agent-browser: one process a call, without a shell.
type Subprocess struct {
	options SubprocessOptions
	log     *slog.Logger
	rules   []string // variables by which the program keeps the owner's rules, as NAME=value

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

// newSubprocessUnder returns a backend whose program keeps the owner's rules. It fails when the program cannot.
func newSubprocessUnder(o SubprocessOptions, registry *actions.Registry) (*Subprocess, error) {
	rules, err := o.Owner.ForAgentBrowser(registry.UpstreamWord)
	if err != nil {
		return nil, err
	}
	s := NewSubprocess(o)
	for name, value := range map[string]string{
		ruleDomains: rules.Domains,
		rulePolicy:  rules.File,
		ruleConfirm: rules.Confirm,
	} {
		if value != "" {
			s.rules = append(s.rules, name+"="+value)
		}
	}
	return s, nil
}

// The variables of agent-browser's own rules.
const (
	ruleDomains = "AGENT_BROWSER_ALLOWED_DOMAINS"
	rulePolicy  = "AGENT_BROWSER_ACTION_POLICY"
	ruleConfirm = "AGENT_BROWSER_CONFIRM_ACTIONS"
)

// Owner returns what the owner has forbidden, or nil.
func (s *Subprocess) Owner() *policy.Owner { return s.options.Owner }

// Name returns NameSubprocess.
func (s *Subprocess) Name() Name { return NameSubprocess }

// Close has nothing to end: no process of a call outlives it. Sessions are closed by those who opened them.
func (s *Subprocess) Close(context.Context) error { return nil }

// Place says where the tool may write a file for a call: agent-browser has no roots, and those of the environment hold
// for what the tool writes by itself.
func (s *Subprocess) Place(inv Invocation, file string) (policy.Destination, error) {
	var roots policy.Roots
	for _, name := range []string{"SKUA_DOWNLOAD_ROOTS", "AGENT_BROWSER_DOWNLOAD_ROOTS"} {
		if inv.Env[name] == "" {
			continue
		}
		folders := strings.Split(inv.Env[name], ",")
		for i, folder := range folders {
			if !filepath.IsAbs(folder) {
				folders[i] = filepath.Join(inv.Cwd, folder)
			}
		}
		if err := roots.Add(policy.Writing, folders, name); err != nil {
			return policy.Destination{}, fault.New(fault.Usage, "%s: %w", name, err).About(name)
		}
		break
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(inv.Cwd, file)
	}
	place, err := roots.Destination(file)
	if err != nil {
		return policy.Destination{}, fault.New(fault.PolicyBlocked, "The file is not written: %w.", err).About(file).
			WithHint("Give another path.")
	}
	return place, nil
}

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
	if err := s.loosens(inv); err != nil {
		return unstarted(err, 1)
	}
	job := job{path: path, cwd: inv.Cwd, stdin: inv.Stdin, args: s.line(inv)}
	if job.env, err = childEnv(inv, dir, s.rules); err != nil {
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

// overRules are the flags of agent-browser that stand above what its environment says of the same, or that get around
// rules.
var overRules = []string{
	"--allowed-domains", "--action-policy", "--confirm-actions", "--flows", "--config",
	"--executable-path", "--args", "--extension",
}

// loosens returns why a command line is not run under the owner's rules: the program would take its flag in place of
// the rule, or let who asked confirm.
func (s *Subprocess) loosens(inv Invocation) error {
	if !s.options.Owner.Any() {
		return nil
	}
	for i, word := range inv.Args {
		flag, _, _ := strings.Cut(word, "=")
		switch {
		case slices.Contains(overRules, flag):
			return fault.New(fault.PolicyBlocked,
				"%s: the owner's rules count here, and agent-browser would put the flag in their place; nothing was run", flag).
				About(flag).WithHint("Leave it out.")
		case word == "inspect", word == "cdp-url" && i > 0 && inv.Args[i-1] == "get",
			word == "confirm" && !s.options.Owner.SelfConfirm():
			return fault.New(fault.PolicyBlocked, "%s: the owner's rules do not allow it; nothing was run", word).About(word)
		}
	}
	if bytes.Contains(inv.Stdin, []byte("confirm")) && slices.Contains(inv.Args, "batch") &&
		!s.options.Owner.SelfConfirm() {
		return fault.New(fault.PolicyBlocked, "batch: under the owner's rules no row may confirm; nothing was run").
			About("batch")
	}
	return nil
}

// unstarted is the answer to a call for which no process was started. What is wrong with the call itself says so by its
// code.
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
	return fault.New(fault.BrowserMissing,
		"agent-browser is required for this backend, but %s. It is not bundled with this tool.", where).
		WithHint("Install it with `npm install -g agent-browser@%s` (https://github.com/vercel-labs/agent-browser), "+
			"give its path with SKUA_AGENT_BROWSER, or use the native backend.", UpstreamVersion)
}

// line is the command line with what keeps pages from reading local files in front. The caller's own word on that is
// taken out.
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
