package install

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
)

// smokeTestLimit is how long a browser may take to show its first page. The first start reads everything from the disk.
const smokeTestLimit = time.Minute

// startOnce starts a browser once, with a profile that is gone afterwards, has it show a page, and returns what it says
// that it is.
func startOnce(ctx context.Context, executable string) (version string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, smokeTestLimit,
		fault.New(fault.Timeout, "the browser showed no page within %s", smokeTestLimit))
	defer cancel()
	b, err := engine.Launch(ctx, chrome.Options{ExecutablePath: executable, Headless: true})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, b.Close(context.WithoutCancel(ctx))) }()
	if version, err = b.Version(ctx); err != nil {
		return "", err
	}
	alone, err := b.NewContext(ctx, engine.ContextOptions{})
	if err != nil {
		return "", err
	}
	page, err := alone.NewPage(ctx)
	if err != nil {
		return "", err
	}
	value, err := page.Evaluate(ctx, "String(6*7)")
	if err == nil && string(value.JSON) != `"42"` {
		err = fault.New(fault.BrowserLaunch, "the browser computes %s for 6*7", value.JSON)
	}
	return version, err
}

// smokeTest tries a browser, and says what its system lacks when it does not start.
func (i *Installer) smokeTest(ctx context.Context, executable string) (string, error) {
	version, err := i.o.Try(ctx, executable)
	if err == nil {
		return version, nil
	}
	f := fault.New(fault.InstallFailed, "The browser was downloaded but does not start here, so it was not installed: %w",
		err).About(executable)
	if missing, lerr := Libraries(ctx, executable); lerr == nil && len(missing) > 0 {
		f = f.With("libraries", missing)
		hint := "It lacks the shared libraries " + strings.Join(missing, ", ") + "."
		if m := DetectManager(i.o.Getenv); m != nil {
			packages, unknown := m.For(missing)
			f = f.With("packages", packages)
			if len(packages) > 0 {
				hint += " Run `" + m.Shown(packages) + "`, or `skua install --with-deps`."
			}
			if len(unknown) > 0 {
				hint += " Look for the packages of " + strings.Join(unknown, ", ") + "."
			}
		}
		return "", f.WithHint("%s", hint+" The download is kept for the next time.")
	}
	return "", f
}
