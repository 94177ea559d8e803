package install

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/childenv"
	"github.com/skua-browser/skua/internal/fault"
)

// programsLimit bounds what an archive of programs unpacks to.
const programsLimit = 1 << 30

// programs are what is replaced, in this order: a new client starts the new host.
func programs() []string {
	if runtime.GOOS == "windows" {
		return []string{"skuad.exe", "skua.exe"}
	}
	return []string{"skuad", "skua"}
}

// Replace puts the programs of a build in the place of those in a folder, both or none. Programs that run go on with
// their old files. A host that runs gives way to the new one with the next command.
func (i *Installer) Replace(ctx context.Context, n ProgramRelease, dir string) (err error) {
	lock := flock.New(filepath.Join(dir, ".skua-upgrade.lock"), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return fault.New(fault.InstallFailed, "the programs in %s cannot be replaced: %w", dir, err).About(dir).
			WithHint("Run it as the user who installed them.")
	}
	if !held {
		return fault.New(fault.InstallFailed, "Another upgrade of %s is running.", dir).About(dir)
	}
	defer func() {
		_ = os.Remove(lock.Path())
		_ = lock.Close()
	}()
	tmp, err := os.MkdirTemp(dir, ".skua-upgrade-") // on the same disk, so that the programs can be renamed
	if err != nil {
		return fault.New(fault.InstallFailed, "the programs in %s cannot be replaced: %w", dir, err).About(dir)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	packed := filepath.Join(tmp, "archive")
	if err := i.fetchRelease(ctx, n, packed); err != nil {
		return err
	}
	fresh := filepath.Join(tmp, "new")
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return err
	}
	if err := unpackPrograms(packed, n.name, fresh); err != nil {
		return fault.New(fault.InstallFailed, "%s cannot be unpacked: %w", n.name, err).About(n.name)
	}
	if err := tells(ctx, filepath.Join(fresh, programs()[0]), n.Version); err != nil {
		return err
	}
	return swap(fresh, dir, filepath.Join(tmp, "old"))
}

// unpackPrograms takes the programs out of an archive, whatever folder of it they are in.
func unpackPrograms(archive, name, to string) error {
	wanted := map[string]bool{}
	for _, p := range programs() {
		wanted[p] = true
	}
	take := func(name string, in io.Reader) error {
		base := path.Base(name)
		if !wanted[base] {
			return nil
		}
		out, err := os.OpenFile(filepath.Join(to, base), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755) // a program
		if err != nil {
			return err
		}
		n, err := io.Copy(out, io.LimitReader(in, programsLimit+1))
		if err == nil && n > programsLimit {
			err = errors.New("a program has more than 1 GB")
		}
		delete(wanted, base)
		return errors.Join(err, out.Close())
	}
	each := eachOfTar
	if strings.HasSuffix(name, ".zip") {
		each = eachOfZip
	}
	if err := each(archive, take); err != nil {
		return err
	}
	for p := range wanted {
		return fmt.Errorf("it has no %s", p)
	}
	return nil
}

func eachOfTar(archive string, take func(string, io.Reader) error) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := take(h.Name, r); err != nil {
			return err
		}
	}
}

func eachOfZip(archive string, take func(string, io.Reader) error) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(take(f.Name, in), in.Close()); err != nil {
			return err
		}
	}
	return nil
}

// tells runs a program before it is installed. It must start here and report the version of the archive's name.
func tells(ctx context.Context, program, version string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = childenv.Own(), time.Second
	out, err := cmd.CombinedOutput()
	output := strings.TrimSpace(string(out))
	if err != nil {
		return fault.New(fault.InstallFailed, "the new program does not start here, so it was not installed: %w%s", err,
			lastLines(out)).About(program)
	}
	if !slices.Contains(strings.Fields(output), version) {
		return fault.New(fault.InstallFailed, "The new program should be version %s but says %q; it was not installed.",
			version, output).About(program)
	}
	return nil
}

// swap puts files in their places, all or none. The old ones are kept meanwhile. Windows does not let go of programs
// that run, but lets them be renamed.
func swap(from, to, old string) (err error) {
	if err := os.Mkdir(old, 0o700); err != nil {
		return err
	}
	var done []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range done {
			err = errors.Join(err, os.Rename(filepath.Join(old, name), filepath.Join(to, name)))
		}
		err = fault.New(fault.InstallFailed, "the programs in %s cannot be replaced: %w", to, err).About(to)
	}()
	for _, name := range programs() {
		place, kept := filepath.Join(to, name), filepath.Join(old, name)
		if real, err := filepath.EvalSymlinks(place); err == nil {
			place = real
		}
		if runtime.GOOS == "windows" {
			err = os.Rename(place, kept)
		} else {
			err = os.Link(place, kept) // the name always leads to a whole program
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			done = append(done, name)
		}
		if err := os.Rename(filepath.Join(from, name), place); err != nil {
			return err
		}
	}
	return nil
}
