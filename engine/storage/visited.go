package storage

import (
	"maps"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/urls"
)

// visits is the result of visits to origins of a context: an origin is not visited again unless a document of it was
// loaded since.
type visits struct {
	origins *urls.Origins

	mu    sync.Mutex
	found map[string]visit
}

type visit struct {
	at      int   // the number of the origin's last document when it began
	kinds   Kinds // that were looked for
	kept    *Origin
	skipped []Skipped
}

var visited = engine.NewState(func(c *engine.Context) *visits {
	return &visits{origins: c.Origins(), found: map[string]visit{}}
})

// unchanged returns what a visit found when no document of the origin has come since; ok is false when one has to visit
// it.
func (v *visits) unchanged(origin string, kinds Kinds) (kept *Origin, skipped []Skipped, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	last, ok := v.found[origin]
	if !ok || last.at != v.origins.Last(origin) || last.kinds != kinds {
		return nil, nil, false
	}
	return last.kept, last.skipped, true
}

// keep remembers what a visit found that began when at was the number of the origin's last document.
func (v *visits) keep(origin string, at int, kinds Kinds, kept *Origin, skipped []Skipped) {
	if at == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	maps.DeleteFunc(v.found, func(old string, f visit) bool { return f.at != v.origins.Last(old) }) // of no use any longer
	v.found[origin] = visit{at, kinds, kept, skipped}
}
