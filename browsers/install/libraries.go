package install

import (
	"bytes"
	"context"
	"debug/elf"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/childenv"
)

// Libraries returns the shared libraries that a program needs and the system has not, sorted. Only Linux is asked.
func Libraries(ctx context.Context, program string) ([]string, error) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	f, err := elf.Open(program)
	if err != nil {
		return nil, nil // a script has none
	}
	_ = f.Close()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ldd", program)
	cmd.Env, cmd.WaitDelay = childenv.Own(), time.Second
	out, err := cmd.CombinedOutput()
	if len(out) == 0 && err != nil {
		return nil, err
	}
	var missing []string
	for line := range bytes.Lines(out) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(string(line)), " => "); ok &&
			strings.HasPrefix(rest, "not found") && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing, nil
}
