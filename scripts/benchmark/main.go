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
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// settings are what the command line asks for.
type settings struct {
	ours, theirs string
	browser      string
	sameBrowser  bool
	rounds       int
	only         []string
	json         bool
	docs         string           // the document that gets the tables
	tables       *strings.Builder // what it gets

	mcp, workflows bool // compare MCP servers, or workflows through them, in place of command lines
	growing        bool // measure skua alone, on pages of growing size
	reading        bool // measure ways to read many pages
	packages       []string
	apps           map[string]string // folders of applications for workflows, by name
	transcripts    string            // where the calls of workflows are written, with their replies; empty means nowhere
	many           bool              // many sessions at once
	sessions       int
	playwright     string
	devtools       string
}

// machine is what the figures were measured with.
type machine struct {
	System     string `json:"system"`
	Processors int    `json:"processors"`
	Ours       string `json:"skua"`
	Theirs     string `json:"agentBrowser"`
	Browser    string `json:"browser"`
}

func (m machine) print(w io.Writer) {
	fmt.Fprintf(w, "skua: %s\nagent-browser: %s\nbrowser: %s\n", m.Ours, m.Theirs, m.Browser)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := benchmark(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

func benchmark(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	chosen, err := parse(args, stderr)
	if err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "skua-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	pages, err := openSite()
	if err != nil {
		return err
	}
	defer pages.close()
	compare := chosen.compareCommands
	switch {
	case chosen.mcp:
		compare = chosen.compareServers
	case chosen.workflows:
		compare = chosen.compareWorkflows
	case chosen.growing:
		compare = chosen.growth
	case chosen.reading:
		compare = chosen.compareReading
	case chosen.many:
		compare = chosen.compareMany
	}
	err = compare(ctx, root, pages, stdout, stderr)
	if ctx.Err() != nil {
		return errors.Join(err, errors.New("interrupted; what was finished is in the report"))
	}
	if chosen.docs != "" && chosen.tables.Len() > 0 { // an operation that failed is in its table
		err = errors.Join(err, stats.UpdateDocument(chosen.docs, chosen.command(), chosen.tables.String()))
	}
	return err
}

// show prints a table, and keeps it for the document.
func (s settings) show(w io.Writer, table stats.Table) error {
	if s.tables.Len() == 0 {
		fmt.Fprintf(s.tables, "One run (`--rounds %d`) on %d processors:\n", s.rounds, runtime.NumCPU())
	}
	fmt.Fprintf(s.tables, "\n%s", table.Markdown())
	return table.WriteText(w)
}

// command is what its tables in a document are made by.
func (s settings) command() string {
	for _, mode := range []struct {
		word   string
		chosen bool
	}{
		{"--mcp", s.mcp},
		{"--workflows", s.workflows},
		{"--growth", s.growing},
		{"--reading", s.reading},
		{"--many", s.many},
	} {
		if mode.chosen {
			return "scripts/bench " + mode.word + " --docs"
		}
	}
	return "scripts/bench --docs"
}

// compareCommands measures command lines.
func (s settings) compareCommands(ctx context.Context, root string, pages *site, stdout, stderr io.Writer) (err error) {
	programs, err := s.programs(ctx, root)
	if err != nil {
		return err
	}
	var sides [2]*side
	for i := range programs {
		one := &side{program: &programs[i], site: pages, root: root}
		sides[i] = one
		defer func() {
			if one.warm != nil {
				err = errors.Join(err, one.warm.end(ctx, "default"))
			}
		}()
	}
	m := s.machine(ctx, root, programs)
	m.print(stderr)
	rows := measure(ctx, chosenOf(operations(), s.only, func(op operation) string {
		return op.name
	}), sides, s.rounds, stderr)
	if s.json {
		err = writeJSON(stdout, rows, m)
	} else {
		fmt.Fprintln(stderr)
		err = s.show(stdout, tableOf(rows, [2]string{programs[0].name, programs[1].name}))
	}
	return errors.Join(err, failure(rows))
}

// chosenOf returns those that are named, or all when none is.
func chosenOf[T any](all []T, only []string, name func(T) string) []T {
	if len(only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(one T) bool { return !slices.Contains(only, name(one)) })
}

func namesOf[T any](all []T, name func(T) string) []string {
	var names []string
	for _, one := range all {
		names = append(names, name(one))
	}
	return names
}

// names are what --only may say.
func (s settings) names() []string {
	switch {
	case s.mcp:
		return namesOf(mcpOperations(), func(op mcpOperation) string { return op.name })
	case s.workflows:
		return namesOf(allFlows(), func(f flow) string { return f.name })
	}
	return namesOf(operations(), func(op operation) string { return op.name })
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (settings, error) {
	s := settings{tables: &strings.Builder{}}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.ours, "skua", "", "path of the skua client, skuad beside it")
	flags.StringVar(&s.theirs, "upstream", "",
		"path of agent-browser: its native program, or agent-browser.js to go through Node")
	flags.StringVar(&s.browser, "browser", "",
		"path of the browser that both use where they use the same one (default: chromium on the PATH)")
	flags.BoolVar(&s.sameBrowser, "same-browser", false, "let both use that browser in every operation")
	flags.IntVar(&s.rounds, "rounds", 15, "how often each operation is measured; starts of browsers a third of it")
	flags.BoolVar(&s.mcp, "mcp", false, "compare MCP servers, call by call")
	flags.BoolVar(&s.workflows, "workflows", false,
		"compare whole workflows through MCP servers: calls, bytes, stale refs, time")
	flags.BoolVar(&s.growing, "growth", false,
		"measure skua's own commands on pages of 30 to 50,000 elements and of 1 to 50 frames")
	flags.BoolVar(&s.reading, "reading", false, "measure ways to read a hundred pages of --packages")
	packages := flags.String("packages", "", "folders of pages, for --reading, separated by colons")
	folders := flags.String("apps", "", "name=folder of applications, for --workflows, separated by colons")
	flags.StringVar(&s.transcripts, "transcripts", "",
		"write the calls of --workflows, with their replies, into files of this folder")
	flags.BoolVar(&s.many, "many", false,
		"many sessions at once, each opening, looking and clicking: skua, agent-browser, Playwright's MCP server")
	flags.IntVar(&s.sessions, "sessions", 50, "how many sessions --many has")
	flags.StringVar(&s.playwright, "playwright-mcp", "", "path of cli.js of @playwright/mcp, for --mcp")
	flags.StringVar(&s.devtools, "devtools-mcp", "", "path of the program of chrome-devtools-mcp, for --mcp")
	only := flags.String("only", "", "comma-separated operations to measure: "+strings.Join(s.names(), " ")+
		";\nwith --mcp: "+strings.Join(settings{mcp: true}.names(), " ")+";\nwith --workflows: "+strings.Join(settings{
		workflows: true,
	}.names(), " "))
	flags.BoolVar(&s.json, "json", false, "print JSON, every sample included")
	flags.StringVar(&s.docs, "docs", "", "write the tables into this file, between the marks that are there for them")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.rounds < 1 {
		return s, fmt.Errorf("--rounds %d: at least 1", s.rounds)
	}
	if s.packages = packageFolders(*packages); s.reading && len(s.packages) == 0 {
		return s, errors.New("--reading needs --packages; scripts/bench fills it in")
	}
	s.apps = appFolders(*folders)
	if s.sessions < 1 {
		return s, fmt.Errorf("--sessions %d: at least 1", s.sessions)
	}
	if s.mcp && s.workflows {
		return s, errors.New("--mcp and --workflows are two runs")
	}
	if s.docs != "" && (*only != "" || s.json) {
		return s, errors.New("--docs: the table in a document has every operation; leave out --only and --json")
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
		names := s.names()
		for _, name := range s.only {
			if !slices.Contains(names, name) {
				return s, fmt.Errorf("--only %s: no such operation; there are %s", name, strings.Join(names, " "))
			}
		}
	}
	if s.ours == "" || s.theirs == "" {
		return s, errors.New("--skua and --upstream must name the two programs; scripts/bench fills them in")
	}
	return s, nil
}

// machine asks the programs who they are. Even that may start a host, so each is asked in a place of its own.
func (s settings) machine(ctx context.Context, root string, programs [2]program) machine {
	var versions [3]string
	browser := program{name: "browser", argv: []string{s.browser}}
	for i, p := range []*program{&programs[0], &programs[1], &browser} {
		place, err := newPlace(root, p, nil)
		if err == nil {
			var said outcome
			said, err = place.run(ctx, "--version")
			versions[i] = strings.TrimSpace(said.stdout)
			err = errors.Join(err, place.end(ctx))
		}
		if err != nil {
			versions[i] = "unknown: " + err.Error()
		}
	}
	return machine{
		System:     runtime.GOOS + "/" + runtime.GOARCH,
		Processors: runtime.NumCPU(),
		Ours:       versions[0],
		Theirs:     versions[1],
		Browser:    versions[2],
	}
}

// appFolders takes name=folder:name=folder apart.
func appFolders(output string) map[string]string {
	folders := map[string]string{}
	for one := range strings.SplitSeq(output, ":") {
		if name, folder, ok := strings.Cut(one, "="); ok {
			folders[name] = folder
		}
	}
	return folders
}
