package pixels

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
)

// A picture reads the same whether its slices are fetched when they are read or before.
func TestStitched(t *testing.T) {
	t.Parallel()
	const width, height, rows = 3, 10, 4
	for _, ahead := range []bool{false, true} {
		var from []int
		j := &Stitched{Width: width, Height: height, Rows: rows, Ahead: ahead, Fetch: func(y, n int) (image.Image, error) {
			from = append(from, y)
			slice := image.NewRGBA(image.Rect(0, 0, width, n))
			draw.Draw(slice, slice.Rect, image.NewUniform(color.Gray{Y: uint8(y)}), image.Point{}, draw.Src)
			return slice, nil
		}}
		for y := range height {
			for x := range width {
				want := color.RGBAModel.Convert(color.Gray{Y: uint8(y / rows * rows)})
				require.Equal(t, want, color.RGBAModel.Convert(j.At(x, y)), "%d, %d", x, y)
			}
			require.Equal(t, color.RGBA{}, color.RGBAModel.Convert(j.At(width, y)), "beside it")
		}
		j.Close()
		require.Equal(t, []int{0, 4, 8}, from)
		require.NoError(t, j.Err())
	}
}

// A slice that is missing ends the picture, and nothing is fetched behind it.
func TestStitchedWithoutSlice(t *testing.T) {
	t.Parallel()
	missing := errors.New("no such slice")
	var from []int
	j := &Stitched{Width: 1, Height: 10, Rows: 4, Ahead: true, Fetch: func(y, n int) (image.Image, error) {
		from = append(from, y)
		if y > 0 {
			return nil, missing
		}
		return image.NewUniform(color.White), nil
	}}
	defer j.Close()
	for y := range 10 {
		_, _, _, alpha := j.At(0, y).RGBA()
		require.Equal(t, y < 4, alpha > 0, y)
	}
	require.ErrorIs(t, j.Err(), missing)
	require.Equal(t, []int{0, 4}, from)
}
