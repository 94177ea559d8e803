package main

import (
	"context"
	"errors"
	"os"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// rodLibrary uses rod's methods that return errors; their Must forms do the same and panic.
type rodLibrary struct {
	launcher *launcher.Launcher
	browser  *rod.Browser
	page     *rod.Page
}

func startRod(ctx context.Context, s setup) (library, error) {
	l := &rodLibrary{
		// Leakless would unpack and start a helper program; close ends the browser here.
		launcher: launcher.New().Bin(s.browser).UserDataDir(s.dir).NoSandbox(os.Geteuid() == 0).Leakless(false),
	}
	address, err := l.launcher.Launch()
	if err != nil {
		return nil, err
	}
	l.browser = rod.New().ControlURL(address).NoDefaultDevice()
	if err := l.browser.Connect(); err != nil {
		l.launcher.Kill()
		l.launcher.Cleanup()
		return nil, err
	}
	l.page, err = l.browser.Page(proto.TargetCreateTarget{})
	if err == nil {
		err = l.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{
			Width:             viewWidth,
			Height:            viewHeight,
			DeviceScaleFactor: 1,
		})
	}
	if err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	return l, nil
}

func (l *rodLibrary) open(ctx context.Context, url string) error {
	page := l.page.Context(ctx)
	if err := page.Navigate(url); err != nil {
		return err
	}
	return page.WaitLoad()
}

func (l *rodLibrary) text(ctx context.Context, selector string) (string, error) {
	e, err := l.page.Context(ctx).Element(selector)
	if err != nil {
		return "", err
	}
	return e.Text()
}

func (l *rodLibrary) click(ctx context.Context, selector string) error {
	e, err := l.page.Context(ctx).Element(selector)
	if err != nil {
		return err
	}
	return e.Click(proto.InputMouseButtonLeft, 1)
}

// fill is rod's way to replace a text: Input alone would add to it.
func (l *rodLibrary) fill(ctx context.Context, selector, text string) error {
	e, err := l.page.Context(ctx).Element(selector)
	if err != nil {
		return err
	}
	if err := e.SelectAllText(); err != nil {
		return err
	}
	return e.Input(text)
}

func (l *rodLibrary) eval(ctx context.Context, expression string) (string, error) {
	value, err := l.page.Context(ctx).Eval("() => " + expression)
	if err != nil {
		return "", err
	}
	return value.Value.Str(), nil
}

func (l *rodLibrary) screenshot(ctx context.Context) ([]byte, error) {
	return l.page.Context(ctx).Screenshot(false, nil)
}

func (l *rodLibrary) close(ctx context.Context) error {
	err := l.browser.Context(ctx).Close()
	if err != nil {
		l.launcher.Kill()
	}
	l.launcher.Cleanup()
	return err
}
