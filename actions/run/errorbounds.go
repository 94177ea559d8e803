package run

import (
	"errors"

	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/fault"
)

// BoundError shortens page text in an error: the message and the strings among its facts.
func BoundError(err error) {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return
	}
	f.Message = pagetext.Bounded(f.Message, pagetext.MaxMessage)
	for key, value := range f.Facts {
		f.Facts[key] = boundFact(value)
	}
}

func boundFact(value any) any {
	switch v := value.(type) {
	case string:
		return pagetext.Bounded(v, pagetext.MaxMessage)
	case map[string]any:
		for key := range v {
			v[key] = boundFact(v[key])
		}
	case []any:
		for i := range v {
			v[i] = boundFact(v[i])
		}
	}
	return value
}
