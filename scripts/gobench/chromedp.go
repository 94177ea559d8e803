package main

import (
	"context"
	"errors"
	"os"

	"github.com/chromedp/chromedp"
)

// chromedpLibrary keeps chromedp's own contexts: its browser and its tab belong to them. They are that library's handle
// of a page.
type chromedpLibrary struct {
	tab    context.Context
	cancel context.CancelFunc
}

func startChromedp(ctx context.Context, s setup) (library, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(s.browser), chromedp.UserDataDir(s.dir))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with it
	}
	allocator, cancel := chromedp.NewExecAllocator(context.WithoutCancel(ctx), options...)
	tab, _ := chromedp.NewContext(allocator) // ends with the allocator
	l := &chromedpLibrary{tab: tab, cancel: cancel}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(viewWidth, viewHeight)); err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	return l, nil
}

// within returns chromedp's context with the caller's deadline and end.
func (l *chromedpLibrary) within(ctx context.Context) (context.Context, func()) {
	tab, cancel := context.WithCancel(l.tab)
	stop := context.AfterFunc(ctx, cancel)
	return tab, func() {
		stop()
		cancel()
	}
}

func (l *chromedpLibrary) do(ctx context.Context, action chromedp.Action[chromedp.Void]) error {
	tab, end := l.within(ctx)
	defer end()
	return chromedp.Do(tab, action)
}

// valueOf runs an action on the library's tab.
func valueOf[T any](ctx context.Context, l *chromedpLibrary, action chromedp.Action[T]) (T, error) {
	tab, end := l.within(ctx)
	defer end()
	return chromedp.Run(tab, action)
}

func (l *chromedpLibrary) open(ctx context.Context, url string) error {
	return l.do(ctx, chromedp.Navigate(url))
}

func (l *chromedpLibrary) text(ctx context.Context, selector string) (string, error) {
	return valueOf(ctx, l, chromedp.Text(chromedp.CSS(selector)))
}

func (l *chromedpLibrary) click(ctx context.Context, selector string) error {
	return l.do(ctx, chromedp.Click(chromedp.CSS(selector)))
}

// fill sets the value by script, which is the shorter of chromedp's two ways: the other one clears the field and types
// key by key.
func (l *chromedpLibrary) fill(ctx context.Context, selector, text string) error {
	return l.do(ctx, chromedp.SetValue(chromedp.CSS(selector), text))
}

func (l *chromedpLibrary) eval(ctx context.Context, expression string) (string, error) {
	return valueOf(ctx, l, chromedp.Evaluate[string](expression))
}

func (l *chromedpLibrary) screenshot(ctx context.Context) ([]byte, error) {
	return valueOf(ctx, l, chromedp.CaptureScreenshot())
}

func (l *chromedpLibrary) close(ctx context.Context) error {
	defer l.cancel()
	return chromedp.Cancel(l.tab)
}
