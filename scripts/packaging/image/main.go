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
	"runtime"
	"syscall"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripts/image: "+err.Error())
		os.Exit(1)
	}
}

var errUsage = errors.New(
	"usage: scripts/image [--base FILE] [--suite NAME] [--sources FILE] [--uncommitted] VERSION DIST")

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := flags.String("root", ".", "the repository")
	var b base
	flags.StringVar(&b.file, "base", "", "a root file system that an earlier run made, instead of a new one")
	flags.StringVar(&b.suite, "suite", "", "the Debian release to take packages from; this machine's unless given")
	flags.StringVar(&b.sources, "sources", "", "a list of package sources in the form of apt; this machine's unless given")
	uncommitted := flags.Bool("uncommitted", false, "also with changes that are not committed, to try it")
	if err := flags.Parse(args); err != nil || flags.NArg() != 2 {
		return errors.Join(err, errUsage)
	}
	r, err := spec.Read(*root, flags.Arg(0), *uncommitted)
	if err != nil {
		return err
	}
	r.Targets = []spec.Target{{OS: "linux", Arch: runtime.GOARCH}}
	if r.Dist, err = filepath.Abs(flags.Arg(1)); err != nil {
		return err
	}
	layout, archive := r.Path("skua-"+r.Version+"-image"), r.Path("skua_"+r.Version+"_image_"+runtime.GOARCH+".tar")
	if _, err := os.Stat(layout); err == nil {
		return fmt.Errorf("%s: it exists; name another folder, or remove it", layout)
	}
	if err := os.MkdirAll(r.Dist, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "skua-image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := b.make(ctx, r, filepath.Join(work, "base.tar")); err != nil {
		return err
	}
	folders, err := stage.Make(ctx, r, filepath.Join(work, "stage"))
	if err != nil {
		return err
	}
	programs := filepath.Join(work, "programs.tar")
	if err := writePrograms(folders[0], b.file, r.Time, programs); err != nil {
		return err
	}
	image, err := assemble(r, b.file, programs)
	if err != nil {
		return err
	}
	if err := write(image, r.Version, layout, archive); err != nil {
		return err
	}
	return report(image, layout, archive, out)
}
