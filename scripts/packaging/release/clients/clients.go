package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// Write has scripts/clients make the packages, because that is what makes them without a release, too.
func Write(ctx context.Context, r *spec.Release) error {
	cmd := exec.CommandContext(ctx, "scripts/clients", r.Dist)
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "RELEASE_VERSION="+r.Version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("scripts/clients: %w\n%s", err, out)
	}
	return nil
}
