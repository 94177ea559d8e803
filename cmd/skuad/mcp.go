package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/config"
	"github.com/skua-browser/skua/tool/mcp"
	"github.com/skua-browser/skua/tool/search"
)

// runMCP serves agents until they disconnect or ctx ends. Only MCP goes to standard output.
func runMCP(ctx context.Context, in *actions.Input, owner *policy.Owner) error {
	if in.Bool("page-tools") && (in.Has("http") || in.Has("serve")) {
		return fault.New(fault.Usage,
			"--page-tools: a server of several clients has one list of tools for all of them; leave out --http and --serve").
			About("--page-tools")
	}
	if address := in.String("serve"); address != "" {
		return bridge(ctx, in, address)
	}
	token, err := mcpToken(in)
	if err != nil {
		return err
	}
	server, closing, err := mcpServer(ctx, in, owner)
	if err != nil {
		return err
	}
	defer closing()
	if in.Has("http") {
		return serveHTTP(ctx, in, server, nil, token)
	}
	return server.ServeStdio(ctx, os.Stdin, os.Stdout)
}

// mcpServer creates the server of `mcp`. closing ends its connections and browsers.
func mcpServer(
	ctx context.Context, in *actions.Input, owner *policy.Owner,
) (server *mcp.Server, closing func(), err error) {
	log := newLog(os.Stderr, slog.LevelWarn)
	program, err := absolute(in.String("agent-browser"))
	if err != nil {
		return nil, nil, err
	}
	settings, err := config.Load(configSource())
	if err != nil { // the search reports it, too; the command line still applies
		log.Warn("the configuration is ignored", "err", err)
	}
	choice := backend.Choice{
		Flag:           in.String("backend"),
		Config:         settings.Backend.Name,
		AgentBrowser:   program,
		ConfiguredPath: settings.Backend.AgentBrowser,
		Getenv:         os.Getenv,
		Log:            log,
		Owner:          owner,
	}
	browsers, err := launch.NewBrowsers(launch.BrowsersOptions{Log: log})
	if err != nil {
		return nil, nil, err
	}
	server, err = newServer(in, log, settings.Browser, func(string) (*tool.Tool, func(context.Context), error) {
		return openTool(log, browsers, choice)
	})
	if err != nil {
		browsers.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return server, func() {
		server.Close()
		browsers.Close(context.WithoutCancel(ctx))
	}, nil
}

// openTool opens a tool with its own sessions. Native ones share browsers with the rest of the process.
func openTool(
	log *slog.Logger, browsers *launch.Browsers, choice backend.Choice,
) (*tool.Tool, func(context.Context), error) {
	m, err := session.New(session.Options{Registry: catalog.Registry(), Log: log, Browsers: browsers, Owner: choice.Owner})
	if err != nil {
		return nil, nil, err
	}
	choice.Native = backend.OnManager(m)
	b, err := backend.Choose(choice)
	if err != nil {
		return nil, nil, err
	}
	t, err := tool.Open(tool.Options{Backend: b, SessionID: rand.Text(), Owner: choice.Owner, Log: log})
	if err != nil {
		return nil, nil, err
	}
	return t, func(ctx context.Context) {
		if err := t.Close(ctx); err != nil {
			log.Warn("a connection's sessions were not closed cleanly", "err", err)
		}
		_ = b.Close(ctx) // ends only the backend's own resources
		m.Close(ctx)
	}, nil
}

// newServer creates a server with the requested tools.
func newServer(in *actions.Input, log *slog.Logger, user config.Browser, open mcp.Opener) (*mcp.Server, error) {
	sets, notes, err := mcp.ReadSets(in.String("tools"))
	if err != nil {
		return nil, err
	}
	if in.Bool("slim") && !slices.Contains(sets, mcp.SetAgent) {
		return nil, fault.New(fault.Usage, "--slim is about agent_browser, which --tools %s leaves out", in.String("tools")).
			About("--slim")
	}
	for _, note := range notes {
		log.Warn(note)
	}
	further, err := extraTools(log)
	if err != nil {
		return nil, err
	}
	return mcp.New(mcp.Options{
		Open:    open,
		Sets:    sets,
		Slim:    in.Bool("slim"),
		Pages:   in.Bool("page-tools"),
		Further: further,
		User:    user,
		Log:     log,
	})
}

// extraTools returns the tools beside agent_browser: the web search, if there is a key for it.
func extraTools(log *slog.Logger) ([]mcp.ExtraTool, error) {
	searcher, err := search.Open(search.Options{Config: configSource()})
	if err != nil {
		log.Warn("the web search is left out", "err", err)
		return nil, nil
	}
	if searcher == nil {
		return nil, nil
	}
	return []mcp.ExtraTool{{
		Name:        search.Name,
		Title:       search.Title,
		Description: search.Description,
		Schema:      search.Schema(),
		ReadOnly:    true,
		Call: func(ctx context.Context, arguments json.RawMessage) (string, any, error) {
			found, err := searcher.Run(ctx, arguments)
			if err != nil {
				return "", nil, err
			}
			return found.Text, found.Details, nil
		},
	}}, nil
}

func configSource() config.Source {
	home, _ := os.UserHomeDir() // without one, user settings are skipped
	cwd, _ := os.Getwd()
	return config.Source{Getenv: os.Getenv, Home: home, Cwd: cwd}
}

// bridge connects standard input and output to a service.
func bridge(ctx context.Context, in *actions.Input, address string) error {
	token, err := mcpToken(in)
	if err != nil {
		return err
	}
	if token == "" {
		dir, err := profileDir("")
		if err != nil {
			return err
		}
		if token, err = readToken(dir); err != nil {
			return err
		}
	}
	address = strings.TrimRight(address, "/")
	if !strings.HasSuffix(address, endpoint) {
		address += endpoint
	}
	return mcp.Bridge(ctx, os.Stdin, os.Stdout, mcp.Remote{URL: address, Token: token, Task: in.String("task")})
}
