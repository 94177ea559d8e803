package desktop

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// handoffLimit is how long it may take to attach to an app that is there, and to look at it.
const handoffLimit = 25 * time.Second

// firstLook is how long an app that shows nothing to act on yet may take to settle before it is looked at again.
const firstLook = "3000"

// launchWindow is how long an app may take until its debugging port answers.
func launchWindow(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return min(d, electron.MaxLaunchTimeout)
	}
	return electron.DefaultLaunchTimeout
}

type launched struct {
	Action           string            `json:"action"`
	Status           string            `json:"status"`
	Launch           electron.Record   `json:"launch"`
	Targets          []electron.Target `json:"targets"`
	Version          electron.Version  `json:"version"`
	Handoff          handoff           `json:"handoff"`
	Identifiers      identifiers       `json:"identifiers"`
	ProfileIsolation isolation         `json:"profileIsolation"`
	Exposure         string            `json:"exposure,omitempty"` // why it runs without Chromium's sandbox
}

// handoff is what is shown of an app that was launched.
type handoff struct {
	Handoff  string              `json:"handoff"` // connect, tabs or snapshot
	Target   *electron.Target    `json:"target,omitempty"`
	URL      string              `json:"url,omitempty"` // of the active tab
	Title    string              `json:"title,omitempty"`
	Tabs     []electron.ProbeTab `json:"tabs,omitempty"`
	Snapshot json.RawMessage     `json:"snapshot,omitempty"` // as of `snapshot -i`
	RefCount *int                `json:"refCount,omitempty"`
}

func runElectronLaunch(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := launchOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Brief {
		return actions.Result{}, noOwner(c.Program())
	}
	k, err := c.Session.Apps().Keeper()
	if err != nil {
		return actions.Result{}, err
	}
	app, err := k.Launch(ctx, o)
	if err != nil {
		return actions.Result{}, err
	}
	if app.Exposure != "" {
		c.Note("the app runs without Chromium's sandbox: " + app.Exposure)
	}
	if app.Note != "" {
		c.Note(app.Note)
	}
	if d, ok := givenTimeout(c.Input); ok && d > electron.MaxLaunchTimeout {
		c.Note("an app has at most " + electron.MaxLaunchTimeout.String() + " to start; --timeout asked for more")
	}
	target, ok := electron.Choose(app.Targets, c.String("target-type"))
	if !ok && c.String("target-type") == electron.WebviewTarget {
		c.Note("the app shows no webview yet; the active tab is a window. `tab list` tells when there is one")
	}
	if err := c.Session.Apps().Attach(ctx, app.Record, target.ID); err != nil {
		return actions.Result{}, undo(ctx, c, k, app.Record, err)
	}
	app.Record.SessionName = c.Session.Name()
	if err := k.Attached(app.Record.LaunchID, c.Session.Name()); err != nil {
		return actions.Result{}, undo(ctx, c, k, app.Record, err)
	}
	data := launched{
		Action: "launch", Status: "succeeded", Launch: app.Record, Targets: append([]electron.Target{}, app.Targets...), Version: app.Version,
		Handoff: handoff{Handoff: c.String("handoff")}, Identifiers: identify(app.Record), ProfileIsolation: isolated(c),
		Exposure: app.Exposure,
	}
	if ok {
		data.Handoff.Target = &target
	}
	lines := []string{"✓ Launched " + app.Record.AppName + ": " + app.Record.LaunchID + ", process " + strconv.Itoa(app.Record.PID) + ", port " + strconv.Itoa(app.Record.Port)}
	if app.App.Sensitivity != nil {
		lines = append(lines, "  Likely sensitive: "+strings.Join(app.App.Sensitivity.Categories, ", "))
	}
	shown, err := handOver(ctx, c, &data.Handoff)
	if err != nil {
		return actions.Result{}, undo(ctx, c, k, app.Record, err)
	}
	lines = append(lines, shown...)
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// undo cleans up an app that cannot be handed over, so that nothing is left of a launch that failed.
func undo(ctx context.Context, c *actions.Call, k *electron.Keeper, app electron.Record, cause error) error {
	done, err := clean(context.WithoutCancel(ctx), c, k, app, electron.DefaultCleanupTimeout)
	said := "; the app was ended again and nothing is left of it"
	if err != nil || done.State != electron.Cleaned {
		said = "; something of the app is left, see `electron status " + app.LaunchID + "`"
	}
	return fault.New(fault.CodeOf(cause), "%s was launched and then could not be worked in: %w%s", app.AppName, cause, said).About(app.AppName).
		With("launchId", app.LaunchID).With("cleanup", done)
}

// launchOptions reads which app is meant and how it is to run.
func launchOptions(c *actions.Call) (electron.LaunchOptions, error) {
	o := electron.LaunchOptions{
		AppName: c.String("app-name"), BundleID: c.String("bundle-id"), Args: c.Strings("app-arg"), Allow: c.Strings("allow"), Deny: c.Strings("deny"),
		Timeout: launchWindow(c.Input), Cwd: c.Cwd, Env: appEnviron(c),
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
		{"--app-path", o.AppPath}, {"--app-name", o.AppName}, {"--bundle-id", o.BundleID}, {"--executable-path", o.ExecutablePath},
	} {
		if flag.value != "" {
			named = append(named, flag.name)
		}
	}
	switch {
	case len(named) > 1:
		return o, c.Invalid("An app is named in one way, and got " + strings.Join(named, " and ") + ".")
	case len(named) == 0 && len(words) == 0:
		return o, c.Missing("app")
	case len(named) == 0:
		appNamed(c, words[0], &o)
		words = words[1:]
	}
	o.Args = append(o.Args, words...)
	return o, nil
}

// appNamed reads the word for an app: a path when it looks like one or leads to something, a bundle id when it has the form of one, else a
// name.
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
	return len(parts) > 2 && !slices.Contains(parts, "") && !strings.ContainsAny(word, " \t") && parts[0] == strings.ToLower(parts[0])
}

// ofCaller are variables that an app takes from who launches it: where windows open, and where the user's files are.
var ofCaller = []string{"HOME", "PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"}

// appEnviron is the host's environment with the caller's variables in it.
func appEnviron(c *actions.Call) []string {
	env := os.Environ()
	for _, name := range ofCaller {
		if v := c.Getenv(name); v != "" {
			env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
			env = append(env, name+"="+v)
		}
	}
	return env
}

// handOver looks at an app that has just been attached to.
func handOver(ctx context.Context, c *actions.Call, h *handoff) ([]string, error) {
	if h.Handoff == "connect" {
		return nil, nil
	}
	tabs, text, err := listedTabs(ctx, c, "")
	if err != nil {
		return nil, err
	}
	h.Tabs = tabs
	for _, t := range tabs {
		if t.Active {
			h.URL, h.Title = t.URL, t.Title
		}
	}
	lines := []string{text}
	if h.Handoff == "tabs" {
		return lines, nil
	}
	look := func() (string, int, error) {
		res, err := asks(ctx, c, "", "snapshot", "-i")
		if err != nil {
			return "", 0, err
		}
		if h.Snapshot, err = plainjson.Marshal(res.Data); err != nil {
			return "", 0, err
		}
		refs, err := refsOf(h.Snapshot)
		count := len(refs)
		h.RefCount = &count
		return res.Text, count, err
	}
	text, count, err := look()
	if err == nil && count == 0 { // an app that has just begun
		if _, err := asks(ctx, c, "", "wait", "--stable", "--timeout", firstLook); err != nil && !fault.Is(err, fault.Timeout) {
			return nil, err
		}
		text, count, err = look()
	}
	if err != nil {
		return nil, err
	}
	if count == 0 {
		c.Note("the app shows nothing that can be acted on yet; run `snapshot -i` once more, or `tab list` for its other windows")
	}
	return append(lines, text), nil
}

// asks runs a command in a session, "" for the call's own.
func asks(ctx context.Context, c *actions.Call, session string, words ...string) (actions.Result, error) {
	in, err := c.Parse(words)
	if err != nil {
		return actions.Result{}, err
	}
	if session == "" || session == c.Session.Name() {
		return c.CarryOut(ctx, in)
	}
	return c.ExecIn(ctx, session, in)
}

// listedTabs asks for the tabs of a session.
func listedTabs(ctx context.Context, c *actions.Call, session string, more ...string) ([]electron.ProbeTab, string, error) {
	res, err := asks(ctx, c, session, append([]string{"tab", "list"}, more...)...)
	if err != nil {
		return nil, "", err
	}
	var listed struct{ Tabs []electron.ProbeTab }
	if err := reread(res.Data, &listed); err != nil {
		return nil, "", err
	}
	return listed.Tabs, res.Text, nil
}

// reread takes the data of a command through JSON, in the form in which callers get it.
func reread(data, into any) error {
	raw, err := plainjson.Marshal(data)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		return fault.New(fault.Internal, "reading the data of a command: %w", err)
	}
	return nil
}

// refsOf returns the ids of the refs of a snapshot in JSON, by their numbers.
func refsOf(snapshot json.RawMessage) ([]string, error) {
	var data struct{ Refs map[string]json.RawMessage }
	if err := json.Unmarshal(snapshot, &data); err != nil {
		return nil, fault.New(fault.Internal, "reading the refs of a snapshot: %w", err)
	}
	ids := make([]string, 0, len(data.Refs))
	for id := range data.Refs {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return ids, nil
}
