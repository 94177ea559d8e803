package bundles

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

// Write makes the bundle of each folder.
func Write(ctx context.Context, r *spec.Release, folders []stage.Folder) error {
	for _, f := range folders {
		err := manifests(ctx, r, "mcpb", "-os", f.Target.OS, "-version", r.Version, "-o", r.Path(f.Target.Bundle(r.Version)),
			"-programs", filepath.Join(f.Path, stage.Bin), "-third-party", filepath.Join(f.Path, stage.Licenses))
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteServer writes server.json, by which the registry of MCP servers lists a whole release: its package of npm, and
// the bundles with their SHA-256.
func WriteServer(ctx context.Context, r *spec.Release, sums map[string]string) error {
	words := []string{"server", "-version", r.Version, "-o", r.Path("server.json")}
	for _, t := range spec.Targets() {
		name := t.Bundle(r.Version)
		if sums[name] == "" {
			return fmt.Errorf("%s: it is not in this release, and server.json names all bundles", name)
		}
		words = append(words, "-bundle", r.Download(name)+"="+sums[name])
	}
	return manifests(ctx, r, words...)
}

// manifests has scripts/manifests write a file, because that is what makes it without a release, too.
func manifests(ctx context.Context, r *spec.Release, words ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./scripts/manifests"}, words...)...)
	cmd.Dir = r.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("scripts/manifests %s: %w\n%s", words[0], err, out)
	}
	return nil
}
