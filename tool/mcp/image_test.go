package mcp_test

import (
	"bytes"
	"image/png"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

func TestImages(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	c.do("open", site.Show("<h1>x</h1>"))
	t.Run("1.3 a picture comes as an image", func(t *testing.T) {
		r := c.try("screenshot", "shot.png")
		require.False(t, r.IsError, textOf(r))
		for _, item := range r.Content {
			if image, ok := item.(*sdk.ImageContent); ok {
				require.Equal(t, "image/png", image.MIMEType)
				picture, err := png.Decode(bytes.NewReader(image.Data))
				require.NoError(t, err)
				require.Positive(t, picture.Bounds().Dx())
				return
			}
		}
		t.Fatal("no image among the content")
	})
}
