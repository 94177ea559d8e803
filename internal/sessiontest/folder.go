package sessiontest

import (
	"bytes"
	"image"
	"image/color"
	_ "image/jpeg" // a format of pictures
	_ "image/png"  // a format of pictures
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp" // a format of pictures
)

// WriteFile puts a file into the caller's folder and returns its path.
func (c *Client) WriteFile(name, content string) string {
	c.T.Helper()
	path := filepath.Join(c.Dir, name)
	require.NoError(c.T, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(c.T, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// OnDisk is what the caller's folder has: contents by path.
func (c *Client) OnDisk() map[string]string {
	c.T.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(c.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, c.Dir+string(filepath.Separator))] = string(content)
		return err
	})
	require.NoError(c.T, err)
	return all
}

// Colors of pages whose pictures are looked at.
var (
	White = color.RGBA{255, 255, 255, 255}
	Red   = color.RGBA{255, 0, 0, 255}
	Green = color.RGBA{0, 128, 0, 255}
	Blue  = color.RGBA{0, 0, 255, 255}
)

// Picture reads an image file below the caller's folder, and returns it with its format.
func (c *Client) Picture(path string) (image.Image, string) {
	c.T.Helper()
	raw, err := os.ReadFile(filepath.Join(c.Dir, path))
	require.NoError(c.T, err)
	img, format, err := image.Decode(bytes.NewReader(raw))
	require.NoError(c.T, err)
	return img, format
}

// ColorAt is the color of a point of a picture.
func ColorAt(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y)).(color.RGBA)
}

// SizeOf is the width and height of a picture.
func SizeOf(img image.Image) [2]int { return [2]int{img.Bounds().Dx(), img.Bounds().Dy()} }
