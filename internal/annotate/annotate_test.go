package annotate

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var grey = color.RGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xff}

func blank(t testing.TB, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	fill(img, img.Bounds(), grey)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func TestPicture(t *testing.T) {
	t.Parallel()
	raw := blank(t, 300, 200)
	width, height, err := Size(raw)
	require.NoError(t, err)
	require.Equal(t, [2]int{300, 200}, [2]int{width, height})
	for _, o := range []Output{{}, {JPEG: true}, {JPEG: true, Quality: 100}} {
		out, err := Draw(raw, []Mark{{Rect: image.Rect(50, 60, 150, 160), Number: 7}}, 1, o)
		require.NoError(t, err)
		decode, slack := png.Decode, 0
		if o.JPEG {
			decode, slack = jpeg.Decode, 60
		}
		img, err := decode(bytes.NewReader(out))
		require.NoError(t, err)
		require.Equal(t, image.Rect(0, 0, 300, 200), img.Bounds())
		is := func(want color.RGBA, x, y int) {
			t.Helper()
			got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			for _, pair := range [][2]uint8{{want.R, got.R}, {want.G, got.G}, {want.B, got.B}} {
				require.InDelta(t, pair[0], pair[1], float64(slack), "%d,%d", x, y)
			}
		}
		for _, p := range [][2]int{
			{50, 100},
			{51, 100},
			{149, 100},
			{148, 100},
			{100, 60},
			{100, 61},
			{100, 159},
			{100, 158},
		} {
			is(palette[0], p[0], p[1])
		}
		for _, p := range [][2]int{{100, 110}, {20, 20}, {160, 100}, {100, 170}} {
			is(grey, p[0], p[1])
		}
		is(color.RGBA{0xff, 0xff, 0xff, 0xff}, 54, 49) // the bar of the seven
		is(palette[0], 51, 48)                         // the edge of its label
	}
	_, err = Draw([]byte("nothing"), nil, 1, Output{})
	require.Error(t, err)
	_, _, err = Size(nil)
	require.Error(t, err)
}

// The number on a label can be read back from its pixels.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, scale := range []int{1, 2, 3} {
		for _, number := range []uint32{0, 12, 345, 6789, 4294967295} {
			img := image.NewRGBA(image.Rect(0, 0, 400, 200))
			fill(img, img.Bounds(), grey)
			paint(img, []Mark{{Rect: image.Rect(20, 100, 390, 199), Number: number}}, scale)
			at := image.Pt(20, 100-labelSize(1, scale).Y)
			require.Equal(t, digitsOf(number), readLabel(img, at, scale))
		}
	}
}

func readLabel(img image.Image, at image.Point, scale int) (text string) {
	at = at.Add(image.Pt(padding, padding).Mul(scale))
	for ; ; at.X += (glyphWidth + gap) * scale {
		var seen [glyphHeight]string
		for y := range seen {
			for x := range glyphWidth {
				dot := "."
				if img.At(at.X+x*scale, at.Y+y*scale) == (color.RGBA{0xff, 0xff, 0xff, 0xff}) {
					dot = "#"
				}
				seen[y] += dot
			}
		}
		found := false
		for digit, glyph := range glyphs {
			if seen == glyph {
				text += string(rune('0' + digit))
				found = true
			}
		}
		if !found {
			return text
		}
	}
}

func TestLabelsKeepApart(t *testing.T) {
	t.Parallel()
	bounds := image.Rect(0, 0, 800, 600)
	var grid, menu, corner []image.Rectangle
	for y := 20; y < 560; y += 30 {
		for x := 30; x < 740; x += 60 {
			grid = append(grid, image.Rect(x, y, x+30, y+16))
		}
		menu = append(menu, image.Rect(0, y, 200, y+30))
	}
	for n := range 12 {
		corner = append(corner, image.Rect(0, 0, 800-n*40, 600-n*40))
	}
	tests := []struct {
		name  string
		boxes []image.Rectangle
	}{
		{"a grid", grid},
		{"a menu without gaps", menu},
		{"nested in a corner", corner},
		{"twice the same", []image.Rectangle{image.Rect(400, 300, 440, 320), image.Rect(400, 300, 440, 320)}},
		{
			"at the edges",
			[]image.Rectangle{
				image.Rect(0, 0, 10, 10), image.Rect(790, 0, 800, 10), image.Rect(0, 590, 10, 600),
				image.Rect(790, 590, 800, 600),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			placed := placeAll(bounds, tt.boxes)
			for i, a := range placed {
				require.True(t, a.In(bounds), "%v", a)
				for _, b := range placed[:i] {
					require.True(t, a.Intersect(b).Empty(), "%v and %v", a, b)
				}
			}
		})
	}
}

func placeAll(bounds image.Rectangle, boxes []image.Rectangle) (placed []image.Rectangle) {
	l := newLabels(bounds, boxes, labelSize(1, 1).Y)
	for _, box := range boxes {
		placed = append(placed, l.place(box, labelSize(3, 1)))
	}
	return placed
}

// A label hides neither its own small box nor others while there is room.
func TestLabelsHideNoSmallBox(t *testing.T) {
	t.Parallel()
	boxes := []image.Rectangle{
		image.Rect(0, 0, 60, 20), image.Rect(100, 100, 160, 120), image.Rect(100, 122, 160, 142),
		image.Rect(100, 144, 160, 164),
	}
	for _, label := range placeAll(image.Rect(0, 0, 300, 300), boxes) {
		for _, box := range boxes {
			require.True(t, label.Intersect(box).Empty(), "%v on %v", label, box)
		}
	}
}

// Whatever the boxes are, labels stay inside, and nothing panics.
func TestLabelsStayInside(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		bounds := image.Rect(0, 0, 100+rng.IntN(400), 100+rng.IntN(400))
		img := image.NewRGBA(bounds)
		var marks []Mark
		for n := range 60 {
			x, y := rng.IntN(600)-50, rng.IntN(600)-50
			marks = append(marks, Mark{Rect: image.Rect(x, y, x+rng.IntN(200), y+rng.IntN(200)), Number: uint32(n)})
		}
		paint(img, marks, 1+rng.IntN(3))
		var boxes []image.Rectangle
		for _, m := range marks {
			boxes = append(boxes, m.Rect.Intersect(bounds))
		}
		for _, label := range placeAll(bounds, boxes) {
			require.True(t, label.In(bounds))
		}
	}
}

func BenchmarkPicture(b *testing.B) {
	raw := blank(b, 1280, 720)
	var marks []Mark
	for n := range 300 {
		marks = append(marks, Mark{Rect: image.Rect(n%20*60, n/20*45, n%20*60+40, n/20*45+25), Number: uint32(n)})
	}
	for b.Loop() {
		if _, err := Draw(raw, marks, 1, Output{}); err != nil {
			b.Fatal(err)
		}
	}
}

// An arrow ends in a head at its tip, and one without a length is a ring.
func TestArrows(t *testing.T) {
	t.Parallel()
	raw := blank(t, 300, 200)
	out, err := Draw(raw, []Mark{
		{Number: 1, Arrow: &Arrow{From: image.Pt(20, 100), To: image.Pt(120, 100)}},
		{Number: 2, Arrow: &Arrow{From: image.Pt(200, 100), To: image.Pt(200, 100)}},
		{Number: 3, Arrow: &Arrow{From: image.Pt(-50, 500), To: image.Pt(400, -20)}}, // leaves the picture
	}, 1, Output{})
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(out))
	require.NoError(t, err)
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	require.Equal(t, palette[0], at(60, 100), "the line")
	require.Equal(t, palette[0], at(112, 97), "the head")
	require.Equal(t, grey, at(60, 108))
	require.Equal(t, palette[1], at(209, 100), "the ring")
	require.Equal(t, palette[1], at(200, 100), "its middle")
	require.Equal(t, grey, at(205, 100))
}
