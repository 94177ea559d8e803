package guides

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// File is the name of a guide in its folder.
const File = "SKILL.md"

// versionMark is replaced by the version of the program in our own guides.
const versionMark = "{{version}}"

// maxFile bounds what is read of a folder that is not ours.
const maxFile = 1 << 20

//go:embed */SKILL.md */references/*.md
var own embed.FS

// Guide is one guide with the files beside it.
type Guide struct {
	Name        string
	Folder      string // its name in the file system that it was read from
	Description string
	Content     string      // of SKILL.md, with its front matter
	References  []Reference // by path
}

// Reference is another file of a guide.
type Reference struct {
	Path    string `json:"path"` // in the guide's folder, with slashes
	Content string `json:"content"`
}

// Own returns the guides that come with the program, by name.
func Own(version string) ([]Guide, error) {
	all, err := Read(own)
	for i := range all {
		all[i].Content = strings.ReplaceAll(all[i].Content, versionMark, version)
		for j := range all[i].References {
			all[i].References[j].Content = strings.ReplaceAll(all[i].References[j].Content, versionMark, version)
		}
	}
	return all, err
}

// ownName finds the program's name where it is not part of another word, such as of a path or a file's name.
var ownName = regexp.MustCompile(`(^|[^\w./~-])skua($|[^\w./-]|[./-](?:\W|$))`)

// Calling returns the guide for a caller who calls the program by another name.
func (s Guide) Calling(program string) Guide {
	rename := func(text string) string {
		return ownName.ReplaceAllString(text, "${1}"+program+"${2}")
	}
	s.Description, s.Content, s.References = rename(s.Description), rename(s.Content), slices.Clone(s.References)
	for i := range s.References {
		s.References[i].Content = rename(s.References[i].Content)
	}
	return s
}

// Read returns the guides in the folders of a file system, by name. A folder without a guide is skipped.
func Read(from fs.FS) ([]Guide, error) {
	files, err := fs.Glob(from, "*/"+File)
	if err != nil {
		return nil, err
	}
	all := make([]Guide, 0, len(files))
	for _, file := range files {
		guide, err := read(from, path.Dir(file))
		if err != nil {
			return nil, err
		}
		all = append(all, guide)
	}
	slices.SortFunc(all, func(a, b Guide) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func read(from fs.FS, folder string) (Guide, error) {
	s := Guide{Name: folder, Folder: folder}
	return s, fs.WalkDir(from, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := fs.Stat(from, name); err != nil || info.Size() > maxFile || !info.Mode().IsRegular() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		inside := strings.TrimPrefix(name, folder+"/")
		if inside != File {
			s.References = append(s.References, Reference{Path: inside, Content: string(text)})
			return nil
		}
		s.Content = string(text)
		for key, value := range frontMatter(s.Content) {
			switch {
			case key == "name" && value != "":
				s.Name = value
			case key == "description":
				s.Description = value
			}
		}
		return nil
	})
}

// frontMatter returns the simple entries between the lines of dashes with which a guide begins.
func frontMatter(text string) map[string]string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	body, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil
	}
	head, _, _ := strings.Cut(body, "\n---")
	entries := map[string]string{}
	for line := range strings.SplitSeq(head, "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") {
			entries[strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return entries
}

// errNoReference says that a guide has no file of a name.
var errNoReference = errors.New("reference not found")

// Reference returns the file that a path, a file name or a file name without its extension means.
func (s Guide) Reference(name string) (Reference, error) {
	same := []func(string) string{
		func(p string) string { return p },
		path.Base,
		func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) },
	}
	for _, of := range same {
		for _, r := range s.References {
			if of(r.Path) == name {
				return r, nil
			}
		}
	}
	return Reference{}, errNoReference
}

// Full returns the guide followed by all files beside it.
func (s Guide) Full() string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(s.Content, "\n"))
	for _, r := range s.References {
		b.WriteString("\n\n--- " + r.Path + " ---\n\n" + strings.TrimRight(r.Content, "\n"))
	}
	return b.String()
}
