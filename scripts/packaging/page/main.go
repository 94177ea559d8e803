package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scripts/page: "+err.Error())
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("page", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := flags.String("root", ".", "the repository")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		return errors.Join(err, errors.New("usage: scripts/page DIST"))
	}
	dist := flags.Arg(0)
	if all, err := os.ReadDir(dist); err == nil && len(all) > 0 {
		return fmt.Errorf("%s: it has files; name an empty folder", dist)
	}
	s, err := read(*root)
	if err != nil {
		return err
	}
	if err := s.write(dist); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d pages in %s\n", len(s.pages), dist)
	return nil
}
