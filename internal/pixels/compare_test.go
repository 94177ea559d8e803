package pixels_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/orisano/pixelmatch"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/pixels"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	black = color.NRGBA{0, 0, 0, 255}
)

func filled(w, h int, c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// disc draws a circle whose edge is smoothed.
func disc(img *image.NRGBA, cx, cy, radius float64) {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			cover := min(1, max(0, radius+0.5-math.Hypot(float64(x)-cx, float64(y)-cy)))
			if cover > 0 {
				v := uint8(255 * (1 - cover))
				img.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
			}
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	dot := filled(10, 10, white)
	dot.Set(3, 4, black)
	tests := []struct {
		name      string
		a, b      image.Image
		threshold float64
		differing int
		total     int
	}{
		{"equal", dot, dot, 0.1, 0, 100},
		{"a dot", filled(10, 10, white), dot, 0.1, 1, 100},
		{"all", filled(10, 10, white), filled(10, 10, black), 0.1, 100, 100},
		{"close", filled(4, 4, white), filled(4, 4, color.NRGBA{250, 250, 250, 255}), 0.1, 0, 16},
		{"close, exactly", filled(4, 4, white), filled(4, 4, color.NRGBA{250, 250, 250, 255}), 0, 16, 16},
		{"anything goes", filled(4, 4, white), filled(4, 4, black), 1, 0, 16},
		{"clear is white", filled(4, 4, color.NRGBA{}), filled(4, 4, white), 0, 0, 16},
		{"taller", filled(10, 10, white), filled(10, 12, white), 0.1, 20, 120},
		{"wider and lower", filled(10, 10, white), filled(12, 8, white), 0.1, 20 + 16 + 4, 120},
		{"other kind of picture", filled(3, 3, black), image.NewGray(image.Rect(5, 5, 8, 8)), 0, 0, 9},
		{"part of a picture", dot, dot.SubImage(image.Rect(0, 0, 5, 10)), 0.1, 50, 100},
		{"nothing", image.NewNRGBA(image.Rectangle{}), image.NewNRGBA(image.Rectangle{}), 0.1, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			differing, total, diff := pixels.Compare(tt.a, tt.b, tt.threshold)
			require.Equal(t, [2]int{tt.differing, tt.total}, [2]int{differing, total})
			red := 0
			for i := 0; i < len(diff.Pix); i += 4 {
				if [4]uint8(diff.Pix[i:i+4]) == [4]uint8{255, 0, 0, 255} {
					red++
				}
			}
			require.Equal(t, differing, red, "the picture shows each of them")
			differing, total = pixels.Differing(tt.a, tt.b, tt.threshold)
			require.Equal(t, [2]int{tt.differing, tt.total}, [2]int{differing, total})
		})
	}
}

// Different antialiasing of an edge does not count as a difference; the same change of color elsewhere does.
func TestSmoothedEdges(t *testing.T) {
	t.Parallel()
	a, b := filled(60, 60, white), filled(60, 60, white)
	disc(a, 30, 30, 20)
	disc(b, 30.3, 30, 20)
	differing, _, diff := pixels.Compare(a, b, 0.1)
	require.Less(t, differing, 5)
	require.Contains(t, colorsOf(diff), color.NRGBA{255, 255, 0, 255})
	disc(b, 34, 30, 20)
	differing, _, _ = pixels.Compare(a, b, 0.1)
	require.Greater(t, differing, 100)
}

func colorsOf(img *image.NRGBA) map[color.NRGBA]bool {
	all := map[color.NRGBA]bool{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			all[img.NRGBAAt(x, y)] = true
		}
	}
	return all
}

// Pixelmatch is the oracle: both find the same number of pixels in pictures of shapes and noise.
func TestAgreesWithPixelmatch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		a := filled(48, 40, white)
		for range 4 {
			disc(a, random.Float64()*48, random.Float64()*40, random.Float64()*12)
		}
		b := image.NewNRGBA(a.Rect)
		copy(b.Pix, a.Pix)
		disc(b, random.Float64()*48, random.Float64()*40, 5)
		for range 200 {
			c := color.NRGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256)), 255}
			b.SetNRGBA(random.IntN(48), random.IntN(40), c)
		}
		for _, threshold := range []float64{0.02, 0.1, 0.5} {
			t.Run(fmt.Sprint(seed, threshold), func(t *testing.T) {
				t.Parallel()
				// It takes a channel of 8 bits for 257/256 of its value.
				want, err := pixelmatch.MatchPixel(a, b, pixelmatch.Threshold(threshold*257/256))
				require.NoError(t, err)
				differing, _, _ := pixels.Compare(a, b, threshold)
				require.Equal(t, want, differing)
			})
		}
	}
}

func BenchmarkDifferingEqual(b *testing.B) {
	img := filled(1280, 720, white)
	other := filled(1280, 720, white)
	b.ReportAllocs()
	for b.Loop() {
		pixels.Differing(img, other, 0.1)
	}
}
