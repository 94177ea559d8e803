//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// pagesToRead is how many pages each way reads.
const pagesToRead = 100

// pagesAtOnce is how many addresses one command gets where it takes several, so that none takes as long as a command
// may.
const pagesAtOnce = 20

// readingWay is one way to read them.
type readingWay struct {
	title string
	lines func(addresses []string) [][]string // the commands, one after another
}

// readingWays are the ways that are compared; the first is what the others are measured by.
func readingWays() []readingWay {
	together := func(flags ...string) func([]string) [][]string {
		return func(addresses []string) (all [][]string) {
			for some := range slices.Chunk(addresses, pagesAtOnce) {
				all = append(all, slices.Concat([]string{"read", "--full", "--json"}, flags, some))
			}
			return all
		}
	}
	return []readingWay{
		{"`open` and `read`, one page after another", func(addresses []string) (all [][]string) {
			for _, a := range addresses {
				all = append(all, []string{"open", a}, []string{"read", "--full", "--json"})
			}
			return all
		}},
		{"`read --rendered --tabs 1`", together("--rendered", "--tabs", "1")},
		{"`read --rendered --pictures`, 4 tabs", together("--rendered", "--pictures")},
		{"`read --rendered`, 4 tabs", together("--rendered")},
		{"`read`, no browser, no scripts", together()},
	}
}

// servePackages serves folders of others' pages, each on a port of its own, and returns as many addresses of pages as
// are to be read. The pages may load from nowhere else, so that no figure depends on a network.
func servePackages(folders []string) (addresses []string, end func(), err error) {
	var servers []*httptest.Server
	end = func() {
		for _, s := range servers {
			s.Close()
		}
	}
	for _, folder := range folders {
		files := http.FileServer(http.Dir(folder))
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:")
			files.ServeHTTP(w, r)
		}))
		servers = append(servers, server)
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch name, _ := filepath.Rel(folder, path); {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "vendor"):
				return fs.SkipDir
			case filepath.Ext(path) == ".html" && filepath.Base(name) != "index.html": // the server sends away from those
				addresses = append(addresses, server.URL+"/"+filepath.ToSlash(name))
			}
			return nil
		})
		if err != nil {
			return nil, end, err
		}
	}
	if len(addresses) == 0 {
		return nil, end, fmt.Errorf("no pages in %v", folders)
	}
	for i := 0; len(addresses) < pagesToRead; i++ {
		addresses = append(addresses, addresses[i]+"?again")
	}
	return addresses[:pagesToRead], end, nil
}

// readingRun is what one run of a way came to.
type readingRun struct {
	seconds, memory float64
	texts           []string
}

// compareReading measures ways to read pages.
func (s settings) compareReading(ctx context.Context, root string, _ *site, stdout, stderr io.Writer) error {
	programs, err := s.programs(ctx, root)
	if err != nil {
		return err
	}
	addresses, end, err := servePackages(s.packages)
	defer end()
	if err != nil {
		return err
	}
	s.machine(ctx, root, programs).print(stderr)
	ways := readingWays()
	seconds, memory := make([]stats.Series, len(ways)), make([]stats.Series, len(ways))
	same := make([]int, len(ways))
	for round := range s.rounds {
		var first []string
		for i, way := range ways {
			got, err := way.run(ctx, root, &programs[0], addresses)
			if err != nil {
				return fmt.Errorf("%s: %w", way.title, err)
			}
			seconds[i].Values, memory[i].Values = append(seconds[i].Values, got.seconds), append(memory[i].Values, got.memory)
			if i == 0 {
				first = got.texts
			}
			same[i] = 0
			for n, text := range got.texts {
				if text == first[n] {
					same[i]++
				} else if i > 0 && i < len(ways)-1 {
					fmt.Fprintf(stderr, "%s: another text of %s\n", way.title, addresses[n])
				}
			}
			fmt.Fprintf(stderr, "round %d: %s: %.1f s, %.0f MB\n", round+1, way.title, got.seconds, got.memory)
		}
	}
	table := stats.Table{{
		fmt.Sprintf("%d pages", pagesToRead), "pages a second", "to the first", "memory at most",
		"same text",
	}}
	for i, way := range ways {
		rate := ""
		if ratio, ok := seconds[0].PairedRatio(seconds[i]); ok {
			rate = fmt.Sprintf("%.1f", ratio)
		}
		table = append(table, []string{
			way.title, fmt.Sprintf("%.1f", pagesToRead/stats.Median(seconds[i].Values)), rate,
			fmt.Sprintf("%.0f MB", stats.Median(memory[i].Values)), fmt.Sprint(same[i]),
		})
	}
	return s.show(stdout, table)
}

// run reads all addresses in a fresh host with a browser that runs already.
func (w readingWay) run(ctx context.Context, root string, p *program, addresses []string) (got readingRun, err error) {
	place, err := newPlace(root, p, p.launchEnv)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, place.end(ctx, "default")) }()
	if _, err := place.start(ctx, "open", "about:blank"); err != nil {
		return got, err
	}
	watching, stop := context.WithCancel(ctx)
	most := make(chan float64, 1)
	go func() { most <- mostMemory(watching, place.dir) }() // ends with watching, and is waited for
	began := time.Now()
	for _, line := range w.lines(addresses) {
		var said outcome
		if said, err = place.run(ctx, line...); err != nil {
			break
		}
		if line[0] == "read" {
			got.texts = append(got.texts, contents(said.stdout)...)
		}
	}
	got.seconds = time.Since(began).Seconds()
	stop()
	got.memory = <-most / megabyte
	if err == nil && len(got.texts) != len(addresses) {
		err = fmt.Errorf("%d of %d pages were read", len(got.texts), len(addresses))
	}
	return got, err
}

// contents are the texts of a reply about one page or several.
func contents(reply string) (texts []string) {
	type page struct{ Content string }
	var said struct {
		Data struct {
			page
			Pages []page
		}
	}
	if json.Unmarshal([]byte(reply), &said) != nil {
		return nil
	}
	for _, p := range append([]page{}, said.Data.Pages...) {
		texts = append(texts, p.Content)
	}
	if said.Data.Pages == nil {
		texts = []string{said.Data.Content}
	}
	return texts
}

// mostMemory looks once a second what a place occupies, until ctx ends, and returns the most that it saw.
func mostMemory(ctx context.Context, dir string) (most float64) {
	for {
		if own, browsers, err := proportionalMemory(dir); err == nil {
			most = max(most, float64(own+browsers))
		}
		if pause(ctx, time.Second) != nil {
			return most
		}
	}
}

// packageFolders reads the value of --packages.
func packageFolders(value string) []string {
	return slices.DeleteFunc(strings.Split(value, string(filepath.ListSeparator)), func(s string) bool { return s == "" })
}
