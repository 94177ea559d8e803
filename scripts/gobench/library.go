package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Every page has this size, and one pixel of the screen for each CSS pixel.
const (
	viewWidth  = 1280
	viewHeight = 720
)

// library is one way to drive a page from Go. Each method is what that library's documentation shows for the purpose.
type library interface {
	open(ctx context.Context, url string) error                // returns after the page's load event
	text(ctx context.Context, selector string) (string, error) // what the first element shows
	click(ctx context.Context, selector string) error
	fill(ctx context.Context, selector, text string) error // replaces what the field has
	eval(ctx context.Context, expression string) (string, error)
	screenshot(ctx context.Context) ([]byte, error) // the viewport, as PNG
	close(ctx context.Context) error                // ends the browser
}

// setup is what a library starts with.
type setup struct {
	browser string // the executable
	dir     string // an empty folder
}

// contender is a library by name. start launches its browser with one page.
type contender struct {
	name  string
	start func(context.Context, setup) (library, error)
}

// ours are the contenders that others are compared with; they come first among the contenders.
const ours = 2

func contenders() []contender {
	return []contender{
		{name: "skua tool", start: startTool},
		{name: "skua engine", start: startEngine},
		{name: "chromedp", start: startChromedp},
		{name: "rod", start: startRod},
	}
}

// side is a contender that runs.
type side struct {
	contender
	library
	page *page // the one that it works on
}

// startSides starts the contenders. end ends those that were started, and works in every case.
func startSides(
	ctx context.Context, all []contender, browser, root string,
) (sides []*side, end func(context.Context) error, err error) {
	end = func(ctx context.Context) error {
		var failed error
		for _, s := range sides {
			if err := s.close(ctx); err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s: close: %w", s.name, err))
			}
		}
		return failed
	}
	for i, c := range all {
		dir := filepath.Join(root, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return sides, end, err
		}
		lib, err := c.start(ctx, setup{browser: browser, dir: dir})
		if err != nil {
			return sides, end, fmt.Errorf("%s: start: %w", c.name, err)
		}
		sides = append(sides, &side{contender: c, library: lib})
	}
	return sides, end, nil
}
