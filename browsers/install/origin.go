package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/childenv"
)

// Origin is how the running programs came here.
type Origin struct {
	Kind    string `json:"kind"`              // go, npm, homebrew, package, source, binary
	Program string `json:"program"`           // the host program
	Name    string `json:"name,omitempty"`    // of the package
	Command string `json:"command,omitempty"` // that upgrades it; empty means `skua upgrade --from`
}

// ownModule is what `go install` calls the programs by.
const ownModule = "github.com/skua-browser/skua"

// npm has the package ownName, and for each system a part of it in the scope npmScope.
const (
	ownName  = "skua"
	npmScope = "@skua-browser/"
)

var (
	npmFolder  = regexp.MustCompile(`/node_modules/((?:@[^/]+/)?[^/]+)/`)
	brewFolder = regexp.MustCompile(`/Cellar/([^/]+)/`)
)

// FindOrigin reports how the host program at a path came there. built is the version of the module that it was built
// of, as debug.ReadBuildInfo has it.
func FindOrigin(ctx context.Context, program, built string, getenv func(string) string) Origin {
	o := Origin{Program: program}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	path, dir := filepath.ToSlash(program), filepath.Dir(program)
	if m := npmFolder.FindAllStringSubmatch(path, -1); m != nil {
		// The innermost folder may be that of a part for one system: the outermost is what was installed.
		o.Kind, o.Name = "npm", m[0][1]
		dir := filepath.FromSlash(path[:npmFolder.FindStringIndex(path)[0]])
		if strings.HasPrefix(o.Name, npmScope) && hasPackage(filepath.Join(dir, "node_modules", ownName)) {
			// npm may put the part beside the package
			o.Name = ownName
		}
		o.Command = "npm install -g " + o.Name + "@latest"
		if hasPackage(dir) { // a project, and not the folder of all that was installed for a user
			o.Command = "npm install " + o.Name + "@latest"
		}
		return o
	}
	if m := brewFolder.FindStringSubmatch(path); m != nil {
		o.Kind, o.Name, o.Command = "homebrew", m[1], "brew upgrade "+m[1]
		return o
	}
	if built != "" && built != "(devel)" && slices.Contains(goBins(getenv), dir) {
		o.Kind, o.Name = "go", ownModule
		o.Command = "go install " + ownModule + "/cmd/...@latest"
		return o
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "cmd", "skuad")); err == nil {
		o.Kind, o.Command = "source", "git pull && scripts/build"
		return o
	}
	if name, command := packageOf(ctx, program); name != "" {
		o.Kind, o.Name, o.Command = "package", name, command
		return o
	}
	o.Kind = "binary"
	return o
}

// hasPackage reports whether a folder is that of a package.
func hasPackage(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "package.json"))
	return err == nil
}

// goBins are the folders into which `go install` puts programs.
func goBins(getenv func(string) string) []string {
	var dirs []string
	if dir := getenv("GOBIN"); dir != "" {
		dirs = append(dirs, filepath.Clean(dir))
	}
	for _, dir := range filepath.SplitList(getenv("GOPATH")) {
		dirs = append(dirs, filepath.Join(dir, "bin"))
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); dir != "" {
			dirs = append(dirs, filepath.Join(dir, "go", "bin"))
		}
	}
	return dirs
}

// owners are the programs that tell which package a file is of, and the command that upgrades one.
var owners = []struct {
	ask     []string
	name    *regexp.Regexp
	upgrade string
}{
	{
		[]string{"dpkg", "-S"},
		regexp.MustCompile(`^([a-z0-9][a-z0-9.+-]+)(?::[a-z0-9]+)?: `),
		"apt-get install --only-upgrade ",
	},
	{[]string{"rpm", "-qf", "--queryformat", "%{NAME}\n"}, regexp.MustCompile(`^([A-Za-z0-9][\w.+-]*)\n`), "dnf upgrade "},
	{[]string{"pacman", "-Qqo"}, regexp.MustCompile(`^([a-z0-9@][\w.+@-]*)\n`), "pacman -Syu "},
	{[]string{"apk", "info", "--who-owns"}, regexp.MustCompile(` is owned by ([a-z0-9][\w.+-]*?)-\d`), "apk upgrade "},
}

func packageOf(ctx context.Context, program string) (name, command string) {
	if runtime.GOOS != "linux" {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, o := range owners {
		path, err := exec.LookPath(o.ask[0])
		if err != nil {
			continue
		}
		cmd := exec.CommandContext(ctx, path, append(slices.Clone(o.ask[1:]), program)...)
		cmd.Env, cmd.WaitDelay = childenv.Own(), time.Second
		out, err := cmd.Output()
		if err != nil {
			continue
		}
		if m := o.name.FindSubmatch(out); m != nil {
			name = string(m[1])
			return name, o.upgrade + name
		}
	}
	return "", ""
}

// ReleaseAddress is where newer programs are looked for: SKUA_RELEASE_URL, or nowhere.
func ReleaseAddress(getenv func(string) string) string {
	return strings.TrimRight(getenv("SKUA_RELEASE_URL"), "/")
}
