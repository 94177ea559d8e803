package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// Source is where the layers are looked for.
type Source struct {
	Getenv func(string) string
	Home   string // the user's folder; empty means that there is no layer of the user's
	Cwd    string // the project's folder
	// read the project's layer: it may run commands, so the person has to trust it; or SKUA_TRUST_PROJECT_CONFIG=1 does
	TrustProject bool
}

// The same files that agents with the contract's first implementation have.
const contractPath = ".pi/config/pi-agent-browser-native/config.json"

// maxBytes bounds a file; they have some lines.
const maxBytes = 1 << 20

// Load reads the layers. A file that is not there is no layer, unless the environment names it.
func Load(s Source) (Config, error) {
	c := Config{Search: Search{
		Exa:   Credential{name: "EXA_API_KEY", source: s.Getenv("EXA_API_KEY"), plain: true},
		Brave: Credential{name: "BRAVE_API_KEY", source: s.Getenv("BRAVE_API_KEY"), plain: true},
	}}
	for _, layer := range s.layers() {
		for _, path := range layer.paths {
			found, err := c.read(path)
			if err != nil {
				return Config{}, err
			}
			if found {
				break
			}
			if layer.required {
				return Config{}, fmt.Errorf("configuration %s: %w", path, fs.ErrNotExist)
			}
		}
	}
	return c, nil
}

// layer is one of the three; its first file that is there counts.
type layer struct {
	paths    []string
	required bool
}

func (s Source) layers() []layer {
	var layers []layer
	if s.Home != "" {
		base := s.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(base) { // so the specification of these folders wants it
			base = filepath.Join(s.Home, ".config")
		}
		layers = append(layers, layer{
			paths: []string{filepath.Join(base, "skua", "config.json"), filepath.Join(s.Home, contractPath)},
		})
	}
	if s.Cwd != "" && (s.TrustProject || truth(s.Getenv("SKUA_TRUST_PROJECT_CONFIG"))) {
		layers = append(layers, layer{
			paths: []string{filepath.Join(s.Cwd, ".skua", "config.json"), filepath.Join(s.Cwd, contractPath)},
		})
	}
	for _, name := range []string{"SKUA_CONFIG", "PI_AGENT_BROWSER_CONFIG"} {
		if path := s.Getenv(name); path != "" {
			if !filepath.IsAbs(path) {
				path = filepath.Join(s.Cwd, path)
			}
			return append(layers, layer{paths: []string{path}, required: true})
		}
	}
	return layers
}

func truth(text string) bool {
	switch strings.ToLower(text) {
	case "1", "true", "yes":
		return true
	}
	return false
}

// read puts the file on top; false if there is none. An error never quotes the file: it may hold keys.
func (c *Config) read(path string) (bool, error) {
	text, err := userfile.Read(context.Background(), path, maxBytes) // configuration is read before there is a deadline
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if _, large := errors.AsType[*userfile.TooLargeError](err); large {
		return false, fmt.Errorf("configuration %s: over %d bytes", path, maxBytes)
	}
	if err != nil {
		return false, fmt.Errorf("configuration %s: %w", path, err)
	}
	var said file
	if err := decode(text, &said); err != nil {
		return false, fmt.Errorf("configuration %s: %w", path, err)
	}
	if err := c.put(said); err != nil {
		return false, fmt.Errorf("configuration %s: %w", path, err)
	}
	return true, nil
}

// decode reports what is wrong by place and type.
func decode(text []byte, into *file) error {
	err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s must not be of type %s", wrong.Field, strings.Fields(wrong.Value + " ?")[0])
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("no JSON at byte %d", wrong.Offset)
	}
	if err != nil { // an invalid number, for example; the message would quote it
		return errors.New("not of the form that docs/search.md shows")
	}
	return nil
}
