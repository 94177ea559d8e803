//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// Bounds of --many: for how long rounds begin, and how long the last may take.
const (
	crowdTime  = 2 * time.Minute
	crowdGrace = time.Minute
)

// crowdPeer is a program that has many sessions at once.
type crowdPeer struct {
	program *program
	vocabulary
	open func(ctx context.Context, p *place, n int) (sessions []crowdSession, end func() error, err error)
}

// crowdSession makes one call in one session and returns what it printed.
type crowdSession func(ctx context.Context, words ...string) (string, error)

// crowdResult is what a program came to.
type crowdResult struct {
	name           string
	began          time.Duration // until every session had done its first round
	seconds        float64       // of all that follows
	done           int           // rounds behind the first
	own, browsers  int64
	failed, rounds int
	err            error // the first
}

// compareMany has many sessions open a page, look at it and click in it, all at once, for several rounds: one program
// after another.
func (s settings) compareMany(ctx context.Context, root string, pages *site, stdout, stderr io.Writer) error {
	peers, err := s.peers(ctx, root)
	if err != nil {
		return err
	}
	s.machine(ctx, root, [2]program{peers[0].program, peers[1].program}).print(stderr)
	var failed error
	var results []crowdResult
	for _, p := range peers {
		peer := crowdPeer{program: &p.program, vocabulary: p.vocabulary, open: openByCommands}
		switch p.name {
		case "chrome-devtools": // has no sessions
			continue
		case "playwright":
			peer.open = openByHTTP(p)
		default:
			p.launchEnv = p.sameEnv // the same browser for all
		}
		r := peer.run(ctx, root, pages, s.sessions, max(s.rounds/5, 2))
		fmt.Fprintf(stderr, "%s: %d of %d rounds failed; %v\n", r.name, r.failed, r.rounds, r.err)
		results = append(results, r)
		if r.failed == r.rounds {
			failed = errors.Join(failed, r.err)
		}
	}
	table := stats.Table{{
		fmt.Sprintf("%d sessions", s.sessions), "all have clicked once", "rounds a second", "failed",
		"own memory", "browsers' memory",
	}}
	for _, r := range results {
		rate := 0.0
		if r.seconds > 0 {
			rate = float64(r.done) / r.seconds
		}
		table = append(table, []string{
			r.name, fmt.Sprintf("%.1f s", r.began.Seconds()), fmt.Sprintf("%.2f", rate),
			fmt.Sprintf("%d of %d", r.failed, r.rounds),
			fmt.Sprintf("%.1f MB", float64(r.own)/megabyte), fmt.Sprintf("%.0f MB", float64(r.browsers)/megabyte),
		})
	}
	return errors.Join(failed, s.show(stdout, table))
}

func (p *crowdPeer) run(ctx context.Context, root string, pages *site, n, rounds int) (r crowdResult) {
	r.name = p.program.name
	place, err := newPlace(root, p.program, p.program.launchEnv)
	if err != nil {
		r.err = err
		return r
	}
	var sessions []crowdSession
	end := func() error { return nil }
	defer func() { r.err = errors.Join(r.err, end(), place.end(ctx)) }()
	if sessions, end, r.err = p.open(ctx, place, n); r.err != nil {
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, crowdTime+crowdGrace)
	defer cancel()
	began := time.Now()
	for round := range rounds { // the first one starts the browsers
		if time.Since(began) > crowdTime {
			break
		}
		start := time.Now()
		failed, err := p.round(ctx, pages, sessions, round)
		r.failed, r.rounds = r.failed+failed, r.rounds+n
		if r.err == nil {
			r.err = err
		}
		if round == 0 {
			r.began = time.Since(start)
			continue
		}
		r.seconds += time.Since(start).Seconds()
		r.done += n - failed
	}
	_, err = settled(ctx, func() (total int64, err error) {
		r.own, r.browsers, err = proportionalMemory(place.dir)
		return r.own + r.browsers, err
	})
	if r.err == nil {
		r.err = err
	}
	return r
}

// round has each session do its work once, all at the same time, and counts those in which it did not come out right.
func (p *crowdPeer) round(
	ctx context.Context, pages *site, sessions []crowdSession, round int,
) (failed int, first error) {
	var mu sync.Mutex
	var working sync.WaitGroup
	for i, session := range sessions {
		working.Go(func() {
			if err := p.work(ctx, pages, session, i, round); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed++
				if first == nil {
					first = fmt.Errorf("session %d, round %d: %w", i, round, err)
				}
			}
		})
	}
	working.Wait()
	return failed, first
}

// work opens a page of its own, looks at it, clicks a button that the look shows, and has the page say that it was
// clicked.
func (p *crowdPeer) work(ctx context.Context, pages *site, do crowdSession, i, round int) error {
	token := fmt.Sprintf("%s-many-%d-%d", p.program.name, i, round)
	title := "Page " + token
	if _, err := do(ctx, "open", pages.publish(token, title, tablePage("Orders", 100).body.String())); err != nil {
		return err
	}
	if _, err := pages.await(ctx, token, "loaded", title); err != nil {
		return err
	}
	seen, err := do(ctx, "snapshot", "-i")
	if err != nil {
		return err
	}
	ref, err := p.ref(seen, "button", "Save main")
	if err != nil {
		return err
	}
	if _, err := do(ctx, "click", ref); err != nil {
		return err
	}
	_, err = pages.await(ctx, token, "click", "1")
	return err
}

// openByCommands gives each session a name; its first command starts what it needs.
func openByCommands(ctx context.Context, p *place, n int) ([]crowdSession, func() error, error) {
	all, names := make([]crowdSession, n), make([]string, n)
	for i := range n {
		names[i] = "many-" + strconv.Itoa(i)
		call := p.start // options of a launch would cost each call of agent-browser's a message to its host
		all[i] = func(ctx context.Context, words ...string) (string, error) {
			once := call
			call = p.run
			reply, err := once(ctx, append([]string{"--session", names[i]}, words...)...)
			return reply.stdout, err
		}
	}
	return all, func() error {
		var failed error
		for _, name := range names {
			_, err := p.run(context.WithoutCancel(ctx), "--session", name, "close")
			failed = errors.Join(failed, err)
		}
		return failed
	}, nil
}

// openByHTTP starts one server for all, with a connection for each session.
func openByHTTP(peer *peer) func(context.Context, *place, int) ([]crowdSession, func() error, error) {
	return func(ctx context.Context, p *place, n int) (all []crowdSession, end func() error, err error) {
		var clients []*mcp.ClientSession
		end = func() error {
			for _, c := range clients {
				_ = c.Close() // what does not end is found by the place
			}
			return nil
		}
		port, err := freePort()
		if err != nil {
			return nil, end, err
		}
		said, err := os.Create(filepath.Join(p.dir, "stderr"))
		if err != nil {
			return nil, end, err
		}
		defer said.Close()
		command := exec.Command(peer.server[0], append(peer.server[1:], "--port", strconv.Itoa(port))...)
		command.Dir, command.Env, command.Stderr = filepath.Join(p.dir, "home"), append(p.environment(), peer.env...), said
		if err := command.Start(); err != nil {
			return nil, end, err
		}
		go func() { _ = command.Wait() }() // it ends with the place
		address := "http://localhost:" + strconv.Itoa(port) + "/mcp"
		for range n {
			c, err := connectWhenReady(ctx, address)
			if err != nil {
				return nil, end, err
			}
			clients = append(clients, c)
			s := &server{peer: peer, session: c, side: side{program: &peer.program}}
			all = append(all, func(ctx context.Context, words ...string) (string, error) {
				r, err := s.do(ctx, words...)
				return r.text, err
			})
		}
		return all, end, nil
	}
}

// connectWhenReady connects to a server that may still be starting.
func connectWhenReady(ctx context.Context, address string) (*mcp.ClientSession, error) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "skua-benchmark", Version: "1"}, nil)
	for {
		session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address}, nil)
		if err == nil || !strings.Contains(err.Error(), "refused") {
			return session, err
		}
		if pause(ctx, 50*time.Millisecond) != nil {
			return nil, err
		}
	}
}

// freePort returns a free port of this machine.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}
