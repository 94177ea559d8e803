package storage

import (
	"encoding/json"

	"github.com/skua-browser/skua/engine/storage"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them.

// OriginScope names the origin whose storage it is.
type OriginScope struct {
	Origin string `json:"origin"`
}

// PageOrigin returns the origin of the data, for [actions.Result.Origin].
func (o OriginScope) PageOrigin() string { return o.Origin }

// Cookies are the cookies that a command lists.
type Cookies struct {
	Cookies []storage.Cookie `json:"cookies"`
}

// CookiesCleared reports how many cookies were removed.
type CookiesCleared struct {
	Cleared bool `json:"cleared"`
	Count   int  `json:"count"`
}

// CookiesSet reports how many cookies the browser accepted, and which ones it rejected.
type CookiesSet struct {
	Count   int             `json:"count"`
	Dropped []CookieDropped `json:"dropped,omitempty"`
	Set     bool            `json:"set"`
}

// CookieDropped is a cookie that the browser did not keep.
type CookieDropped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Entries are all of a web storage.
type Entries struct {
	Count   int               `json:"count"`
	Data    map[string]string `json:"data"`
	Dropped int               `json:"dropped,omitempty"` // that are not shown
	OriginScope
}

// Entry is one of a web storage; null: there is none.
type Entry struct {
	Key string `json:"key"`
	OriginScope
	Value *string `json:"value"`
}

// EntrySet reports that a value was read back.
type EntrySet struct {
	OriginScope
	Set bool `json:"set"`
}

// EntryRemoved reports whether the entry existed.
type EntryRemoved struct {
	OriginScope
	Removed bool `json:"removed"`
}

// Cleared reports how many entries were removed, and from which databases.
type Cleared struct {
	Cleared   bool     `json:"cleared"`
	Count     int      `json:"count"`
	Databases []string `json:"databases,omitzero"`
	OriginScope
}

// Usage is in bytes.
type Usage struct {
	Kinds map[string]float64 `json:"kinds"`
	OriginScope
	Quota float64 `json:"quota"`
	Usage float64 `json:"usage"`
}

// Databases are the databases of an origin.
type Databases struct {
	Databases []databaseInfo `json:"databases"`
	OriginScope
}

// DatabaseEntries are some of an object store.
type DatabaseEntries struct {
	Database string          `json:"database"`
	Dropped  int             `json:"dropped,omitempty"` // that are not shown
	Entries  []DatabaseEntry `json:"entries"`
	OriginScope
	Store string `json:"store"`
	Total int    `json:"total"`
}

// DatabaseEntry is one of an object store.
type DatabaseEntry struct {
	Key   json.RawMessage `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Caches are the caches of an origin.
type Caches struct {
	Caches []Cache `json:"caches"`
	OriginScope
}

// Cache is one of them.
type Cache struct {
	Count int    `json:"count"`
	Name  string `json:"name"`
}

// CacheEntries are some of a cache.
type CacheEntries struct {
	Cache   string       `json:"cache"`
	Dropped int          `json:"dropped,omitempty"` // that are not shown
	Entries []cacheEntry `json:"entries"`
	OriginScope
	Total int `json:"total"`
}
