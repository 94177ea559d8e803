package session

import (
	"context"
	"os"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/plugin"
)

// plugged is a browser that a plugin makes for the session, and is told to end when the session leaves it; nil when no plugin of the name makes any.
func (r *runner) plugged(in *actions.Input) *foreign {
	name := in.String("provider")
	set, _ := actions.Plugins(in, r.req.Getenv)
	p, err := set.For(name, plugin.BrowserProvider)
	if err != nil {
		return nil
	}
	host := r.pluginHost()
	session := r.session.name
	options := map[string]any{
		"colorScheme": orNull(in.String("color-scheme")), "engine": "chrome", "headed": in.Bool("headed"), "userAgent": orNull(in.String("user-agent")),
	}
	return &foreign{name: "plugin " + name, provider: name, find: func(ctx context.Context) (endpoint, error) {
		b, err := host.Launch(ctx, p, session, options)
		if err != nil {
			return endpoint{}, err
		}
		hide := func(err error) error {
			return fault.New(fault.ProviderFailed, "the browser of plugin '%s' cannot be reached: %s", name, strings.ReplaceAll(err.Error(), b.Address, engine.ShownAddress(b.Address))).
				About(name).With("provider", name)
		}
		release := func(ctx context.Context) error { return host.Close(ctx, p, session, b) }
		return endpoint{address: b.Address, about: "a browser of plugin " + name, hide: hide, release: release}, nil
	}}
}

func (r *runner) pluginHost() plugin.Host {
	return plugin.Host{Getenv: r.req.Getenv, Dir: r.req.Cwd, Log: r.manager.log}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// addition is what plugins add to how a browser is started.
type addition struct {
	scripts []engine.InitScript
	told    []string // what was added, in words
}

// additions returns what asks the plugins that add to launches; nil when none is configured. They are asked only when a browser is to be started.
func (r *runner) additions(in *actions.Input, l *launch) additions {
	if !actions.HasPlugins(in, r.req.Getenv) || l.connect != nil {
		return nil
	}
	host, session, path := r.pluginHost(), r.session.name, r.path
	return func(ctx context.Context, l *launch) (added addition, err error) {
		set, _ := actions.Plugins(in, r.req.Getenv)
		for _, p := range set.All(plugin.LaunchMutate) {
			options := map[string]any{
				"allowFileAccess": in.Bool("allow-file-access"), "args": append([]string{}, l.browser.Args...), "colorScheme": orNull(in.String("color-scheme")),
				"engine": "chrome", "headless": l.browser.Headless, "userAgent": orNull(in.String("user-agent")), "webgpu": in.Bool("webgpu"),
			}
			m, err := host.Mutate(ctx, &p, session, options)
			if err != nil {
				return added, err
			}
			if len(m.Extensions) > 0 {
				return added, fault.New(fault.PluginFailed, "Plugin '%s' wants to load extensions, which a plugin cannot do here", p.Name).About(p.Name).
					WithHint("Have it add no extensions.")
			}
			if len(m.Args) > 0 {
				l.browser.Args = append(append([]string{}, l.browser.Args...), m.Args...)
				added.told = append(added.told, "plugin "+p.Name+" added the switches "+strings.Join(m.Args, " "))
			}
			for _, file := range m.InitScripts {
				text, err := os.ReadFile(path(file))
				if err != nil {
					return added, fault.New(fault.PluginFailed, "Plugin '%s' names a script that cannot be read: %w", p.Name, err).About(p.Name)
				}
				added.scripts = append(added.scripts, engine.InitScript{Name: path(file), Source: string(text)})
				added.told = append(added.told, "plugin "+p.Name+" added the script "+path(file))
			}
		}
		return added, nil
	}
}
