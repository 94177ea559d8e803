package actions

import (
	"context"
	"image"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/snapshot"
)

// side is one of two addresses that are compared.
type side struct {
	address string
	tab     *Tab
	err     error
	nav     *engine.Navigation
	text    string
	picture image.Image
}

func runDiffURL(ctx context.Context, c *Call) (Result, error) {
	o, err := c.diffOptions()
	if err != nil {
		return Result{}, err
	}
	if err := c.checkThreshold(); err != nil {
		return Result{}, err
	}
	if !c.Bool("screenshot") && (c.Has("output") || c.Bool("full")) {
		return Result{}, c.Invalid("--output and --full are about pictures: give --screenshot, too.")
	}
	file, err := c.diffImage()
	if err != nil {
		return Result{}, err
	}
	sides := [2]*side{}
	for i, name := range []string{"url1", "url2"} {
		address, err := c.Address(c.String(name))
		if err != nil {
			return Result{}, err
		}
		sides[i] = &side{address: address}
	}
	active, err := c.Session.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	defer c.closeSides(ctx, sides[:])
	if err := c.openSides(ctx, active.Page.Context(), sides[:]); err != nil {
		return Result{}, err
	}
	for _, s := range sides {
		if err := c.readSide(ctx, s, o); err != nil {
			return Result{}, err
		}
	}
	d, err := diffTexts(sides[0].text, sides[1].text)
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{
		"url1": sides[0].nav.URL, "url2": sides[1].nav.URL, "snapshot1": sides[0].text, "snapshot2": sides[1].text,
		"diff": map[string]any{
			"additions": d.additions, "removals": d.removals, "deletions": d.removals, "unchanged": d.unchanged, "changed": d.changed(),
			"identical": !d.changed(), "diff": d.unified,
		},
	}
	text, same := d.text(), !d.changed()
	if c.Bool("screenshot") {
		pictures := map[string]any{}
		words, equal, err := c.diffPictures(sides[0].picture, sides[1].picture, file, pictures)
		if err != nil {
			return Result{}, err
		}
		data["screenshot"] = pictures
		text, same = text+"\n"+words, same && equal
	}
	return Result{Data: data, Text: text, Failed: c.Bool("exit-code") && !same}, nil
}

// openSides loads the addresses in tabs that nobody else sees.
func (c *Call) openSides(ctx context.Context, in *engine.Context, sides []*side) error {
	until := engine.WaitUntil(c.String("wait-until"))
	var loading sync.WaitGroup
	for i, s := range sides {
		page, err := in.NewPage(ctx)
		if err != nil {
			s.err = err
			break
		}
		s.tab = &Tab{ID: "diff" + strconv.Itoa(i+1), Page: page}
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
			return fault.New(fault.NavigationFailed, "%s is a download, so there is no page to compare.", s.address).About(s.address)
		}
	}
	return nil
}

func (c *Call) readSide(ctx context.Context, s *side, o snapshot.Options) error {
	watched, stop := s.tab.Page.Watch(ctx, true)
	defer stop()
	t, o, err := c.scoped(watched, s.tab, o)
	if err != nil {
		return err
	}
	snap, err := c.take(watched, s.tab, t.frame, o)
	if err != nil {
		return c.walkError(ctx, t, err)
	}
	s.text = strings.TrimRight(snapshot.WithoutRefs(snap.Text()), "\n")
	if c.Bool("screenshot") {
		s.picture, err = c.picture(watched, s.tab)
	}
	return err
}

// closeLimit is how long closing a tab of our own may take.
const closeLimit = 5 * time.Second

func (c *Call) closeSides(ctx context.Context, sides []*side) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	for _, s := range sides {
		if s != nil && s.tab != nil {
			c.Session.Refs().CloseTab(s.tab.ID)
			_ = s.tab.Page.Close(ctx) // a page that is gone or stuck keeps nothing of ours
		}
	}
}
