package admin

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/guides"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/internal/wording"
)

func guideCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:     "skills list",
				Aliases:  []string{"skills"},
				Group:    actions.GroupGuides,
				Summary:  "List the guides for agents that come with the program",
				Help:     "They always match the program's version. SKUA_SKILLS_DIR names a folder with guides to use instead.",
				Upstream: []string{"skills [list]", "skills [subcommand] [options]", "skills list"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineInFull},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), ForModels: true},
			Bindings: actions.Bindings{Data: []any{[]GuideSummary{}}, Bare: true},
			Run:      runGuidesList,
		},
		{
			Spec: actions.Spec{
				Name:    "skills get",
				Group:   actions.GroupGuides,
				Summary: "Print guides",
				Args:    []actions.Arg{{Name: "name", Kind: actions.List, Optional: true, Help: "Which ones"}},
				Flags: []actions.Flag{
					{Name: "full", Kind: actions.Bool, Help: "Include the files beside the guide"},
					{
						Name:  "ref",
						Value: "ref",
						Kind:  actions.List,
						Help:  "Only this file beside the guide: its path, or its name with or without extension",
					},
					{Name: "all", Kind: actions.Bool, Help: "All guides"},
				},
				Examples: []actions.Example{{Line: "skills get core", Note: "how agents drive a page", Start: 5}, {
					Line: "skills get core --ref selectors",
				}},
				Upstream: []string{
					"skills get <name> [name...]", "skills get core", "skills get core --full",
					"skills get core --ref <ref>", "skills get <name> --full", "skills get <name> --ref <ref>", "skills get --all",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), ForModels: true},
			Bindings: actions.Bindings{Data: []any{[]Guide{}}, Bare: true},
			Run:      runGuidesGet,
		},
		{
			Spec: actions.Spec{
				Name:    "skills path",
				Group:   actions.GroupGuides,
				Summary: "Print the folder that has the guides as files",
				Help:    "The built-in guides are written to your cache folder first.",
				Args:    []actions.Arg{{Name: "name", Optional: true, Help: "Only this guide"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{GuideFolders{}, actions.Given("name", GuideFolder{})}, Bare: true},
			Run:      runGuidesPath,
		},
	}
}

// guideSet is the guides that a caller has, and the folder that they lie in, if they lie in one.
type guideSet struct {
	all    []guides.Guide
	folder string
}

func guidesFor(c *actions.Call) (guideSet, error) {
	dir, source := grammar.FromEnv("SKILLS_DIR", c.Getenv)
	if dir == "" {
		all, err := guides.Own(product.Version)
		if c.DropIn() {
			for i := range all {
				all[i] = all[i].Calling(grammar.UpstreamName)
				if all[i].Name == guides.First {
					all[i].References = slices.Insert(all[i].References, 0, commandReference(c.Registry()))
				}
			}
		}
		return guideSet{all: all}, err
	}
	dir = c.Path(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return guideSet{}, fault.New(fault.File, "%s names %s, which is not a folder", source, dir).About(dir)
	}
	all, err := guides.Read(os.DirFS(dir))
	if err != nil {
		return guideSet{}, fault.New(fault.File, "the guides in %s cannot be read: %w", dir, err).About(dir)
	}
	return guideSet{all: all, folder: dir}, nil
}

// commandReference is the list of all commands, which agent-browser has beside its first guide, and programs that wrap
// it search there.
func commandReference(r *actions.Registry) guides.Reference {
	text := manual.Help(r, grammar.UpstreamName, "")
	return guides.Reference{Path: "references/commands.md", Content: "# Commands\n\n```text\n" + text + "\n```\n"}
}

func (s guideSet) find(name string) (guides.Guide, error) {
	names := make([]string, len(s.all))
	for i, guide := range s.all {
		if guide.Name == name {
			return guide, nil
		}
		names[i] = guide.Name
	}
	return guides.Guide{}, fault.New(fault.SkillNotFound, "Skill not found: %s", wording.OneLine(name)).About(name).
		WithHint("Available: %s.", strings.Join(names, ", "))
}

// maxGuideLine is how much of a description a list shows, in characters.
const maxGuideLine = 70

func runGuidesList(_ context.Context, c *actions.Call) (actions.Result, error) {
	set, err := guidesFor(c)
	if err != nil {
		return actions.Result{}, err
	}
	width := 0
	for _, s := range set.all {
		width = max(width, utf8.RuneCountInString(s.Name))
	}
	list := make([]GuideSummary, len(set.all))
	lines := make([]string, len(set.all))
	for i, s := range set.all {
		list[i] = GuideSummary{s.Description, s.Name}
		lines[i] = "  " + s.Name + strings.Repeat(" ", width-utf8.RuneCountInString(s.Name)+2) +
			cutWords(s.Description, maxGuideLine)
	}
	if len(lines) == 0 {
		lines = []string{"No skills in " + set.folder}
	}
	return actions.HostResult(list, strings.Join(lines, "\n")), nil
}

// cutWords cuts a text behind a word, and marks that.
func cutWords(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-2])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "..."
}

func runGuidesGet(_ context.Context, c *actions.Call) (actions.Result, error) {
	names, refs := c.Strings("name"), c.Strings("ref")
	set, err := guidesFor(c)
	switch {
	case err != nil:
		return actions.Result{}, err
	case c.Bool("all") && (len(names) > 0 || len(refs) > 0):
		return actions.Result{}, c.Invalid("--all takes neither names nor --ref; it prints all guides")
	case c.Bool("all"):
		for _, s := range set.all {
			names = append(names, s.Name)
		}
	case len(names) == 0:
		return actions.Result{}, fault.New(fault.Usage, "No skill name provided. Usage: %s skills get <name>", c.Program()).
			With("type", grammar.MissingArguments)
	}
	var data []Guide
	var texts []string
	for _, name := range names {
		guide, err := set.find(name)
		if err != nil {
			return actions.Result{}, err
		}
		entry := Guide{Name: guide.Name}
		switch {
		case len(refs) > 0:
			files, err := namedReferences(guide, refs)
			if err != nil {
				return actions.Result{}, err
			}
			entry.Files = files
			for _, f := range files {
				texts = append(texts, strings.TrimRight(f.Content, "\n"))
			}
		case c.Bool("full"):
			entry.Content, entry.Files = guide.Content, append([]guides.Reference{}, guide.References...)
			texts = append(texts, guide.Full())
		default:
			entry.Content = guide.Content
			texts = append(texts, strings.TrimRight(guide.Content, "\n"))
		}
		data = append(data, entry)
	}
	return actions.HostResult(data, strings.Join(texts, "\n\n")), nil
}

func namedReferences(guide guides.Guide, refs []string) ([]guides.Reference, error) {
	files := make([]guides.Reference, len(refs))
	for i, name := range refs {
		file, err := guide.Reference(name)
		if err != nil {
			there := make([]string, len(guide.References))
			for i, r := range guide.References {
				there[i] = r.Path
			}
			available := strings.Join(there, ", ")
			if available == "" {
				available = "none"
			}
			return nil, fault.New(fault.SkillNotFound, "Reference not found: %s. Available: %s", wording.OneLine(name),
				available).About(name)
		}
		files[i] = file
	}
	return files, nil
}

func runGuidesPath(_ context.Context, c *actions.Call) (actions.Result, error) {
	set, err := guidesFor(c)
	if err != nil {
		return actions.Result{}, err
	}
	var one guides.Guide
	if c.Has("name") {
		if one, err = set.find(c.String("name")); err != nil {
			return actions.Result{}, err
		}
	}
	if set.folder == "" {
		set.folder = filepath.Join(cacheDir(c), "skills", product.Version)
		if c.DropIn() {
			set.folder = filepath.Join(set.folder, grammar.UpstreamName)
		}
		if err := set.write(); err != nil {
			return actions.Result{}, fault.New(fault.File, "the guides cannot be written to %s: %w", set.folder, err).
				About(set.folder)
		}
	}
	if !c.Has("name") {
		return actions.HostResult(GuideFolders{[]string{set.folder}}, set.folder), nil
	}
	path := filepath.Join(set.folder, one.Folder)
	return actions.HostResult(GuideFolder{one.Name, path}, path), nil
}

// cacheDir is the folder of the caller's for what can be made again.
func cacheDir(c *actions.Call) string {
	switch base, home := c.Getenv("XDG_CACHE_HOME"), c.Getenv("HOME"); {
	case filepath.IsAbs(base):
		return filepath.Join(base, "skua")
	case home != "":
		return filepath.Join(home, ".cache", "skua")
	}
	if base, err := os.UserCacheDir(); err == nil {
		return filepath.Join(base, "skua")
	}
	return filepath.Join(os.TempDir(), "skua-cache")
}

// write writes the guides into their folder. It does not touch a file that is up to date, since a program may be
// reading it.
func (s guideSet) write() error {
	for _, guide := range s.all {
		for _, file := range append([]guides.Reference{{Path: guides.File, Content: guide.Content}}, guide.References...) {
			path := filepath.Join(s.folder, guide.Folder, filepath.FromSlash(file.Path))
			if there, err := userfile.Read(context.Background(), path, int64(len(file.Content))); err == nil &&
				string(there) == file.Content {
				continue
			}
			if err := atomicfile.Write(path, []byte(file.Content)); err != nil {
				return err
			}
		}
	}
	return nil
}
