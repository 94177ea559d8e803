package engine

import (
	_ "embed" // the scripts
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
)

// StorageState is what a context keeps for the pages that it has shown: cookies, and what each origin stored.
type StorageState struct {
	Cookies []Cookie
	Origins []OriginStorage
	Skipped []SkippedStorage // what was there and is not in it
}

// OriginStorage is what one origin keeps.
type OriginStorage struct {
	Origin    string          `json:"origin"`
	Local     []StorageItem   `json:"localStorage"`
	Session   []StorageItem   `json:"sessionStorage"` // of one tab: the active one when it shows the origin
	Databases []Database      `json:"databases,omitempty"`
	Workers   []ServiceWorker `json:"serviceWorkers,omitempty"`
	Caches    []WorkerCache   `json:"caches,omitempty"`
}

// Empty reports whether the origin keeps nothing.
func (o *OriginStorage) Empty() bool {
	return len(o.Local)+len(o.Session)+len(o.Databases)+len(o.Workers)+len(o.Caches) == 0
}

// StorageItem is a key of localStorage or sessionStorage.
type StorageItem struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	UTF16 []string `json:"utf16,omitempty"` // name and value when they are no Unicode, in base64
}

// Database is a database of IndexedDB.
type Database struct {
	Name    string        `json:"name"`
	Version uint64        `json:"version"`
	Stores  []ObjectStore `json:"stores"`
}

// ObjectStore is one store of a database.
type ObjectStore struct {
	Name          string           `json:"name"`
	KeyPath       json.RawMessage  `json:"keyPath"` // null, a text or a list of texts
	AutoIncrement bool             `json:"autoIncrement"`
	Indexes       json.RawMessage  `json:"indexes,omitempty"`
	Records       []DatabaseRecord `json:"records"`
}

// DatabaseRecord is an entry of a store. Key and value are JSON in which an object with a key "$" stands for what JSON does not have; see
// js/storagevalues.js. An entry has no key when its store has a key path.
type DatabaseRecord struct {
	Key   json.RawMessage `json:"k,omitempty"`
	Value json.RawMessage `json:"v"`
}

// ServiceWorker is a registration of a service worker.
type ServiceWorker struct {
	Scope          string `json:"scope"`
	Script         string `json:"script"`
	UpdateViaCache string `json:"updateViaCache,omitempty"`
}

// WorkerCache is one cache of those that service workers use.
type WorkerCache struct {
	Name    string            `json:"name"`
	Entries []json.RawMessage `json:"entries"`
}

// SkippedStorage is something that could not be saved or put back, and why.
type SkippedStorage struct {
	Origin string `json:"origin"`
	What   string `json:"what"`
	Why    string `json:"why"`
}

// String is a sentence's part.
func (s SkippedStorage) String() string {
	return strings.TrimPrefix(s.Origin+": ", ": ") + s.What + " (" + strings.TrimSuffix(s.Why, ".") + ")"
}

// StorageKinds are the kinds of storage that are meant.
type StorageKinds struct {
	Cookies, Local, Session, Databases, Workers, Caches bool
}

// storageBytes is how much an origin may give to a state, in characters of its file, unless the caller says otherwise.
const storageBytes = 32 << 20

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../internal/pagescript/bundle -tools ../tools/go.mod .
var (
	//go:embed bundle/storagecapture.js
	captureFunction string
	//go:embed bundle/storagerestore.js
	restoreFunction string
)

// knownOrigins are the origins of which a context has shown documents, or has put back what they kept, in the order in which they came.
type knownOrigins struct {
	mu    sync.Mutex
	order []string
	seen  map[string]*knownOrigin
}

type knownOrigin struct {
	documents int            // that have come
	kept      *OriginStorage // what a visit found, when no document has come since
	at        int            // documents at that time
	kinds     StorageKinds   // that were looked for
	skipped   []SkippedStorage
}

// mostOrigins bounds how many origins of a context are remembered; the oldest go first.
const mostOrigins = 500

// knowDocument notes that a frame shows a document.
func (c *Context) knowDocument(url string) {
	if !strings.HasPrefix(url, "http:") && !strings.HasPrefix(url, "https:") {
		return
	}
	c.origins.know(Origin(url))
}

func (k *knownOrigins) know(origin string) {
	if origin == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.seen[origin]
	if known == nil {
		if k.seen == nil {
			k.seen = map[string]*knownOrigin{}
		}
		if len(k.order) >= mostOrigins {
			delete(k.seen, k.order[0])
			k.order = k.order[1:]
		}
		known = &knownOrigin{}
		k.seen[origin], k.order = known, append(k.order, origin)
	}
	known.documents++
}

// list returns the origins, the one that came last first.
func (k *knownOrigins) list() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make([]string, len(k.order))
	for i, o := range k.order {
		all[len(all)-1-i] = o
	}
	return all
}

// unchanged returns what a visit found when no document of the origin has come since; ok is false when one has to visit it.
func (k *knownOrigins) unchanged(origin string, kinds StorageKinds) (found *OriginStorage, skipped []SkippedStorage, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.seen[origin]
	if known == nil || known.kept == nil || known.at != known.documents || known.kinds != kinds {
		return nil, nil, false
	}
	return known.kept, known.skipped, true
}

// visits returns how many documents of the origin have come, for keep.
func (k *knownOrigins) visits(origin string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.seen[origin]; known != nil {
		return known.documents
	}
	return -1
}

// keep remembers what a visit found that began when at documents of the origin had come.
func (k *knownOrigins) keep(origin string, at int, kinds StorageKinds, found *OriginStorage, skipped []SkippedStorage) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.seen[origin]; known != nil && at >= 0 {
		known.at, known.kinds, known.kept, known.skipped = at, kinds, found, skipped
	}
}

// cookieOrigin is the origin that has set a cookie, as far as the browser knows.
func cookieOrigin(c *Cookie) string {
	scheme, usual := "https", 443
	if c.SourceScheme == "NonSecure" {
		scheme, usual = "http", 80
	}
	host := strings.TrimPrefix(c.Domain, ".")
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	if c.SourcePort > 0 && c.SourcePort != usual {
		host += ":" + strconv.Itoa(c.SourcePort)
	}
	return scheme + "://" + host
}

// asCall is a call of a session.
func asCall(method string, params any) cdp.Call { return cdp.Call{Method: method, Params: params} }
