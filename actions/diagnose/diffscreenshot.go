package diagnose

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"

	"github.com/skua-browser/skua/actions"
	captures "github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pixels"
)

func runDiffScreenshot(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Has("baseline") {
		return actions.Result{}, c.Missing("baseline")
	}
	if err := checkThreshold(c); err != nil {
		return actions.Result{}, err
	}
	if c.Bool("full") && c.Has("selector") {
		return actions.Result{}, c.Invalid("--full and --selector exclude each other.")
	}
	raw, err := readBaseline(ctx, c, c.String("baseline"))
	if err != nil {
		return actions.Result{}, err
	}
	before, err := pixels.Decode(raw)
	if err != nil {
		return actions.Result{}, fault.New(fault.File, "Failed to decode baseline image %s: %w", c.String("baseline"), err).
			About(c.Path(c.String("baseline"))).WithHint("Give a png, jpeg or webp, such as `screenshot before.png` saves.")
	}
	file, err := diffImage(c)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	after, err := picture(watched, c, tab)
	if err != nil {
		return actions.Result{}, err
	}
	data, text, err := diffPictures(c, before, after, file)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: data, Text: text, Failed: c.Bool("exit-code") && !data.Match}, nil
}

func checkThreshold(c *actions.Call) error {
	if t := c.Float("threshold"); t < 0 || t > 1 {
		return c.Invalid(fmt.Sprintf("Threshold must be between 0 and 1, got %g", t))
	}
	return nil
}

// diffImage is where the picture of the differences goes, nil when none is wanted.
func diffImage(c *actions.Call) (*files.Artifact, error) {
	if !c.Has("output") {
		return nil, nil
	}
	return files.NewArtifact(c, "diff image", c.String("output"), "", ".png")
}

// picture takes the picture that --full and --selector ask for.
func picture(ctx context.Context, c *actions.Call, tab *actions.Tab) (image.Image, error) {
	o := capture.ScreenshotOptions{Full: c.Bool("full")}
	if sel := c.String("selector"); sel != "" {
		clip, err := captures.ElementClip(ctx, c, tab, sel)
		if err != nil {
			return nil, err
		}
		o.Clip = clip
	}
	return captures.Decoded(ctx, c, tab, o)
}

// diffPictures compares two pictures, saves where they differ, and describes it in data and in words.
func diffPictures(
	c *actions.Call, before, after image.Image, file *files.Artifact,
) (data PictureDiff, text string, err error) {
	threshold := c.Float("threshold")
	was, is := before.Bounds().Size(), after.Bounds().Size()
	var where *image.NRGBA
	if file == nil {
		data.DifferentPixels, data.TotalPixels = pixels.Differing(before, after, threshold)
	} else {
		data.DifferentPixels, data.TotalPixels, where = pixels.Compare(before, after, threshold)
	}
	data.Match = data.DifferentPixels == 0 && was == is
	if data.TotalPixels > 0 {
		data.MismatchPercentage = 100 * float64(data.DifferentPixels) / float64(data.TotalPixels)
	}
	text = "✓ Images match (0% difference)"
	if !data.Match {
		text = "✗ " + percentText(data.MismatchPercentage) + "% pixels differ"
	}
	if was != is {
		data.DimensionMismatch = &SizeMismatch{
			Expected: PictureSize{Width: was.X, Height: was.Y},
			Actual:   PictureSize{Width: is.X, Height: is.Y},
		}
		text += fmt.Sprintf("\n  Sizes differ: %dx%d before, %dx%d now", was.X, was.Y, is.X, is.Y)
	}
	if file != nil { // of equal pictures, too: the caller asked for it
		var b bytes.Buffer
		if err := png.Encode(&b, where); err != nil {
			return data, "", file.Failed(err)
		}
		if err := file.Write(b.Bytes()); err != nil {
			return data, "", err
		}
		saved, err := file.Saved()
		if err != nil {
			return data, "", err
		}
		data.SavedFile, data.DiffPath = &saved, &saved.Path
		text += "\n  Diff image: " + file.Shown
	}
	return data, text + fmt.Sprintf("\n  %d different / %d total pixels", data.DifferentPixels, data.TotalPixels), nil
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
