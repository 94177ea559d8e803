package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/input"
)

// engineLibrary is skua's engine by itself. It knows pages and points, not selectors, so that elements are found by
// scripts, as a program that uses it has to.
type engineLibrary struct {
	browser *engine.Browser
	page    *engine.Page
}

func startEngine(ctx context.Context, s setup) (library, error) {
	browser, err := engine.Launch(ctx, chrome.Options{ExecutablePath: s.browser, Headless: true})
	if err != nil {
		return nil, err
	}
	l := &engineLibrary{browser: browser}
	alone, err := browser.NewContext(ctx, engine.ContextOptions{Width: viewWidth, Height: viewHeight})
	if err == nil {
		l.page, err = alone.NewPage(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	return l, nil
}

func (l *engineLibrary) open(ctx context.Context, url string) error {
	_, err := l.page.Navigate(ctx, url, engine.WaitLoad)
	return err
}

func (l *engineLibrary) text(ctx context.Context, selector string) (string, error) {
	return l.eval(ctx, element(selector)+".innerText")
}

// click presses at the middle of the element. Nothing checks what is there.
func (l *engineLibrary) click(ctx context.Context, selector string) error {
	value, err := l.page.Evaluate(ctx,
		"(e => {e.scrollIntoViewIfNeeded(); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + "+
			"r.height / 2]})("+
			element(selector)+")")
	if err != nil {
		return err
	}
	var point [2]float64
	if err := json.Unmarshal(value.JSON, &point); err != nil {
		return err
	}
	return input.Click(ctx, l.page, engine.Point{X: point[0], Y: point[1]}, input.ClickOptions{})
}

// fill selects what the field has and inserts the text in its place.
func (l *engineLibrary) fill(ctx context.Context, selector, text string) error {
	if _, err := l.page.Evaluate(ctx, element(selector)+".focus(), "+element(selector)+".select()"); err != nil {
		return err
	}
	return input.InsertText(ctx, l.page, text)
}

func (l *engineLibrary) eval(ctx context.Context, expression string) (string, error) {
	value, err := l.page.Evaluate(ctx, expression)
	if err != nil {
		return "", err
	}
	var text string
	return text, json.Unmarshal(value.JSON, &text)
}

func (l *engineLibrary) screenshot(ctx context.Context) ([]byte, error) {
	return capture.Screenshot(ctx, l.page, capture.ScreenshotOptions{})
}

func (l *engineLibrary) close(ctx context.Context) error { return l.browser.Close(ctx) }

// element is the script that finds an element.
func element(selector string) string { return fmt.Sprintf("document.querySelector(%q)", selector) }
