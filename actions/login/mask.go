package login

import (
	"errors"
	"maps"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
)

// hide masks secrets in an error.
func (l *login) hide(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	f.Message, f.Hint, f.Err = l.hidden(f.Message), l.hidden(f.Hint), nil
	for key, value := range f.Facts {
		f.Facts[key] = l.hiddenIn(value)
	}
	if f.Facts != nil {
		delete(f.Facts, "seen")
	}
	return f
}

func (l *login) hidden(text string) string {
	for _, s := range append(l.entry.Secrets(), l.secrets...) {
		text = strings.ReplaceAll(text, s, grammar.Hidden)
	}
	return text
}

func (l *login) hiddenIn(value any) any {
	switch v := value.(type) {
	case string:
		return l.hidden(v)
	case []any:
		for i := range v {
			v[i] = l.hiddenIn(v[i])
		}
	case map[string]any:
		for key := range maps.Keys(v) {
			v[key] = l.hiddenIn(v[key])
		}
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = l.hidden(v[i])
		}
		return out
	}
	return value
}
