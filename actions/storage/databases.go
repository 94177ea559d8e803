package storage

import (
	"bytes"
	"context"
	_ "embed" // the script
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

//go:embed bundle/indexeddb.js
var databaseScript string

func databaseCommands() []actions.Command {
	database := actions.Arg{Name: "database", Help: "The name of the database"}
	store := actions.Arg{Name: "store", Optional: true, Help: "The object store"}
	optional := database
	optional.Optional = true
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "storage indexeddb list",
				Aliases: []string{"storage indexeddb"},
				Group:   actions.GroupStorage,
				Summary: "List the IndexedDB databases of the page's origin",
				Help:    "Prints their versions, object stores, key paths, indexes and sizes.",
				Args:    []actions.Arg{optional},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Databases{}}},
			Run:      runDatabases,
		},
		{
			Spec: actions.Spec{
				Name:    "storage indexeddb get",
				Group:   actions.GroupStorage,
				Summary: "Print the content of an object store of an IndexedDB database",
				Help: "A value that JSON does not have is shown as an object with one member that begins with $: $date, $map, " +
					"$set, $bigint, $binary (base64, the first 256 bytes), $blob, $undefined.",
				Args: []actions.Arg{database, store, {Name: "key", Optional: true, Help: "Only the entry with this key"}},
				Flags: []actions.Flag{
					{
						Name:    "limit",
						Value:   "n",
						Kind:    actions.Int,
						Default: "50",
						Help:    "How many entries at most",
					},
					{
						Name:    "offset",
						Value:   "n",
						Kind:    actions.Int,
						Default: "0",
						Help:    "How many entries to skip",
					},
				},
				Examples: []actions.Example{{Line: "storage indexeddb get shop orders --limit 5"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{DatabaseEntries{}}},
			Run:      runDatabaseGet,
		},
		{
			Spec: actions.Spec{
				Name:    "storage indexeddb clear",
				Group:   actions.GroupStorage,
				Summary: "Empty the IndexedDB databases of the page's origin",
				Help: "Empties all of them, one, or one object store. The databases themselves stay, because the page may be " +
					"using them.",
				Args: []actions.Arg{optional, store},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Cleared{}}},
			Run:      runDatabaseClear,
		},
	}
}

// databaseReply is what the script returns.
type databaseReply struct {
	Origin    string          `json:"origin"`
	Refused   string          `json:"refused"`
	Failed    string          `json:"failed"`
	Found     bool            `json:"found"`
	Databases []databaseInfo  `json:"databases"`
	Stores    []string        `json:"stores"`
	Store     string          `json:"store"`
	Total     int             `json:"total"`
	Entries   []DatabaseEntry `json:"entries"`
	Cleared   []string        `json:"cleared"`
	Removed   int             `json:"removed"`
}

type databaseInfo struct {
	Name    string      `json:"name"`
	Version float64     `json:"version"`
	Stores  []storeInfo `json:"stores"`
}

type storeInfo struct {
	Name          string      `json:"name"`
	KeyPath       any         `json:"keyPath"`
	AutoIncrement bool        `json:"autoIncrement"`
	Count         int         `json:"count"`
	Indexes       []indexInfo `json:"indexes"`
}

type indexInfo struct {
	Name       string `json:"name"`
	KeyPath    any    `json:"keyPath"`
	Unique     bool   `json:"unique"`
	MultiEntry bool   `json:"multiEntry"`
}

// databaseArg is what the script gets.
type databaseArg struct {
	Op         string  `json:"op"`
	Database   string  `json:"database"`
	Store      string  `json:"store"`
	Key        *string `json:"key"`
	Limit      int     `json:"limit"`
	Offset     int     `json:"offset"`
	Characters int     `json:"characters"`
}

// inDatabases runs the script, and makes errors of what it did not find.
func inDatabases(ctx context.Context, c *actions.Call, op string, limit, offset int) (*databaseReply, error) {
	_, characters := storageBounds(c)
	arg := databaseArg{
		Op:         op,
		Database:   c.String("database"),
		Limit:      limit,
		Offset:     offset,
		Characters: characters,
	}
	if op != "list" {
		arg.Store = c.String("store")
	}
	if op == "get" && c.Has("key") {
		arg.Key = new(c.String("key"))
	}
	var reply databaseReply
	frame, err := inStorage(ctx, c, databaseScript, arg, &reply)
	switch {
	case err != nil:
		return nil, err
	case reply.Refused != "":
		return nil, noStorage(frame, reply.Refused)
	case reply.Failed != "":
		return nil, fault.New(fault.EvalFailed, "Storage error: the database %s of %s could not be read: %s",
			wording.Quote(c.String("database")), reply.Origin, reply.Failed)
	case reply.Found:
		return &reply, nil
	case reply.Stores != nil:
		e := fault.New(fault.TargetUnsuitable, "The database %s has no object store %s.", wording.Quote(c.String("database")),
			wording.Quote(c.String("store")))
		if !c.Has("store") {
			e = fault.New(fault.TargetUnsuitable, "The database %s has several object stores, or none.",
				wording.Quote(c.String("database")))
		}
		return nil, e.WithHint("It has: %s.", orNone(reply.Stores))
	}
	var names []string
	for _, d := range reply.Databases {
		names = append(names, d.Name)
	}
	return nil, fault.New(fault.TargetUnsuitable, "%s has no database %s.", reply.Origin,
		wording.Quote(c.String("database"))).WithHint("It has: %s.", orNone(names))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(wording.QuoteEach(names), ", ")
}

func runDatabases(ctx context.Context, c *actions.Call) (actions.Result, error) {
	reply, err := inDatabases(ctx, c, "list", 0, 0)
	if err != nil {
		return actions.Result{}, err
	}
	databases := []databaseInfo{}
	var lines []string
	for _, d := range reply.Databases {
		if c.Has("database") && d.Name != c.String("database") {
			continue
		}
		databases = append(databases, d)
		lines = append(lines, d.Name+" (version "+strconv.FormatFloat(d.Version, 'f', -1, 64)+")")
		for _, s := range d.Stores {
			lines = append(lines, "  "+s.line())
		}
	}
	if len(lines) == 0 {
		lines = []string{"No databases"}
	}
	return actions.Result{Data: Databases{databases, OriginScope{reply.Origin}}, Text: strings.Join(lines, "\n")}, nil
}

func (s *storeInfo) line() string {
	line := s.Name + ": "
	line += wording.Plural(s.Count, "entry")
	if path := keyPath(s.KeyPath); path != "" {
		line += ", key " + path
	}
	if s.AutoIncrement {
		line += ", counts up"
	}
	var indexes []string
	for _, i := range s.Indexes {
		text := i.Name + " (" + keyPath(i.KeyPath)
		if i.Unique {
			text += ", unique"
		}
		if i.MultiEntry {
			text += ", of each item"
		}
		indexes = append(indexes, text+")")
	}
	if len(indexes) > 0 {
		line += "; indexes: " + strings.Join(indexes, ", ")
	}
	return line
}

// keyPath writes the path of a key: none, one, or several.
func keyPath(v any) string {
	switch p := v.(type) {
	case string:
		return p
	case []any:
		var all []string
		for _, part := range p {
			s, _ := part.(string)
			all = append(all, s)
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return ""
}

func runDatabaseGet(ctx context.Context, c *actions.Call) (actions.Result, error) {
	limit, offset := c.Int("limit"), c.Int("offset")
	if most, _ := storageBounds(c); limit < 1 || limit > most {
		return actions.Result{}, c.Invalid("--limit expects a number from 1 to " + strconv.Itoa(most) + ", got " +
			c.String("limit"))
	}
	if offset < 0 {
		return actions.Result{}, c.Invalid("--offset expects 0 or more, got " + c.String("offset"))
	}
	reply, err := inDatabases(ctx, c, "get", limit, offset)
	if err != nil {
		return actions.Result{}, err
	}
	entries := []DatabaseEntry{}
	var lines []string
	for _, e := range reply.Entries {
		entries = append(entries, e)
		value := compact(e.Value)
		if !c.Has("key") {
			value = shortValue(value)
		}
		lines = append(lines, compact(e.Key)+": "+value)
	}
	data := DatabaseEntries{
		Database:    c.String("database"),
		Entries:     entries,
		OriginScope: OriginScope{reply.Origin},
		Store:       reply.Store,
		Total:       reply.Total,
	}
	switch left := reply.Total - offset - len(entries); {
	case c.Has("key") && len(entries) == 0:
		c.Note("no entry has the key " + wording.Quote(c.String("key")))
	case !c.Has("key") && left > 0:
		data.Dropped = left
		lines = append(lines,
			"… "+strconv.Itoa(left)+" more of "+strconv.Itoa(reply.Total)+"; --offset "+strconv.Itoa(offset+len(entries))+
				" goes on")
	case len(lines) == 0:
		lines = []string{"No entries"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func runDatabaseClear(ctx context.Context, c *actions.Call) (actions.Result, error) {
	reply, err := inDatabases(ctx, c, "clear", 0, 0)
	if err != nil {
		return actions.Result{}, err
	}
	if reply.Cleared == nil {
		reply.Cleared = []string{}
	}
	return actions.Result{
		Data: Cleared{true, reply.Removed, reply.Cleared, OriginScope{reply.Origin}},
		Text: "✓ Done",
	}, nil
}
