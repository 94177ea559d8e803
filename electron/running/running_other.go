//go:build !linux

package running

import (
	"errors"

	"github.com/skua-browser/skua/internal/fault"
)

type process struct {
	pid        int
	executable string
}

func (p *process) port() int { return 0 }

func (p *process) inspected() bool { return false }

func mains() ([]process, error) {
	return nil, fault.New(fault.AppUnsuitable, "running apps cannot be found on this system").
		WithHint("Quit the app, start it with --remote-debugging-port=9222, and use `connect 9222`.")
}

func takesSignal(int) bool { return false }

func sendSignal(int, string) error { return errors.ErrUnsupported }

func listening(int) []int { return nil }
