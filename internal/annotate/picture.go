package annotate

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// Mark is one numbered box, or an arrow.
type Mark struct {
	Rect   image.Rectangle // in pixels of the picture
	Number uint32
	Arrow  *Arrow // in place of the box; nil means that it is a box
}

// Arrow leads to a point. From the same point it is a ring around it.
type Arrow struct{ From, To image.Point }

// Output says how a picture is encoded.
type Output struct {
	JPEG    bool // else PNG
	Quality int  // of a JPEG, 1-100; 0 means 80, which is what browsers take
}

// Size returns width and height of an encoded PNG.
func Size(raw []byte) (width, height int, err error) {
	c, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return 0, 0, fmt.Errorf("reading the picture: %w", err)
	}
	return c.Width, c.Height, nil
}

// Draw draws marks into a PNG and encodes the result. Scale is how many pixels a line of the drawing is wide for each
// pixel that a person sees: 2 on screens with twice the pixels.
func Draw(raw []byte, marks []Mark, scale int, o Output) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	canvas, ok := decoded.(draw.Image)
	if _, indexed := decoded.(*image.Paletted); !ok || indexed {
		canvas = image.NewRGBA(decoded.Bounds())
		draw.Draw(canvas, canvas.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	}
	paint(canvas, marks, max(1, scale))
	var b bytes.Buffer
	b.Grow(len(raw) + len(raw)/4)
	if o.JPEG {
		quality := o.Quality
		if quality == 0 {
			quality = 80
		}
		err = jpeg.Encode(&b, canvas, &jpeg.Options{Quality: quality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, canvas)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the picture: %w", err)
	}
	return b.Bytes(), nil
}
