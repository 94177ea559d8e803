package run

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// reactFeature is the word of --enable for the hook.
const reactFeature = "react-devtools"

//go:embed reactjs/hook.js
var reactHook string

// features are what --enable knows: scripts that documents get before their own run.
func features() map[string]string {
	return map[string]string{reactFeature: reactHook}
}

// addInitScripts adds the scripts of --init-script and --enable that the session does not have yet, and returns those.
// A file that has another content by now takes the place of what it was.
func addInitScripts(ctx context.Context, c *actions.Call) (added []initscript.Script, err error) {
	e := c.Command().Effect
	if !c.Has("init-script") && !c.Has("enable") || e.Has(actions.NoBrowser) || e.Has(actions.Closes) ||
		e.Has(actions.Control) || c.Command().Rows {
		return nil, nil
	}
	wanted, err := wantedScripts(ctx, c)
	if err != nil {
		return nil, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, err
	}
	in := tab.Page.Context()
	for _, want := range wanted {
		have := initscript.List(in)
		if slices.ContainsFunc(have, func(s initscript.Script) bool {
			return s.Name == want.Name && s.Source == want.Source
		}) {
			continue
		}
		for _, s := range have {
			if s.Name == want.Name {
				if _, _, err := initscript.Remove(ctx, in, tab.Page, s.ID); err != nil {
					return nil, err
				}
			}
		}
		script, err := initscript.Add(ctx, in, tab.Page, want.Name, want.Source)
		if err != nil {
			return nil, err
		}
		added = append(added, script)
	}
	return added, nil
}

// mostScript is the largest file of a script.
const mostScript = 64 << 20

func wantedScripts(ctx context.Context, c *actions.Call) (wanted []initscript.Script, err error) {
	known := features()
	for _, name := range c.Strings("enable") {
		source, ok := known[name]
		if !ok {
			return nil, c.Invalid("--enable does not know '" + name + "'. Features are: " +
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		wanted = append(wanted, initscript.Script{Name: name, Source: source})
	}
	for _, named := range c.Strings("init-script") {
		path, err := files.Readable(c, named)
		if err != nil {
			return nil, err
		}
		source, err := userfile.Read(ctx, path, mostScript)
		if err != nil {
			return nil, fault.New(fault.File, "Failed to read init script %s: %w", named, err).About(path)
		}
		wanted = append(wanted, initscript.Script{Name: path, Source: string(source)})
	}
	return wanted, nil
}

// InitScripts returns a session's scripts in the form of replies.
func InitScripts(scripts []initscript.Script) []fact.InitScript {
	list := []fact.InitScript{}
	for _, s := range scripts {
		list = append(list, fact.InitScript{ID: s.ID, Name: s.Name, Size: len(s.Source)})
	}
	return list
}

// tellInitScripts says in a reply which scripts were added.
func tellInitScripts(res *actions.Result, added []initscript.Script) {
	if len(added) == 0 {
		return
	}
	res.Report(func(r *fact.Reports) { r.InitScripts = InitScripts(added) })
	for _, s := range added {
		res.Text += "\n  init script " + s.ID + ": " + s.Name
	}
}
