package storage

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// Restored is what of a state is in a context now, as the browser tells.
type Restored struct {
	Cookies, Local, Session, Databases, Records, Workers, Caches int

	Origins []string  // of which something came back
	Skipped []Skipped // what did not
}

// restorePatience is how long a service worker's script, or a page that holds a database, is waited for, in
// milliseconds.
const restorePatience = 4000

// Restore puts a state into the context: cookies in one go, and what origins keep from documents of theirs that no
// server is asked for. Of an origin, what is there of a kind that comes back goes first. sessionStorage belongs to a
// tab: it is put into the one that is given, if that shows nothing yet or the origin. Without a tab it is left for
// RestoreSessions.
func Restore(ctx context.Context, c *engine.Context, s *State, tab *engine.Page) (*Restored, error) {
	r := &Restored{}
	cookies, err := setAll(ctx, c, s.Cookies, r)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var visits []string
	byOrigin := map[string]*Origin{}
	for i := range s.Origins {
		o := &s.Origins[i]
		if !ownOrigin(o.Origin) {
			r.Skipped = append(r.Skipped, Skipped{
				Origin: o.Origin,
				What:   "what it kept",
				Why:    "only origins of http and https can be shown",
			})
			continue
		}
		byOrigin[o.Origin] = o
		c.Origins().Know(o.Origin)
		if durable := o.durable(); !durable.Empty() {
			visits = append(visits, o.Origin)
		}
	}
	if embedder.StandIn(ctx, c) != nil {
		for _, origin := range visits {
			r.Skipped = append(r.Skipped, Skipped{Origin: origin, What: "what it kept", Why: opensNoPage})
		}
		visits = nil
	}
	if len(visits) > 0 {
		err = eachVisited(ctx, c, visits, func(ctx context.Context, v *engine.OriginLoader, origin string) {
			got, err := putBack(ctx, v, byOrigin[origin].durable())
			mu.Lock()
			defer mu.Unlock()
			r.count(origin, got, err)
		})
		if err != nil {
			return nil, err
		}
	}
	if tab != nil {
		if err := restoreSessions(ctx, c, s, tab, r); err != nil {
			return nil, err
		}
	}
	if err := cookies(ctx); err != nil {
		return nil, err
	}
	slices.Sort(r.Origins)
	r.Origins = slices.Compact(r.Origins)
	return r, ctx.Err()
}

// durable is what belongs to the origin and to no tab.
func (o *Origin) durable() *Origin {
	d := *o
	d.Session = nil
	return &d
}

// setAll sets cookies in one go. The function that it returns looks which of them are there.
func setAll(
	ctx context.Context, c *engine.Context, cookies []Cookie, r *Restored,
) (look func(context.Context) error, err error) {
	if len(cookies) == 0 {
		return func(context.Context) error { return nil }, nil
	}
	again := make([]NewCookie, len(cookies))
	for i := range cookies {
		again[i] = cookies[i].Again()
	}
	j := jarOf(ctx, c)
	pending := j.session.Batch(j.setCall(again), j.getCall())
	_, err = pending[0].Wait(ctx)
	if err != nil && !fault.Is(err, fault.Protocol) {
		return nil, err
	}
	refused := make([]error, len(again))
	if err != nil { // the browser refuses all of them if it refuses one
		if refused, err = SetCookies(ctx, c, again); err != nil {
			return nil, err
		}
		pending[1] = j.session.Start(j.get, j.params)
	}
	return func(ctx context.Context) error {
		raw, err := pending[1].Wait(ctx)
		if err != nil {
			return err
		}
		there, err := readCookies(raw)
		if err != nil {
			return err
		}
		for i := range cookies {
			want := &cookies[i]
			if slices.ContainsFunc(there, func(have Cookie) bool { return have.same(want) && have.Value == want.Value }) {
				r.Cookies++
				continue
			}
			why := "the browser did not take it"
			if refused[i] != nil {
				why = plainText(refused[i])
			}
			r.Skipped = append(r.Skipped, Skipped{What: "cookie " + want.Name + " of " + want.Domain, Why: why})
		}
		return nil
	}, nil
}

// same reports whether one cookie takes the place of the other.
func (c *Cookie) same(d *Cookie) bool {
	return c.Name == d.Name && c.Domain == d.Domain && c.Path == d.Path && samePartition(c.PartitionKey, d.PartitionKey)
}

// Replaces reports whether a cookie that came from [Cookie.Again] takes the place of one that is there.
func (n *NewCookie) Replaces(have *Cookie) bool {
	if n.Name != have.Name || n.Path != have.Path || !samePartition(n.PartitionKey, have.PartitionKey) {
		return false
	}
	again := have.Again()
	_, place, _ := strings.Cut(n.URL, "://") // whether it is secure may have changed
	_, there, _ := strings.Cut(again.URL, "://")
	return n.Domain == again.Domain && place == there
}

func samePartition(a, b *CookiePartition) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Again is a cookie as it has to be set to be the same.
func (c *Cookie) Again() NewCookie {
	n := NewCookie{
		Name:         c.Name,
		Value:        c.Value,
		Path:         c.Path,
		HTTPOnly:     c.HTTPOnly,
		Secure:       c.Secure,
		SameSite:     c.SameSite,
		Priority:     c.Priority,
		PartitionKey: c.PartitionKey,
		SourceScheme: c.SourceScheme,
		SourcePort:   c.SourcePort,
	}
	if c.Expires > 0 && !c.Session {
		n.Expires = c.Expires
	}
	host := strings.TrimPrefix(c.Domain, ".")
	if host != c.Domain {
		n.Domain = c.Domain
	}
	scheme := "http://"
	if c.Secure {
		scheme = "https://"
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	n.URL = scheme + host + c.Path
	return n
}

// putBackReply is what the script did.
type putBackReply struct {
	Origin    string `json:"origin"`
	Local     int    `json:"local"`
	Session   int    `json:"session"`
	Databases int    `json:"databases"`
	Records   int    `json:"records"`
	Workers   int    `json:"workers"`
	Caches    int    `json:"caches"`
	Skipped   []struct {
		What string `json:"what"`
		Why  string `json:"why"`
	} `json:"skipped"`
}

// putBack shows the origin and puts back what it kept.
func putBack(ctx context.Context, v *engine.OriginLoader, o *Origin) (*putBackReply, error) {
	arg, err := o.arg()
	if err != nil {
		return nil, err
	}
	if err := v.Load(ctx, o.Origin); err != nil {
		return nil, err
	}
	var got putBackReply
	return &got, v.Run(ctx, restoreFunction, arg, &got)
}

// putBackArg is what the script that restores an origin gets.
type putBackArg struct {
	Origin    string          `json:"origin"`
	Patience  int             `json:"patience"`
	Databases []Database      `json:"databases"`
	Workers   []ServiceWorker `json:"workers"`
	Caches    []WorkerCache   `json:"caches"`
	Local     []Item          `json:"localStorage,omitempty"`
	Session   []Item          `json:"sessionStorage,omitempty"`
}

func (o *Origin) arg() ([]byte, error) {
	return jsonv2.Marshal(putBackArg{o.Origin, restorePatience, o.Databases, o.Workers, o.Caches, o.Local, o.Session})
}

// count adds the result for an origin.
func (r *Restored) count(origin string, got *putBackReply, err error) {
	switch {
	case err != nil:
		r.Skipped = append(r.Skipped, Skipped{Origin: origin, What: "what it kept", Why: plainText(err)})
		return
	case got.Origin != origin:
		r.Skipped = append(r.Skipped, Skipped{
			Origin: origin,
			What:   "what it kept",
			Why:    "the browser shows " + got.Origin + " in its place",
		})
		return
	}
	r.Local, r.Session, r.Databases, r.Records = r.Local+got.Local, r.Session+got.Session, r.Databases+
		got.Databases, r.Records+got.Records
	r.Workers, r.Caches = r.Workers+got.Workers, r.Caches+got.Caches
	if got.Local+got.Session+got.Databases+got.Workers+got.Caches > 0 {
		r.Origins = append(r.Origins, origin)
	}
	for _, s := range got.Skipped {
		r.Skipped = append(r.Skipped, Skipped{Origin: origin, What: s.What, Why: s.Why})
	}
}

// RestoreSessions puts the sessionStorage of a state into a tab, as Restore does with one.
func RestoreSessions(ctx context.Context, c *engine.Context, s *State, tab *engine.Page) (*Restored, error) {
	r := &Restored{}
	return r, restoreSessions(ctx, c, s, tab, r)
}

// restoreSessions puts sessionStorage into a tab.
func restoreSessions(ctx context.Context, c *engine.Context, s *State, tab *engine.Page, r *Restored) error {
	var of []*Origin
	for i := range s.Origins {
		if o := &s.Origins[i]; len(o.Session) > 0 && ownOrigin(o.Origin) {
			of = append(of, o)
		}
	}
	if len(of) == 0 {
		return nil
	}
	skip := func(o *Origin, why string) {
		r.Skipped = append(r.Skipped, Skipped{Origin: o.Origin, What: "its sessionStorage", Why: why})
	}
	switch {
	case tab.URL() != engine.Blank && tab.URL() != "":
		for _, o := range of {
			if err := restoreSessionHere(ctx, c, tab, o, r); err != nil {
				skip(o, plainText(err))
			}
		}
		return nil
	}
	v, err := engine.LoadOriginsIn(ctx, tab)
	if err != nil {
		return err
	}
	for _, o := range of {
		alone := &Origin{Origin: o.Origin, Session: o.Session}
		limited, cancel := context.WithTimeout(ctx, visitLimit)
		got, err := putBack(limited, v, alone)
		cancel()
		r.count(o.Origin, got, err)
	}
	v.Close(ctx)
	_, err = tab.Loading().Settle(ctx, settleLimit)
	return err
}

// restoreSessionHere puts sessionStorage into a tab that shows the origin.
func restoreSessionHere(ctx context.Context, c *engine.Context, tab *engine.Page, o *Origin, r *Restored) error {
	if urls.Origin(tab.URL()) != o.Origin {
		return fault.New(fault.TargetUnsuitable, "it belongs to a tab, and the active one shows another site")
	}
	arg, err := (&Origin{Origin: o.Origin, Session: o.Session}).arg()
	if err != nil {
		return err
	}
	watched, stop := tab.Watch(ctx, true)
	defer stop()
	var got putBackReply
	err = tab.Main().RunScript(watched, restoreFunction, arg, &got)
	r.count(o.Origin, &got, err)
	return nil
}
