package artifacts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
)

// Output is a file that a command will write, as its command line says.
type Output struct {
	Path    string // as the caller gave it; empty: the command chooses one
	Kind    Kind
	Pending bool // the file comes with a later command
	Folder  bool // the path is a folder, in which the file gets a name of its own
}

// Kind is what sort of file it is.
type Kind string

// The kinds. Spill is an output that was too long to show.
const (
	Download Kind = "download"
	File     Kind = "file"
	HAR      Kind = "har"
	Image    Kind = "image"
	PDF      Kind = "pdf"
	Profile  Kind = "profile"
	Trace    Kind = "trace"
	Video    Kind = "video"
	Spill    Kind = "spill"
)

// producer says where a command's line names the file that it writes. The registry knows which words are paths, and not which of them are
// written; and `state save` is a command of agent-browser alone. So this list stands here, once.
type producer struct {
	command string
	kind    Kind
	at      int    // of the positional word; -1: none
	flag    string // whose value it may be as well
	pending bool
}

func producers() []producer {
	return []producer{
		{command: "screenshot", kind: Image, at: -1}, // its words are read by screenshotPath
		{command: "diff screenshot", kind: Image, at: -1, flag: "output"},
		{command: "diff url", kind: Image, at: -1, flag: "output"},
		{command: "capture candidates", kind: Image, at: -1}, // as its answer says
		{command: "pdf", kind: PDF, at: 0},
		{command: "download", kind: Download, at: 1, flag: "path"},
		{command: "wait", kind: Download, at: 0}, // with --download only
		{command: "network har stop", kind: HAR, at: 0},
		{command: "network request", kind: File, at: -1, flag: "body-file"},
		{command: "trace stop", kind: Trace, at: 0},
		{command: "profiler stop", kind: Profile, at: 0},
		{command: "heap snapshot", kind: File, at: 0},
		{command: "record start", kind: Video, at: 0, pending: true},
		{command: "record restart", kind: Video, at: 0, pending: true},
		{command: "record stop", kind: Video, at: -1},
		{command: "state save", kind: File, at: 0},
	}
}

var known = byCommand()

func byCommand() map[string]producer {
	m := map[string]producer{}
	for _, p := range producers() {
		m[p.command] = p
	}
	return m
}

// name is the command's name, also when the registry does not have it.
func name(line *argv.Words) string {
	n := line.Name()
	if line.Entry == nil && line.Command == "state" && line.Positional(0) == "save" {
		return "state save"
	}
	return n
}

// producerOf returns what is known of a command that writes a file.
func producerOf(line *argv.Words) (producer, bool) {
	if line.Inspects() {
		return producer{}, false
	}
	p, ok := known[name(line)]
	if ok && p.command == "wait" && !line.Has("download") || p.command == "diff screenshot" && line.Value("output") == "" {
		return producer{}, false
	}
	return p, ok
}

// OutputsOf returns the files that a command is going to write, as far as its line names them.
func OutputsOf(line *argv.Words, cwd string) []Output {
	p, ok := producerOf(line)
	if !ok {
		return nil
	}
	path := ""
	if p.flag != "" {
		path = line.Value(p.flag)
	}
	switch {
	case path != "":
	case p.command == "screenshot":
		path = screenshotPath(line)
	case p.command == "wait" && line.Value("download") != "" && line.Value("download") != "true":
		path = line.Value("download")
	case p.command == "state save" && line.Entry == nil && line.Subcommand == "":
		path = line.Positional(1)
	case p.at >= 0:
		path = line.Positional(p.at)
	}
	if path == "" || !Local(path) {
		return nil
	}
	out := []Output{{Path: path, Kind: p.kind, Pending: p.pending, Folder: p.kind == Download && isFolder(path, cwd)}}
	if p.pending && line.Has("contact-sheet") {
		out = append(out, Output{Path: strings.TrimSuffix(path, filepath.Ext(path)) + ".contact-sheet.png", Kind: Image, Pending: true})
	}
	return out
}

var imageExtensions = []string{".png", ".jpg", ".jpeg", ".webp", ".gif"}

// screenshotPath is the file that a screenshot is told to write: the second word, or the only one when it looks like a path.
func screenshotPath(line *argv.Words) string {
	if path := line.Positional(1); path != "" {
		return path
	}
	if word := line.Positional(0); looksLikePath(word) {
		return word
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
	return !strings.HasPrefix(word, "//") && !strings.ContainsAny(word, "=>[]():") && (strings.Contains(word, "/") || strings.ContainsRune(word, filepath.Separator))
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

// Local reports whether a path is one of a file here: addresses are not.
func Local(path string) bool {
	scheme, _, ok := strings.Cut(path, ":")
	return !ok || !slices.Contains([]string{"data", "blob", "http", "https", "about"}, strings.ToLower(scheme))
}
