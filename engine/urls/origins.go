package urls

import (
	"strings"
	"sync"
)

// Origins are the origins of which a context has shown documents, in the order in which they came.
type Origins struct {
	mu        sync.Mutex
	order     []string
	last      map[string]int // the number of the last document of each
	documents int            // so far
}

// mostOrigins bounds how many origins of a context are remembered; the oldest go first.
const mostOrigins = 500

// KnowDocument notes that a frame shows a document.
func (k *Origins) KnowDocument(url string) {
	if !strings.HasPrefix(url, "http:") && !strings.HasPrefix(url, "https:") {
		return
	}
	k.Know(Origin(url))
}

// Know notes that there is something of an origin, as if the context had shown a document of it.
func (k *Origins) Know(origin string) {
	if origin == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last[origin] == 0 {
		if k.last == nil {
			k.last = map[string]int{}
		}
		if len(k.order) >= mostOrigins {
			delete(k.last, k.order[0])
			k.order = k.order[1:]
		}
		k.order = append(k.order, origin)
	}
	k.documents++
	k.last[origin] = k.documents
}

// List returns the origins, the one that came last first.
func (k *Origins) List() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make([]string, len(k.order))
	for i, o := range k.order {
		all[len(all)-1-i] = o
	}
	return all
}

// Last returns a number that grows with each document of the origin; 0 for one that is not known, or no longer.
func (k *Origins) Last(origin string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last[origin]
}
