package redact

import (
	"context"
	"log/slog"
)

// Log returns a handler that keeps what looks like a secret out of a log.
func Log(to slog.Handler) slog.Handler { return &handler{to: to} }

type handler struct{ to slog.Handler }

func (h *handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.to.Enabled(ctx, level)
}

func (h *handler) Handle(ctx context.Context, record slog.Record) error {
	clean := slog.NewRecord(record.Time, record.Level, Patterns(record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(attr(a))
		return true
	})
	return h.to.Handle(ctx, clean)
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = attr(a)
	}
	return &handler{to: h.to.WithAttrs(clean)}
}

func (h *handler) WithGroup(name string) slog.Handler { return &handler{to: h.to.WithGroup(name)} }

func attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		group := v.Group()
		clean := make([]any, len(group))
		for i, inner := range group {
			clean[i] = attr(inner)
		}
		return slog.Group(a.Key, clean...)
	case slog.KindString:
		if isSecret(a.Key, inData) {
			return slog.String(a.Key, Mark)
		}
		return slog.String(a.Key, Patterns(v.String()))
	case slog.KindAny:
		if err, ok := v.Any().(error); ok {
			return slog.String(a.Key, Patterns(err.Error()))
		}
		if isSecret(a.Key, inData) {
			return slog.String(a.Key, Mark)
		}
		if line, ok := v.Any().([]string); ok {
			return slog.Any(a.Key, New(line, nil).Args(line))
		}
		r := &Redactor{}
		return slog.Any(a.Key, r.Value(v.Any()))
	}
	return a
}
