package storage

import (
	"context"
	_ "embed" // the script
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

//go:embed bundle/cachestorage.js
var cacheScript string

func cacheCommands() []actions.Command {
	name := actions.Arg{Name: "cache", Help: "The name of the cache"}
	optional := name
	optional.Optional = true
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "storage cache list", Aliases: []string{"storage cache"}, Group: actions.GroupStorage,
				Summary: "List the caches of the page's origin that service workers use",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Caches{}}},
			Run:      runCaches,
		},
		{
			Spec: actions.Spec{
				Name:    "storage cache get",
				Group:   actions.GroupStorage,
				Summary: "List the content of a cache, or print its response for an address",
				Args: []actions.Arg{name, {
					Name:     "part",
					Value:    "url",
					Optional: true,
					Help:     "A part of the address; matching responses are shown with headers and text",
				}},
				Flags: []actions.Flag{{
					Name:    "limit",
					Value:   "n",
					Kind:    actions.Int,
					Default: "100",
					Help:    "How many entries at most",
				}},
				Examples: []actions.Example{{Line: "storage cache get static-v1"}, {Line: "storage cache get static-v1 /app.js"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{CacheEntries{}}},
			Run:      runCacheGet,
		},
		{
			Spec: actions.Spec{
				Name: "storage cache clear", Group: actions.GroupStorage,
				Summary: "Delete a cache of the page's origin, or all of them", Args: []actions.Arg{optional},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Cleared{}}},
			Run:      runCacheClear,
		},
	}
}

type cacheReply struct {
	Origin  string       `json:"origin"`
	Refused string       `json:"refused"`
	Failed  string       `json:"failed"`
	Found   bool         `json:"found"`
	Caches  []Cache      `json:"caches"`
	Total   int          `json:"total"`
	Removed int          `json:"removed"`
	Entries []cacheEntry `json:"entries"`
}

type cacheEntry struct {
	URL         string            `json:"url"`
	Method      string            `json:"method"`
	Status      int               `json:"status"`
	Type        string            `json:"type"`
	ContentType *string           `json:"contentType"`
	Size        *int64            `json:"size"`
	Headers     map[string]string `json:"headers,omitempty"`
	Body        *string           `json:"body,omitempty"`
	Shortened   bool              `json:"shortened,omitempty"`
}

// cacheArg is what the script gets.
type cacheArg struct {
	Op         string `json:"op"`
	Cache      string `json:"cache"`
	URL        string `json:"url"`
	Limit      int    `json:"limit"`
	Characters int    `json:"characters"`
}

func inCaches(ctx context.Context, c *actions.Call, arg cacheArg) (*cacheReply, error) {
	_, arg.Characters = storageBounds(c)
	var reply cacheReply
	frame, err := inStorage(ctx, c, cacheScript, arg, &reply)
	switch {
	case err != nil:
		return nil, err
	case reply.Refused != "":
		return nil, noStorage(frame, reply.Refused)
	case reply.Failed != "":
		return nil, fault.New(fault.EvalFailed, "Storage error: the caches of %s could not be read: %s", reply.Origin,
			reply.Failed)
	case !reply.Found:
		var names []string
		for _, k := range reply.Caches {
			names = append(names, k.Name)
		}
		return nil, fault.New(fault.TargetUnsuitable, "%s has no cache %s.", reply.Origin, wording.Quote(c.String("cache"))).
			WithHint("It has: %s.", orNone(names))
	}
	return &reply, nil
}

func runCaches(ctx context.Context, c *actions.Call) (actions.Result, error) {
	reply, err := inCaches(ctx, c, cacheArg{Op: "list"})
	if err != nil {
		return actions.Result{}, err
	}
	rows := []Cache{}
	var lines []string
	for _, k := range reply.Caches {
		rows = append(rows, k)
		lines = append(lines, k.Name+": "+wording.Plural(k.Count, "entry"))
	}
	if len(lines) == 0 {
		lines = []string{"No caches"}
	}
	return actions.Result{Data: Caches{rows, OriginScope{reply.Origin}}, Text: strings.Join(lines, "\n")}, nil
}

func runCacheGet(ctx context.Context, c *actions.Call) (actions.Result, error) {
	limit := c.Int("limit")
	if most, _ := storageBounds(c); limit < 1 || limit > most {
		return actions.Result{}, c.Invalid("--limit expects a number from 1 to " + strconv.Itoa(most) + ", got " +
			c.String("limit"))
	}
	reply, err := inCaches(ctx, c, cacheArg{Op: "get", Cache: c.String("cache"), URL: c.String("part"), Limit: limit})
	if err != nil {
		return actions.Result{}, err
	}
	data := CacheEntries{
		Cache:       c.String("cache"),
		Entries:     reply.Entries,
		OriginScope: OriginScope{reply.Origin},
		Total:       reply.Total,
	}
	var lines []string
	for _, e := range reply.Entries {
		lines = append(lines, e.line())
		if e.Body != nil {
			lines = append(lines, *e.Body)
		}
	}
	if left := reply.Total - len(reply.Entries); left > 0 {
		data.Dropped = left
		lines = append(lines, "… "+strconv.Itoa(left)+" more of "+strconv.Itoa(reply.Total)+"; --limit shows more")
	}
	if len(lines) == 0 {
		lines = []string{"No entries"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

func (e *cacheEntry) line() string {
	line := e.Method + " " + e.URL + " " + strconv.Itoa(e.Status)
	if e.ContentType != nil {
		line += " " + *e.ContentType
	}
	if e.Size == nil {
		return line + ", opaque"
	}
	return line + ", " + bytesText(float64(*e.Size))
}

func runCacheClear(ctx context.Context, c *actions.Call) (actions.Result, error) {
	reply, err := inCaches(ctx, c, cacheArg{Op: "clear", Cache: c.String("cache")})
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: Cleared{Cleared: true, Count: reply.Removed, OriginScope: OriginScope{reply.Origin}},
		Text: "✓ Done",
	}, nil
}
