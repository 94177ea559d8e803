package launch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
)

// search finds running browsers of this machine that accept CDP connections.
type search struct {
	dirs  []chrome.UserData
	ports []int // ports to try if no folder leads to a browser
	home  string
}

// usualPorts are commonly used debugging ports.
var usualPorts = []int{9222, 9229}

// AnyRunning returns any running browser of this machine.
func AnyRunning(getenv func(string) string) *External {
	s := search{dirs: chrome.UserDataDirs(getenv), ports: usualPorts, home: getenv("HOME")}
	return &External{Name: "--auto-connect", Find: s.find, Searches: true}
}

// find returns the browser that started to listen last, with the others as alternatives.
func (s search) find(ctx context.Context) (Endpoint, error) {
	var found []Endpoint
	var looked []string
	files := chrome.ActivePorts(s.dirs)
	for _, file := range files {
		at, err := s.listens(ctx, file)
		if ctx.Err() != nil {
			return Endpoint{}, context.Cause(ctx)
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
	looked = append(looked,
		fmt.Sprintf("%d %sfolders of profiles have no DevToolsActivePort", len(s.dirs)-len(files), other))
	if len(found) == 0 {
		for _, port := range s.ports {
			id, err := endpoint.Identify(ctx, port)
			if ctx.Err() != nil {
				return Endpoint{}, context.Cause(ctx)
			}
			if err == nil {
				found = append(found, Endpoint{Address: id.URL, About: fmt.Sprintf("%s at port %d", id.Product, port)})
				break
			}
			looked = append(looked, fmt.Sprintf("port %d: %v", port, err))
		}
	}
	if len(found) == 0 {
		return Endpoint{}, fault.New(fault.ConnectFailed,
			"No running Chrome instance found. Launch Chrome with --remote-debugging-port or use --cdp.").
			About("--auto-connect").
			WithHint("Looked at: %s.", strings.Join(looked, "; "))
	}
	for i := len(found) - 1; i > 0; i-- {
		found[i-1].Next = &found[i]
	}
	return found[0], nil
}

// errStale says that a DevToolsActivePort file belongs to a browser that is gone.
var errStale = errors.New("another browser listens there now")

// listens checks that the browser that wrote the file still listens.
func (s search) listens(ctx context.Context, file chrome.ActivePort) (Endpoint, error) {
	where := file.Browser + ", which keeps its profiles in " + s.shown(file.Dir)
	id, err := endpoint.Identify(ctx, file.Port)
	switch u, _ := url.Parse(id.URL); {
	case err == nil && (file.Path == "" || u != nil && u.Path == file.Path):
		return Endpoint{Address: id.URL, About: where + " (" + id.Product + ", port " + strconv.Itoa(file.Port) + ")"}, nil
	case err == nil:
		return Endpoint{}, errStale
	case errors.Is(err, endpoint.ErrMute) && file.Path != "":
		return Endpoint{
			Address: id.URL + file.Path, About: where + " (port " + strconv.Itoa(file.Port) + ")", Consent: true,
		}, nil
	}
	return Endpoint{}, err
}

// shown returns a folder for messages, with ~ for the home folder.
func (s search) shown(dir string) string {
	if rel, err := filepath.Rel(s.home, dir); s.home != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return dir
}
