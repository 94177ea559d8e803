package storage

import (
	_ "embed" // the scripts
	"encoding/json"
	"strconv"
	"strings"
)

// State is what a context keeps for the pages that it has shown: cookies, and what each origin stored.
type State struct {
	Cookies []Cookie
	Origins []Origin
	Skipped []Skipped // what was there and is not in it
}

// Origin is what one origin keeps.
type Origin struct {
	Origin    string          `json:"origin"`
	Local     []Item          `json:"localStorage"`
	Session   []Item          `json:"sessionStorage"` // of one tab: the active one when it shows the origin
	Databases []Database      `json:"databases,omitempty"`
	Workers   []ServiceWorker `json:"serviceWorkers,omitempty"`
	Caches    []WorkerCache   `json:"caches,omitempty"`
}

// Empty reports whether the origin keeps nothing.
func (o *Origin) Empty() bool {
	return len(o.Local)+len(o.Session)+len(o.Databases)+len(o.Workers)+len(o.Caches) == 0
}

// Item is a key of localStorage or sessionStorage.
type Item struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	UTF16 []string `json:"utf16,omitempty"` // name and value if they are not valid Unicode, in base64
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

// DatabaseRecord is an entry of a store. Key and value are JSON in which an object with a key "$" stands for what JSON
// does not have; see js/storagevalues.js. An entry has no key when its store has a key path.
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

// Skipped is something that could not be saved or put back, and why.
type Skipped struct {
	Origin string `json:"origin"`
	What   string `json:"what"`
	Why    string `json:"why"`

	ThirdParty bool `json:"thirdParty,omitempty"` // it is not part of a state: it belongs to a frame's page around it
}

// String is a sentence's part.
func (s Skipped) String() string {
	return strings.TrimPrefix(s.Origin+": ", ": ") + s.What + " (" + strings.TrimSuffix(s.Why, ".") + ")"
}

// Kinds are the kinds of storage that are meant.
type Kinds struct {
	Cookies, Local, Session, Databases, Workers, Caches bool
}

// storageBytes is how much an origin may give to a state, in characters of its file, unless the caller says otherwise.
const storageBytes = 32 << 20

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
var (
	//go:embed bundle/storagecapture.js
	captureFunction string
	//go:embed bundle/storagerestore.js
	restoreFunction string
)

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
