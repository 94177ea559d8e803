package main

import (
	"log/slog"
	"os"
)

// newLog returns a logger that writes a line per event to standard error: text, or JSON with SKUA_LOG_FORMAT=json.
func newLog(level slog.Leveler) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if os.Getenv("SKUA_LOG_FORMAT") == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, o))
}
