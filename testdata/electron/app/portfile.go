//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// portFile is the file DevToolsActivePort of the profile that the app was given.
type portFile struct {
	dir string
}

// profile returns the folder that the browser gets for its profile: another one when the port file must not be its own.
func (p portFile) profile(kind string) string {
	if kind == "" {
		return p.dir
	}
	return filepath.Join(p.dir, "profile")
}

// write writes the kind of file that was asked for: none, empty, invalid, or dead (the port of nobody). Without a kind it is the browser's own.
func (p portFile) write(kind string) error {
	var text string
	switch kind {
	case "", "none":
		return nil
	case "empty":
	case "invalid":
		text = "no port\nat all\n"
	case "dead":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer listener.Close()
		text = fmt.Sprintf("%d\n/devtools/browser/00000000-0000-0000-0000-000000000000\n", listener.Addr().(*net.TCPAddr).Port)
	default:
		return fmt.Errorf("--test-port-file=%s: it is none, empty, invalid or dead", kind)
	}
	return os.WriteFile(filepath.Join(p.dir, "DevToolsActivePort"), []byte(text), 0o600)
}
