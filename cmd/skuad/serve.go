package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/loopback"
	"github.com/skua-browser/skua/internal/metrics"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/counters"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/config"
	"github.com/skua-browser/skua/tool/mcp"
)

// endpoint is the path of MCP.
const endpoint = "/mcp"

// taskIdle is how long a task without a connected client is kept.
const taskIdle = 12 * time.Hour

// runServe serves the browser until ctx ends, or checks another process that does.
func runServe(ctx context.Context, in *actions.Input, owner *policy.Owner) error {
	if in.Bool("check") {
		return checkService(ctx, in.String("http"))
	}
	log := newLog(os.Stderr, slog.LevelWarn)
	dir, err := profileDir(in.String("profile-dir"))
	if err != nil {
		return err
	}
	token, err := givenToken(in, log, os.Stdin)
	if err != nil {
		return err
	}
	counts := counters.New()
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	browsers, err := launch.NewBrowsers(launch.BrowsersOptions{
		Registry: catalog.Registry(),
		Log:      log,
		Started:  counts.Launched,
		Profile: filepath.Join(dir,
			"profile"),
		Args:   launchWords(in),
		Getenv: os.Getenv,
		Cwd:    cwd,
	})
	if err != nil {
		return err
	}
	defer browsers.Close(context.WithoutCancel(ctx))
	if token == "" {
		if token, err = ensureToken(dir); err != nil {
			return err
		}
	}
	s := &service{
		log:      log,
		owner:    owner,
		browsers: browsers,
		metrics:  counts,
		managers: map[string]*session.Manager{},
	}
	s.tasks = mcp.NewTasks(s.open, taskIdle)
	defer s.tasks.Close(context.WithoutCancel(ctx))
	s.addGauges()
	server, err := newServer(in, log, config.Browser{}, s.tasks.Open)
	if err != nil {
		return err
	}
	defer server.Close()
	return serveHTTP(ctx, in, server, s, token)
}

// launchWords returns the launch options of the service's browser as given, for comparison.
func launchWords(in *actions.Input) []string {
	var words []string
	for _, g := range actions.Globals() {
		if g.Rule || !in.Has(g.Name) || !strings.HasPrefix(in.Source(g.Name), "--") {
			continue
		}
		for _, value := range in.Strings(g.Name) {
			if g.Kind == actions.Bool {
				words = append(words, "--"+g.Name)
				continue
			}
			words = append(words, "--"+g.Name, value)
		}
	}
	return words
}

// service is the state of `serve` beside the browser.
type service struct {
	log      *slog.Logger
	browsers *launch.Browsers
	metrics  *counters.Counters
	owner    *policy.Owner
	tasks    *mcp.Tasks

	mu       sync.Mutex
	managers map[string]*session.Manager // by task
}

// open opens a tool for a task, with its own sessions in the shared browser.
func (s *service) open(name string) (*tool.Tool, func(context.Context), error) {
	m, err := session.New(session.Options{
		Registry: catalog.Registry(),
		Log:      s.log,
		Browsers: s.browsers,
		Metrics:  s.metrics,
		Owner:    s.owner,
	})
	if err != nil {
		return nil, nil, err
	}
	b := backend.OnManager(m)
	t, err := tool.Open(tool.Options{Backend: b, SessionID: cmp.Or(name, rand.Text()), Owner: s.owner, Log: s.log})
	if err != nil {
		return nil, nil, err
	}
	if name != "" {
		s.mu.Lock()
		s.managers[name] = m
		s.mu.Unlock()
	}
	return t, func(ctx context.Context) {
		s.mu.Lock()
		if s.managers[name] == m {
			delete(s.managers, name)
		}
		s.mu.Unlock()
		if err := t.Close(ctx); err != nil {
			s.log.Warn("a task's sessions were not closed cleanly", "task", name, "err", err)
		}
		_ = b.Close(ctx) // closes the sessions of namespaces
		m.Close(ctx)
	}, nil
}

// handle adds the endpoints for tasks.
func (s *service) handle(mux *http.ServeMux, guard mcp.Guard) {
	mux.HandleFunc("GET "+healthPath, sayHealthy)
	mux.Handle("GET /tasks", guard.Protect(http.HandlerFunc(s.list)))
	mux.Handle("DELETE /tasks/{name}", guard.Protect(http.HandlerFunc(s.end)))
	mux.Handle("POST /tasks/{name}/run", guard.Protect(http.HandlerFunc(s.run)))
	mux.Handle("GET /metrics", guard.Protect(http.HandlerFunc(s.writeMetrics)))
}

// addGauges adds the service's own metrics.
func (s *service) addGauges() {
	s.metrics.Gauge("skua_tasks", "Tasks that agents have.", func() (float64, bool) {
		return float64(len(s.tasks.Names())), true
	})
	s.metrics.Gauge("skua_tabs", "Open tabs of all tasks.", func() (float64, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		tabs := 0
		for _, m := range s.managers {
			tabs += len(m.Tabs())
		}
		return float64(tabs), true
	})
}

// writeMetrics serves the metrics in Prometheus format.
func (s *service) writeMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", metrics.ContentType)
	_ = s.metrics.Write(w) // the client may be gone
}

// taskList is the list of all tasks.
type taskList struct {
	Tasks []taskEntry `json:"tasks"`
}

// taskEntry is a task in the list.
type taskEntry struct {
	Task  string     `json:"task"`
	Pages []tabEntry `json:"pages"`
}

// tabEntry is a tab of a task. Its name starts with the task's, so that it is unique.
type tabEntry struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Active bool   `json:"active"`
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	tasks := []taskEntry{}
	for _, name := range s.tasks.Names() {
		s.mu.Lock()
		m := s.managers[name]
		s.mu.Unlock()
		one := taskEntry{Task: name, Pages: []tabEntry{}}
		if m != nil {
			one.Pages = pagesOf(name, m.Tabs())
		}
		tasks = append(tasks, one)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(taskList{tasks}) // the client may be gone
}

// pagesOf returns the named tabs of a task. A name contains the session only if the task has several.
func pagesOf(task string, tabs []session.TabInfo) []tabEntry {
	pages := make([]tabEntry, 0, len(tabs))
	for _, tab := range tabs {
		name := task + "-"
		if tab.Session != tabs[0].Session || tab.Session != tabs[len(tabs)-1].Session {
			name += tab.Session + "-"
		}
		pages = append(pages, tabEntry{
			Name:   name + cmp.Or(tab.Label, tab.ID),
			URL:    tab.URL,
			Title:  tab.Title,
			Active: tab.Active,
		})
	}
	return pages
}

func (s *service) end(w http.ResponseWriter, r *http.Request) {
	if !s.tasks.End(r.Context(), r.PathValue("name")) {
		http.Error(w, "There is no task of this name.", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// serveHTTP serves MCP, and tasks if s is not nil, until ctx ends. Without a token it creates one and prints it.
func serveHTTP(ctx context.Context, in *actions.Input, server *mcp.Server, s *service, token string) error {
	made := token == ""
	if made {
		token = string(loopback.NewSecret())
	}
	guard := mcp.Guard{Token: token, Hosts: in.Strings("allow-host"), Origins: in.Strings("allow-origin")}
	handler := server.Handler(guard)
	mux := http.NewServeMux()
	mux.Handle(endpoint, handler)
	mux.Handle(endpoint+"/{"+mcp.TaskParameter+"}", handler)
	if s != nil {
		s.handle(mux, guard)
	}
	web, err := loopback.ListenOn(ctx, onLoopback(in.String("http")))
	if err != nil {
		return err
	}
	defer web.Close()
	if s != nil {
		if err := s.browsers.SetAddress(web.Address()); err != nil {
			return err
		}
	}
	ended := web.Serve(mux)
	fmt.Fprintf(os.Stderr, "✓ Serving MCP on http://%s%s\n", web.Address(), endpoint)
	if made {
		fmt.Fprintf(os.Stderr, "  Authorization: Bearer %s\n", token)
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	server.Close() // ends open streams, so that nothing waits for them
	return nil
}

// onLoopback completes an address without a host: only this machine can reach it.
func onLoopback(address string) string {
	if strings.HasPrefix(address, ":") {
		return "127.0.0.1" + address
	}
	return address
}

// profileDir returns the folder of the service.
func profileDir(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the profile; name one with --profile-dir: %w", err)
	}
	return filepath.Join(base, "skua", "serve"), nil
}
