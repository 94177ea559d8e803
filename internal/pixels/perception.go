package pixels

import (
	"image"
	"image/color"
)

// maxDelta is the color delta of black and white.
const maxDelta = 35215

// colorDelta is how far two colors are apart to the eye: the square of their distance in YIQ space, negative when the
// second one is darker. With light alone it is the signed difference in brightness. See Kotsarenko and Ramos,
// "Measuring perceived color difference using YIQ NTSC transmission color space in mobile applications" (2010).
func colorDelta(a, b color.NRGBA, light bool) float64 {
	if a == b {
		return 0
	}
	r1, g1, b1 := onWhite(a)
	r2, g2, b2 := onWhite(b)
	r, g, bl := r1-r2, g1-g2, b1-b2
	y := r*0.29889531 + g*0.58662247 + bl*0.11448223
	if light {
		return y
	}
	i := r*0.59597799 - g*0.27417610 - bl*0.32180189
	q := r*0.21147017 - g*0.52261711 + bl*0.31114694
	delta := 0.5053*y*y + 0.299*i*i + 0.1957*q*q
	if y > 0 {
		return -delta
	}
	return delta
}

// onWhite returns a color as it looks on white paper.
func onWhite(c color.NRGBA) (r, g, b float64) {
	if c.A == 255 {
		return float64(c.R), float64(c.G), float64(c.B)
	}
	alpha := float64(c.A) / 255
	return 255 + (float64(c.R)-255)*alpha, 255 + (float64(c.G)-255)*alpha, 255 + (float64(c.B)-255)*alpha
}

func pale(c color.NRGBA) color.NRGBA {
	r, g, b := onWhite(c)
	v := uint8(255 + (r*0.29889531+g*0.58662247+b*0.11448223-255)*0.1)
	return color.NRGBA{R: v, G: v, B: v, A: 255}
}

// smoothed reports whether a pixel of a is likely part of a smoothed edge: it has a darker and a brighter neighbor, and
// one of them lies in a plain area in both pictures. See Vysniauskas, "Anti-aliased pixel and intensity slope detector"
// (2009).
func smoothed(a, b *image.NRGBA, in image.Rectangle, x, y int) bool {
	var darkest, brightest float64
	var darkAt, brightAt image.Point
	here := pixel(a, x, y)
	around := near(in, x, y)
	equal := atEdge(around, x, y)
	for nx := around.Min.X; nx < around.Max.X; nx++ {
		// column by column, as pixelmatch does it: of two that are equally dark the first counts
		for ny := around.Min.Y; ny < around.Max.Y; ny++ {
			if nx == x && ny == y {
				continue
			}
			switch delta := colorDelta(here, pixel(a, nx, ny), true); {
			case delta == 0:
				if equal++; equal > 2 {
					return false
				}
			case delta < darkest:
				darkest, darkAt = delta, image.Pt(nx, ny)
			case delta > brightest:
				brightest, brightAt = delta, image.Pt(nx, ny)
			}
		}
	}
	if darkest == 0 || brightest == 0 {
		return false
	}
	return plain(a, in, darkAt) && plain(b, in, darkAt) || plain(a, in, brightAt) && plain(b, in, brightAt)
}

// plain reports whether at least three neighbors of a pixel have its color. The picture's edge counts as one.
func plain(img *image.NRGBA, in image.Rectangle, at image.Point) bool {
	around := near(in, at.X, at.Y)
	equal := atEdge(around, at.X, at.Y)
	here := pixel(img, at.X, at.Y)
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			if (x != at.X || y != at.Y) && pixel(img, x, y) == here {
				if equal++; equal > 2 {
					return true
				}
			}
		}
	}
	return false
}

func near(in image.Rectangle, x, y int) image.Rectangle {
	return image.Rect(x-1, y-1, x+2, y+2).Intersect(in)
}

func atEdge(around image.Rectangle, x, y int) int {
	if around.Min.X == x || around.Max.X == x+1 || around.Min.Y == y || around.Max.Y == y+1 {
		return 1
	}
	return 0
}
