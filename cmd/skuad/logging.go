package main

import (
	"io"
	"log/slog"
	"os"
)

// newLog returns a logger that writes a line per event, mostly to standard error: text, or JSON with
// SKUA_LOG_FORMAT=json.
func newLog(to io.Writer, level slog.Leveler) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if os.Getenv("SKUA_LOG_FORMAT") == "json" {
		return slog.New(slog.NewJSONHandler(to, o))
	}
	return slog.New(slog.NewTextHandler(to, o))
}
