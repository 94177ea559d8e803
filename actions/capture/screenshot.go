package capture

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/home"
)

func screenshotCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name: "screenshot",
			Synonyms: []string{
				"take-screenshot", "capture",
				"screencap",
			},
			Group:   actions.GroupReading,
			Summary: "Save a picture of the page or of an element",
			Help: "One word is a path when it ends in an image extension or contains a path separator, else a selector. " +
				"Without a path the file gets a " +
				"generated name in the screenshot folder. Paths are relative to the caller's folder; missing folders are " +
				"created.\n\n" +
				"The reply says what the picture shows, its size in pixels, how many of them a CSS pixel has (scale), " +
				"and its id: " +
				"`click --at 640,300 --shot s3` clicks a point of it, as long as the page is still as pictured.\n\n" +
				"With --annotate the picture has numbered boxes; [4] is the ref @e4. The reply lists the position and size of " +
				"each box in pixels of the " +
				"picture; with --json, `box` is in CSS pixels, and `pixels` is added if the picture's pixels differ. The boxes " +
				"are drawn into the picture, " +
				"not into the page.\n\n" +
				"--full with a selector takes the whole content of a box that scrolls, or of a frame: it is scrolled from part " +
				"to part and put back. What sticks to its " +
				"edges is in the picture once. Without a selector, the reply names the boxes that scroll by themselves, and how " +
				"much of them is not in the picture.\n\n" +
				"With --if-changed nothing is saved when the picture equals this tab's last one with the same options.\n\n" +
				"A png holds a page of any height, a jpeg up to 65,535 pixels, a webp up to 16,383. The page is not scrolled, so " +
				"fixed and sticky elements are " +
				"in the picture once.",
			Args: []actions.Arg{
				{
					Name:     "selector",
					Value:    "selector|path",
					Kind:     actions.Selector,
					Optional: true,
					Help:     "The element, or the path",
				},
				{Name: "path", Kind: actions.Path, Optional: true, Help: "Where to save it"},
			},
			Flags: []actions.Flag{
				{
					Name:  "full",
					Short: "f",
					Kind:  actions.Bool,
					Help:  "The whole page instead of the viewport, or the whole content of the selector's box",
				},
				{Name: "clip", Value: "x,y,width,height", Help: "A part of the page, in CSS pixels from its top left corner"},
				{
					Name: "annotate",
					Kind: actions.Bool,
					Help: "Draw a box with its number around every element that has a ref, and list them: [4] is @e4",
				},
				{Name: "if-changed", Kind: actions.Bool, Help: "Save nothing when the picture is the same as last time"},
				{
					Name:  "threshold",
					Kind:  actions.Number,
					Value: "0-1",
					Help:  "The share of pixels that may differ; implies --if-changed",
				},
				{
					Name:  "hide",
					Kind:  actions.List,
					Value: "selector",
					Split: func(v string) []string { return []string{v} },
					Help:  "Hide the elements that match; their space stays empty",
				},
				{
					Name:  "scale",
					Value: "css|device|n",
					Help: "Pixels of the picture for each CSS pixel: css is one, device is as many as the screen has (the " +
						"default), or a number",
				},
				{
					Name: "omit-background",
					Kind: actions.Bool,
					Help: "Make the background transparent where the page paints none, instead of white (png, webp)",
				},
				{Name: "screenshot-dir", Kind: actions.Path, Value: "path", Help: "The folder for pictures without a path"},
				{
					Name: "screenshot-format", OneOf: []string{"png", "jpeg", "jpg", "webp"}, Value: "fmt",
					Help: "png, jpeg or webp; without it the path's extension decides",
				},
				{Name: "screenshot-quality", Kind: actions.Int, Value: "0-100", Help: "Quality of a jpeg or webp"},
			},
			Examples: []actions.Example{
				{Line: "screenshot page.png"},
				{Line: "screenshot @e4 button.png"},
				{Line: "screenshot --full"},
				{Line: "screenshot --full '#messages'", Note: "all that is in a box that scrolls"},
				{Line: "screenshot --annotate page.png"},
				{Line: "screenshot --if-changed", Note: "a picture only when something changed"},
				{Line: "screenshot --clip 0,0,400,300 --hide .cookie-banner --hide '#chat' corner.webp"},
			},
			Upstream: []string{
				"screenshot [path]", "screenshot [selector] [path]", "screenshot --screenshot-quality <n>",
				"screenshot --full, -f",
			},
		},
		Schedule: actions.Schedule{Effect: actions.Reads},
		Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
		Showing:  actions.Showing{Traits: trait.Summarized, Writes: &trait.Output{Kind: trait.Image, Arg: "path"}},
		Bindings: actions.Bindings{
			Data:  []any{ScreenshotResult{}},
			Value: &actions.Value{Method: "screenshot bytes", Member: "path", File: true},
			Tools: []actions.AgentTool{{
				Name:     "browser_screenshot",
				Title:    "Screenshot",
				About:    "A picture of what is in view, of the whole page, or of an element.",
				ReadOnly: true,
				Params:   []actions.Param{{Name: "full"}, {Name: "selector"}, {Name: "path", About: "where to save it"}},
			}},
		},
		Run: runScreenshot,
	}
}

var imageExtensions = []string{".png", ".jpg", ".jpeg", ".webp"}

// Shot is a requested screenshot.
type Shot struct {
	capture.ScreenshotOptions
	selector  string
	File      *files.Artifact
	annotate  bool
	ifChanged bool
	threshold float64

	whole    bool          // the whole page was asked for
	inner    *innerBoxes   // where to look for what is not in the picture; nil means nowhere, except for the whole page
	unrolled *Pictured     // the whole content of a box, whose points cannot be acted on
	shot     *element.Shot // what the page remembers of it, or nil
	unseen   error         // why it remembers nothing
}

func runScreenshot(ctx context.Context, c *actions.Call) (actions.Result, error) {
	s, err := shot(c)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	reveal, err := hide(watched, c, tab, c.Strings("hide"))
	defer reveal()
	if err != nil {
		return actions.Result{}, err
	}
	if s.selector != "" {
		box := &content{tab: tab}
		defer box.rollUp(watched, c)
		if err := s.aim(watched, c, tab, box); err != nil {
			return actions.Result{}, err
		}
		if s.Clip == nil && !s.whole {
			return saveContent(watched, c, tab, s, box)
		}
	}
	tall, err := Measure(watched, c, tab, s)
	if err != nil {
		return actions.Result{}, err
	}
	if tall != nil {
		return saveTall(watched, c, tab, s, tall)
	}
	var image []byte
	var list []annotation
	if s.annotate {
		image, list, err = annotated(watched, c, tab, s)
	} else {
		image, err = s.depicted(watched, c, tab, s.ScreenshotOptions)
	}
	if err != nil {
		return actions.Result{}, err
	}
	var data ScreenshotResult
	if s.ifChanged {
		var unchanged string
		data.Comparison, unchanged, err = compareWithLast(c, tab, s, image)
		if err != nil || unchanged != "" {
			return actions.Result{Data: data, Text: unchanged}, err
		}
	}
	file, err := s.File.Save(image)
	if err != nil {
		return actions.Result{}, err
	}
	return s.saved(watched, c, tab, data, file, list), nil
}

// aim finds what the selector names: its place, or with --full its content, unless it is the page or has nothing that
// scrolls.
func (s *Shot) aim(ctx context.Context, c *actions.Call, tab *actions.Tab, box *content) error {
	if s.Full {
		t, err := element.Resolve(ctx, c, tab, s.selector)
		if err != nil {
			return err
		}
		if err := box.unroll(ctx, c, t); err != nil {
			return err
		}
		if s.whole, s.Full = box.whole, box.whole; s.whole {
			return nil
		}
		if !box.plain {
			return nil
		}
		s.inner = box.inner()
	}
	var err error
	s.Clip, err = ElementClip(ctx, c, tab, s.selector)
	return err
}

// saved is the reply for a picture that is in its file.
func (s *Shot) saved(
	ctx context.Context, c *actions.Call, tab *actions.Tab, data ScreenshotResult, file files.SavedFile, list []annotation,
) actions.Result {
	file.Type = "image/" + string(s.Format)
	data.SavedFile = &file
	if data.Pictured = s.unrolled; data.Pictured == nil {
		data.Pictured = s.pictured(c, tab)
	}
	if s.inner == nil && s.whole {
		s.inner = &innerBoxes{what: "the page"}
	}
	if s.inner != nil {
		data.Unseen = s.inner.tell(ctx, c, tab)
	}
	var text strings.Builder
	text.WriteString("✓ Screenshot saved to " + s.File.Shown)
	if data.Pictured != nil && !c.DropIn() {
		text.WriteString("\n" + data.text(s.selector))
	}
	if s.annotate {
		if list == nil {
			list = []annotation{}
		}
		data.Annotations = list
	}
	for _, a := range list {
		text.WriteString("\n" + a.legend(c.DropIn()))
	}
	return actions.Result{Data: data, Text: text.String()}
}

// shot reads what the caller wants.
func shot(c *actions.Call) (*Shot, error) {
	s := &Shot{
		selector:  c.String("selector"),
		annotate:  annotates(c),
		ifChanged: c.Bool("if-changed") || c.Has("threshold"),
	}
	path := c.String("path")
	if !c.Has("path") && LooksLikePath(s.selector) {
		s.selector, path = "", s.selector
	}
	if err := ShotFormat(c, s, path); err != nil {
		return nil, err
	}
	if err := shotPart(c, s); err != nil {
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
	s.File, err = files.NewArtifact(c, "screenshot", path, ScreenshotDir(c), ext)
	return s, err
}

// ShotFormat returns the picture's format: that of the flag, else of the path's extension, else of the environment.
func ShotFormat(c *actions.Call, s *Shot, path string) error {
	s.Format = capture.PNG
	format, from := c.String("screenshot-format"), "--screenshot-format"
	if format == "" {
		if ext := strings.ToLower(filepath.Ext(path)); slices.Contains(imageExtensions, ext) {
			format = ext[1:]
		} else {
			format, from = grammar.FromEnv("SCREENSHOT_FORMAT", c.Getenv)
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
		if quality, from = grammar.FromEnv("SCREENSHOT_QUALITY", c.Getenv); quality == "" {
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
		return c.Invalid("A jpeg cannot be transparent; --omit-background takes a png or webp.")
	case s.annotate && s.Format == capture.WebP:
		return c.Invalid("--annotate writes png or jpeg, got webp.")
	}
	return nil
}

// LooksLikePath reports whether a word is a path of a picture and not a selector: it has a separator or the extension
// of an image.
func LooksLikePath(s string) bool {
	if s == "" || strings.HasPrefix(s, "@") || strings.HasPrefix(s, "xpath=") || strings.HasPrefix(s, "//") {
		return false
	}
	return slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(s))) && !strings.ContainsAny(s, " >#[") ||
		strings.ContainsRune(s, filepath.Separator) && !strings.ContainsAny(s, "[=")
}

// ScreenshotDir is where pictures without a path go.
func ScreenshotDir(c *actions.Call) string {
	if dir := c.String("screenshot-dir"); dir != "" {
		return c.Path(dir)
	}
	if dir, _ := grammar.FromEnv("SCREENSHOT_DIR", c.Getenv); dir != "" {
		return c.Path(dir)
	}
	return files.ArtifactDir(c, home.Screenshots)
}

// annotates reads --annotate, and AGENT_BROWSER_ANNOTATE when it is not given.
func annotates(c *actions.Call) bool {
	if c.Has("annotate") {
		return c.Bool("annotate")
	}
	given, _ := grammar.FromEnv("ANNOTATE", c.Getenv)
	yes, err := grammar.ParseBool(given)
	return err == nil && yes
}
