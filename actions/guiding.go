package actions

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/skills"
)

func skillCommands() []Command {
	return []Command{
		{
			Name:      "skills list",
			Upstream:  []string{"skills [list]", "skills [subcommand] [options]", "skills list"},
			ForModels: true, Aliases: []string{"skills"}, Group: GroupGuides, Summary: "List the guides for agents that come with the program",
			Help:   "They always fit the program that prints them. SKUA_SKILLS_DIR names a folder with others to use in their place.",
			Effect: Control | NoBrowser, Run: runSkillsList,
			Policy: Policy{Families: policy.Does(), Reach: policy.WhenNamed},
		},
		{
			Name:      "skills get",
			Upstream:  []string{"skills get <name> [name...]", "skills get core", "skills get core --full", "skills get core --ref <ref>", "skills get <name> --full", "skills get <name> --ref <ref>", "skills get --all"},
			ForModels: true, Group: GroupGuides, Summary: "Print guides",
			Args: []Arg{{Name: "name", Kind: List, Optional: true, Help: "Which ones"}},
			Flags: []Flag{
				{Name: "full", Kind: Bool, Help: "With the files beside the guide"},
				{Name: "ref", Value: "ref", Kind: List, Help: "Only this file beside the guide: its path, or its name with or without extension"},
				{Name: "all", Kind: Bool, Help: "All guides"},
			},
			Effect:   Control | NoBrowser,
			Examples: []Example{{Line: "skills get core"}, {Line: "skills get core --ref selectors"}},
			Run:      runSkillsGet,
			Policy:   Policy{Families: policy.Does(), Reach: policy.WhenNamed},
		},
		{
			Name: "skills path", Group: GroupGuides, Summary: "Print the folder where guides lie as files",
			Help: "Our own are written to the user's cache folder for it.",
			Args: []Arg{{Name: "name", Optional: true, Help: "One guide, in place of all"}}, Effect: Control | NoBrowser, Run: runSkillsPath,
			Policy: Policy{Families: policy.Does(), Reach: policy.WhenNamed},
		},
	}
}

// skillSet is the guides that a caller has, and the folder that they lie in, if they lie in one.
type skillSet struct {
	all    []skills.Skill
	folder string
}

func (c *Call) skills() (skillSet, error) {
	dir, source := FromEnv("SKILLS_DIR", c.Getenv)
	if dir == "" {
		all, err := skills.Own(product.Version)
		if c.DropIn() {
			for i := range all {
				all[i] = all[i].Calling(upstreamName)
			}
		}
		return skillSet{all: all}, err
	}
	dir = c.Path(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return skillSet{}, fault.New(fault.File, "%s names %s, which is no folder", source, dir).About(dir)
	}
	all, err := skills.Read(os.DirFS(dir))
	if err != nil {
		return skillSet{}, fault.New(fault.File, "the guides in %s cannot be read: %w", dir, err).About(dir)
	}
	return skillSet{all: all, folder: dir}, nil
}

func (s skillSet) find(name string) (skills.Skill, error) {
	names := make([]string, len(s.all))
	for i, skill := range s.all {
		if skill.Name == name {
			return skill, nil
		}
		names[i] = skill.Name
	}
	return skills.Skill{}, fault.New(fault.SkillNotFound, "Skill not found: %s", wording.OneLine(name)).About(name).
		WithHint("Available: %s.", strings.Join(names, ", "))
}

// hostResult is a reply in the form that callers of agent-browser know: without the members that tell of a browser.
func hostResult(data any, text string) Result {
	return Result{Data: map[string]any{"data": data, "success": true}, Bare: true, Text: text}
}

// maxSkillLine is how much of a description a list shows, in characters.
const maxSkillLine = 70

func runSkillsList(_ context.Context, c *Call) (Result, error) {
	set, err := c.skills()
	if err != nil {
		return Result{}, err
	}
	width := 0
	for _, s := range set.all {
		width = max(width, utf8.RuneCountInString(s.Name))
	}
	list := make([]map[string]string, len(set.all))
	lines := make([]string, len(set.all))
	for i, s := range set.all {
		list[i] = map[string]string{"name": s.Name, "description": s.Description}
		lines[i] = "  " + s.Name + strings.Repeat(" ", width-utf8.RuneCountInString(s.Name)+2) + cutWords(s.Description, maxSkillLine)
	}
	if len(lines) == 0 {
		lines = []string{"No skills in " + set.folder}
	}
	return hostResult(list, strings.Join(lines, "\n")), nil
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

func runSkillsGet(_ context.Context, c *Call) (Result, error) {
	names, refs := c.Strings("name"), c.Strings("ref")
	set, err := c.skills()
	switch {
	case err != nil:
		return Result{}, err
	case c.Bool("all") && (len(names) > 0 || len(refs) > 0):
		return Result{}, c.Invalid("--all means all guides; it takes neither names nor --ref")
	case c.Bool("all"):
		for _, s := range set.all {
			names = append(names, s.Name)
		}
	case len(names) == 0:
		return Result{}, fault.New(fault.Usage, "No skill name provided. Usage: %s skills get <name>", c.Program()).With("type", MissingArguments)
	}
	var data []map[string]any
	var texts []string
	for _, name := range names {
		skill, err := set.find(name)
		if err != nil {
			return Result{}, err
		}
		entry := map[string]any{"name": skill.Name}
		switch {
		case len(refs) > 0:
			files, err := namedReferences(skill, refs)
			if err != nil {
				return Result{}, err
			}
			entry["files"] = files
			for _, f := range files {
				texts = append(texts, strings.TrimRight(f.Content, "\n"))
			}
		case c.Bool("full"):
			entry["content"], entry["files"] = skill.Content, append([]skills.Reference{}, skill.References...)
			texts = append(texts, skill.Full())
		default:
			entry["content"] = skill.Content
			texts = append(texts, strings.TrimRight(skill.Content, "\n"))
		}
		data = append(data, entry)
	}
	return hostResult(data, strings.Join(texts, "\n\n")), nil
}

func namedReferences(skill skills.Skill, refs []string) ([]skills.Reference, error) {
	files := make([]skills.Reference, len(refs))
	for i, name := range refs {
		file, err := skill.Reference(name)
		if err != nil {
			there := make([]string, len(skill.References))
			for i, r := range skill.References {
				there[i] = r.Path
			}
			available := strings.Join(there, ", ")
			if available == "" {
				available = "none"
			}
			return nil, fault.New(fault.SkillNotFound, "Reference not found: %s. Available: %s", wording.OneLine(name), available).About(name)
		}
		files[i] = file
	}
	return files, nil
}

func runSkillsPath(_ context.Context, c *Call) (Result, error) {
	set, err := c.skills()
	if err != nil {
		return Result{}, err
	}
	var one skills.Skill
	if c.Has("name") {
		if one, err = set.find(c.String("name")); err != nil {
			return Result{}, err
		}
	}
	if set.folder == "" {
		set.folder = filepath.Join(c.cacheDir(), "skills", product.Version)
		if c.DropIn() {
			set.folder = filepath.Join(set.folder, upstreamName)
		}
		if err := set.write(); err != nil {
			return Result{}, fault.New(fault.File, "the guides cannot be written to %s: %w", set.folder, err).About(set.folder)
		}
	}
	if !c.Has("name") {
		return hostResult(map[string]any{"paths": []string{set.folder}}, set.folder), nil
	}
	path := filepath.Join(set.folder, one.Folder)
	return hostResult(map[string]any{"name": one.Name, "path": path}, path), nil
}

// cacheDir is the folder of the caller's for what can be made again.
func (c *Call) cacheDir() string {
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

// write puts the guides into their folder. A file that is right is left alone: somebody may be reading it.
func (s skillSet) write() error {
	for _, skill := range s.all {
		for _, file := range append([]skills.Reference{{Path: skills.File, Content: skill.Content}}, skill.References...) {
			path := filepath.Join(s.folder, skill.Folder, filepath.FromSlash(file.Path))
			if there, err := os.ReadFile(path); err == nil && string(there) == file.Content {
				continue
			}
			if err := atomicfile.Write(path, []byte(file.Content)); err != nil {
				return err
			}
		}
	}
	return nil
}
