package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
)

// operation is a row of the table.
type operation struct {
	name, title string
	fresh       bool // it opens its page itself

	// begin makes everything ready for one measurement, which is the n-th of all. Only run is measured; verify asks the
	// page for the effect.
	begin func(ctx context.Context, s *side, n int) (measurement, error)
}

type measurement struct {
	run, verify func(context.Context) error
}

// operations are in the order in which they are measured.
func operations() []operation {
	return []operation{
		{name: "open", title: "open a page", fresh: true, begin: beginOpen},
		{name: "text", title: "text of an element", begin: beginText},
		{name: "click", title: "click, the page changes", begin: beginClick("#save")},
		{name: "click-quiet", title: "click, nothing is to be seen", begin: beginClick("#keep")},
		{name: "fill", title: "fill", begin: beginFill},
		{name: "eval", title: "eval", begin: beginEval},
		{name: "screenshot", title: "screenshot", begin: beginScreenshot},
	}
}

// seen is what the page reports.
type seen struct {
	Name          string
	Loaded        bool
	Clicks        int
	Trusted       int // clicks that came from the browser, not from a script
	Heard         string
	Note          string
	Width, Height int
	Ratio         float64
}

// ask reads the page's report.
func ask(ctx context.Context, s *side) (seen, error) {
	text, err := s.eval(ctx, "report()")
	if err != nil {
		return seen{}, err
	}
	var got seen
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return got, fmt.Errorf("report of the page: %w", err)
	}
	if got.Name != s.page.name {
		return got, fmt.Errorf("the page reports %s, expected %s", got.Name, s.page.name)
	}
	return got, nil
}

func beginOpen(_ context.Context, s *side, _ int) (measurement, error) {
	return measurement{
		run: func(ctx context.Context) error { return s.open(ctx, s.page.url) },
		verify: func(ctx context.Context) error {
			got, err := ask(ctx, s)
			if err != nil {
				return err
			}
			if !got.Loaded || got.Width != viewWidth || got.Height != viewHeight || got.Ratio != 1 {
				return fmt.Errorf("loaded: %t, a viewport of %d x %d at %g; expected a loaded page of %d x %d at 1",
					got.Loaded, got.Width, got.Height, got.Ratio, viewWidth, viewHeight)
			}
			return nil
		},
	}, nil
}

func beginText(ctx context.Context, s *side, n int) (measurement, error) {
	expected := fmt.Sprintf("Orders of day %d", n)
	if _, err := s.eval(ctx, fmt.Sprintf("document.querySelector('#title').textContent = %q", expected)); err != nil {
		return measurement{}, err
	}
	var got string
	return measurement{
		run: func(ctx context.Context) (err error) {
			got, err = s.text(ctx, "#title")
			return err
		},
		verify: func(context.Context) error { return same("text", got, expected) },
	}, nil
}

func beginClick(selector string) func(context.Context, *side, int) (measurement, error) {
	return func(_ context.Context, s *side, _ int) (measurement, error) {
		return measurement{
			run: func(ctx context.Context) error {
				s.page.clicks++
				return s.click(ctx, selector)
			},
			verify: func(ctx context.Context) error {
				got, err := ask(ctx, s)
				if err != nil {
					return err
				}
				if got.Clicks != s.page.clicks || got.Trusted != s.page.clicks {
					return fmt.Errorf("the page saw %d clicks, %d of them real, after %d", got.Clicks, got.Trusted, s.page.clicks)
				}
				return nil
			},
		}, nil
	}
}

func beginFill(_ context.Context, s *side, n int) (measurement, error) {
	text := fmt.Sprintf("Text number %d", n)
	return measurement{
		run: func(ctx context.Context) error { return s.fill(ctx, "#note", text) },
		verify: func(ctx context.Context) error {
			got, err := ask(ctx, s)
			if err != nil {
				return err
			}
			if err := same("value of the field", got.Note, text); err != nil {
				return err
			}
			return same("value at the field's input event", got.Heard, text)
		},
	}, nil
}

// beginEval has the page add two numbers: only the page knows the name, and only who adds knows the sum.
func beginEval(_ context.Context, s *side, n int) (measurement, error) {
	expected := fmt.Sprintf("%s %d", s.page.name, 1_000_000+n)
	var got string
	return measurement{
		run: func(ctx context.Context) (err error) {
			got, err = s.eval(ctx, fmt.Sprintf("`${pageName} ${1000000 + %d}`", n))
			return err
		},
		verify: func(context.Context) error { return same("result", got, expected) },
	}, nil
}

// beginScreenshot gives the page another color each time, which the picture has to show in its last pixel.
func beginScreenshot(ctx context.Context, s *side, n int) (measurement, error) {
	expected := color.RGBA{R: uint8(n*37%200 + 20), G: uint8(n*59%200 + 20), B: uint8(n*83%200 + 20), A: 255}
	paint := fmt.Sprintf("document.body.style.background = 'rgb(%d, %d, %d)'", expected.R, expected.G, expected.B)
	if _, err := s.eval(ctx, paint); err != nil {
		return measurement{}, err
	}
	var got []byte
	return measurement{
		run: func(ctx context.Context) (err error) {
			got, err = s.screenshot(ctx)
			return err
		},
		verify: func(context.Context) error { return pictureShows(got, expected) },
	}, nil
}

// pictureShows checks the format and the size of a picture of the viewport, and its last pixel.
func pictureShows(file []byte, expected color.RGBA) error {
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	if size := picture.Bounds().Size(); size.X != viewWidth || size.Y != viewHeight {
		return fmt.Errorf("the picture has %d x %d pixels, expected %d x %d", size.X, size.Y, viewWidth, viewHeight)
	}
	if got := color.RGBAModel.Convert(picture.At(viewWidth-1, viewHeight-1)); got != expected {
		return fmt.Errorf("the picture shows the color %v, expected %v", got, expected)
	}
	return nil
}

func same(what, got, expected string) error {
	if got != expected {
		return fmt.Errorf("%s: %q, expected %q", what, got, expected)
	}
	return nil
}
