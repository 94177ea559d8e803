package logpoint

import (
	"context"
	"encoding/base64"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sourcemap"
)

// script is one that the page runs.
type script struct {
	id, url, mapURL string
	hash            string // of its content
	sourceMap       *sourcemap.Map
	tried           bool   // to read the map
	why             string // it could not be read
}

// mostScripts bounds the scripts that are known, and mostMap the bytes of a map.
const (
	mostScripts = 5000
	mostMap     = 64 << 20
)

// parsed notes a script that has an address, in place of an older one with the same.
func (s *Set) parsed(ev cdp.Event) {
	var e struct {
		ID     string `json:"scriptId"`
		URL    string `json:"url"`
		MapURL string `json:"sourceMapURL"`
		Hash   string `json:"hash"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.URL == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scripts == nil || len(s.scripts) >= mostScripts && s.scripts[e.URL] == nil {
		return
	}
	now := &script{id: e.ID, url: e.URL, mapURL: e.MapURL, hash: e.Hash}
	if old := s.scripts[e.URL]; old != nil && old.hash == now.hash && old.mapURL == now.mapURL {
		now.sourceMap, now.tried, now.why = old.sourceMap, old.tried, old.why // the page was loaded again
	}
	s.scripts[e.URL] = now
}

// target is where a logpoint goes. Line and column count from 0.
type target struct {
	script       *script
	line, column int
	at           Place // as the caller sees it
	sourceMap    *sourcemap.Map
	segment      sourcemap.Segment
}

// find looks for a line among the scripts that are served, and then among the sources of their maps.
func (s *Set) find(ctx context.Context, sess *cdp.Session, file string, line int) (*target, error) {
	s.mu.Lock()
	var all []*script
	for _, one := range s.scripts {
		all = append(all, one)
	}
	s.mu.Unlock()
	slices.SortFunc(all, func(a, b *script) int { return strings.Compare(a.url, b.url) })
	for _, one := range all {
		if address, err := url.Parse(one.url); err == nil && sourcemap.EndsWith(address.Path, file) {
			return &target{script: one, line: line - 1, at: Place{URL: one.url, Line: line}}, nil
		}
	}
	var unread []string
	for _, one := range all {
		if one.mapURL == "" {
			continue
		}
		if err := s.read(ctx, one); err != nil {
			return nil, err
		}
		if one.sourceMap == nil {
			unread = append(unread, path.Base(one.url)+": "+one.why)
			continue
		}
		if source, at, ok := one.sourceMap.Generated(file, line-1); ok {
			return &target{
				script: one, line: at.Line, column: at.Column, sourceMap: one.sourceMap, segment: at,
				at: Place{URL: source, Line: at.OriginalLine + 1},
			}, nil
		}
	}
	e := fault.New(fault.TargetUnsuitable,
		"%s:%d: no script of the page, and no source in their maps, has this line", file, line).About(file)
	if len(unread) > 0 {
		return nil, e.WithHint("Maps that cannot be read: %s.", strings.Join(unread, ", "))
	}
	return nil, e.WithHint("Give the end of a path, such as src/cart.ts:42. The script must have run in the page.")
}

// readMap fetches the map as the page would, under the session's rules.
const readMap = `async ({url, most}) => {
	try {
		const response = await fetch(url);
		if (!response.ok) return {why: 'status ' + response.status};
		const text = await response.text();
		return text.length > most ? {why: 'it is too large'} : {text};
	} catch (error) {
		return {why: String(error?.message ?? error)};
	}
}`

// read reads the map of a script once. A map that cannot be read is not an error.
func (s *Set) read(ctx context.Context, one *script) error {
	if one.tried {
		return nil
	}
	var got struct {
		Text string `json:"text"`
		Why  string `json:"why"`
	}
	if rest, inline := strings.CutPrefix(one.mapURL, "data:"); inline {
		head, body, _ := strings.Cut(rest, ",")
		if strings.HasSuffix(head, ";base64") {
			raw, err := base64.StdEncoding.DecodeString(body)
			if err != nil {
				got.Why = err.Error()
			}
			got.Text = string(raw)
		} else if plain, err := url.PathUnescape(body); err == nil {
			got.Text = plain
		}
	} else {
		base, err := url.Parse(one.url)
		if err != nil {
			return err
		}
		to, err := base.Parse(one.mapURL)
		if err != nil {
			return err
		}
		arg := struct {
			URL  string `json:"url"`
			Most int    `json:"most"`
		}{to.String(), mostMap}
		if err := s.page.Main().RunScript(ctx, readMap, arg, &got); err != nil {
			return err
		}
	}
	var m *sourcemap.Map
	if got.Why == "" {
		var err error
		if m, err = sourcemap.Parse([]byte(got.Text)); err != nil {
			m, got.Why = nil, err.Error()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one.tried, one.why, one.sourceMap = true, got.Why, m
	return nil
}

// originalLocked is a place of a stack in its source, if the map of its script was read.
func (s *Set) originalLocked(at Place) Place {
	if one := s.scripts[at.URL]; one != nil && one.sourceMap != nil {
		if source, seg, ok := one.sourceMap.Original(at.Line-1, at.Column-1); ok {
			return Place{URL: source, Line: seg.OriginalLine + 1, Column: seg.OriginalColumn + 1, Function: at.Function}
		}
	}
	return at
}

// words are the parts of an expression that may be names of variables: neither properties nor in quotes.
var words = regexp.MustCompile("'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|\\.?[\\p{L}_$][\\p{L}\\p{N}_$]*")

var identifier = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*`)

// renamed is an expression in the names that a minified script has for those of its source, as far as its map tells.
func (t *target) renamed(ctx context.Context, sess *cdp.Session, expression string) (string, error) {
	if t.sourceMap == nil {
		return expression, nil
	}
	var reply struct {
		Source string `json:"scriptSource"`
	}
	err := sess.Call(ctx, "Debugger.getScriptSource", map[string]string{"scriptId": t.script.id}, &reply)
	if err != nil {
		return "", err
	}
	lines := strings.Split(reply.Source, "\n")
	return words.ReplaceAllStringFunc(expression, func(word string) string {
		if !identifier.MatchString(word) {
			return word
		}
		at, ok := t.sourceMap.Named(word, t.segment)
		if !ok || at.Line >= len(lines) || at.Column >= len(lines[at.Line]) {
			return word
		}
		if name := identifier.FindString(lines[at.Line][at.Column:]); name != "" {
			return name
		}
		return word
	}), nil
}
