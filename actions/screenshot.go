package actions

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/policy"
)

func screenshotCommand() Command {
	return Command{
		Name:     "screenshot",
		Upstream: []string{"screenshot [path]", "screenshot [selector] [path]", "screenshot --screenshot-quality <n>"},
		Group:    GroupReading, Summary: "Save a picture of the page or of an element",
		Help: "One word is a path when it ends in an image extension or contains a path separator, else a selector. Without a path the " +
			"file gets a name of its own in the screenshot folder. Paths are relative to the caller's folder; missing folders are made.\n\n" +
			"With --annotate the picture has numbered boxes; [4] is the ref @e4. Their places in the answer are in CSS pixels from the " +
			"picture's top left corner. The boxes are drawn into the picture, not into the page.\n\n" +
			"With --if-changed nothing is saved when the picture is what the last one with the same options was in this tab.\n\n" +
			"A page of any height fits into a png, of 65,535 pixels into a jpeg, of 16,383 into a webp. The page is not scrolled, so that " +
			"what sticks to the screen is in the picture once.",
		Args: []Arg{
			{Name: "selector", Value: "selector|path", Kind: Selector, Optional: true, Help: "The element, or the path"},
			{Name: "path", Kind: Path, Optional: true, Help: "Where to save it"},
		},
		Flags: []Flag{
			{Name: "full", Short: "f", Kind: Bool, Help: "The whole page instead of the viewport"},
			{Name: "clip", Value: "x,y,width,height", Help: "A part of the page, in CSS pixels from its top left corner"},
			{Name: "annotate", Kind: Bool, Help: "Draw a box with its number around every element that has a ref, and list them: [4] is @e4"},
			{Name: "if-changed", Kind: Bool, Help: "Save nothing when it is the same picture as the last time"},
			{Name: "threshold", Kind: Number, Value: "0-1", Help: "What part of the pixels may change without counting; implies --if-changed"},
			{
				Name: "hide", Kind: List, Value: "selector", Split: func(v string) []string { return []string{v} },
				Help: "Leave out what matches; it keeps its place. Repeatable",
			},
			{Name: "scale", Value: "css|device|n", Help: "Pixels of the picture for each CSS pixel: one, as many as the screen has (the default), or a number"},
			{Name: "omit-background", Kind: Bool, Help: "What the page leaves unpainted is transparent, and not white (png, webp)"},
			{Name: "screenshot-dir", Kind: Path, Value: "path", Help: "Where pictures without a path go"},
			{
				Name: "screenshot-format", OneOf: []string{"png", "jpeg", "jpg", "webp"}, Value: "fmt",
				Help: "png, jpeg or webp; without it the path's extension decides",
			},
			{Name: "screenshot-quality", Kind: Int, Value: "0-100", Help: "Quality of a jpeg or webp"},
		},
		Effect: Reads, Traits: trait.Photographs | trait.HasPicture | trait.Summarized, Writes: &trait.Output{Kind: trait.Image},
		Examples: []Example{
			{Line: "screenshot page.png"},
			{Line: "screenshot @e4 button.png"},
			{Line: "screenshot --full"},
			{Line: "screenshot --annotate page.png"},
			{Line: "screenshot --if-changed", Note: "a picture only when there is something new to see"},
			{Line: "screenshot --clip 0,0,400,300 --hide .cookie-banner --hide '#chat' corner.webp"},
		},
		Run:    runScreenshot,
		Policy: Policy{Families: policy.Does(policy.WritesFiles)},
	}
}

var imageExtensions = []string{".png", ".jpg", ".jpeg", ".webp"}

// shot is a picture that the caller wants.
type shot struct {
	capture.ScreenshotOptions
	selector  string
	file      *Artifact
	annotate  bool
	ifChanged bool
	threshold float64
}

func runScreenshot(ctx context.Context, c *Call) (Result, error) {
	s, err := c.shot()
	if err != nil {
		return Result{}, err
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	reveal, err := c.hide(watched, tab, c.Strings("hide"))
	defer reveal()
	if err != nil {
		return Result{}, err
	}
	if s.selector != "" {
		if s.Clip, err = c.ElementClip(watched, tab, s.selector); err != nil {
			return Result{}, err
		}
	}
	tall, err := c.measure(watched, tab, s)
	if err != nil {
		return Result{}, err
	}
	if tall != nil {
		return c.saveTall(watched, tab, s, tall)
	}
	var image []byte
	var list []annotation
	if s.annotate {
		image, list, err = c.annotated(watched, tab, s.ScreenshotOptions)
	} else {
		image, err = capture.Screenshot(watched, tab.Page, s.ScreenshotOptions)
	}
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{}
	if s.ifChanged {
		unchanged, err := c.compareWithLast(tab, s, image, data)
		if err != nil || unchanged != "" {
			return Result{Data: data, Text: unchanged}, err
		}
	}
	if err := s.file.Save(image, data); err != nil {
		return Result{}, err
	}
	return s.saved(data, list), nil
}

// saved is the reply for a picture that is in its file.
func (s *shot) saved(data map[string]any, list []annotation) Result {
	data["type"] = "image/" + string(s.Format)
	var text strings.Builder
	text.WriteString("✓ Screenshot saved to " + s.file.Shown)
	if s.annotate {
		if list == nil {
			list = []annotation{}
		}
		data["annotations"] = list
	}
	for _, a := range list {
		text.WriteString("\n" + a.legend())
	}
	return Result{Data: data, Text: text.String()}
}

// shot reads what the caller wants.
func (c *Call) shot() (*shot, error) {
	s := &shot{selector: c.String("selector"), annotate: c.annotates(), ifChanged: c.Bool("if-changed") || c.Has("threshold")}
	path := c.String("path")
	if !c.Has("path") && looksLikePath(s.selector) {
		s.selector, path = "", s.selector
	}
	if err := c.shotFormat(s, path); err != nil {
		return nil, err
	}
	if err := c.shotPart(s); err != nil {
		return nil, err
	}
	if s.threshold = c.Float("threshold"); s.threshold < 0 || s.threshold > 1 {
		return nil, c.Invalid("--threshold must be from 0 to 1, got '" + strconv.FormatFloat(s.threshold, 'g', -1, 64) + "'")
	}
	ext := "." + string(s.Format)
	if s.Format == capture.JPEG {
		ext = ".jpg"
	}
	var err error
	s.file, err = c.Artifact("screenshot", path, c.screenshotDir(), ext)
	return s, err
}

// shotFormat reads how the picture is to be encoded: as the flag says, else the path's extension, else the environment.
func (c *Call) shotFormat(s *shot, path string) error {
	s.Format = capture.PNG
	format, from := c.String("screenshot-format"), "--screenshot-format"
	if format == "" {
		if ext := strings.ToLower(filepath.Ext(path)); slices.Contains(imageExtensions, ext) {
			format = ext[1:]
		} else {
			format, from = FromEnv("SCREENSHOT_FORMAT", c.Getenv)
		}
	}
	switch format {
	case "", "png":
	case "jpeg", "jpg":
		s.Format = capture.JPEG
	case "webp":
		s.Format = capture.WebP
	default:
		return c.Invalid(from + " must be png, jpeg or webp, got '" + format + "'")
	}
	quality, from := strconv.Itoa(c.Int("screenshot-quality")), "--screenshot-quality"
	if !c.Has("screenshot-quality") {
		if quality, from = FromEnv("SCREENSHOT_QUALITY", c.Getenv); quality == "" {
			quality = "-"
		}
	}
	if quality != "-" {
		n, err := strconv.Atoi(quality)
		if err != nil || n < 0 || n > 100 {
			return c.Invalid(from + " must be 0-100, got " + quality)
		}
		s.Quality = max(1, n) // 0 says nothing to the engine, and looks like 1
	}
	s.Clear = c.Bool("omit-background")
	switch {
	case s.Clear && s.Format == capture.JPEG:
		return c.Invalid("A jpeg has no transparent parts, so that --omit-background takes a png or webp.")
	case s.annotate && s.Format == capture.WebP:
		return c.Invalid("--annotate writes png or jpeg, got webp.")
	}
	return nil
}

func looksLikePath(s string) bool {
	if s == "" || strings.HasPrefix(s, "@") || strings.HasPrefix(s, "xpath=") || strings.HasPrefix(s, "//") {
		return false
	}
	return slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(s))) && !strings.ContainsAny(s, " >#[") ||
		strings.ContainsRune(s, filepath.Separator) && !strings.ContainsAny(s, "[=")
}

// screenshotDir is where pictures without a path go.
func (c *Call) screenshotDir() string {
	if dir := c.String("screenshot-dir"); dir != "" {
		return c.Path(dir)
	}
	if dir, _ := FromEnv("SCREENSHOT_DIR", c.Getenv); dir != "" {
		return c.Path(dir)
	}
	return c.ArtifactDir("screenshots")
}

// annotates reads --annotate, and AGENT_BROWSER_ANNOTATE when it is not given.
func (c *Call) annotates() bool {
	if c.Has("annotate") {
		return c.Bool("annotate")
	}
	given, _ := FromEnv("ANNOTATE", c.Getenv)
	yes, err := ParseBool(given)
	return err == nil && yes
}
