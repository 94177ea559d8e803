package actions

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // baselines may be of these kinds
	"image/png"

	_ "golang.org/x/image/webp"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/pixels"
)

func runDiffScreenshot(ctx context.Context, c *Call) (Result, error) {
	if !c.Has("baseline") {
		return Result{}, c.Missing("baseline")
	}
	if err := c.checkThreshold(); err != nil {
		return Result{}, err
	}
	if c.Bool("full") && c.Has("selector") {
		return Result{}, c.Invalid("--full and --selector exclude each other.")
	}
	raw, err := c.readBaseline(c.String("baseline"))
	if err != nil {
		return Result{}, err
	}
	before, err := decodePicture(raw)
	if err != nil {
		return Result{}, fault.New(fault.File, "Failed to decode baseline image %s: %w", c.String("baseline"), err).
			About(c.Path(c.String("baseline"))).WithHint("Give a png, jpeg or webp, such as `screenshot before.png` saves.")
	}
	file, err := c.diffImage()
	if err != nil {
		return Result{}, err
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	after, err := c.picture(watched, tab)
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{}
	text, same, err := c.diffPictures(before, after, file, data)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: data, Text: text, Failed: c.Bool("exit-code") && !same}, nil
}

func (c *Call) checkThreshold() error {
	if t := c.Float("threshold"); t < 0 || t > 1 {
		return c.Invalid(fmt.Sprintf("Threshold must be between 0 and 1, got %g", t))
	}
	return nil
}

// diffImage is where the picture of the differences goes, nil when none is wanted.
func (c *Call) diffImage() (*Artifact, error) {
	if !c.Has("output") {
		return nil, nil
	}
	return c.Artifact("diff image", c.String("output"), "", ".png")
}

// picture takes the picture that --full and --selector ask for.
func (c *Call) picture(ctx context.Context, tab *Tab) (image.Image, error) {
	o := engine.ScreenshotOptions{Full: c.Bool("full")}
	if sel := c.String("selector"); sel != "" {
		clip, err := c.elementClip(ctx, tab, sel)
		if err != nil {
			return nil, err
		}
		o.Clip = clip
	}
	raw, err := tab.Page.Screenshot(ctx, o)
	if err != nil {
		return nil, err
	}
	return decodePicture(raw)
}

// maxPicture is how many pixels a picture may have: what a file says of its size is not to be believed.
const maxPicture = 400_000_000

func decodePicture(raw []byte) (image.Image, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	if config.Width*config.Height > maxPicture {
		return nil, fmt.Errorf("%d by %d pixels are too many", config.Width, config.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	return img, err
}

// diffPictures compares two pictures, saves where they differ, and describes it in data and in words.
func (c *Call) diffPictures(before, after image.Image, file *Artifact, data map[string]any) (text string, same bool, err error) {
	threshold := c.Float("threshold")
	was, is := before.Bounds().Size(), after.Bounds().Size()
	differing, total := 0, 0
	var where *image.NRGBA
	if file == nil {
		differing, total = pixels.Differing(before, after, threshold)
	} else {
		differing, total, where = pixels.Compare(before, after, threshold)
	}
	same = differing == 0 && was == is
	percent := 0.0
	if total > 0 {
		percent = 100 * float64(differing) / float64(total)
	}
	data["match"], data["differentPixels"], data["totalPixels"], data["mismatchPercentage"] = same, differing, total, percent
	data["dimensionMismatch"], data["diffPath"] = nil, nil
	text = "✓ Images match (0% difference)"
	if !same {
		text = "✗ " + percentText(percent) + "% pixels differ"
	}
	if was != is {
		size := func(p image.Point) map[string]any { return map[string]any{"width": p.X, "height": p.Y} }
		data["dimensionMismatch"] = map[string]any{"expected": size(was), "actual": size(is)}
		text += fmt.Sprintf("\n  Sizes differ: %dx%d before, %dx%d now", was.X, was.Y, is.X, is.Y)
	}
	if !same && file != nil {
		var b bytes.Buffer
		if err := png.Encode(&b, where); err != nil {
			return "", false, file.Failed(err)
		}
		if err := file.Save(b.Bytes(), data); err != nil {
			return "", false, err
		}
		data["diffPath"] = data["path"]
		text += "\n  Diff image: " + file.Shown
	}
	return text + fmt.Sprintf("\n  %d different / %d total pixels", differing, total), same, nil
}

// percentText has two digits behind the point, or as many as it takes to be more than 0.
func percentText(p float64) string {
	for digits := 2; digits < 8; digits++ {
		if s := fmt.Sprintf("%.*f", digits, p); p == 0 || s != fmt.Sprintf("%.*f", digits, 0.0) {
			return s
		}
	}
	return fmt.Sprintf("%g", p)
}
