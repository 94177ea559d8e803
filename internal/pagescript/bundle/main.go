package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/internal/pagescript"
)

func main() {
	check := flag.Bool("check", false, "compare the bundles instead of writing them")
	tools := flag.String("tools", "scripts/packaging/go.mod", "the `go.mod` that names esbuild")
	flag.Parse()
	for _, dir := range flag.Args() {
		if err := bundle(dir, *tools, *check); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func bundle(dir, tools string, check bool) error {
	bundles, err := pagescript.Build(dir, tools)
	if err != nil {
		return err
	}
	for file, want := range bundles {
		if check {
			have, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if !bytes.Equal(have, want) {
				return fmt.Errorf("%s: it is not what its sources give; run: go generate ./engine/... ./actions", file)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			return err
		}
	}
	return nil
}
