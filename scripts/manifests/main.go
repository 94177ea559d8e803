package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/manifests"
	"github.com/skua-browser/skua/internal/product"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manifests: "+err.Error())
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "mcpb":
			return writeBundle(args[1:])
		case "server":
			return writeServer(args[1:])
		}
	}
	flags := flag.NewFlagSet("manifests", flag.ContinueOnError)
	check := flags.Bool("check", false, "write nothing, and fail if something would change")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: it is neither mcpb nor server", flags.Arg(0))
	}
	return repositoryFiles(*check)
}

// repositoryFiles writes the files of the repository, and removes skills of the plugin that no guide has any longer.
func repositoryFiles(check bool) error {
	files, err := manifests.Repository(product.Version)
	if err != nil {
		return err
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if there, err := os.ReadFile(name); err == nil && string(there) == files[name] {
			continue
		}
		if differ = append(differ, name); check {
			continue
		}
		if err := write(name, []byte(files[name])); err != nil {
			return err
		}
	}
	err = filepath.WalkDir(manifests.PluginDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || files[filepath.ToSlash(path)] != "" {
			return err
		}
		if differ = append(differ, path); check {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if check && len(differ) > 0 {
		return fmt.Errorf("not as generated: %s; run go run ./scripts/manifests", strings.Join(differ, ", "))
	}
	return nil
}

func writeBundle(args []string) error {
	flags := flag.NewFlagSet("mcpb", flag.ContinueOnError)
	b := manifests.Bundle{}
	flags.StringVar(&b.Programs, "programs", "bin", "the folder with both programs")
	flags.StringVar(&b.GOOS, "os", runtime.GOOS, "the system that they are for: linux, darwin or windows")
	flags.StringVar(&b.Version, "version", product.Version, "their version")
	flags.StringVar(&b.License, "license", "LICENSE", "the file with the license")
	flags.StringVar(&b.ThirdParty, "third-party", "", "a file with the licenses of what the programs contain")
	out := flags.String("o", product.Name+".mcpb", "the bundle")
	if err := flags.Parse(args); err != nil {
		return err
	}
	f, err := atomicfile.Create(*out)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := b.Write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	_, err = f.Commit()
	return err
}

func writeServer(args []string) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	version := flags.String("version", product.Version, "the version")
	out := flags.String("o", "server.json", "the file")
	var bundles []manifests.PublishedServer
	flags.Func("bundle", "a bundle of the release, as URL=SHA256; may be repeated", func(value string) error {
		at := strings.LastIndexByte(value, '=')
		if at < 0 {
			return errors.New("it has no =SHA256 at its end")
		}
		bundles = append(bundles, manifests.BundleAt(value[:at], value[at+1:]))
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := manifests.Encode(manifests.Server(*version, bundles...))
	if err != nil {
		return err
	}
	return write(*out, text)
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
