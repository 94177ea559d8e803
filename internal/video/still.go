package video

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	_ "image/png" // pictures may come as PNG
)

// Still is one picture of a video, read only when that is needed.
type Still struct {
	raw  []byte
	jpeg bool
	size image.Point
	full *image.RGBA
}

// NewStill takes an encoded picture, a JPEG or PNG.
func NewStill(raw []byte) (*Still, error) {
	config, kind, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	return &Still{raw: raw, jpeg: kind == "jpeg", size: image.Pt(config.Width, config.Height)}, nil
}

// Size returns how large it is, in pixels.
func (s *Still) Size() image.Point { return s.size }

// Image returns the picture, which is not to be changed.
func (s *Still) Image() (*image.RGBA, error) {
	if s.full != nil {
		return s.full, nil
	}
	img, _, err := image.Decode(bytes.NewReader(s.raw))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	s.full = image.NewRGBA(image.Rectangle{Max: s.size})
	draw.Draw(s.full, s.full.Rect, img, img.Bounds().Min, draw.Src)
	return s.full, nil
}

// JPEG returns the picture as a file, with what over draws over it, if that is not nil.
func (s *Still) JPEG(over func(draw.Image)) ([]byte, error) {
	if over == nil && s.jpeg {
		return s.raw, nil
	}
	img, err := s.Image()
	if err != nil || over == nil {
		if err != nil {
			return nil, err
		}
		return encodeJPEG(img)
	}
	drawn := &image.RGBA{Pix: bytes.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect}
	over(drawn)
	return encodeJPEG(drawn)
}
