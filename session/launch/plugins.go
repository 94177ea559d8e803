package launch

import (
	"context"
	"log/slog"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/plugins"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/guard/plugin"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// Plugins are the plugins of a call, which may provide its browser or add to its launch.
type Plugins struct {
	Input   *actions.Input
	Getenv  func(string) string
	Cwd     string              // the folder in which they run
	Path    func(string) string // makes a path absolute
	Session string
	Log     *slog.Logger
}

// Browser returns a browser that a plugin starts for the session and ends when the session leaves it; nil means no such
// plugin.
func (c Plugins) Browser() *External {
	in := c.Input
	name := in.String("provider")
	set, _ := plugins.Of(in, c.Getenv)
	p, err := set.For(name, plugin.BrowserProvider)
	if err != nil {
		return nil
	}
	host, session := c.host(), c.Session
	options := plugin.BrowserOptions{
		ColorScheme: orNull(in.String("color-scheme")),
		Engine:      "chrome",
		Headed:      in.Bool("headed"),
		UserAgent:   orNull(in.String("user-agent")),
	}
	return &External{
		Name:     "plugin " + name,
		Provider: name,
		Find: func(ctx context.Context) (Endpoint, error) {
			b, err := host.Launch(ctx, p, session, options)
			if err != nil {
				return Endpoint{}, err
			}
			hide := func(err error) error {
				return fault.New(fault.ProviderFailed, "the browser of plugin '%s' cannot be reached: %s", name,
					strings.ReplaceAll(err.Error(), b.Address, endpoint.ShownAddress(b.Address))).
					About(name).With("provider", name)
			}
			release := func(ctx context.Context) error { return host.Close(ctx, p, session, b) }
			return Endpoint{Address: b.Address, About: "a browser of plugin " + name, Hide: hide, Release: release}, nil
		},
	}
}

func (c Plugins) host() plugin.Host {
	return plugin.Host{Getenv: c.Getenv, Dir: c.Cwd, Log: c.Log}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Addition is what plugins add to a launch.
type Addition struct {
	Scripts []initscript.Script
	Notes   []string // what was added, in words
}

// mostScript is the largest script that a plugin may name.
const mostScript = 64 << 20

// Additions returns a function that asks the plugins for additions; nil means that none is configured. They are asked
// only when a browser starts.
func (c Plugins) Additions(l *Options) Additions {
	in := c.Input
	if !plugins.Any(in, c.Getenv) || l.Connect != nil {
		return nil
	}
	host, session, path := c.host(), c.Session, c.Path
	return func(ctx context.Context, l *Options) (added Addition, err error) {
		set, _ := plugins.Of(in, c.Getenv)
		for _, p := range set.All(plugin.LaunchMutate) {
			options := plugin.MutateOptions{
				AllowFileAccess: in.Bool("allow-file-access"),
				Args: append([]string{},
					l.Browser.Args...),
				ColorScheme: orNull(in.String("color-scheme")),
				Engine:      "chrome",
				Headless:    l.Browser.Headless,
				UserAgent:   orNull(in.String("user-agent")),
				WebGPU:      in.Bool("webgpu"),
			}
			m, err := host.Mutate(ctx, &p, session, options)
			if err != nil {
				return added, err
			}
			if len(m.Extensions) > 0 {
				return added, fault.New(fault.PluginFailed, "Plugin '%s' tries to load extensions, which plugins cannot do here",
					p.Name).About(p.Name).
					WithHint("Configure it to add no extensions.")
			}
			if len(m.Args) > 0 {
				l.Browser.Args = append(append([]string{}, l.Browser.Args...), m.Args...)
				added.Notes = append(added.Notes, "plugin "+p.Name+" added the switches "+strings.Join(m.Args, " "))
			}
			for _, file := range m.InitScripts {
				text, err := userfile.Read(ctx, path(file), mostScript)
				if err != nil {
					return added, fault.New(fault.PluginFailed, "Plugin '%s' names a script that cannot be read: %w", p.Name, err).
						About(p.Name)
				}
				added.Scripts = append(added.Scripts, initscript.Script{Name: path(file), Source: string(text)})
				added.Notes = append(added.Notes, "plugin "+p.Name+" added the script "+path(file))
			}
		}
		return added, nil
	}
}
