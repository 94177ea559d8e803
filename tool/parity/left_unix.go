//go:build unix

package parity

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// endLeft ends the background processes of agent-browser that its own `close --all` left in this side's folder.
func (s *side) endLeft() error {
	files, err := filepath.Glob(filepath.Join(s.sockets(), "*.pid"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
	return nil
}
