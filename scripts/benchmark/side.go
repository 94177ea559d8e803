//go:build linux

package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// side is one program during the run: its running session, and the page that the current operation works on.
type side struct {
	program *program
	site    *site
	root    string // where places are made

	warm   *place // has a browser running, in the default session
	tokens int

	// The page of the current operation.
	token    string
	title    string
	ref      string // the element that is acted on
	snapshot string // of a page with several of them
	count    int    // how often
}

// publish gives the site a new page and returns its address. Its token and title become the side's current ones.
func (s *side) publish(kind, body string) string {
	s.tokens++
	s.token = fmt.Sprintf("%s-%s-%d", s.program.name, kind, s.tokens)
	s.title = "Page " + s.token
	s.ref, s.count = "", 0
	return s.site.publish(s.token, s.title, body)
}

// warmPlace returns the place with the running session, which it starts on first use.
func (s *side) warmPlace(ctx context.Context) (*place, error) {
	if s.warm != nil {
		return s.warm, nil
	}
	p, err := newPlace(s.root, s.program, s.program.launchEnv)
	if err != nil {
		return nil, err
	}
	s.warm = p
	_, err = s.opened(ctx, p.start, s.publish("start", "<h1>Start</h1>"))
	return p, err
}

// visit opens a new page in the running session.
func (s *side) visit(ctx context.Context, kind, body string) error {
	p, err := s.warmPlace(ctx)
	if err != nil {
		return err
	}
	_, err = s.opened(ctx, p.run, s.publish(kind, body))
	return err
}

// opened opens the current page by way of call and checks that it was opened: the reply names its title, and the page
// says that it has loaded.
func (s *side) opened(
	ctx context.Context, call func(context.Context, ...string) (outcome, error), url string, before ...string,
) (outcome, error) {
	result, err := call(ctx, append(before, "open", url)...)
	if err != nil {
		return result, err
	}
	if !strings.Contains(result.stdout, s.title) {
		return result, fmt.Errorf("open did not print the title %q: %s", s.title, firstLines(result.stdout, 3))
	}
	_, err = s.site.await(ctx, s.token, "loaded", s.title)
	return result, err
}

// find takes a snapshot of the current page and keeps the ref of the element with this role and name.
func (s *side) find(ctx context.Context, role, name string) error {
	result, err := s.warm.run(ctx, "snapshot", "-i")
	if err != nil {
		return err
	}
	s.ref, err = refOf(result.stdout, role, name)
	return err
}

var refPattern = regexp.MustCompile(`(?:[\[ ]ref=| @)(e\d+)\b`)

// refOf returns the ref, as @e5, of the one line of a snapshot that has this role and name; with "" the role may be
// any.
func refOf(snapshot, role, name string) (string, error) {
	wanted := fmt.Sprintf(" %q ", name)
	found := ""
	for line := range strings.Lines(snapshot) {
		is, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(line, " "), "- "), " ")
		if several := strings.TrimSuffix(is, "s:"); several != is && (role == "" || role == several) {
			// controls that share a line
			if _, rest, ok := strings.Cut(line, wanted+"@"); ok {
				is, line = several, "- "+several+wanted+"@"+rest
			}
		}
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "- "+is); !ok || role != "" && is != role ||
			!strings.HasPrefix(rest, wanted) {
			continue
		}
		match := refPattern.FindStringSubmatch(line)
		if match == nil {
			return "", fmt.Errorf("the snapshot's line of %s %q has no ref: %s", role, name, strings.TrimSpace(line))
		}
		if found != "" {
			return "", fmt.Errorf("the snapshot has several lines of %s %q", role, name)
		}
		found = "@" + match[1]
	}
	if found == "" {
		return "", fmt.Errorf("the snapshot has no line of %s %q: %s", role, name, firstLines(snapshot, 5))
	}
	return found, nil
}

// countRefs returns how many refs a snapshot has.
func countRefs(snapshot string) int {
	n := 0
	for line := range strings.Lines(snapshot) {
		n += len(refPattern.FindAllString(line, -1))
	}
	return n
}
