package pixels

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // the kinds that can be read
	_ "image/png"

	_ "golang.org/x/image/webp"
)

// maxPicture is how many pixels a picture may have: what a file says of its size is not to be believed.
const maxPicture = 400_000_000

// Decode reads a picture of one of the kinds that screenshots are of: png, jpeg or webp.
func Decode(raw []byte) (image.Image, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	if config.Width*config.Height > maxPicture {
		return nil, fmt.Errorf("%d by %d pixels are too many", config.Width, config.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	return img, err
}

// Size returns the width and height of a picture of one of these kinds, by its header.
func Size(raw []byte) (width, height int, err error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	return config.Width, config.Height, err
}
