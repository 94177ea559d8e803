//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// settings are what the command line asks for.
type settings struct {
	skua, upstream, browser string
	list, added, own        string // the list of pages; files that packages lack; testdata/libraries
	packages, modules       string // where the packages are; those that testdata/libraries needs
	only                    string
	most                    int
	matching                string
	dir, docs               string
	sessions                string // the list of sessions
	rounds                  string // of the benchmark of cost, as go test's -benchtime has it
}

// measurement is one run.
type measurement struct {
	settings
	pages        []page
	library      *library
	oracle       *oracle
	ours, theirs *program
	progress     io.Writer

	sightings   []sighting
	verdicts    []verdict
	opinions    []opinion
	transcripts []transcript
	skipped     map[string]int // calls of sessions that could not be made, by program
	costs       []costRow
}

func (m *measurement) say(format string, args ...any) { fmt.Fprintf(m.progress, format, args...) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "perception:", err)
		os.Exit(1)
	}
}

// parts are what --only may name, in order.
var parts = []string{"recall", "truth", "detectors", "cost"}

func parse(args []string, stderr io.Writer) (s settings, err error) {
	flags := flag.NewFlagSet("perception", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.skua, "skua", "", "path of the skua client, skuad beside it")
	flags.StringVar(&s.upstream, "upstream", "", "path of agent-browser")
	flags.StringVar(&s.browser, "browser", "", "path of the browser that all use")
	flags.StringVar(&s.list, "list", "testdata/perception/pages.txt", "the list of pages")
	flags.StringVar(&s.added, "added", "testdata/perception/added",
		"folder of files that the packages lack, or have for another place")
	flags.StringVar(&s.own, "libraries", "testdata/libraries", "pages of our own that use packages")
	flags.StringVar(&s.packages, "packages", "", "folder that has a folder for each package of the list")
	flags.StringVar(&s.modules, "modules", "", "node_modules of the pages of our own")
	flags.StringVar(&s.only, "only", "", "one part of "+strings.Join(parts, ", ")+"; without it all")
	flags.IntVar(&s.most, "pages", 0, "only so many pages, spread over the list; 0 for all")
	flags.StringVar(&s.matching, "page", "", "only pages whose name contains this")
	flags.StringVar(&s.dir, "dir", "", "where snapshots, and what they miss, are written")
	flags.StringVar(&s.sessions, "sessions", "testdata/perception/sessions.txt", "the list of sessions to replay")
	flags.StringVar(&s.rounds, "rounds", "5x", "how often cost is measured, as -benchtime of go test has it")
	flags.StringVar(&s.docs, "docs", "", "write the tables into this file, between the marks that are there for them")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.only != "" && !slices.Contains(parts, s.only):
		return s, fmt.Errorf("--only %s: there are %s", s.only, strings.Join(parts, ", "))
	case s.docs != "" && s.matching != "":
		return s, errors.New("--docs: the tables in a document are not of pages that were picked by name; leave out --page")
	case s.skua == "" || s.upstream == "" || s.browser == "" || s.packages == "" || s.modules == "" || s.dir == "":
		return s,
			errors.New(
				"--skua, --upstream, --browser, --packages, --modules and --dir must be given; scripts/perception fills them in")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stderr io.Writer) (err error) {
	m := &measurement{progress: stderr, skipped: map[string]int{}}
	if m.settings, err = parse(args, stderr); err != nil {
		return err
	}
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		return err
	}
	if m.pages, err = m.choose(); err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "skua-perception-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	if m.library, err = openLibrary(m.packages, m.added, m.own, m.modules, m.pages); err != nil {
		return err
	}
	defer m.library.close()
	if m.oracle, err = openOracle(ctx, m.browser); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.oracle.close(ctx)) }()
	for _, one := range []struct {
		program    **program
		name, path string
	}{{&m.ours, "skua", m.skua}, {&m.theirs, "agent-browser", m.upstream}} {
		made, err := newProgram(root, one.name, one.path, m.browser)
		if err != nil {
			return err
		}
		*one.program = made
		defer func() { _ = made.close(ctx) }()
	}
	return m.measure(ctx)
}

// choose reads the list and takes what the command line asks for.
func (m *measurement) choose() ([]page, error) {
	pages, err := readPages(m.list)
	if err != nil {
		return nil, err
	}
	if missing := missingPages(pages, m.packages, m.own); len(missing) > 0 {
		return nil, fmt.Errorf("%s: these packages have no such files: %s", m.list, strings.Join(missing, ", "))
	}
	if m.matching != "" {
		pages = slices.DeleteFunc(pages, func(p page) bool { return !strings.Contains(p.name(), m.matching) })
	}
	if m.most > 0 && m.most < len(pages) {
		var some []page
		for i := range m.most {
			some = append(some, pages[i*len(pages)/m.most])
		}
		pages = some
	}
	return pages, nil
}

// measure runs the parts and shows their tables.
func (m *measurement) measure(ctx context.Context) error {
	var failed error
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
		tables  func() []stats.Table
	}{
		{"recall", m.measureRecall, func() []stats.Table { return []stats.Table{recallTable(m.sightings)} }},
		{"truth", m.measureTruth, func() []stats.Table {
			return []stats.Table{truthTable(m.verdicts), kindsTable(m.verdicts), opinionsTable(m.opinions)}
		}},
		{"detectors", m.measureDetectors, func() []stats.Table {
			return []stats.Table{detectorsTable(m.transcripts, m.skipped)}
		}},
		{"cost", m.measureCost, func() []stats.Table { return []stats.Table{costTable(m.costs)} }},
	} {
		if m.only != "" && m.only != part.name {
			continue
		}
		began := time.Now()
		if err := part.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		m.say("%s took %.0f s\n", part.name, time.Since(began).Seconds())
		failed = errors.Join(failed, m.show(part.name, part.tables()))
	}
	return failed
}

// show prints the tables of a part, and puts them into the document.
func (m *measurement) show(part string, tables []stats.Table) error {
	var section strings.Builder
	for i, table := range tables {
		if i > 0 {
			section.WriteString("\n")
			fmt.Println()
		}
		section.WriteString(table.Markdown())
		if err := table.WriteText(os.Stdout); err != nil {
			return err
		}
	}
	if m.docs == "" {
		return nil
	}
	return stats.UpdateDocument(m.docs, "scripts/perception --only "+part, section.String())
}
