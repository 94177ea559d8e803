package pixels

import (
	"bytes"
	"image"
	"image/color"
)

// DefaultThreshold is how far two colors may be apart and still count as one, from 0 (nothing) to 1 (everything).
const DefaultThreshold = 0.1

var (
	differingColor = color.NRGBA{R: 255, A: 255}
	smoothedColor  = color.NRGBA{R: 255, G: 255, A: 255}
)

// Compare returns in how many of total pixels two pictures differ, and a picture of where: differing pixels red,
// smoothed edges that do not count yellow, the rest pale grey. What only one of the pictures has differs; total is the
// area that holds both.
func Compare(a, b image.Image, threshold float64) (differing, total int, diff *image.NRGBA) {
	c := newComparison(a, b, threshold)
	c.diff = image.NewNRGBA(image.Rect(0, 0, c.width, c.height))
	return c.run(), c.width * c.height, c.diff
}

// Differing is Compare without its picture, and with nearly no cost when the two are equal.
func Differing(a, b image.Image, threshold float64) (differing, total int) {
	c := newComparison(a, b, threshold)
	return c.run(), c.width * c.height
}

type comparison struct {
	a, b          *image.NRGBA
	width, height int
	limit         float64 // of a color delta
	diff          *image.NRGBA
}

func newComparison(a, b image.Image, threshold float64) *comparison {
	c := &comparison{a: straight(a), b: straight(b), limit: maxDelta * threshold * threshold}
	c.width, c.height = max(c.a.Rect.Dx(), c.b.Rect.Dx()), max(c.a.Rect.Dy(), c.b.Rect.Dy())
	return c
}

func (c *comparison) run() (differing int) {
	both := c.a.Rect.Intersect(c.b.Rect)
	for y := range c.height {
		if c.diff == nil && y < both.Dy() && both.Dx() == c.width && bytes.Equal(row(c.a, y), row(c.b, y)) {
			continue
		}
		for x := range c.width {
			if !(image.Point{X: x, Y: y}).In(both) {
				differing++
				c.mark(x, y, differingColor)
				continue
			}
			delta := colorDelta(pixel(c.a, x, y), pixel(c.b, x, y), false)
			switch {
			case delta <= c.limit && delta >= -c.limit:
				if c.diff != nil {
					c.diff.SetNRGBA(x, y, pale(pixel(c.a, x, y)))
				}
			case smoothed(c.a, c.b, both, x, y) || smoothed(c.b, c.a, both, x, y):
				c.mark(x, y, smoothedColor)
			default:
				differing++
				c.mark(x, y, differingColor)
			}
		}
	}
	return differing
}

func (c *comparison) mark(x, y int, with color.NRGBA) {
	if c.diff != nil {
		c.diff.SetNRGBA(x, y, with)
	}
}

func row(img *image.NRGBA, y int) []byte { return img.Pix[y*img.Stride : y*img.Stride+4*img.Rect.Dx()] }

func pixel(img *image.NRGBA, x, y int) color.NRGBA {
	i := y*img.Stride + x*4
	p := img.Pix[i : i+4 : i+4]
	return color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
}

// straight returns a picture with its top left corner at 0,0 and colors that are not multiplied by their alpha, without
// a copy where it is one already.
func straight(img image.Image) *image.NRGBA {
	b := img.Bounds()
	at := image.Rect(0, 0, b.Dx(), b.Dy())
	switch img := img.(type) {
	case *image.NRGBA:
		return &image.NRGBA{Pix: img.Pix[img.PixOffset(b.Min.X, b.Min.Y):], Stride: img.Stride, Rect: at}
	case *image.RGBA:
		if img.Opaque() {
			return &image.NRGBA{Pix: img.Pix[img.PixOffset(b.Min.X, b.Min.Y):], Stride: img.Stride, Rect: at}
		}
	}
	out := image.NewNRGBA(at)
	for y := range at.Dy() {
		for x := range at.Dx() {
			out.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out
}

// Unequal returns how many of total pixels have not exactly the same color in both pictures.
func Unequal(a, b image.Image) (differing, total int) {
	c := newComparison(a, b, 0)
	both := c.a.Rect.Intersect(c.b.Rect)
	for y := range both.Dy() {
		if ra, rb := row(c.a, y)[:4*both.Dx()], row(c.b, y)[:4*both.Dx()]; !bytes.Equal(ra, rb) {
			for x := range both.Dx() {
				if pixel(c.a, x, y) != pixel(c.b, x, y) {
					differing++
				}
			}
		}
	}
	total = c.width * c.height
	return differing + total - both.Dx()*both.Dy(), total
}
