package electron

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/skua-browser/skua/internal/wording"
)

// questionLimit bounds each question to an app's port.
const questionLimit = time.Second

const (
	maxAnswer    = 16 << 20 // of bytes; apps put pictures into addresses
	MaxTargets   = 50       // are told
	maxTitle     = 300
	maxTargetURL = 2048
)

// port is a debugging port, with the path that only this run of this app has.
type port struct {
	number int
	path   string
}

func (p port) url() string { return "ws://" + p.host() + p.path }

func (p port) host() string { return "127.0.0.1:" + strconv.Itoa(p.number) }

// portOf returns the port of a record; its number is 0 when it has none.
func portOf(r *Record) port {
	u, err := url.Parse(r.WebSocketDebuggerURL)
	if err != nil {
		return port{}
	}
	return port{r.Port, u.Path}
}

// errStranger says that something else has the port now.
var errStranger = errors.New("another program uses the port")

// version asks who listens. It fails when that is not the app that the port was known of: ports are given away again.
func (p port) version(ctx context.Context) (Version, error) {
	var answer struct {
		Browser   string `json:"Browser"`
		Protocol  string `json:"Protocol-Version"`
		UserAgent string `json:"User-Agent"`
		URL       string `json:"webSocketDebuggerUrl"`
	}
	if err := p.ask(ctx, "/json/version", &answer); err != nil {
		return Version{}, err
	}
	if u, err := url.Parse(answer.URL); err != nil || u.Path != p.path {
		return Version{}, errStranger
	}
	return Version{Browser: answer.Browser, ProtocolVersion: answer.Protocol, UserAgent: answer.UserAgent}, nil
}

// targets asks what can be attached to.
func (p port) targets(ctx context.Context) ([]Target, error) {
	var targets []Target
	err := p.ask(ctx, "/json/list", &targets)
	return targets, err
}

func (p port) ask(ctx context.Context, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, questionLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.host()+path, nil)
	if err != nil {
		return err
	}
	// A proxy must not be asked for a port of this machine.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(answer)
}

// bounded keeps as many targets as are told, windows and webviews before others, and cuts long texts.
func bounded(all []Target) (kept []Target, cut int) {
	kept = make([]Target, 0, min(len(all), MaxTargets))
	for _, wanted := range []bool{true, false} {
		for _, t := range all {
			if (t.Type == PageTarget || t.Type == WebviewTarget) != wanted || len(kept) == MaxTargets {
				continue
			}
			t.Title, t.URL = wording.ClipBytes(t.Title, maxTitle), wording.ClipBytes(t.URL, maxTargetURL)
			kept = append(kept, t)
		}
	}
	return kept, len(all) - len(kept)
}
