package chrome

import "context"

// Display is nothing that a window needs here.
type Display struct{}

// NeedsDisplay reports false: every program can open windows here.
func NeedsDisplay(func(string) string) bool { return false }

func (o Options) needsDisplay() bool { return false }

// StartDisplay is never called, since NeedsDisplay reports false.
func StartDisplay(context.Context, func(string) string, int, int) (*Display, error) {
	return &Display{}, nil
}

// Close does nothing.
func (d *Display) Close() {}

// Env returns no variables.
func (d *Display) Env() []string { return nil }
