package video

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// scaled is a picture in the size of the video. Pages change their size while they are recorded, and ffmpeg forgets how
// long a picture is to be shown when the next one has another size.
func scaled(raw []byte, size image.Point) ([]byte, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	if config.Width == size.X && config.Height == size.Y {
		return raw, nil
	}
	picture, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	video := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(video, video.Rect, image.White, image.Point{}, draw.Src)
	scale := min(float64(size.X)/float64(config.Width), float64(size.Y)/float64(config.Height))
	shown := image.Pt(int(float64(config.Width)*scale), int(float64(config.Height)*scale))
	at := size.Sub(shown).Div(2)
	draw.ApproxBiLinear.Scale(video, image.Rectangle{
		Min: at,
		Max: at.Add(shown),
	}, picture, picture.Bounds(), draw.Src, nil)
	return encodeJPEG(video)
}

func encodeJPEG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90})
	return b.Bytes(), err
}
