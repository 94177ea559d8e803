package artifacts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// Output is a file that a command will write, as its command line says.
type Output struct {
	Path    string // as the caller gave it; empty means that the command chooses one
	Kind    Kind
	Pending bool // the file comes with a later command
	Folder  bool // the path is a folder, in which the file gets a name of its own
}

// Kind is what sort of file it is.
type Kind = trait.FileKind

// The kinds. Spill is an output that was too long to show.
const (
	Download = trait.Download
	File     = trait.File
	Image    = trait.Image
	PDF      = trait.PDF
	HAR      = trait.HAR
	Trace    = trait.Trace
	Profile  = trait.Profile
	Video    = trait.Video

	Spill Kind = "spill"
)

// OutputsOf returns the files that a command is going to write, as far as its line names them.
func OutputsOf(line *argv.Words, cwd string) []Output {
	p := line.Writes()
	if p == nil {
		return nil
	}
	path := ""
	if f := line.Flag(p.Flag); f != nil && (f.NeedsValue || f.Value != "true") {
		path = f.Value
	}
	switch {
	case path != "":
	case p.Arg != "":
		path = pathIn(line, p.Arg)
	}
	if path == "" || !local(path) {
		return nil
	}
	out := []Output{{
		Path:    path,
		Kind:    p.Kind,
		Pending: line.Begins(p.Kind),
		Folder:  p.Kind == Download && isFolder(path, cwd),
	}}
	if line.Begins(p.Kind) && line.Has("contact-sheet") {
		out = append(out, Output{
			Path:    strings.TrimSuffix(path, filepath.Ext(path)) + ".contact-sheet.png",
			Kind:    Image,
			Pending: true,
		})
	}
	return out
}

var imageExtensions = []string{".png", ".jpg", ".jpeg", ".webp", ".gif"}

// pathIn returns the word of an argument that names a file. Where an optional selector comes before it, a single word
// is the file if it looks like a path.
func pathIn(line *argv.Words, arg string) string {
	args := line.Entry.Args
	at := slices.IndexFunc(args, func(a actions.Arg) bool { return a.Name == arg })
	if path := line.Positional(at); path != "" {
		return path
	}
	if at > 0 && args[at-1].Kind == actions.Selector && args[at-1].Optional && looksLikePath(line.Positional(at-1)) {
		return line.Positional(at - 1)
	}
	return ""
}

func looksLikePath(word string) bool {
	switch {
	case word == "" || word[0] == '@' || strings.ContainsAny(word[:1], "#[("):
		return false
	case slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(word))):
		return true
	}
	return !strings.HasPrefix(word, "//") && !strings.ContainsAny(word, "=>[]():") &&
		(strings.Contains(word, "/") || strings.ContainsRune(word, filepath.Separator))
}

func isFolder(path, cwd string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(Absolute(path, cwd))
	return err == nil && info.IsDir()
}

// Absolute is a path of the caller's in full.
func Absolute(path, cwd string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

// local reports whether a path is one of a file here: addresses are not.
func local(path string) bool {
	scheme, _, ok := strings.Cut(path, ":")
	return !ok || !slices.Contains([]string{"data", "blob", "http", "https", "about"}, strings.ToLower(scheme))
}
