package chrome

import "context"

// display is nothing that a browser needs here.
type display struct{}

func (o Options) needsDisplay() bool { return false }

func startDisplay(context.Context, Options) (*display, error) { return nil, nil }

func (d *display) close() {}

func (d *display) env() []string { return nil }
