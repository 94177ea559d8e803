package stage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/skua-browser/skua/scripts/packaging/release/licenses"
	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// Where things are in a folder.
const (
	Bin    = "bin"
	Man    = "share/man/man1"
	Doc    = "share/doc/skua"
	Guides = "share/skua/guides"

	// Licenses are those of what the programs contain.
	Licenses = Doc + "/THIRD_PARTY_LICENSES.txt"
)

// Shells are the shells that there is completion for, by the path of their script.
var Shells = map[string]string{
	"bash":       "share/bash-completion/completions/skua",
	"zsh":        "share/zsh/site-functions/_skua",
	"fish":       "share/fish/vendor_completions.d/skua.fish",
	"powershell": "share/skua/skua.ps1",
}

// axeFile is the file that `skua a11y` looks for beside its program.
const axeFile = "axe.min.js"

// Folder is what is installed on a system.
type Folder struct {
	Target  spec.Target
	Path    string
	Modules []licenses.Module // what the programs are made of beside the project's own code
}

// Programs are the paths of the two programs.
func (f Folder) Programs() []string {
	return []string{
		filepath.Join(f.Path, Bin, f.Target.Program("skua")),
		filepath.Join(f.Path, Bin, f.Target.Program("skuad")),
	}
}

// Make makes the folders of all targets in a directory.
func Make(ctx context.Context, r *spec.Release, dir string) ([]Folder, error) {
	native := spec.Target{OS: runtime.GOOS, Arch: runtime.GOARCH}
	own := filepath.Join(dir, "native")
	if err := build(ctx, r, native, own); err != nil { // which writes the documents
		return nil, err
	}
	documents := filepath.Join(dir, "documents")
	if err := writeDocuments(ctx, r, filepath.Join(own, native.Program("skuad")), documents); err != nil {
		return nil, err
	}
	var folders []Folder
	for _, t := range r.Targets {
		f := Folder{Target: t, Path: filepath.Join(dir, t.OS+"_"+t.Arch)}
		bin := filepath.Join(f.Path, Bin)
		if t == native {
			if err := copyTree(own, bin); err != nil {
				return nil, err
			}
		} else if err := build(ctx, r, t, bin); err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Join(bin, axeFile)); err != nil {
			return nil, fmt.Errorf("axe-core: scripts/build did not get it, and a release has it; see what it printed: %w", err)
		}
		if err := copyTree(documents, f.Path); err != nil {
			return nil, err
		}
		var err error
		if f.Modules, err = licenses.Linked(ctx, r.Root, t, f.Programs()...); err != nil {
			return nil, err
		}
		text, err := licenses.Document(f.Modules)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(f.Path, Licenses), text, 0o644); err != nil {
			return nil, err
		}
		folders = append(folders, f)
	}
	return folders, nil
}

// build has scripts/build make the programs, because that is where their link flags are.
func build(ctx context.Context, r *spec.Release, t spec.Target, to string) error {
	cmd := exec.CommandContext(ctx, "scripts/build", to)
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "GOOS="+t.OS, "GOARCH="+t.Arch, "RELEASE_VERSION="+r.Version,
		"RELEASE_COMMIT="+r.Commit)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("scripts/build for %s: %w\n%s", t, err, out)
	}
	return nil
}

// writeDocuments writes what is the same on all systems, for the most part by the program itself.
func writeDocuments(ctx context.Context, r *spec.Release, host, to string) error {
	doc := filepath.Join(to, Doc)
	if err := os.MkdirAll(doc, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if err := copyFile(filepath.Join(r.Root, name), filepath.Join(doc, name)); err != nil {
			return err
		}
	}
	if _, err := output(ctx, "", host, "man", "-o", filepath.Join(to, Man)); err != nil {
		return err
	}
	for shell, path := range Shells {
		script, err := output(ctx, "", host, "serving", "--", "completion", shell)
		if err != nil {
			return err
		}
		path = filepath.Join(to, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, script, 0o644)); err != nil {
			return err
		}
	}
	return writeGuides(ctx, host, filepath.Join(to, Guides))
}

// writeGuides writes the guides for agents, as `skua skills install` writes them into a project.
func writeGuides(ctx context.Context, host, to string) error {
	project, err := os.MkdirTemp("", "skua-guides-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(project) }()
	if _, err := output(ctx, project, host, "run", "skills", "install", "--agents", "--project"); err != nil {
		return err
	}
	skills := filepath.Join(project, ".agents", "skills")
	all, err := os.ReadDir(skills)
	if err != nil {
		return err
	}
	for _, entry := range all {
		if strings.HasPrefix(entry.Name(), ".") { // what was installed, for later updates of the project
			continue
		}
		if err := copyTree(filepath.Join(skills, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// output runs a program in a folder with no configuration of the user's, and returns what it prints.
func output(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	home, err := os.MkdirTemp("", "skua-home-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return out, nil
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		return copyFile(path, filepath.Join(to, name))
	})
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode().Perm())
}
