package admin

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	guidefiles "github.com/skua-browser/skua/guides/installer"
	"github.com/skua-browser/skua/internal/agents"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/product"
)

// guideInstallCommands give the guides to other programs.
func guideInstallCommands() []actions.Command {
	writes := actions.Safety{Families: policy.Does(policy.WritesFiles)}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "skills install",
				Group:   actions.GroupGuides,
				Summary: "Write the guides where agents look for them",
				Help: "Without a program's flag, the guides go to those of these programs that have a folder in your home " +
					"folder. With --project they go into the project " +
					"around the current folder, as skills, as Cursor's rules, and with --agents also as a section of AGENTS.md.\n\n" +
					"A record beside the guides, " + guidefiles.RecordName +
					", has their SHA-256. Later calls replace what this command wrote and nothing else: a file that you changed or " +
					"made stays.",
				Flags: programFlags(),
				Examples: []actions.Example{{Line: "skills install", Note: "for the agents of this machine", Start: 6}, {
					Line: "skills install --claude",
				}, {Line: "skills install --agents --cursor --project"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   writes,
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{GuidesChanged{}}},
			Run:      runGuidesInstall,
		},
		{
			Spec: actions.Spec{
				Name: "skills update", Group: actions.GroupGuides, Summary: "Bring the guides that were installed to this version",
				Help: "Updates the guides of all programs, and those of the project around the current folder.",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   writes,
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{GuidesChanged{}}},
			Run:      runGuidesUpdate,
		},
		{
			Spec: actions.Spec{
				Name:    "skills uninstall",
				Group:   actions.GroupGuides,
				Summary: "Remove the guides that were installed",
				Help: "Removes what `skills install` wrote, and the folders that were made for it. Without a program's flag, it " +
					"does so for all programs; with --project in the project around the current folder. A file that you " +
					"changed stays.",
				Flags: programFlags(),
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   writes,
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{GuidesChanged{}}},
			Run:      runGuidesUninstall,
		},
	}
}

func programFlags() []actions.Flag {
	var flags []actions.Flag
	for _, p := range agents.WithGuides() {
		flags = append(flags, actions.Flag{Name: p.ID, Kind: actions.Bool, Help: "For " + p.Name})
	}
	return append(flags, actions.Flag{
		Name: "project",
		Kind: actions.Bool,
		Help: "In the project around the current folder, not in your home folder",
	})
}

// GuidesChanged are what a command did to installed guides.
type GuidesChanged struct {
	Places  []GuidePlace `json:"places"`
	Version string       `json:"version"`
}

// GuidePlace is one place of a program.
type GuidePlace struct {
	Program string               `json:"program"`
	Place   string               `json:"place"` // a folder, or the file with the section
	Files   []guidefiles.Outcome `json:"files"`
}

// destination is a place for guides. One of folder and section is set.
type destination struct {
	programs []agents.Program // who look there
	rules    bool             // each guide is one rule
	folder   guidefiles.Folder
	section  guidefiles.Section
}

func (d *destination) path() string {
	if d.section.File != "" {
		return d.section.File
	}
	return d.folder.Dir
}

func (d *destination) version() string {
	if d.section.File != "" {
		return d.section.Version()
	}
	return d.folder.Version()
}

// named are the names of the programs.
func (d *destination) named() string {
	names := make([]string, len(d.programs))
	for i, p := range d.programs {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// destinationsOf returns the places of programs, in a project or for all of a user's.
func destinationsOf(c *actions.Call, programs []agents.Program, project bool) []destination {
	at := agents.Place{System: runtime.GOOS, Getenv: c.Getenv, Project: agents.ProjectRoot(c.Path(""))}
	var all []destination
	add := func(p agents.Program, d destination) {
		if d.path() == "" {
			return
		}
		i := slices.IndexFunc(all, func(o destination) bool { return o.path() == d.path() })
		if i < 0 {
			i, all = len(all), append(all, d)
		}
		all[i].programs = append(all[i].programs, p)
	}
	for _, p := range programs {
		switch g := p.Guides; {
		case !project:
			add(p, destination{folder: guidefiles.Folder{Dir: g.User.Resolve(at)}})
		case g.Rules != "":
			add(p, destination{
				rules:  true,
				folder: guidefiles.Folder{Dir: filepath.Join(at.Project, filepath.FromSlash(g.Rules)), Inside: at.Project},
			})
		default:
			add(p, destination{folder: guidefiles.Folder{Dir: g.Project.Resolve(at), Inside: at.Project}})
			if g.Section != "" {
				add(p, destination{section: guidefiles.Section{File: filepath.Join(at.Project, g.Section), Name: product.Name}})
			}
		}
	}
	return all
}

// chosen are the programs whose flags are given.
func chosen(c *actions.Call) []agents.Program {
	return slices.DeleteFunc(agents.WithGuides(), func(p agents.Program) bool { return !c.Bool(p.ID) })
}

// present are the programs that have a folder of their own in the user's home folder.
func present(c *actions.Call) []agents.Program {
	at := agents.Place{System: runtime.GOOS, Getenv: c.Getenv}
	return slices.DeleteFunc(agents.WithGuides(), func(p agents.Program) bool {
		dir := p.Guides.User.Resolve(at)
		info, err := os.Stat(filepath.Dir(dir))
		return dir == "" || err != nil || !info.IsDir()
	})
}

func runGuidesInstall(_ context.Context, c *actions.Call) (actions.Result, error) {
	programs := chosen(c)
	if len(programs) == 0 && !c.Bool("project") {
		programs = present(c)
	}
	if len(programs) == 0 {
		var flags []string
		for _, id := range agents.IDs(agents.WithGuides()) {
			flags = append(flags, "--"+id)
		}
		why := "none of the programs that read guides has a folder in your home folder"
		if c.Bool("project") {
			why = "--project needs the programs that work in it"
		}
		return actions.Result{}, fault.New(fault.Usage, "skills install: %s; say for which ones: %s", why,
			strings.Join(flags, ", "))
	}
	return writeGuides(c, destinationsOf(c, programs, c.Bool("project")))
}

// noGuides says that there is nothing to update or remove.
const noGuides = "No guides are installed for the programs in question."

func runGuidesUpdate(_ context.Context, c *actions.Call) (actions.Result, error) {
	all := append(destinationsOf(c, agents.WithGuides(), false), destinationsOf(c, agents.WithGuides(), true)...)
	all = slices.DeleteFunc(all, func(d destination) bool { return d.version() == "" })
	if len(all) == 0 {
		return actions.Result{
			Data: GuidesChanged{[]GuidePlace{}, product.Version},
			Text: noGuides + "\n  To install them: " + c.Program() + " skills install",
		}, nil
	}
	return writeGuides(c, all)
}

func writeGuides(c *actions.Call, all []destination) (actions.Result, error) {
	set, err := guidesFor(c)
	if err != nil {
		return actions.Result{}, err
	}
	published, err := publish(c.Program(), set)
	if err != nil {
		return actions.Result{}, err
	}
	return eachPlace(c, all, func(d *destination) ([]guidefiles.Outcome, error) {
		if d.section.File != "" {
			o, err := d.section.Install(product.Version, sectionOf(c.Program(), published))
			return []guidefiles.Outcome{o}, err
		}
		return d.folder.Install(product.Name, product.Version, filesOf(published, d.rules))
	})
}

func runGuidesUninstall(_ context.Context, c *actions.Call) (actions.Result, error) {
	programs := chosen(c)
	if len(programs) == 0 {
		programs = agents.WithGuides()
	}
	return eachPlace(c, destinationsOf(c, programs, c.Bool("project")),
		func(d *destination) ([]guidefiles.Outcome, error) {
			if d.section.File != "" {
				o, err := d.section.Remove()
				if o == nil {
					return nil, err
				}
				return []guidefiles.Outcome{*o}, err
			}
			return d.folder.Remove()
		})
}

// eachPlace changes the places one after the other, as far as the rules allow all of them, and reports what happened to
// each file.
func eachPlace(
	c *actions.Call, all []destination, change func(*destination) ([]guidefiles.Outcome, error),
) (actions.Result, error) {
	for i := range all {
		if _, err := c.Rules.File(c.Input, policy.Installing, c.Path(all[i].path())); err != nil {
			return actions.Result{}, err
		}
	}
	data := GuidesChanged{[]GuidePlace{}, product.Version}
	var lines []string
	for i := range all {
		d := &all[i]
		outcomes, err := change(d)
		if err != nil {
			return actions.Result{}, fault.New(fault.File, "the guides in %s cannot be changed: %w", d.path(), err).
				About(d.path())
		}
		if len(outcomes) == 0 {
			continue
		}
		data.Places = append(data.Places, GuidePlace{d.named(), d.path(), outcomes})
		lines = append(lines, "✓ "+d.named()+": "+d.path())
		lines = append(lines, outcomesText(d, outcomes)...)
	}
	if len(lines) == 0 {
		lines = []string{noGuides}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// outcomesText lists files by what happened to them, and says why files that the person changed were kept.
func outcomesText(d *destination, all []guidefiles.Outcome) (lines []string) {
	for _, action := range []guidefiles.Action{
		guidefiles.Written, guidefiles.Updated, guidefiles.Unchanged,
		guidefiles.Removed,
	} {
		var names []string
		for _, o := range all {
			if o.Action == action {
				names = append(names, nameIn(d, o.Path))
			}
		}
		if len(names) > 0 {
			lines = append(lines, "  "+string(action)+": "+strings.Join(names, ", "))
		}
	}
	for _, o := range all {
		if o.Action == guidefiles.Kept {
			lines = append(lines, "  kept: "+nameIn(d, o.Path)+": "+o.Why)
		}
	}
	return lines
}

func nameIn(d *destination, path string) string {
	if rel, err := filepath.Rel(d.path(), path); err == nil && rel != "." {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}
