package session

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
)

// search looks for browsers of this machine that run and may be debugged.
type search struct {
	dirs  []chrome.UserData
	ports []int // that are asked when no folder leads to a browser
	home  string
}

// usualPorts are those that people choose.
var usualPorts = []int{9222, 9229}

// anyRunning is whichever browser runs.
func anyRunning(getenv func(string) string) *foreign {
	s := search{dirs: chrome.UserDataDirs(getenv), ports: usualPorts, home: getenv("HOME")}
	return &foreign{name: "--auto-connect", find: s.find, searches: true}
}

// find returns the browser that began to listen last, with those that may be tried when it can't be reached.
func (s search) find(ctx context.Context) (endpoint, error) {
	var found []endpoint
	var looked []string
	files := chrome.ActivePorts(s.dirs)
	for _, file := range files {
		at, err := s.listens(ctx, file)
		if ctx.Err() != nil {
			return endpoint{}, context.Cause(ctx)
		}
		if err != nil {
			looked = append(looked, fmt.Sprintf("%s names port %d: %v", s.shown(file.Dir), file.Port, err))
			continue
		}
		found = append(found, at)
	}
	other := ""
	if len(files) > 0 {
		other = "other "
	}
	looked = append(looked, fmt.Sprintf("%d %sfolders of profiles have no DevToolsActivePort", len(s.dirs)-len(files), other))
	if len(found) == 0 {
		for _, port := range s.ports {
			id, err := engine.Identify(ctx, port)
			if ctx.Err() != nil {
				return endpoint{}, context.Cause(ctx)
			}
			if err == nil {
				found = append(found, endpoint{address: id.URL, about: fmt.Sprintf("%s at port %d", id.Product, port)})
				break
			}
			looked = append(looked, fmt.Sprintf("port %d: %v", port, err))
		}
	}
	if len(found) == 0 {
		return endpoint{}, fault.New(fault.ConnectFailed,
			"No running Chrome instance found. Launch Chrome with --remote-debugging-port or use --cdp.").About("--auto-connect").
			WithHint("Looked at: %s.", strings.Join(looked, "; "))
	}
	for i := len(found) - 1; i > 0; i-- {
		found[i-1].next = &found[i]
	}
	return found[0], nil
}

// errStale says that a file tells of a browser which is gone.
var errStale = errors.New("another browser listens there now")

// listens checks that the browser which left the file still listens.
func (s search) listens(ctx context.Context, file chrome.ActivePort) (endpoint, error) {
	where := file.Browser + ", which keeps its profiles in " + s.shown(file.Dir)
	id, err := engine.Identify(ctx, file.Port)
	switch u, _ := url.Parse(id.URL); {
	case err == nil && (file.Path == "" || u != nil && u.Path == file.Path):
		return endpoint{address: id.URL, about: where + " (" + id.Product + ", port " + strconv.Itoa(file.Port) + ")"}, nil
	case err == nil:
		return endpoint{}, errStale
	case errors.Is(err, engine.ErrMute) && file.Path != "":
		return endpoint{
			address: id.URL + file.Path, about: where + " (port " + strconv.Itoa(file.Port) + ")", consent: true,
		}, nil
	}
	return endpoint{}, err
}

// shown is a folder as people write it.
func (s search) shown(dir string) string {
	if rel, err := filepath.Rel(s.home, dir); s.home != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return dir
}
