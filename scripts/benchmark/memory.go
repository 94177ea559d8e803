//go:build linux

package main

import (
	"context"
	"fmt"
)

const memorySessions = 8

const megabyte = 1 << 20

// sessionsMemory opens a small page in eight sessions and returns the memory of everything that runs then: in all, the
// program's own processes, and browsers.
func sessionsMemory(ctx context.Context, s *side) (values []float64, err error) {
	p, err := newPlace(s.root, s.program, s.program.launchEnv)
	if err != nil {
		return nil, err
	}
	var sessions []string
	defer func() {
		if ended := p.end(ctx, sessions...); err == nil {
			err = ended
		}
	}()
	for i := 1; i <= memorySessions; i++ {
		session := fmt.Sprintf("memory-%d", i)
		sessions = append(sessions, session)
		url := s.publish("memory", tablePage("Memory", 30).body.String())
		if _, err := s.opened(ctx, p.start, url, "--session", session); err != nil {
			return nil, err
		}
	}
	var own, browsers int64
	_, err = settled(ctx, func() (total int64, err error) {
		own, browsers, err = proportionalMemory(p.dir)
		return own + browsers, err
	})
	return []float64{float64(own+browsers) / megabyte, float64(own) / megabyte, float64(browsers) / megabyte}, err
}

// hostMemoryAfterBigPage opens the biggest page in a fresh host, takes a snapshot of it, and returns what the host then
// occupies.
func hostMemoryAfterBigPage(ctx context.Context, s *side) (values []float64, err error) {
	p, err := newPlace(s.root, s.program, s.program.launchEnv)
	if err != nil {
		return nil, err
	}
	defer func() {
		if ended := p.end(ctx, "default"); err == nil {
			err = ended
		}
	}()
	big := tablePage("Orders", 10000)
	if _, err := s.opened(ctx, p.start, s.publish("big", big.body.String())); err != nil {
		return nil, err
	}
	view, err := p.run(ctx, wholeSnapshot...)
	if err != nil {
		return nil, err
	}
	if n := countRefs(view.stdout); n < big.shown {
		return nil, fmt.Errorf("the snapshot of 10000 elements has %d refs, expected %d or more", n, big.shown)
	}
	total, err := settled(ctx, func() (int64, error) { return hostMemory(p.dir) })
	return []float64{float64(total) / megabyte}, err
}
