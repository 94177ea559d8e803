package running

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron/appfiles"
	"github.com/skua-browser/skua/electron/fuses"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// App is a running Electron app.
type App struct {
	Name           string `json:"name"`
	Version        string `json:"version,omitempty"`
	PID            int    `json:"pid"` // of its main process
	ExecutablePath string `json:"executablePath"`
	Inspectable    bool   `json:"inspectable"`           // its main process opens an inspector when it is asked to
	Port           int    `json:"debugPort,omitzero"`    // that it was started with, for its pages
	InspectorURL   string `json:"inspectorUrl,omitzero"` // after OpenInspector
	// of its pages, after OpenInspector; empty means that it was started without a port for them
	BrowserURL string `json:"browserUrl,omitzero"`

	permitted bool // the app's maker lets others open an inspector; a process that begins takes no signal yet
}

const (
	openLimit     = 5 * time.Second       // for the inspector of an app that was asked for one
	openPause     = 20 * time.Millisecond // between two looks at its sockets, for which there is no event
	questionLimit = time.Second           // of each question to a port
	signalLimit   = 2 * time.Second       // until a process that begins takes the signal
	maxAnswer     = 1 << 20
)

// List returns the apps that run for this user, by their process ids.
func List() ([]App, error) {
	found, err := mains()
	if err != nil {
		return nil, err
	}
	apps := make([]App, 0, len(found))
	for _, p := range found {
		i, err := appfiles.Inspect(p.executable)
		if err != nil || !i.Electron() {
			continue
		}
		app := App{
			Name:           i.Name,
			Version:        i.Version,
			PID:            p.pid,
			ExecutablePath: p.executable,
			Port:           p.port(),
		}
		if app.Name == "" {
			app.Name = p.executable[strings.LastIndexByte(p.executable, '/')+1:]
		}
		wired, err := fuses.Read(p.executable)
		app.permitted = err == nil && wired.TakesInspect()
		app.Inspectable = app.permitted && (p.inspected() || takesSignal(p.pid))
		apps = append(apps, app)
	}
	return apps, nil
}

// Find returns the running app with a process id or a name, in any case, or at a path. Errors: AppNotFound.
func Find(word string) (App, error) {
	all, err := List()
	if err != nil {
		return App{}, err
	}
	pid, _ := strconv.Atoi(word)
	var matches, others []string
	var app App
	for _, a := range all {
		if a.PID == pid || strings.EqualFold(a.Name, word) || a.ExecutablePath == word {
			app, matches = a, append(matches, a.label())
		}
		others = append(others, a.label())
	}
	switch {
	case len(matches) == 1:
		return app, nil
	case len(matches) > 1:
		return App{}, fault.New(fault.AppNotFound, "%d running apps are called %q: %s", len(matches), word,
			strings.Join(matches, ", ")).About(word).
			WithHint("Give the process id.")
	case len(others) > 0:
		return App{}, fault.New(fault.AppNotFound, "no running Electron app is called %q", word).About(word).
			WithHint("There are: %s.", strings.Join(others, ", "))
	}
	return App{}, fault.New(fault.AppNotFound, "no Electron app runs on this machine").About(word).
		WithHint("`electron launch` starts one.")
}

// label names an app with what tells it from others of its name.
func (a *App) label() string {
	return fmt.Sprintf("%s (process %d, %s)", a.Name, a.PID, a.ExecutablePath)
}

// OpenInspector finds the inspector of the app's main process. If it has none it is asked to open one, by SIGUSR1, at
// the port that is Node.js's own for that. Only sockets of the app's process count: another program may have the port.
// Errors: AppUnsuitable, Timeout, Canceled.
func (a *App) OpenInspector(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, openLimit,
		fault.New(fault.Timeout, "it opened none within %s", openLimit))
	defer cancel()
	if a.ask(ctx, map[int]bool{}); a.InspectorURL != "" {
		return nil
	}
	for until := time.Now().Add(signalLimit); a.permitted && !a.Inspectable && time.Now().Before(until); {
		if pause.For(ctx, openPause) != nil {
			break
		}
		if a.ask(ctx, map[int]bool{}); a.InspectorURL != "" {
			return nil
		}
		a.Inspectable = takesSignal(a.PID)
	}
	if !a.Inspectable {
		return fault.New(fault.AppUnsuitable, "%s takes no inspector: its maker turned that off", a.Name).
			About(a.ExecutablePath).
			WithHint("Quit it, start it with --remote-debugging-port=9222, and use `connect 9222`: its windows work so.")
	}
	if err := sendSignal(a.PID, a.ExecutablePath); err != nil {
		return fault.New(fault.AppUnsuitable, "%s: its main process cannot be asked for an inspector: %w", a.label(), err).
			About(a.ExecutablePath)
	}
	for asked := map[int]bool{}; ; {
		if a.ask(ctx, asked); a.InspectorURL != "" {
			return nil
		}
		if pause.For(ctx, openPause) != nil {
			err := context.Cause(ctx)
			return fault.New(fault.CodeOf(err), "%s did not open the inspector of its main process: %w", a.Name, err).
				About(a.ExecutablePath).
				WithHint(
					"Another program may have the port 9229, as a Node.js that is debugged; or the app is busy, or waits in a " +
						"native dialog.")
		}
	}
}

// ask asks the ports on which the app's process listens what they are. A port that has answered is not asked again.
func (a *App) ask(ctx context.Context, asked map[int]bool) {
	for _, port := range listening(a.PID) {
		if asked[port] {
			continue
		}
		var version struct {
			Browser string `json:"Browser"`
			URL     string `json:"webSocketDebuggerUrl"`
		}
		if question(ctx, port, "/json/version", &version) != nil {
			continue
		}
		asked[port] = true
		switch {
		case strings.HasPrefix(version.Browser, "node.js"):
			var targets []struct {
				URL string `json:"webSocketDebuggerUrl"`
			}
			if question(ctx, port, "/json/list", &targets) == nil && len(targets) > 0 {
				a.InspectorURL = targets[0].URL
			}
		case version.URL != "":
			a.Port, a.BrowserURL = port, version.URL
		}
	}
}

// question asks a port of this machine.
func question(ctx context.Context, port int, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, questionLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+strconv.Itoa(port)+path, nil)
	if err != nil {
		return err
	}
	// a proxy must not be asked for a port of this machine
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %s", res.Status)
	}
	return json.NewDecoder(http.MaxBytesReader(nil, res.Body, maxAnswer)).Decode(answer)
}
