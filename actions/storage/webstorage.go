package storage

import (
	"context"
	_ "embed" // the scripts
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
//go:embed bundle/webstorage.js
var webStorageScript string

// webStorageCommands returns the commands on what pages keep in the browser besides cookies.
func webStorageCommands() []actions.Command {
	return slices.Concat(areaCommands("local"), areaCommands("session"), databaseCommands(), cacheCommands(),
		[]actions.Command{{
			Spec: actions.Spec{
				Name: "storage usage", Group: actions.GroupStorage,
				Summary: "Show how much the page's origin stores in the browser, and its quota",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Usage{}}},
			Run:      runStorageUsage,
		}})
}

func areaCommands(area string) []actions.Command {
	name := "storage " + area
	key := actions.Arg{Name: "key", Help: "The key"}
	do := func(op string) func(context.Context, *actions.Call) (actions.Result, error) {
		return func(ctx context.Context, c *actions.Call) (actions.Result, error) {
			return webStorage(ctx, c, area, op)
		}
	}
	whole := map[string][]string{"local": {
		"storage <local|session>",
		"storage <type> [get [key] | set <key> <value> | clear | <key>]", "storage local get [key]",
	}}
	optional := key
	optional.Optional = true
	list := []actions.Command{
		{
			Spec: actions.Spec{
				Name:    name + " get",
				Aliases: []string{name},
				Group:   actions.GroupStorage,
				Summary: "Print the content of " + area + "Storage",
				Help: "Reads the storage of the page's origin, or of the frame that `frame` chose. A list shortens long " +
					"values; --json has them in full.",
				Args:     []actions.Arg{optional},
				Examples: []actions.Example{{Line: name}, {Line: name + " get token"}},
				Upstream: whole[area],
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "storage_get", Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Entries{}, actions.Given("key", Entry{})}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
				if c.Has("key") {
					return webStorage(ctx, c, area, "get")
				}
				return webStorage(ctx, c, area, "all")
			},
		},
		{
			Spec: actions.Spec{
				Name: name + " set", Group: actions.GroupStorage, Summary: "Put a value into " + area + "Storage",
				Args: []actions.Arg{key, {Name: "value", Secret: true, Help: "The value"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "storage_set", Families: policy.Does(), Gives: actions.ToNamed(nil)},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{EntrySet{}}},
			Run:      do("set"),
		},
		{
			Spec: actions.Spec{
				Name:    name + " remove",
				Aliases: []string{name + " delete"},
				Group:   actions.GroupStorage,
				Summary: "Remove a key from " + area + "Storage",
				Args:    []actions.Arg{key},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "storage_remove", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{EntryRemoved{}}},
			Run:      do("remove"),
		},
		{
			Spec:     actions.Spec{Name: name + " clear", Group: actions.GroupStorage, Summary: "Empty " + area + "Storage"},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "storage_clear", Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Cleared{}}},
			Run:      do("clear"),
		},
	}
	for i := range list {
		list[i].Secrets = true
		list[i].Traits |= trait.ShowsStorage
	}
	return list
}

// Bounds of what a reply reports about a storage.
const (
	storageEntries    = 1000
	storageCharacters = 4 << 20
	shownCharacters   = 300 // of a value, in the text of a list
)

// storageBounds are how many entries and characters of values a reply has: SKUA_STORAGE_ENTRIES and SKUA_STORAGE_BYTES.
func storageBounds(c *actions.Call) (entries, characters int) {
	return c.Bound("STORAGE_ENTRIES", storageEntries), c.Bound("STORAGE_BYTES", storageCharacters)
}

// storageFrame is the frame whose origin's storage is meant.
func storageFrame(ctx context.Context, c *actions.Call) (*actions.Tab, *engine.Frame, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	frame, err := element.LookIn(ctx, c, tab)
	return tab, frame, err
}

// inStorage runs one of the scripts of the storage commands.
func inStorage(ctx context.Context, c *actions.Call, script string, arg, reply any) (*engine.Frame, error) {
	tab, frame, err := storageFrame(ctx, c)
	if err != nil {
		return nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Changes() {
		if err := engine.ActingByOp(watched, tab.Page); err != nil {
			return nil, err
		}
	}
	return frame, frame.RunScript(watched, script, arg, reply)
}

// noStorage is the error for a document that has no storage.
func noStorage(frame *engine.Frame, why string) error {
	return fault.New(fault.TargetUnsuitable, "Storage error: %s has no storage in the browser: %s.", frame.URL(),
		strings.TrimSuffix(why, ".")).
		About(frame.URL()).
		WithHint("Open a page of the site first; sandboxed frames, data: and about:blank pages have no storage.")
}

// webStorageArg is what the script gets.
type webStorageArg struct {
	Area       string `json:"area"`
	Op         string `json:"op"`
	Key        string `json:"key"`
	Value      string `json:"value"`
	Entries    int    `json:"entries"`
	Characters int    `json:"characters"`
}

func webStorage(ctx context.Context, c *actions.Call, area, op string) (actions.Result, error) {
	entries, characters := storageBounds(c)
	key, value := c.String("key"), ""
	if op == "set" {
		value = c.String("value")
	}
	var reply struct {
		Origin  string   `json:"origin"`
		Refused string   `json:"refused"`
		Failed  string   `json:"failed"`
		Count   int      `json:"count"`
		Keys    []string `json:"keys"`
		Values  []string `json:"values"`
		Value   *string  `json:"value"`
		Dropped int      `json:"dropped"`
	}
	frame, err := inStorage(ctx, c, webStorageScript, webStorageArg{area, op, key, value, entries, characters}, &reply)
	switch {
	case err != nil:
		return actions.Result{}, err
	case reply.Refused != "":
		return actions.Result{}, noStorage(frame, reply.Refused)
	}
	of := OriginScope{reply.Origin}
	switch op {
	case "all":
		all := map[string]string{}
		for i, k := range reply.Keys {
			all[k] = reply.Values[i]
		}
		return actions.Result{
			Data: Entries{reply.Count, all, reply.Dropped, of},
			Text: storageList(c, reply.Keys, all, reply.Dropped),
		}, nil
	case "get":
		shown := "null"
		if reply.Value != nil {
			shown = *reply.Value
		}
		return actions.Result{Data: Entry{key, of, reply.Value}, Text: key + ": " + shown}, nil
	case "set":
		if reply.Value == nil || *reply.Value != value {
			why := reply.Failed
			if why == "" {
				why = "the page has changed it"
			}
			return actions.Result{}, fault.New(fault.ValueNotKept, "%sStorage did not keep the value of %s: %s", area,
				wording.Quote(key), why)
		}
		return actions.Result{Data: EntrySet{of, true}, Text: "✓ Done"}, nil
	case "remove":
		if reply.Value == nil {
			c.Note(area + "Storage of " + reply.Origin + " has no key " + wording.Quote(key))
		}
		return actions.Result{Data: EntryRemoved{of, reply.Value != nil}, Text: "✓ Done"}, nil
	default:
		if reply.Dropped > 0 {
			c.Note("the page has put " + wording.Plural(reply.Dropped, "entry") + " there again")
		}
		return actions.Result{
			Data: Cleared{Cleared: true, Count: reply.Count, OriginScope: of},
			Text: "✓ Storage cleared",
		}, nil
	}
}

func storageList(c *actions.Call, keys []string, all map[string]string, dropped int) string {
	var lines []string
	slices.Sort(keys)
	for _, k := range keys {
		lines = append(lines, k+": "+shortValue(all[k]))
	}
	if dropped > 0 {
		c.Note(strconv.Itoa(dropped) + " more of " + strconv.Itoa(len(keys)+dropped) +
			" are not shown: they are too large together; " +
			"`storage … get <key>` prints one")
	}
	if len(lines) == 0 && dropped == 0 {
		return "No storage entries"
	}
	return strings.Join(lines, "\n")
}

// shortValue is a value as a list shows it.
func shortValue(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= shownCharacters {
		return s
	}
	return string([]rune(s)[:shownCharacters]) + "… (" + strconv.Itoa(n) + " characters)"
}

func runStorageUsage(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, frame, err := storageFrame(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	origin := urls.Origin(frame.URL())
	if !strings.HasPrefix(origin, "http") {
		return actions.Result{}, noStorage(frame, "it has no origin")
	}
	u, err := storage.UsageOf(ctx, tab.Page, origin+"/")
	if err != nil {
		return actions.Result{}, err
	}
	kinds := map[string]float64{}
	lines := []string{origin + ": " + bytesText(u.Usage) + " of " + bytesText(u.Quota)}
	for _, k := range u.Kinds {
		kinds[k.Kind] = k.Bytes
		lines = append(lines, "  "+k.Kind+": "+bytesText(k.Bytes))
	}
	return actions.Result{Data: Usage{kinds, OriginScope{origin}, u.Quota, u.Usage}, Text: strings.Join(lines, "\n")}, nil
}

// bytesText writes a size for people.
func bytesText(n float64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	i := 0
	for n >= 1000 && i < len(units)-1 {
		n /= 1000
		i++
	}
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) + " " + units[i]
}
