package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// Every library does every operation in one round, which the page confirms, in the browser that was named.
func TestLibrariesDoEveryOperation(t *testing.T) {
	t.Parallel()
	browser, started := recordedBrowser(t)
	var report, progress bytes.Buffer
	require.NoError(t,
		benchmark(t.Context(), []string{"--rounds", "1", "--json", "--browser", browser}, &report, &progress),
		progress.String())
	var got jsonReport
	require.NoError(t, json.Unmarshal(report.Bytes(), &got))
	require.Len(t, got.Rows, len(operations()))
	for _, row := range got.Rows {
		require.Len(t, row.Sides, len(contenders()), row.Operation)
		for name, side := range row.Sides {
			require.Empty(t, side.Error, "%s: %s", row.Operation, name)
			require.Len(t, side.Samples, 1, "%s: %s", row.Operation, name)
			require.Positive(t, side.Samples[0], "%s: %s", row.Operation, name)
		}
	}
	require.Equal(t, len(contenders()), started(), "each library starts the browser that was named, once")
	require.NotEmpty(t, got.Machine.Browser)
	require.Regexp(t, `^v\d`, got.Machine.Chromedp)
	require.Regexp(t, `^v\d`, got.Machine.Rod)
}

// recordedBrowser returns a program that starts the browser and notes it; started tells how often it did for more than
// its version.
func recordedBrowser(t *testing.T) (path string, started func() int) {
	installed, err := exec.LookPath("chromium-headless-shell")
	require.NoError(t, err, "scripts/need browsers installs it")
	dir := t.TempDir()
	path = filepath.Join(dir, "chromium-headless-shell")
	notes := filepath.Join(dir, "started")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] || echo started >>'%s'\nexec '%s' \"$@\"\n", notes, installed)
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))
	return path, func() int {
		text, err := os.ReadFile(notes)
		require.NoError(t, err)
		return strings.Count(string(text), "started\n")
	}
}

// deceiver is a library that claims to have done everything.
type deceiver struct {
	*chromedpLibrary
}

func (deceiver) click(context.Context, string) error          { return nil }
func (deceiver) fill(context.Context, string, string) error   { return nil }
func (deceiver) text(context.Context, string) (string, error) { return "Orders", nil }
func (deceiver) screenshot(context.Context) ([]byte, error) {
	return picture(viewWidth, viewHeight, color.White), nil
}

func (d deceiver) open(ctx context.Context, url string) error {
	if strings.HasSuffix(url, "/1") {
		return d.chromedpLibrary.open(ctx, url)
	}
	return nil
}

// scripted is a library whose clicks are made by a script, twice.
type scripted struct {
	*chromedpLibrary
}

func (s scripted) click(ctx context.Context, selector string) error {
	_, err := s.eval(ctx, fmt.Sprintf("(%[1]s.click(), %[1]s.click(), '')", element(selector)))
	return err
}

// What is claimed and not done is found in the page.
func TestClaimsAreVerified(t *testing.T) {
	t.Parallel()
	browser, err := exec.LookPath("chromium-headless-shell")
	require.NoError(t, err, "scripts/need browsers installs it")
	pages, err := openSite()
	require.NoError(t, err)
	t.Cleanup(pages.close)
	started, err := startChromedp(t.Context(), setup{browser: browser, dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, started.close(context.WithoutCancel(t.Context()))) })
	honest := started.(*chromedpLibrary)
	first := pages.next()
	require.NoError(t, honest.open(t.Context(), first.url))
	tests := []struct {
		operation string
		library   library
		problem   string
	}{
		{"open", deceiver{honest}, "the page reports page-1, expected page-2"},
		{"text", deceiver{honest}, `text: "Orders", expected "Orders of day`},
		{"click", deceiver{honest}, "the page saw 0 clicks, 0 of them real, after 1"},
		{"click-quiet", scripted{honest}, "clicks, 0 of them real"},
		{"fill", deceiver{honest}, `value of the field: "", expected "Text number`},
		{"screenshot", deceiver{honest}, "the picture shows the color"},
	}
	for n, test := range tests {
		for _, op := range operations() {
			if op.name != test.operation {
				continue
			}
			s := &side{contender: contender{name: "test"}, library: test.library, page: &page{url: first.url, name: first.name}}
			_, err := op.once(t.Context(), s, pages, n, false)
			require.ErrorContains(t, err, test.problem, test.operation)
		}
	}
	rows := measure(t.Context(), operations()[1:2], []*side{{contender: contender{name: "test"}, library: untold{honest}}},
		pages, 2, io.Discard)
	require.ErrorContains(t, failure(rows), "test: text: ", "a failure ends the operation and is in its row")
	require.Empty(t, rows[0].sides[0].Values)
}

// untold fails to read texts.
type untold struct {
	*chromedpLibrary
}

func (untold) text(context.Context, string) (string, error) { return "", chromedp.ErrInvalidDimensions }

func picture(width, height int, c color.Color) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	img.Set(width-1, height-1, c)
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		panic(err)
	}
	return file.Bytes()
}

func TestPictureShows(t *testing.T) {
	t.Parallel()
	red := color.RGBA{R: 200, A: 255}
	require.NoError(t, pictureShows(picture(viewWidth, viewHeight, red), red))
	require.ErrorContains(t, pictureShows(picture(viewWidth, viewHeight, color.White), red), "expected {200 0 0 255}")
	require.ErrorContains(t, pictureShows(picture(640, 480, red), red), "640 x 480 pixels")
	require.ErrorContains(t, pictureShows([]byte("GIF89a"), red), "picture: ")
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		args    []string
		problem string
	}{
		{name: "unknown operation", args: []string{"--only", "clik"}, problem: "no such operation"},
		{name: "no rounds", args: []string{"--rounds", "0"}, problem: "at least 1"},
		{name: "surplus word", args: []string{"now"}, problem: `unexpected argument "now"`},
		{
			name: "a document's table of few rounds", args: []string{"--docs", "x.md", "--rounds", "14"},
			problem: "at least 15 rounds",
		},
		{
			name: "a document's table of a part", args: []string{"--docs", "x.md", "--only", "click"},
			problem: "every operation",
		},
		{name: "no such browser", args: []string{"--browser", "/nowhere/chromium"}, problem: "--browser: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(test.args, io.Discard)
			require.ErrorContains(t, err, test.problem)
		})
	}
}

func TestSectionOfTheDocument(t *testing.T) {
	t.Parallel()
	some := func(values ...float64) stats.Series { return stats.Series{Values: values} }
	rows := []row{{
		operation: operation{title: "click"},
		sides:     []stats.Series{some(2, 4), some(1, 2), some(4, 8), {Err: io.ErrUnexpectedEOF}},
	}}
	names := []string{"tool", "engine", "chromedp", "rod"}
	m := machine{Processors: 2, Browser: "Chromium 156", Chromedp: "v1", Rod: "v2"}
	require.Equal(t, "One run (`--rounds 15`) on 2 processors, Chromium 156, with chromedp v1 and rod v2:\n\n"+
		"| Operation | tool | engine | chromedp | rod | tool to chromedp | tool to rod | engine to chromedp | "+
		"engine to rod |\n"+
		"|---|---|---|---|---|---|---|---|---|\n"+
		"| click | 3.0 ms | 1.5 ms | 6.0 ms | failed | 0.50 |  | 0.25 |  |\n", section(rows, names, m, 15))
}

func TestTurnsAreBalanced(t *testing.T) {
	t.Parallel()
	n := len(contenders())
	follows, places := map[[2]int]int{}, map[[2]int]int{}
	for round := range n {
		order := turns(n, round)
		for place, i := range order {
			places[[2]int{i, place}]++
			if place > 0 {
				follows[[2]int{order[place-1], i}]++
			}
		}
	}
	require.Len(t, places, n*n, "each has each place")
	require.Len(t, follows, n*(n-1), "each follows each other one")
}
