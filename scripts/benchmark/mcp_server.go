//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// peer is an MCP server that is compared.
type peer struct {
	program
	vocabulary
	server []string // how its server starts
	env    []string // of the server, beside that of a user who has set nothing

	// Commands of the program that go before the server, with launchEnv. agent-browser's browser is started so: an option
	// of the launch in the server's environment would go with every call and cost each of them a message to its host.
	before []string
}

// server is a running one, and a client's connection to it.
type server struct {
	side
	peer    *peer
	place   *place
	session *mcp.ClientSession
	stderr  *os.File
	listed  int // bytes of its list of tools, which a model reads before anything else
}

// startServer starts a peer's server in a place of its own, and learns its tools as a client does.
func startServer(ctx context.Context, p *peer, site *site, root string) (s *server, err error) {
	s = &server{peer: p, side: side{program: &p.program, site: site, root: root}}
	if s.place, err = newPlace(root, &p.program, p.launchEnv); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", p.name, errors.Join(err, s.end(ctx)))
		}
	}()
	if len(p.before) > 0 {
		if _, err := s.place.start(ctx, p.before...); err != nil {
			return s, err
		}
	}
	if s.stderr, err = os.Create(filepath.Join(s.place.dir, "stderr")); err != nil {
		return s, err
	}
	command := exec.Command(p.server[0], p.server[1:]...)
	command.Dir = filepath.Join(s.place.dir, "home")
	command.Env = append(s.place.environment(), p.env...)
	command.Stderr = s.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "skua-benchmark", Version: "1"}, nil)
	limited, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	s.session, err = client.Connect(limited, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		said, _ := os.ReadFile(s.stderr.Name())
		return s, fmt.Errorf("its server does not start: %w: %s", err, firstLines(string(said), 5))
	}
	for tool, err := range s.session.Tools(limited, nil) {
		if err != nil {
			return s, err
		}
		text, err := json.Marshal(tool)
		if err != nil {
			return s, err
		}
		s.listed += len(text)
	}
	return s, nil
}

// end ends the server and what it started, and removes its place.
func (s *server) end(ctx context.Context) error {
	var failed error
	if s.session != nil {
		// The transport asks the process to end, then makes it; what is still there afterwards is found by the place.
		_ = s.session.Close()
	}
	if s.stderr != nil {
		failed = s.stderr.Close()
	}
	var sessions []string
	if len(s.peer.before) > 0 {
		sessions = []string{"default"}
	}
	return errors.Join(failed, s.place.end(ctx, sessions...))
}

// reply is what came back from a call.
type reply struct {
	text   string // all that a model reads of it
	facts  map[string]any
	failed bool
	took   time.Duration
}

// call makes one call. A result that says that the call failed is a reply too.
func (s *server) call(ctx context.Context, c toolCall) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	began := time.Now()
	result, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
	took := time.Since(began)
	if err != nil {
		return reply{}, fmt.Errorf("%s: %s: %w", s.program.name, c.tool, err)
	}
	r := reply{failed: result.IsError, took: took}
	r.facts, _ = result.StructuredContent.(map[string]any)
	var texts []string
	for _, item := range result.Content {
		if t, ok := item.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	r.text = strings.Join(texts, "\n")
	return r, nil
}

// do makes the call that these words mean. A failure that the result reports is an error.
func (s *server) do(ctx context.Context, words ...string) (reply, error) {
	c, err := s.peer.call(words)
	if err != nil {
		return reply{}, err
	}
	r, err := s.call(ctx, c)
	if err == nil && r.failed {
		err = fmt.Errorf("%s %s: %s", s.program.name, strings.Join(words, " "), firstLines(r.text, 4))
	}
	return r, err
}

// visit opens a new page and makes sure that it was opened.
func (s *server) visit(ctx context.Context, kind, body string) error {
	if _, err := s.do(ctx, "open", s.publish(kind, body)); err != nil {
		return err
	}
	_, err := s.site.await(ctx, s.token, "loaded", s.title)
	return err
}
