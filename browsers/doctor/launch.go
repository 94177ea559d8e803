package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

func asFault(err error) (*fault.Error, bool) { return errors.AsType[*fault.Error](err) }

// trial is a browser that is started to be looked at, with a profile that is gone afterwards, and a page of this
// machine.
type trial struct {
	browser *engine.Browser
	context *engine.Context
	page    *engine.Page
	site    *http.Server
	began   time.Time
}

const trialPage = `<!doctype html><title>doctor</title><body style="margin:0;background:#f00"><a id="file" download="doctor.txt" href="/file">file</a>`

func start(ctx context.Context, o *Options, headless bool, args ...string) (t *trial, err error) {
	t = &trial{began: time.Now()}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(trialPage)) })
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=doctor.txt")
		_, _ = w.Write([]byte("well"))
	})
	site := loopback.NewHTTP(mux)
	t.site = site
	go func() { _ = site.Serve(listener) }() // ends when end closes it; t may be gone before it begins
	defer func() {
		if err != nil {
			err = errors.Join(err, t.end(ctx))
			t = nil
		}
	}()
	if t.browser, err = engine.Launch(ctx, chrome.Options{
		ExecutablePath: o.Executable,
		Headless:       headless,
		Args:           args,
	}); err != nil {
		return t, err
	}
	if t.context, err = t.browser.NewContext(ctx, engine.ContextOptions{}); err != nil {
		return t, err
	}
	if t.page, err = t.context.NewPage(ctx); err != nil {
		return t, err
	}
	_, err = t.page.Navigate(ctx, "http://"+listener.Addr().String()+"/", engine.WaitLoad)
	return t, err
}

func (t *trial) end(ctx context.Context) (err error) {
	_ = t.site.Close()
	if t.browser != nil {
		err = t.browser.Close(context.WithoutCancel(ctx))
	}
	return err
}

// launched is the check that says whether a browser starts and shows a page.
const launched = "launch.elapsed"

// slowStart is when a start is worth a word.
const slowStart = 10 * time.Second

func launch(ctx context.Context, o *Options) []Check {
	var l list
	t, err := start(ctx, o, true)
	if fault.Is(err, fault.BrowserMissing) {
		l.add(launched, Info, "No browser was started, since there is none")
		return l
	}
	if err != nil {
		l.add(launched, Fail, "The browser does not start: %s", message(err)).todo("%s", hintOr(err, "skua install"))
		return l
	}
	took := time.Since(t.began)
	if took > slowStart {
		l.add(launched, Warn, "Headless launch and first page in %.2fs", took.Seconds()).
			todo("check what else this machine is running")
	} else {
		l.add(launched, Pass, "Headless launch and first page in %.2fs", took.Seconds())
	}
	value, err := t.page.Evaluate(ctx, "document.title + 6 * 7")
	if err != nil || string(value.JSON) != `"doctor42"` {
		l.add("launch.script", Fail, "The page runs no scripts: %s, %v", value.JSON, err)
	} else {
		l.add("launch.script", Pass, "The page runs scripts")
	}
	picture, err := capture.Screenshot(ctx, t.page, capture.ScreenshotOptions{})
	switch {
	case err != nil:
		l.add("launch.screenshot", Fail, "No screenshot can be taken: %v", err)
	default:
		c := l.add("launch.screenshot", Pass, "A screenshot of the page has its colors")
		if at, err := colorOf(picture); err != nil || !isRed(at) {
			c.Status, c.Message = Fail, fmt.Sprintf("A screenshot of a red page is not red: rgb(%d,%d,%d), %v", at.R, at.G, at.B,
				err)
		}
	}
	l.download(ctx, t)
	if err := t.end(ctx); err != nil {
		l.add("launch.end", Fail, "The browser does not end cleanly: %v", err).todo("skua doctor --fix")
	} else {
		l.add("launch.end", Pass, "The browser ended, and its profile is gone")
	}
	return l
}

// download has the page offer a file, and reads what arrives.
func (l *list) download(ctx context.Context, t *trial) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	text, err := func() (string, error) {
		stop, err := t.context.Downloads().Catch(ctx)
		if err != nil {
			return "", err
		}
		defer stop()
		after := t.context.Downloads().Marked()
		if _, err := t.page.Evaluate(ctx, "document.getElementById('file').click()"); err != nil {
			return "", err
		}
		d, err := t.context.Downloads().Await(ctx, func(d *downloads.Item) bool { return d.Seq > after })
		if err != nil {
			return "", err
		}
		if d, err = t.context.Downloads().AwaitEnd(ctx, d.Seq); err != nil {
			return "", err
		}
		var text []byte
		err = t.context.Downloads().Save(d.Seq, func(from string) (string, error) {
			text, err = os.ReadFile(from)
			return from, err
		})
		return string(text), err
	}()
	if err != nil || text != "well" {
		l.add("launch.download", Fail, "A download does not complete: %q, %v", text, err).
			todo("check that TMPDIR (%s) is writable", os.TempDir())
		return
	}
	l.add("launch.download", Pass, "A download arrives")
}
