package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/skua-browser/skua/scripts/packaging/release/archive"
	"github.com/skua-browser/skua/scripts/packaging/release/bundles"
	"github.com/skua-browser/skua/scripts/packaging/release/clients"
	"github.com/skua-browser/skua/scripts/packaging/release/manifests"
	"github.com/skua-browser/skua/scripts/packaging/release/npm"
	"github.com/skua-browser/skua/scripts/packaging/release/packages"
	"github.com/skua-browser/skua/scripts/packaging/release/sbom"
	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripts/release: "+err.Error())
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: scripts/release [--only OS/ARCH,…] [--uncommitted] VERSION DIST")

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := flags.String("root", ".", "the repository")
	only := flags.String("only", "",
		"some systems; then there are no manifests of package managers that name all archives")
	uncommitted := flags.Bool("uncommitted", false, "also with changes that are not committed, to try it")
	if err := flags.Parse(args); err != nil || flags.NArg() != 2 {
		return errors.Join(err, errUsage)
	}
	r, err := spec.Read(*root, flags.Arg(0), *uncommitted)
	if err != nil {
		return err
	}
	if r.Targets, err = spec.ReadTargets(*only); err != nil {
		return err
	}
	if r.Dist, err = filepath.Abs(flags.Arg(1)); err != nil {
		return err
	}
	if err := emptyFolder(r.Dist); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "skua-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := write(ctx, r, work); err != nil {
		return err
	}
	return report(r, out)
}

// write makes all files of the release.
func write(ctx context.Context, r *spec.Release, work string) error {
	folders, err := stage.Make(ctx, r, filepath.Join(work, "stage"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.Path("RELEASE_NOTES.md"), []byte(r.Notes), 0o644); err != nil {
		return err
	}
	if err := sbom.Write(r, folders, r.Path("skua-"+r.Version+".spdx.json")); err != nil {
		return err
	}
	pack, packing := errgroup.WithContext(ctx)
	pack.Go(func() error { return npm.Write(packing, r, folders, filepath.Join(work, "npm")) })
	pack.Go(func() error { return clients.Write(packing, r) })
	pack.Go(func() error { return bundles.Write(packing, r, folders) })
	pack.Go(func() error {
		for _, f := range folders {
			files, err := f.Files()
			if err == nil {
				err = archive.Write(r.Path(f.Target.Archive(r.Version)), "skua-"+r.Version, files, r.Time)
			}
			if err == nil {
				err = packages.Write(r, f, filepath.Join(work, "packages"))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := pack.Wait(); err != nil {
		return err
	}
	if len(r.Targets) == len(spec.Targets()) {
		sums, err := checksums(r.Dist)
		if err == nil {
			err = errors.Join(manifests.Write(r, sums), bundles.WriteServer(ctx, r, sums))
		}
		if err != nil {
			return err
		}
	}
	return writeChecksums(r)
}

// emptyFolder makes a folder. Files of another release beside those of this one would be taken for its own.
func emptyFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		return fmt.Errorf("%s: it has files; name an empty folder", dir)
	}
	return nil
}

// report lists the files with their sizes.
func report(r *spec.Release, out io.Writer) error {
	all, err := os.ReadDir(r.Dist)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "skua %s (commit %s) in %s:\n", r.Version, r.Commit, r.Dist)
	for _, entry := range all {
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %8.2f MB  %s\n", float64(info.Size())/1e6, entry.Name())
	}
	return nil
}
