package desktop

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
)

// handoffLimit is how long it may take to attach to an app that is there, and to look at it.
const handoffLimit = 25 * time.Second

// launchWindow is how long an app may take until its debugging port answers.
func launchWindow(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return min(d, electron.MaxLaunchTimeout)
	}
	return electron.DefaultLaunchTimeout
}

func runElectronLaunch(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := launchOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Brief {
		return actions.Result{}, noOwner(c.Program())
	}
	r, err := lifecycle.Launch(ctx, host{c}, lifecycle.LaunchOptions{
		LaunchOptions: o,
		Session: &session{
			call: c,
			name: c.Session.Name(),
		},
		Handoff:        c.String("handoff"),
		TargetType:     targetType(c),
		Target:         c.String("target"),
		Attach:         connectCommand(c),
		CleanupTimeout: electron.DefaultCleanupTimeout,
	})
	if err != nil {
		return actions.Result{}, err
	}
	for _, note := range r.Notes {
		c.Note(note)
	}
	if d, ok := givenTimeout(c.Input); ok && d > electron.MaxLaunchTimeout {
		c.Note("an app has at most " + electron.MaxLaunchTimeout.String() + " to start; --timeout asked for more")
	}
	app := r.Launch
	lines := []string{"✓ Launched " + app.AppName + ": " + app.LaunchID + ", process " + strconv.Itoa(app.PID) +
		", port " + strconv.Itoa(app.Port)}
	if r.App.Sensitivity != nil {
		lines = append(lines, "  Likely sensitive: "+strings.Join(r.App.Sensitivity.Categories, ", "))
	}
	return actions.Result{Data: r.Report, Text: strings.Join(append(lines, r.Lines...), "\n")}, nil
}

// targetType is the kind of target that is meant. A window that is named may be of any kind.
func targetType(c *actions.Call) string {
	if c.Has("target") && !c.Flagged("target-type") {
		return electron.AnyTarget
	}
	return c.String("target-type")
}

// launchOptions reads which app is meant and how it is to run.
func launchOptions(c *actions.Call) (electron.LaunchOptions, error) {
	o := electron.LaunchOptions{
		AppName:   c.String("app-name"),
		BundleID:  c.String("bundle-id"),
		Args:      c.Strings("app-arg"),
		Allow:     c.Strings("allow"),
		Deny:      c.Strings("deny"),
		NoInspect: c.Bool("no-inspect"),
		Timeout:   launchWindow(c.Input),
		Cwd:       c.Cwd,
		Env:       appEnviron(c),
	}
	if c.Has("app-path") {
		o.AppPath = c.Path(c.String("app-path"))
	}
	if c.Flagged("executable-path") { // that of the environment is a browser
		o.ExecutablePath = c.Path(c.String("executable-path"))
	}
	words := c.Strings("app-args")
	if c.Has("app") {
		words = slices.Insert(words, 0, c.String("app"))
	}
	var named []string
	for _, flag := range []struct{ name, value string }{
		{"--app-path", o.AppPath},
		{"--app-name", o.AppName},
		{"--bundle-id", o.BundleID},
		{"--executable-path", o.ExecutablePath},
	} {
		if flag.value != "" {
			named = append(named, flag.name)
		}
	}
	switch {
	case len(named) > 1:
		return o, c.Invalid("Name the app in one way only; got " + strings.Join(named, " and ") + ".")
	case len(named) == 0 && len(words) == 0:
		return o, c.Missing("app")
	case len(named) == 0:
		appNamed(c, words[0], &o)
		words = words[1:]
	}
	o.Args = append(o.Args, words...)
	return o, nil
}

// appNamed reads the word for an app: a path when it looks like one or leads to something, a bundle id when it has the
// form of one, else a name.
func appNamed(c *actions.Call, word string, o *electron.LaunchOptions) {
	path := c.Path(word)
	_, err := os.Stat(path)
	switch {
	case err == nil || strings.ContainsAny(word, `/\`):
		o.AppPath = path
	case isBundleID(word):
		o.BundleID = word
	default:
		o.AppName = word
	}
}

// isBundleID reports whether a word has the form of com.example.app.
func isBundleID(word string) bool {
	parts := strings.Split(word, ".")
	return len(parts) > 2 && !slices.Contains(parts, "") && !strings.ContainsAny(word, " \t") &&
		parts[0] == strings.ToLower(parts[0])
}

// ofCaller are variables that an app takes from who launches it: where windows open, and where the user's files are.
var ofCaller = []string{
	"HOME", "PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR",
}

// appEnviron is what apps get of the host's environment, with the caller's variables in it.
func appEnviron(c *actions.Call) []string {
	env := electron.Environ()
	for _, name := range ofCaller {
		if v := c.Getenv(name); v != "" {
			env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
			env = append(env, name+"="+v)
		}
	}
	return env
}
