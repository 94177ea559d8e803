package actions

import (
	"context"
	_ "embed" // the scripts
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../internal/pagescript/bundle -tools ../tools/go.mod .
//go:embed bundle/webstorage.js
var webStorageScript string

// webStorageCommands are those on what pages keep in the browser besides cookies.
func webStorageCommands() []Command {
	return slices.Concat(areaCommands("local"), areaCommands("session"), databaseCommands(), cacheCommands(), []Command{{
		Name: "storage usage", Group: GroupStorage, Summary: "Tell how much the page's origin keeps in the browser, and how much it may", Effect: Reads,
		Run:    runStorageUsage,
		Policy: Policy{Families: policy.Does()},
	}})
}

func areaCommands(area string) []Command {
	name := "storage " + area
	key := Arg{Name: "key", Help: "The key"}
	do := func(op string) func(context.Context, *Call) (Result, error) {
		return func(ctx context.Context, c *Call) (Result, error) { return c.webStorage(ctx, area, op) }
	}
	whole := map[string][]string{"local": {"storage <local|session>", "storage <type> [get [key] | set <key> <value> | clear | <key>]", "storage local get [key]"}}
	optional := key
	optional.Optional = true
	return []Command{
		{
			Name: name + " get", Aliases: []string{name}, Group: GroupStorage, Upstream: whole[area], Summary: "Print what " + area + "Storage holds",
			Help:     "Of the page's origin, or of that of the frame which `frame` chose. A list shortens long values; --json has them whole.",
			Args:     []Arg{optional},
			Effect:   Reads,
			Examples: []Example{{Line: name}, {Line: name + " get token"}},
			Run: func(ctx context.Context, c *Call) (Result, error) {
				if c.Has("key") {
					return c.webStorage(ctx, area, "get")
				}
				return c.webStorage(ctx, area, "all")
			},
			Policy: Policy{Action: "storage_get", Families: policy.Does()},
		},
		{
			Name: name + " set", Group: GroupStorage, Summary: "Put a value into " + area + "Storage", Args: []Arg{key, {Name: "value", Secret: true, Help: "The value"}},
			Effect: Reads, Run: do("set"),
			Policy: Policy{Action: "storage_set", Families: policy.Does()},
		},
		{
			Name: name + " remove", Aliases: []string{name + " delete"}, Group: GroupStorage, Summary: "Remove a key from " + area + "Storage", Args: []Arg{key},
			Effect: Reads, Run: do("remove"),
			Policy: Policy{Action: "storage_remove", Families: policy.Does()},
		},
		{Name: name + " clear", Group: GroupStorage, Summary: "Empty " + area + "Storage", Effect: Reads, Run: do("clear"), Policy: Policy{Action: "storage_clear", Families: policy.Does()}},
	}
}

// Bounds of what a reply tells of a storage.
const (
	storageEntries    = 1000
	storageCharacters = 4 << 20
	shownCharacters   = 300 // of a value, in the text of a list
)

// storageBounds are how many entries and characters of values a reply has: SKUA_STORAGE_ENTRIES and SKUA_STORAGE_BYTES.
func (c *Call) storageBounds() (entries, characters int) {
	return c.Bound("STORAGE_ENTRIES", storageEntries), c.Bound("STORAGE_BYTES", storageCharacters)
}

// Bound reads a bound from the caller's environment.
func (c *Call) Bound(suffix string, fallback int) int {
	given, _ := fromEnv(suffix, c.Getenv)
	if n, err := strconv.Atoi(given); err == nil && n > 0 {
		return n
	}
	return fallback
}

// storageFrame is the frame whose origin's storage is meant.
func (c *Call) storageFrame(ctx context.Context) (*Tab, *engine.Frame, error) {
	tab, err := c.Tab(ctx)
	if err != nil {
		return nil, nil, err
	}
	frame, err := c.lookIn(ctx, tab)
	return tab, frame, err
}

// inStorage runs one of the scripts of the storage commands.
func (c *Call) inStorage(ctx context.Context, script string, arg map[string]any, reply any) (*engine.Frame, error) {
	tab, frame, err := c.storageFrame(ctx)
	if err != nil {
		return nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	return frame, frame.RunScript(watched, script, arg, reply)
}

// noStorage is the error for a document that has no storage.
func noStorage(frame *engine.Frame, why string) error {
	return fault.New(fault.TargetUnsuitable, "Storage error: %s keeps nothing of its own in the browser: %s.", frame.URL(), strings.TrimSuffix(why, ".")).
		About(frame.URL()).WithHint("Open a page of the site first; sandboxed frames, data: and about:blank pages have no storage.")
}

func (c *Call) webStorage(ctx context.Context, area, op string) (Result, error) {
	entries, characters := c.storageBounds()
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
	frame, err := c.inStorage(ctx, webStorageScript,
		map[string]any{"area": area, "op": op, "key": key, "value": value, "entries": entries, "characters": characters}, &reply)
	switch {
	case err != nil:
		return Result{}, err
	case reply.Refused != "":
		return Result{}, noStorage(frame, reply.Refused)
	}
	data, text := map[string]any{"origin": reply.Origin}, "✓ Done"
	switch op {
	case "all":
		all := map[string]string{}
		for i, k := range reply.Keys {
			all[k] = reply.Values[i]
		}
		data["data"], data["count"] = all, reply.Count
		return Result{Data: data, Text: c.storageList(reply.Keys, all, reply.Dropped, data)}, nil
	case "get":
		data["key"], data["value"] = key, reply.Value
		shown := "null"
		if reply.Value != nil {
			shown = *reply.Value
		}
		return Result{Data: data, Text: key + ": " + shown}, nil
	case "set":
		if reply.Value == nil || *reply.Value != value {
			why := reply.Failed
			if why == "" {
				why = "the page has changed it"
			}
			return Result{}, fault.New(fault.ValueNotKept, "%sStorage did not keep the value of %s: %s", area, wording.Quote(key), why)
		}
		data["set"] = true
	case "remove":
		data["removed"] = reply.Value != nil
		if reply.Value == nil {
			c.Note(area + "Storage of " + reply.Origin + " has no key " + wording.Quote(key))
		}
	case "clear":
		data["cleared"], data["count"] = true, reply.Count
		text = "✓ Storage cleared"
		if reply.Dropped > 0 {
			c.Note("the page has put " + wording.Plural(reply.Dropped, "entry") + " there again")
		}
	}
	return Result{Data: data, Text: text}, nil
}

func (c *Call) storageList(keys []string, all map[string]string, dropped int, data map[string]any) string {
	var lines []string
	slices.Sort(keys)
	for _, k := range keys {
		lines = append(lines, k+": "+shortValue(all[k]))
	}
	if dropped > 0 {
		data["dropped"] = dropped
		c.Note(strconv.Itoa(dropped) + " more of " + strconv.Itoa(len(keys)+dropped) + " are not shown: they are too large together; " +
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

func runStorageUsage(ctx context.Context, c *Call) (Result, error) {
	tab, frame, err := c.storageFrame(ctx)
	if err != nil {
		return Result{}, err
	}
	origin := engine.Origin(frame.URL())
	if !strings.HasPrefix(origin, "http") {
		return Result{}, noStorage(frame, "it has no origin")
	}
	u, err := tab.Page.StorageUsage(ctx, origin+"/")
	if err != nil {
		return Result{}, err
	}
	kinds := map[string]float64{}
	lines := []string{origin + ": " + bytesText(u.Usage) + " of " + bytesText(u.Quota)}
	for _, k := range u.Kinds {
		kinds[k.Kind] = k.Bytes
		lines = append(lines, "  "+k.Kind+": "+bytesText(k.Bytes))
	}
	return Result{Data: map[string]any{"origin": origin, "usage": u.Usage, "quota": u.Quota, "kinds": kinds}, Text: strings.Join(lines, "\n")}, nil
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
