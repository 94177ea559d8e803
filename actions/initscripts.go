package actions

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

func initScriptCommands() []Command {
	return []Command{
		{
			Name:     "removeinitscript",
			Upstream: []string{"removeinitscript <id>"},
			Group:    GroupDiagnosis, Summary: "Take a script of --init-script back",
			Help: "Documents that come do not run it any more. What it did in those that are shown stays. `initscripts` lists the ids.",
			Args: []Arg{{Name: "identifier", Help: "Its id, as `open --init-script` and `initscripts` tell it"}}, Tabless: true,
			Effect: Reads, Run: runRemoveInitScript, Examples: []Example{{Line: "removeinitscript 1"}},
			Policy: Policy{Families: policy.Does()},
		},
		{
			Name: "initscripts", Group: GroupDiagnosis, Summary: "List the scripts of --init-script", Tabless: true, Effect: Reads, Run: runInitScripts,
			Policy: Policy{Families: policy.Does()},
		},
	}
}

// features are what --enable knows: scripts that documents get before their own run.
func features() map[string]string {
	return map[string]string{reactFeature: reactHook}
}

// addInitScripts adds the scripts of --init-script and --enable that the session does not have yet, and returns those. A file that has another
// content by now takes the place of what it was.
func (c *Call) addInitScripts(ctx context.Context) (added []engine.InitScript, err error) {
	e := c.Command().Effect
	if !c.Has("init-script") && !c.Has("enable") || e.Has(NoBrowser) || e.Has(Closes) || e.Has(Control) || c.Command().Rows {
		return nil, nil
	}
	wanted, err := c.wantedScripts()
	if err != nil {
		return nil, err
	}
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return nil, err
	}
	in := tab.Page.Context()
	for _, want := range wanted {
		have := in.InitScripts()
		if slices.ContainsFunc(have, func(s engine.InitScript) bool { return s.Name == want.Name && s.Source == want.Source }) {
			continue
		}
		for _, s := range have {
			if s.Name == want.Name {
				if _, _, err := in.RemoveInitScript(ctx, tab.Page, s.ID); err != nil {
					return nil, err
				}
			}
		}
		script, err := in.AddInitScript(ctx, tab.Page, want.Name, want.Source)
		if err != nil {
			return nil, err
		}
		added = append(added, script)
	}
	return added, nil
}

func (c *Call) wantedScripts() (wanted []engine.InitScript, err error) {
	known := features()
	for _, name := range c.Strings("enable") {
		source, ok := known[name]
		if !ok {
			return nil, c.Invalid("--enable does not know '" + name + "'. Features are: " + strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		wanted = append(wanted, engine.InitScript{Name: name, Source: source})
	}
	for _, named := range c.Strings("init-script") {
		path, err := c.reading(named)
		if err != nil {
			return nil, err
		}
		source, err := os.ReadFile(path)
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		if err != nil {
			return nil, fault.New(fault.File, "Failed to read init script %s: %w", named, err).About(path)
		}
		wanted = append(wanted, engine.InitScript{Name: path, Source: string(source)})
	}
	return wanted, nil
}

func initScriptData(scripts []engine.InitScript) []map[string]any {
	list := []map[string]any{}
	for _, s := range scripts {
		list = append(list, map[string]any{"id": s.ID, "name": s.Name, "size": len(s.Source)})
	}
	return list
}

// tellInitScripts says in a reply which scripts were added.
func tellInitScripts(res *Result, added []engine.InitScript) {
	if len(added) == 0 {
		return
	}
	res.Add("initScripts", initScriptData(added))
	for _, s := range added {
		res.Text += "\n  init script " + s.ID + ": " + s.Name
	}
}

func runInitScripts(ctx context.Context, c *Call) (Result, error) {
	var scripts []engine.InitScript
	if tab := c.Session.Active(); tab != nil {
		scripts = tab.Page.Context().InitScripts()
	}
	lines := make([]string, len(scripts))
	for i, s := range scripts {
		lines[i] = s.ID + "  " + s.Name
	}
	if len(lines) == 0 {
		lines = []string{"No init scripts"}
	}
	return Result{Data: map[string]any{"initScripts": initScriptData(scripts)}, Text: strings.Join(lines, "\n")}, nil
}

func runRemoveInitScript(ctx context.Context, c *Call) (Result, error) {
	id := c.String("identifier")
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	script, ok, err := tab.Page.Context().RemoveInitScript(ctx, tab.Page, id)
	if err != nil {
		return Result{}, err
	}
	if !ok {
		return Result{}, fault.New(fault.Usage, "Script not found: there is no init script '%s'.", id).About(id).
			WithHint("`initscripts` lists those of the session.")
	}
	return Result{Data: map[string]any{"removed": id, "name": script.Name}, Text: "✓ Done"}, nil
}
