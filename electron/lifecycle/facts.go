package lifecycle

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/engine/cdp"
)

const (
	factsLimit    = time.Second // of the questions how windows are shown
	maxAskedPages = 8           // that are asked themselves, where the main process cannot be
)

// Bounds of a window that looks like a splash: smaller than most windows that people work in, in pixels.
const (
	maxSplashWidth  = 800
	maxSplashHeight = 600
)

// describeWindows adds to the targets how a person sees them. The main process knows it best; where it is not
// inspected, each page is asked. What does not answer in time stays undescribed.
func describeWindows(ctx context.Context, record *electron.Record, targets []electron.Target) {
	if record.InspectorURL == "" || askMain(ctx, record.InspectorURL, targets) != nil {
		askPages(ctx, targets)
	}
}

// WindowsOf returns how a person sees targets of an app, by their IDs, as its main process says. Without its inspector,
// or without an answer in time, there is none.
func WindowsOf(ctx context.Context, record *electron.Record, ids []string) map[string]*electron.WindowFacts {
	if record.InspectorURL == "" || len(ids) == 0 {
		return nil
	}
	targets := make([]electron.Target, len(ids))
	for i := range ids {
		targets[i].ID = ids[i]
	}
	if askMain(ctx, record.InspectorURL, targets) != nil {
		return nil
	}
	facts := make(map[string]*electron.WindowFacts, len(targets))
	for i := range targets {
		if targets[i].Window != nil {
			facts[targets[i].ID] = targets[i].Window
		}
	}
	return facts
}

// askMain asks the main process about all targets.
func askMain(ctx context.Context, address string, targets []electron.Target) error {
	ctx, cancel := context.WithTimeout(ctx, factsLimit)
	defer cancel()
	p, err := inspector.Dial(ctx, address)
	if err != nil {
		return err
	}
	defer p.Close()
	ids := make([]string, len(targets))
	for i := range targets {
		ids[i] = targets[i].ID
	}
	all, err := p.Windows(ctx, ids)
	if err != nil {
		return err
	}
	windows := map[int]inspector.Window{}
	for _, w := range all.Windows {
		windows[w.ID] = w
	}
	for _, c := range all.Contents {
		for i := range targets {
			if targets[i].ID == c.TargetID {
				targets[i].Window = windowFacts(c, windows[c.Window])
			}
		}
	}
	return nil
}

// report makes an app print a line for each crash of its processes. It does nothing if the app has no inspector.
func report(ctx context.Context, record *electron.Record) {
	if record.InspectorURL == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, factsLimit)
	defer cancel()
	if p, err := inspector.Dial(ctx, record.InspectorURL); err == nil {
		_ = p.Report(ctx) // an app that does not answer prints what it prints
		p.Close()
	}
}

// windowTargets describes the windows of an app without a debugging port, as its main process knows them.
func windowTargets(ctx context.Context, address string) []electron.Target {
	targets := []electron.Target{}
	ctx, cancel := context.WithTimeout(ctx, factsLimit)
	defer cancel()
	p, err := inspector.Dial(ctx, address)
	if err != nil {
		return targets
	}
	defer p.Close()
	all, err := p.Windows(ctx, []string{})
	if err != nil {
		return targets
	}
	for _, w := range all.Windows {
		targets = append(targets, electron.Target{
			ID:     "window-" + strconv.Itoa(w.ID),
			Type:   electron.PageTarget,
			Title:  w.Title,
			URL:    w.URL,
			Window: windowFacts(inspector.Contents{Type: "window"}, w),
		})
	}
	return targets
}

// windowFacts joins what is known about a target and of the window that shows it.
func windowFacts(c inspector.Contents, w inspector.Window) *electron.WindowFacts {
	f := &electron.WindowFacts{ID: w.ID, Kind: c.Type, Width: w.Bounds.Width, Height: w.Bounds.Height}
	if c.Bounds != nil {
		f.Width, f.Height = c.Bounds.Width, c.Bounds.Height
	}
	f.Hidden = w.ID == 0 || !w.Visible || w.Minimized || f.Width == 0 || f.Height == 0
	f.Focused, f.Modal = w.Focused && (!f.View() || c.Focused), w.Modal
	f.Crashed = w.Crashed && !f.View()
	f.Splash = (w.OnTop || !w.Resizable) && w.Parent == 0 && f.Width <= maxSplashWidth && f.Height <= maxSplashHeight
	return f
}

// askPages asks windows themselves. A page does not know whether its window is hidden, and more than one has the focus.
func askPages(ctx context.Context, targets []electron.Target) {
	ctx, cancel := context.WithTimeout(ctx, factsLimit)
	defer cancel()
	var wg sync.WaitGroup
	asked := 0
	for i := range targets {
		t := &targets[i]
		if t.Type != electron.PageTarget || t.WebSocketDebuggerURL == "" || asked == maxAskedPages {
			continue
		}
		asked++
		wg.Go(func() { t.Window = askWindow(ctx, t.WebSocketDebuggerURL) })
	}
	wg.Wait()
}

// askWindow returns what a page knows of its window, or nil.
func askWindow(ctx context.Context, address string) *electron.WindowFacts {
	transport, err := cdp.DialWebSocket(ctx, address, nil)
	if err != nil {
		return nil
	}
	conn := cdp.NewConn(transport)
	defer conn.Close()
	var reply struct {
		Result struct {
			Value *electron.WindowFacts `json:"value"`
		} `json:"result"`
	}
	asked := struct {
		Expression    string `json:"expression"`
		ReturnByValue bool   `json:"returnByValue"`
	}{"({width: innerWidth, height: innerHeight})", true}
	err = conn.Root().Call(ctx, "Runtime.evaluate", asked, &reply)
	if f := reply.Result.Value; err == nil && f != nil {
		f.Hidden = f.Width == 0 || f.Height == 0
		return f
	}
	return nil
}
