package chrome

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/childenv"
)

// The window that a browser gets when [Options] names none.
const (
	DefaultWidth  = 1280
	DefaultHeight = 720
)

// Options says which browser to launch and how. The zero value is a headed browser, found by [Find], with a temporary
// profile.
type Options struct {
	ExecutablePath string   // empty means what Find finds
	Headless       bool     // no window
	Args           []string // further command-line switches of the browser; they win over ours
	UserDataDir    string   // the profile to use and keep; empty means a temporary one, removed at the end
	Width, Height  int      // size of the window; 0 means DefaultWidth, DefaultHeight
	// environment of the browser, as in os.Environ; nil means what childenv chooses of that of this process
	Env            []string
	NoWebMCP       bool         // pages cannot offer tools to agents
	CACerts        []string     // files with certificates of authorities that the browser trusts, too; on Linux
	SystemCA       bool         // it trusts the authorities that the system does
	ShowScrollbars bool         // pages of a headless browser have scrollbars
	NoXvfb         bool         // no screen is made for a window where there is none
	Copy           *UserProfile // the profile of the user's own browser whose copy is used; with no UserDataDir
	Profile        string       // the folder in UserDataDir that is the profile; empty means the browser's choice
	Extensions     []string     // folders of unpacked extensions; they need a full browser
	// nothing bypasses the proxies of its contexts: no names are resolved, and only TCP is used
	Gated bool
	Proxy string       // of the context that the browser starts with, for loopback, too, or empty
	Log   *slog.Logger // nil means no log
}

// Key identifies the browser of o: sessions whose options have equal keys may share one. Log does not count.
func (o Options) Key() string {
	var b strings.Builder
	field := func(name string, values ...string) {
		b.WriteString(name)
		for _, v := range values {
			b.WriteByte(' ')
			b.WriteString(strconv.Quote(v))
		}
		b.WriteByte('\n')
	}
	width, height := o.size()
	profile := o.UserDataDir
	if profile != "" {
		profile = filepath.Clean(profile)
	}
	field("path", o.ExecutablePath)
	field("headless", strconv.FormatBool(o.Headless))
	field("args", o.Args...)
	field("profile", profile)
	if o.NoWebMCP {
		field("no-webmcp")
	}
	field("authorities", o.CACerts...)
	field("looks", strconv.FormatBool(o.SystemCA), strconv.FormatBool(o.ShowScrollbars), strconv.FormatBool(o.NoXvfb))
	field("extensions", o.Extensions...)
	if o.Copy != nil {
		field("copy", o.Copy.UserData.Dir, o.Copy.Directory)
	}
	field("directory", o.Profile)
	if o.Gated {
		field("gated", o.Proxy)
	}
	field("size", strconv.Itoa(width), strconv.Itoa(height))
	if o.Env != nil {
		field("env", o.Env...)
	}
	return b.String()
}

func (o Options) size() (width, height int) {
	width, height = o.Width, o.Height
	if width <= 0 {
		width = DefaultWidth
	}
	if height <= 0 {
		height = DefaultHeight
	}
	return width, height
}

// browserEnv is the environment of the browser. Without keys for Google's services Chromium puts a bar over every page
// that says so; "no" keeps it quiet.
func (o Options) browserEnv() []string {
	env := slices.Clone(o.Env)
	if o.Env == nil {
		env = childenv.Own()
	}
	for _, key := range []string{"GOOGLE_API_KEY", "GOOGLE_DEFAULT_CLIENT_ID", "GOOGLE_DEFAULT_CLIENT_SECRET"} {
		if !slices.ContainsFunc(env, func(entry string) bool { return strings.HasPrefix(entry, key+"=") }) {
			env = append(env, key+"=no")
		}
	}
	return env
}

// getenv looks name up in the environment that the browser will get; as for the operating system, the last entry wins.
func (o Options) getenv(name string) string {
	if o.Env == nil {
		return os.Getenv(name)
	}
	for _, variable := range slices.Backward(o.Env) {
		if key, value, ok := strings.Cut(variable, "="); ok && key == name {
			return value
		}
	}
	return ""
}

func (o Options) log() *slog.Logger {
	if o.Log != nil {
		return o.Log
	}
	return slog.New(slog.DiscardHandler)
}
