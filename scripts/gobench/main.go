package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// minimumForDocs is how many rounds a table in a document has at least.
const minimumForDocs = 15

// settings are what the command line asks for.
type settings struct {
	rounds  int
	only    []string
	json    bool
	browser string
	docs    string
}

// machine is what the figures were measured with.
type machine struct {
	Processors int    `json:"processors"`
	Browser    string `json:"browser"`
	Chromedp   string `json:"chromedp"`
	Rod        string `json:"rod"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := benchmark(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gobench:", err)
		os.Exit(1)
	}
}

func benchmark(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	chosen, err := parse(args, stderr)
	if err != nil {
		return err
	}
	m, err := describe(ctx, chosen.browser)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "browser: %s\nchromedp: %s\nrod: %s\n", m.Browser, m.Chromedp, m.Rod)
	root, err := os.MkdirTemp("", "skua-gobench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	pages, err := openSite()
	if err != nil {
		return err
	}
	defer pages.close()
	all := contenders()
	sides, end, err := startSides(ctx, all, chosen.browser, root)
	// The browsers are ended even when the run was interrupted.
	defer func() { err = errors.Join(err, end(context.WithoutCancel(ctx))) }()
	if err != nil {
		return err
	}
	rows := measure(ctx, chosen.operations(), sides, pages, chosen.rounds, stderr)
	err = errors.Join(chosen.show(rows, namesOf(all), m, stdout), failure(rows))
	if ctx.Err() != nil {
		return errors.Join(err, errors.New("interrupted; what was finished is in the report"))
	}
	if err == nil && chosen.docs != "" {
		err = stats.UpdateDocument(chosen.docs, docsCommand, section(rows, namesOf(all), m, chosen.rounds))
	}
	return err
}

func (s settings) show(rows []row, names []string, m machine, w io.Writer) error {
	if s.json {
		return writeJSON(w, rows, names, m)
	}
	return tableOf(rows, names).WriteText(w)
}

// operations are those that were chosen, or all.
func (s settings) operations() []operation {
	return slices.DeleteFunc(operations(), func(op operation) bool {
		return len(s.only) > 0 && !slices.Contains(s.only, op.name)
	})
}

func namesOf(all []contender) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	var names []string
	for _, op := range operations() {
		names = append(names, op.name)
	}
	flags := flag.NewFlagSet("bench --go", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.rounds, "rounds", minimumForDocs, "how often each operation is measured")
	only := flags.String("only", "", "comma-separated operations to measure: "+strings.Join(names, " "))
	flags.BoolVar(&s.json, "json", false, "print JSON, every sample included")
	flags.StringVar(&s.browser, "browser", "chromium-headless-shell",
		"the browser that all use: a path, or a name on the PATH")
	flags.StringVar(&s.docs, "docs", "", "write the table into this file, between the marks that are there for it")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
	}
	for _, name := range s.only {
		if !slices.Contains(names, name) {
			return s, fmt.Errorf("--only %s: no such operation; there are %s", name, strings.Join(names, " "))
		}
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.rounds < 1:
		return s, fmt.Errorf("--rounds %d: at least 1", s.rounds)
	case s.docs != "" && (s.rounds < minimumForDocs || s.only != nil):
		return s,
			fmt.Errorf(
				"--docs: the table in a document has every operation, and at least %d rounds; leave out --only and set --rounds",
				minimumForDocs)
	}
	path, err := exec.LookPath(s.browser)
	if err != nil {
		return s, fmt.Errorf("--browser: %w; install it, or name another one", err)
	}
	s.browser = path
	return s, nil
}

// describe asks the browser for its version, and this program for those of the libraries.
func describe(ctx context.Context, browser string) (machine, error) {
	m := machine{Processors: runtime.NumCPU()}
	said, err := exec.CommandContext(ctx, browser, "--version").Output()
	if err != nil {
		return m, fmt.Errorf("%s --version: %w", browser, err)
	}
	m.Browser = strings.TrimSpace(string(said))
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return m, errors.New("the program was built without module information; build it with scripts/bench")
	}
	for _, dependency := range info.Deps {
		switch dependency.Path {
		case "github.com/chromedp/chromedp":
			m.Chromedp = dependency.Version
		case "github.com/go-rod/rod":
			m.Rod = dependency.Version
		}
	}
	return m, nil
}
