package testmodel

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
)

// content is what a message or a result holds: a text, or parts of text and pictures.
type content struct {
	text     string
	pictures int
}

func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		return json.Unmarshal(b, &c.text)
	}
	var parts []struct {
		Type, Text string
		Image      struct{ URL string } `json:"image_url"`
		Source     struct {
			Type  string
			Media string `json:"media_type"`
			Data  []byte
		}
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		data := p.Source.Data
		switch p.Type {
		case "text":
			c.text += p.Text
			continue
		case "image_url":
			text, ok := strings.CutPrefix(p.Image.URL, "data:image/png;base64,")
			var err error
			if data, err = base64.StdEncoding.DecodeString(text); err != nil || !ok {
				return fmt.Errorf("the picture at %.40q", p.Image.URL)
			}
		case "image":
			if p.Source.Type != "base64" || p.Source.Media != "image/png" {
				return fmt.Errorf("a picture of %q as %q", p.Source.Media, p.Source.Type)
			}
		default:
			return fmt.Errorf("a part of type %q", p.Type)
		}
		if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil {
			return err
		}
		c.pictures++
	}
	return nil
}
