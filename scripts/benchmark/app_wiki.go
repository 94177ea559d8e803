//go:build linux

package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// wikiFlows returns the flows in TiddlyWiki, which keeps notes.
func wikiFlows() []flow {
	return []flow{
		{
			name:    "note",
			title:   "TiddlyWiki: write a note",
			app:     "tiddlywiki",
			prepare: emptyWiki,
			run:     writeNote,
			check:   noteSays("The rent is 77.50"),
		},
		{
			name:    "correct",
			title:   "TiddlyWiki: find a note, correct it",
			app:     "tiddlywiki",
			prepare: wikiWithNote,
			run:     correctNote,
			check:   noteSays("The rent is 81.00"),
		},
		{
			name:    "discard",
			title:   "TiddlyWiki: delete a note, confirm",
			app:     "tiddlywiki",
			prepare: wikiWithNote,
			run:     discardNote,
			check:   noteGone,
		},
	}
}

func (a *agent) noteTitle() string { return "Lane " + a.token }

// emptyWiki removes what workflows have written.
func emptyWiki(ctx context.Context, a *agent) error {
	titles, err := a.app.Notes(ctx)
	for _, title := range titles {
		if strings.Contains(title, "Lane ") || strings.HasPrefix(title, "Draft of") || title == "$:/StoryList" {
			err = errors.Join(err, a.app.RemoveNote(ctx, title))
		}
	}
	return err
}

func wikiWithNote(ctx context.Context, a *agent) error {
	return errors.Join(emptyWiki(ctx, a), a.app.WriteNote(ctx, a.noteTitle(), "The rent is 77.50"))
}

var (
	noteTitleField = wish{roles: "textbox", rest: `: (New Tiddler|Lane )`}
	noteText       = wish{roles: "textbox", name: "^Type the text for this tiddler$"}
	noteDone       = wish{roles: "button", name: "^Confirm changes to this tiddler$"}
)

func writeNote(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.app.Base, "new tiddler") },
		func() error { return a.seeOn(ctx, "click", "button", "new tiddler") },
		func() error { return a.onWish(ctx, "fill", noteTitleField, a.noteTitle()) },
		func() error { return a.onWish(ctx, "fill", noteText, "The rent is 77.50") },
		func() error { return a.onWish(ctx, "click", noteDone) },
	)
}

func correctNote(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.app.Base, "new tiddler") },
		func() error {
			return a.with(ctx, func() (string, error) {
				return a.pick(wish{roles: "searchbox"})
			}, a.seeing(ctx, "fill", []string{a.noteTitle()}))
		},
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "link", name: "^" + a.noteTitle() + "$"}) },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Edit this tiddler$"}) },
		func() error { return a.onWish(ctx, "fill", noteText, "The rent is 81.00") },
		func() error { return a.onWish(ctx, "click", noteDone) },
	)
}

func discardNote(ctx context.Context, a *agent) error {
	return inTurn(
		func() error {
			return a.openApp(ctx, a.app.Base+"/?"+a.token+"#"+strings.ReplaceAll(a.noteTitle(), " ", "%20"), "Edit this tiddler")
		},
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Edit this tiddler$"}) },
		func() error { return a.onWish(ctx, "click", wish{roles: "button", name: "^Delete this tiddler$"}) },
		func() error { return a.do(ctx, "dialog", "accept") },
	)
}

// saved is how long an application that saves by itself may take for it.
const saved = 5 * time.Second

// eventually waits until the application's data is as wanted, and says what it lacks if it does not become so.
func eventually(ctx context.Context, reached func() error) error {
	ctx, cancel := context.WithTimeout(ctx, saved)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		err := reached()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-again.C:
		}
	}
}

func noteSays(text string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		return eventually(ctx, func() error {
			got, err := a.app.Note(ctx, a.noteTitle())
			return errors.Join(err, same("the note", got, text))
		})
	}
}

func noteGone(ctx context.Context, a *agent) error {
	return eventually(ctx, func() error {
		titles, err := a.app.Notes(ctx)
		if err == nil && slices.Contains(titles, a.noteTitle()) {
			err = errors.New("the note is still there")
		}
		return err
	})
}
