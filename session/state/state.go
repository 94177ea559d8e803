package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/plainjson"
)

// ErrInvalid says that a text is not a saved state.
var ErrInvalid = errors.New("it holds no saved state")

// State is the saved state of a browser context.
type State struct {
	Cookies []storage.Cookie `json:"cookies"`
	Origins []storage.Origin `json:"origins"`
	Saved   *Saved           `json:"skua,omitempty"` // skua's own fields; nil in files of other programs

	Dropped []string          `json:"-"` // what the reader left out, in words
	Foreign []storage.Skipped `json:"-"` // what the reader could not convert
}

// Saved describes the save.
type Saved struct {
	Version int               `json:"version"`
	At      int64             `json:"savedAt"`       // seconds since 1970
	Key     string            `json:"key,omitempty"` // the restore key it was saved under; empty in files of `state save`
	Skipped []storage.Skipped `json:"skipped,omitempty"`

	Passkeys []passkey.Passkey `json:"passkeys,omitempty"` // with their private keys
}

// version is the version of skua's fields.
const version = 1

// FromStorage returns the state for what was captured now.
func FromStorage(c *storage.State, now time.Time) *State {
	s := &State{
		Cookies: c.Cookies,
		Origins: c.Origins,
		Saved:   &Saved{Version: version, At: now.Unix(), Skipped: c.Skipped},
	}
	if s.Cookies == nil {
		s.Cookies = []storage.Cookie{}
	}
	if s.Origins == nil {
		s.Origins = []storage.Origin{}
	}
	for i := range s.Origins {
		o := &s.Origins[i]
		if o.Local == nil {
			o.Local = []storage.Item{}
		}
		if o.Session == nil {
			o.Session = []storage.Item{}
		}
	}
	return s
}

// SetPasskeys makes these the passkeys of the state.
func (s *State) SetPasskeys(keys []passkey.Passkey) {
	if s.Saved == nil {
		s.Saved = &Saved{Version: version}
	}
	s.Saved.Passkeys = keys
}

// Passkeys returns those of the state, with their private keys.
func (s *State) Passkeys() []passkey.Passkey {
	if s.Saved == nil {
		return nil
	}
	return s.Saved.Passkeys
}

// checkPasskeys removes those that cannot be used.
func (s *State) checkPasskeys() {
	var good []passkey.Passkey
	for _, p := range s.Passkeys() {
		if err := p.Check(); err != nil {
			s.Foreign = append(s.Foreign, storage.Skipped{Origin: p.RPID, What: "a passkey", Why: err.Error()})
			continue
		}
		good = append(good, p)
	}
	if s.Saved != nil {
		s.Saved.Passkeys = good
	}
}

// Storage returns the state in the form in which the engine restores it.
func (s *State) Storage() *storage.State {
	return &storage.State{Cookies: s.Cookies, Origins: s.Origins}
}

// WithoutKeys returns the state without the private keys of its passkeys.
func (s *State) WithoutKeys() *State {
	if len(s.Passkeys()) == 0 {
		return s
	}
	shown, saved := *s, *s.Saved
	saved.Passkeys = slices.Clone(saved.Passkeys)
	for i := range saved.Passkeys {
		saved.Passkeys[i].PrivateKey = nil
	}
	shown.Saved = &saved
	return &shown
}

// Text returns the text of a state file.
func (s *State) Text() ([]byte, error) {
	text, err := plainjson.MarshalIndent(s, "  ")
	return append(text, '\n'), err
}

// foreignOrigin is an origin in Playwright's form of databases.
type foreignOrigin struct {
	Databases []struct {
		Name    string `json:"name"`
		Version uint64 `json:"version"`
		Stores  []struct {
			Name          string          `json:"name"`
			KeyPath       *string         `json:"keyPath"`
			KeyPathArray  []string        `json:"keyPathArray"`
			AutoIncrement bool            `json:"autoIncrement"`
			Indexes       []foreignIndex  `json:"indexes"`
			Records       []foreignRecord `json:"records"`
		} `json:"stores"`
	} `json:"indexedDB"`
}

type foreignIndex struct {
	Name         string   `json:"name"`
	KeyPath      *string  `json:"keyPath"`
	KeyPathArray []string `json:"keyPathArray"`
	MultiEntry   bool     `json:"multiEntry"`
	Unique       bool     `json:"unique"`
}

type foreignRecord struct {
	Key          json.RawMessage `json:"key"`
	KeyEncoded   json.RawMessage `json:"keyEncoded"`
	Value        json.RawMessage `json:"value"`
	ValueEncoded json.RawMessage `json:"valueEncoded"`
}

// Parse reads a state file of skua, agent-browser or Playwright.
func Parse(text []byte) (*State, error) {
	var shape struct {
		Cookies *json.RawMessage `json:"cookies"`
		Origins *json.RawMessage `json:"origins"`
		Skua    *Saved           `json:"skua"`
	}
	if err := json.Unmarshal(text, &shape); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	switch {
	case shape.Cookies == nil && shape.Origins == nil:
		return nil, fmt.Errorf("%w: it has neither cookies nor origins", ErrInvalid)
	case shape.Skua != nil && shape.Skua.Version > version:
		return nil, fmt.Errorf("%w: it is of version %d, which a newer skua has written", ErrInvalid, shape.Skua.Version)
	}
	s := &State{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	for i := range s.Cookies {
		c := &s.Cookies[i]
		if c.Name == "" && c.Value == "" || c.Domain == "" {
			return nil, fmt.Errorf("%w: cookie %d has no name or no domain", ErrInvalid, i+1)
		}
		if c.Path == "" {
			c.Path = "/"
		}
		if c.Expires <= 0 {
			c.Session, c.Expires = true, -1
		}
	}
	for i := range s.Origins {
		if s.Origins[i].Origin == "" {
			return nil, fmt.Errorf("%w: origin %d has no address", ErrInvalid, i+1)
		}
	}
	if s.Saved == nil {
		return s, s.readForeign(text)
	}
	s.checkPasskeys()
	return s, nil
}

// readForeign converts databases from Playwright's form, as far as their values are plain JSON.
func (s *State) readForeign(text []byte) error {
	var foreign struct {
		Origins []foreignOrigin `json:"origins"`
	}
	if err := json.Unmarshal(text, &foreign); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	for i, o := range foreign.Origins {
		for _, d := range o.Databases {
			lost := 0
			db := storage.Database{Name: d.Name, Version: d.Version}
			for _, st := range d.Stores {
				store := storage.ObjectStore{
					Name:          st.Name,
					KeyPath:       keyPath(st.KeyPath, st.KeyPathArray),
					AutoIncrement: st.AutoIncrement,
					Records:       []storage.DatabaseRecord{},
				}
				store.Indexes = indexes(st.Indexes)
				for _, r := range st.Records {
					if r.Value == nil || r.KeyEncoded != nil || bytes.Contains(r.Value, []byte(`"$"`)) {
						lost++
						continue
					}
					store.Records = append(store.Records, storage.DatabaseRecord{Key: r.Key, Value: r.Value})
				}
				db.Stores = append(db.Stores, store)
			}
			if lost > 0 {
				s.Foreign = append(s.Foreign, storage.Skipped{
					Origin: s.Origins[i].Origin,
					What:   strconv.Itoa(lost) + " entries of database " + strconv.Quote(d.Name),
					Why:    "they have values in a form of Playwright's own",
				})
			}
			s.Origins[i].Databases = append(s.Origins[i].Databases, db)
		}
	}
	return nil
}

func keyPath(one *string, several []string) json.RawMessage {
	var path any
	switch {
	case several != nil:
		path = several
	case one != nil:
		path = *one
	}
	raw, _ := json.Marshal(path) // strings always encode
	return raw
}

// ownIndex is an index in the form of our states.
type ownIndex struct {
	Name       string          `json:"name"`
	KeyPath    json.RawMessage `json:"keyPath"`
	MultiEntry bool            `json:"multiEntry"`
	Unique     bool            `json:"unique"`
}

func indexes(of []foreignIndex) json.RawMessage {
	all := make([]ownIndex, len(of))
	for i, x := range of {
		all[i] = ownIndex{x.Name, keyPath(x.KeyPath, x.KeyPathArray), x.MultiEntry, x.Unique}
	}
	raw, _ := json.Marshal(all) // strings and booleans always encode
	return raw
}

// Counts is the size of a state by kind.
type Counts struct {
	Cookies   int `json:"cookies"`
	Origins   int `json:"origins"`
	Local     int `json:"localStorage"`
	Session   int `json:"sessionStorage"`
	Databases int `json:"databases"`
	Records   int `json:"records"`
	Workers   int `json:"serviceWorkers"`
	Caches    int `json:"caches"`
	Passkeys  int `json:"passkeys"`
}

// Count returns the size of the state.
func (s *State) Count() Counts {
	n := Counts{Cookies: len(s.Cookies), Origins: len(s.Origins), Passkeys: len(s.Passkeys())}
	for i := range s.Origins {
		o := &s.Origins[i]
		n.Local, n.Session, n.Databases = n.Local+len(o.Local), n.Session+len(o.Session), n.Databases+len(o.Databases)
		n.Workers, n.Caches = n.Workers+len(o.Workers), n.Caches+len(o.Caches)
		for _, d := range o.Databases {
			for _, st := range d.Stores {
				n.Records += len(st.Records)
			}
		}
	}
	return n
}

// PasskeysOf returns the passkeys that pages of the origins may use; nil means all.
func PasskeysOf(keys []passkey.Passkey, origins []string) []passkey.Passkey {
	if origins == nil {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(p passkey.Passkey) bool {
		return !slices.ContainsFunc(origins, p.Belongs)
	})
}

// Keep removes all but these kinds of these origins; nil means all origins.
func (s *State) Keep(kinds storage.Kinds, origins []string) {
	if !kinds.Cookies {
		s.Cookies = nil
	}
	if origins != nil {
		s.Cookies = storage.CookiesOf(s.Cookies, origins)
		s.Origins = slices.DeleteFunc(s.Origins, func(o storage.Origin) bool { return !slices.Contains(origins, o.Origin) })
		if s.Saved != nil {
			s.Saved.Passkeys = PasskeysOf(s.Saved.Passkeys, origins)
		}
	}
	for i := range s.Origins {
		o := &s.Origins[i]
		if !kinds.Local {
			o.Local = nil
		}
		if !kinds.Session {
			o.Session = nil
		}
		if !kinds.Databases {
			o.Databases = nil
		}
		if !kinds.Workers {
			o.Workers = nil
		}
		if !kinds.Caches {
			o.Caches = nil
		}
	}
}
