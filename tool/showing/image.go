package showing

import (
	"context"
	"encoding/base64"
	"io"
	"path/filepath"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/tool/contract"
)

// Image returns the picture that a command reports, and where it is, if it is not larger than most bytes.
func Image(files *fact.Files, cwd string, most int64) (picture *contract.Content, path string) {
	path = files.Path
	if !files.Picture || path == "" {
		return nil, ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	data, mediaType := readPicture(path, most)
	if data == nil {
		return nil, ""
	}
	return &contract.Content{Type: "image", Data: base64.StdEncoding.EncodeToString(data), MIMEType: mediaType}, path
}

// readPicture reads a file, if it is a picture and not too large.
func readPicture(path string, most int64) (data []byte, mediaType string) {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return nil, ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > most {
		return nil, ""
	}
	data = make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, ""
	}
	mediaType = pictureType(data)
	if mediaType == "" {
		return nil, ""
	}
	return data, mediaType
}

// pictureType tells the formats of screenshots by how their files begin.
func pictureType(data []byte) string {
	switch {
	case len(data) > 8 && string(data[:8]) == "\x89PNG\r\n\x1a\n":
		return "image/png"
	case len(data) > 3 && string(data[:3]) == "\xff\xd8\xff":
		return "image/jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}
