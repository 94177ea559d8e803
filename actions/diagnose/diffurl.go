package diagnose

import (
	"context"
	"image"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// side is one of two addresses that are compared.
type side struct {
	address string
	tab     *actions.Tab
	err     error
	nav     *engine.Navigation
	text    string
	picture image.Image
}

func runDiffURL(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := diffOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	if err := checkThreshold(c); err != nil {
		return actions.Result{}, err
	}
	if !c.Bool("screenshot") && (c.Has("output") || c.Bool("full")) {
		return actions.Result{}, c.Invalid("--output and --full are about pictures: give --screenshot, too.")
	}
	file, err := diffImage(c)
	if err != nil {
		return actions.Result{}, err
	}
	sides := [2]*side{}
	for i, name := range []string{"url1", "url2"} {
		address, err := navigate.Address(c, c.String(name))
		if err != nil {
			return actions.Result{}, err
		}
		sides[i] = &side{address: address}
	}
	active, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	defer closeSides(ctx, c, sides[:])
	if err := openSides(ctx, c, active.Page.Context(), sides[:]); err != nil {
		return actions.Result{}, err
	}
	for _, s := range sides {
		if err := readSide(ctx, c, s, o); err != nil {
			return actions.Result{}, err
		}
	}
	d, err := diffTexts(sides[0].text, sides[1].text)
	if err != nil {
		return actions.Result{}, err
	}
	data := AddressDiff{
		URL1:      sides[0].nav.URL,
		URL2:      sides[1].nav.URL,
		Snapshot1: sides[0].text,
		Snapshot2: sides[1].text,
		Diff: AddressTextDiff{
			Additions: d.additions,
			Removals:  d.removals,
			Deletions: d.removals,
			Unchanged: d.unchanged,
			Changed:   d.changed(),
			Identical: !d.changed(),
			Diff:      d.unified,
		},
	}
	text, same := d.text(), !d.changed()
	if c.Bool("screenshot") {
		pictures, words, err := diffPictures(c, sides[0].picture, sides[1].picture, file)
		if err != nil {
			return actions.Result{}, err
		}
		data.Screenshot = &pictures
		text, same = text+"\n"+words, same && pictures.Match
	}
	return actions.Result{Data: data, Text: text, Failed: c.Bool("exit-code") && !same}, nil
}

// openSides loads the addresses in background tabs.
func openSides(ctx context.Context, c *actions.Call, in *engine.Context, sides []*side) error {
	until := engine.WaitUntil(c.String("wait-until"))
	var loading sync.WaitGroup
	for i, s := range sides {
		page, err := in.NewPage(ctx)
		if err != nil {
			s.err = err
			break
		}
		s.tab = &actions.Tab{ID: "diff" + strconv.Itoa(i+1), Page: page}
		loading.Go(func() {
			watched, stop := page.Watch(ctx, true)
			defer stop()
			s.nav, s.err = page.Navigate(watched, s.address, until)
		})
	}
	loading.Wait()
	for _, s := range sides {
		switch {
		case s.err != nil:
			return s.err
		case s.nav.Download:
			return fault.New(fault.NavigationFailed, "%s is a download, so there is no page to compare.", s.address).
				About(s.address)
		}
	}
	return nil
}

func readSide(ctx context.Context, c *actions.Call, s *side, o snapshot.Options) error {
	watched, stop := s.tab.Page.Watch(ctx, true)
	defer stop()
	t, o, err := look.ScopeSnapshot(watched, c, s.tab, o)
	if err != nil {
		return err
	}
	snap, err := look.TakeSnapshot(watched, c, s.tab, t.Frame, o)
	if err != nil {
		return look.SnapshotError(ctx, c, t, err)
	}
	s.text = strings.TrimRight(phrase.WithoutRefs(snap.Text()), "\n")
	if c.Bool("screenshot") {
		s.picture, err = picture(watched, c, s.tab)
	}
	return err
}

// closeLimit is how long closing a tab of our own may take.
const closeLimit = 5 * time.Second

func closeSides(ctx context.Context, c *actions.Call, sides []*side) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	for _, s := range sides {
		if s != nil && s.tab != nil {
			c.Session.Refs().CloseTab(s.tab.ID)
			_ = s.tab.Page.Close(ctx) // a page that is gone or stuck keeps nothing of ours
		}
	}
}
