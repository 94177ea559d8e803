package actions

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

func screenshotCommand() Command {
	return Command{
		Name: "screenshot", Group: readingGroup, Summary: "Save a picture of the page or of an element",
		Help: "One word is a path when it ends in an image extension or contains a path separator, else a selector. Without a path the " +
			"file gets a name of its own in the screenshot folder. Paths are relative to the caller's folder; missing folders are made.\n\n" +
			"With --annotate the picture has numbered boxes; [4] is the ref @e4. Their places in the answer are in CSS pixels from the " +
			"picture's top left corner. The boxes are drawn into the picture, not into the page.",
		Args: []Arg{
			{Name: "selector", Value: "selector|path", Kind: Selector, Optional: true, Help: "The element, or the path"},
			{Name: "path", Kind: Path, Optional: true, Help: "Where to save it"},
		},
		Flags: []Flag{
			{Name: "full", Short: "f", Kind: Bool, Help: "The whole page instead of the viewport"},
			{Name: "annotate", Kind: Bool, Help: "Draw a box with its number around every element that has a ref, and list them: [4] is @e4"},
			{Name: "screenshot-dir", Kind: Path, Value: "folder", Help: "Where pictures without a path go"},
			{Name: "screenshot-format", OneOf: []string{"png", "jpeg"}, Value: "format", Help: "png, or jpeg; without it the path's extension decides"},
			{Name: "screenshot-quality", Kind: Int, Value: "0-100", Help: "Quality of a jpeg"},
		},
		Effect:   Reads,
		Examples: []Example{{Line: "screenshot page.png"}, {Line: "screenshot @e4 button.png"}, {Line: "screenshot --full"}, {Line: "screenshot --annotate page.png"}},
		Run:      runScreenshot,
	}
}

var imageExtensions = []string{".png", ".jpg", ".jpeg", ".webp"}

func runScreenshot(ctx context.Context, c *Call) (Result, error) {
	selector, path := c.String("selector"), c.String("path")
	if !c.Has("path") && looksLikePath(selector) {
		selector, path = "", selector
	}
	o := engine.ScreenshotOptions{Full: c.Bool("full"), Quality: c.Int("screenshot-quality")}
	if o.Quality < 0 || o.Quality > 100 {
		return Result{}, c.Invalid("--screenshot-quality must be 0-100, got " + itoa(o.Quality))
	}
	ext := strings.ToLower(filepath.Ext(path))
	if ext == ".webp" {
		return Result{}, c.Invalid("screenshot writes png or jpeg, got " + path)
	}
	o.JPEG = ext == ".jpg" || ext == ".jpeg"
	if c.Has("screenshot-format") {
		o.JPEG = c.String("screenshot-format") == "jpeg"
	}
	if o.Full && selector != "" {
		return Result{}, c.Invalid("--full and a selector exclude each other.")
	}
	file, err := c.artifact("screenshot", path, c.screenshotDir(), map[bool]string{true: ".jpg", false: ".png"}[o.JPEG])
	if err != nil {
		return Result{}, err
	}
	tab, err := c.page(ctx)
	if err != nil {
		return Result{}, err
	}
	if selector != "" {
		if o.Clip, err = c.elementClip(ctx, tab, selector); err != nil {
			return Result{}, err
		}
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var image []byte
	data, legend := map[string]any{}, ""
	if c.Bool("annotate") {
		var list []annotation
		if image, list, err = c.annotated(watched, tab, o); err == nil {
			data["annotations"] = list
			for _, a := range list {
				legend += "\n" + a.legend()
			}
		}
	} else {
		image, err = tab.Page.Screenshot(watched, o)
	}
	if err != nil {
		return Result{}, err
	}
	if err := file.save(image, data); err != nil {
		return Result{}, err
	}
	return Result{Data: data, Text: "✓ Screenshot saved to " + file.shown + legend}, nil
}

func looksLikePath(s string) bool {
	if s == "" || strings.HasPrefix(s, "@") || strings.HasPrefix(s, "xpath=") || strings.HasPrefix(s, "//") {
		return false
	}
	return slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(s))) && !strings.ContainsAny(s, " >#[") ||
		strings.ContainsRune(s, filepath.Separator) && !strings.ContainsAny(s, "[=")
}

// elementClip scrolls an element into view and returns its rectangle in the document.
func (c *Call) elementClip(ctx context.Context, tab *Tab, selector string) (*engine.Rect, error) {
	t, err := c.resolve(ctx, tab, selector)
	if err != nil {
		return nil, err
	}
	var moved scrolled
	if err := c.run(ctx, t, "scrollIntoView", nil, &moved); err != nil {
		return nil, err
	}
	var res readResult
	if err := c.run(ctx, t, "read", map[string]any{"what": "box"}, &res); err != nil {
		return nil, err
	}
	box, _ := res.Value.(map[string]any)
	number := func(k string) float64 { n, _ := box[k].(float64); return n }
	rect := engine.Rect{X: number("x"), Y: number("y"), Width: number("width"), Height: number("height")}
	if rect.Width <= 0 || rect.Height <= 0 {
		return nil, fault.New(fault.TargetHidden, "Element '%s' has no size, so there is no picture of it.", t.label).About(t.label)
	}
	at, err := t.frame.ToPage(ctx, engine.Point{X: rect.X, Y: rect.Y})
	if err != nil {
		return nil, err
	}
	var page struct {
		ScrollX float64 `json:"scrollX"`
		ScrollY float64 `json:"scrollY"`
	}
	if err := tab.Page.Main().Call(ctx, "info", nil, &page); err != nil {
		return nil, err
	}
	rect.X, rect.Y = at.X+page.ScrollX, at.Y+page.ScrollY
	return &rect, nil
}

// screenshotDir is where pictures without a path go.
func (c *Call) screenshotDir() string {
	if dir := c.String("screenshot-dir"); dir != "" {
		return c.path(dir)
	}
	if dir, _ := fromEnv("SCREENSHOT_DIR", c.Getenv); dir != "" {
		return c.path(dir)
	}
	return c.artifactDir("screenshots")
}
