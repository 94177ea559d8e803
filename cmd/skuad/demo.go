package main

import (
	"context"
	"fmt"
	"os"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/demoshop"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// runDemo serves the demo shop until ctx ends.
func runDemo(ctx context.Context, in *actions.Input) error {
	port := in.Int("port")
	if port < 0 || port > 65535 {
		return in.Invalid("--port expects a number from 0 to 65535, got " + in.String("port"))
	}
	web, err := loopback.Listen(port)
	if err != nil {
		return fault.New(fault.Usage, "demo: the shop cannot be served: %w", err).WithHint("--port 0 takes any free port.")
	}
	defer web.Close()
	ended := web.Serve(demoshop.New())
	fmt.Fprintf(os.Stdout, "✓ The demo shop is at http://%s\n  Sign in as %s with the password %s. Ctrl+C ends it.\n",
		web.Address(), demoshop.Email, demoshop.Password)
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}
