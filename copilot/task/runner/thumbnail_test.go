package runner

import (
	"image"
	"image/color"
	"math/bits"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// page draws something like a page: a bar at its top and a box.
func page(w, h, box int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{240, 240, 240, 255}
			if y < h/8 || x > box*w/100 && x < (box+30)*w/100 && y > h/3 && y < h/2 {
				c = color.RGBA{20, 30, 90, 255}
			}
			img.Set(x, y, c)
		}
	}
	return img
}

func distance(t *testing.T, a, b string) int {
	t.Helper()
	x, err := strconv.ParseUint(a, 16, 64)
	require.NoError(t, err)
	y, err := strconv.ParseUint(b, 16, 64)
	require.NoError(t, err)
	return bits.OnesCount64(x ^ y)
}

// Pictures that look alike have like hashes, in whichever size, and others have not.
func TestThumbnail(t *testing.T) {
	t.Parallel()
	hash := Thumbnail(page(800, 600, 10))
	require.Len(t, hash, 16)
	require.Equal(t, hash, Thumbnail(page(800, 600, 10)))
	require.LessOrEqual(t, distance(t, hash, Thumbnail(page(400, 300, 10))), 3, "smaller")
	require.Greater(t, distance(t, hash, Thumbnail(page(800, 600, 60))), 3, "the box is elsewhere")
	require.Equal(t, "0000000000000000", Thumbnail(image.NewRGBA(image.Rect(0, 0, 4, 4))), "smaller than a thumbnail")
}
