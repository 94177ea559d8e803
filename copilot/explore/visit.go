package explore

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// candidate is a link that may be followed.
type candidate struct {
	Link
	from    *Node
	address string // canonical
	shape   string
	depth   int
	score   float64
	order   int // in which it was found
}

// search is a search under way. Only open works in several goroutines.
type search struct {
	o       Options
	browser Browser
	bounds  bounds
	result  *Result
	pool    []*candidate
	known   map[string]*candidate      // canonical addresses that are nodes or candidates: those that wait have one
	passed  map[Reason]map[string]bool // addresses that were not followed
	shapes  map[string]int             // how often an address of a shape was opened
	found   int                        // candidates so far
	linksOf map[*Node][]Link
	kept    []KeptTab
	ahead   int // tabs that were expected and not opened
	closing sync.WaitGroup
}

func newSearch(b Browser, o Options) *search {
	s := &search{
		o:       o,
		browser: b,
		known:   map[string]*candidate{},
		passed:  map[Reason]map[string]bool{},
		shapes:  map[string]int{},
		linksOf: map[*Node][]Link{},
	}
	s.result = &Result{Path: []Step{}, NotFollowed: map[Reason]int{}, Nearest: []Candidate{}}
	s.result.Graph = Graph{Nodes: []*Node{}, Edges: []Edge{}, byAddress: map[string]*Node{}}
	return s
}

// begin takes in the page that is shown.
func (s *search) begin(p *Page) {
	s.bounds = s.o.around(p.Summary.URL)
	s.result.Start = p.Summary.URL
	n := s.node(p.Summary.URL, 0)
	s.known[Canonical(p.Summary.URL)] = nil
	n.State, n.Status = Seen, p.Status
	verdict := s.o.Goal(p.Summary)
	s.read(n, p, verdict)
	if verdict.Met {
		s.reach(n, nil)
	}
}

// node adds an address to the graph.
func (s *search) node(address string, depth int) *Node {
	g := &s.result.Graph
	n := &Node{ID: "n" + itoa(len(g.Nodes)+1), URL: address, Depth: depth}
	g.Nodes = append(g.Nodes, n)
	if key := Canonical(address); key != "" {
		g.byAddress[key] = n
	}
	return n
}

// read takes what a page says into its node, and its links into the pool.
func (s *search) read(n *Node, p *Page, v Verdict) {
	n.describe(p.Summary)
	n.Score, n.Why, n.Goal = v.Score, v.Why, v.Met
	links := p.links()
	s.linksOf[n] = links
	scores := s.o.Rank(s.o.Words, links)
	for i, l := range links {
		address, why := s.bounds.judge(l)
		waits, known := s.known[address]
		if why == Download && !known {
			s.result.Files = append(s.result.Files, Candidate{Label: l.Label, URL: l.URL, On: n.URL, Score: scores[i]})
		}
		if why != "" {
			s.pass(why, address, l.URL)
			continue
		}
		score := 0.8*scores[i] + 0.2*v.Score
		if slices.Contains(v.Leads, l.ID) {
			score = max(score, v.Score)
		}
		if known {
			if waits != nil && score > waits.score { // a better label for the same address
				waits.Link, waits.from, waits.depth, waits.score = l, n, n.Depth+1, score
			}
			continue
		}
		s.found++
		c := &candidate{
			Link:    l,
			from:    n,
			address: address,
			shape:   shape(address),
			depth:   n.Depth + 1,
			score:   score,
			order:   s.found,
		}
		s.known[address] = c
		s.pool = append(s.pool, c)
	}
}

func (s *search) pass(why Reason, address, raw string) {
	if address == "" {
		address = raw
	}
	if s.passed[why] == nil {
		s.passed[why] = map[string]bool{}
	}
	s.passed[why][address] = true
}

// visit is the result of opening a link.
type visit struct {
	tab     Tab
	page    *Page
	verdict Verdict
	err     error
	tried   bool // it was asked for
}

// closeLimit is how long the end of a tab may take. It does not depend on how the search ended.
const closeLimit = 5 * time.Second

// open opens the links in parallel and returns the result of each, in order. It leaves only the tabs open whose page
// meets the goal, and those that the options keep.
func (s *search) open(ctx context.Context, batch []*candidate) []visit {
	visits := make([]visit, len(batch))
	slots := make(chan struct{}, s.o.Tabs)
	var loading sync.WaitGroup
	for i, c := range batch {
		loading.Go(func() {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				visits[i].err = context.Cause(ctx)
				return
			}
			v := &visits[i]
			*v = s.visit(ctx, c.URL)
			if v.tab == nil || v.err == nil && v.page.Summary != nil && (v.verdict.Met || s.o.Keep) {
				<-slots
				return
			}
			tab := v.tab
			v.tab = nil
			s.closing.Go(func() {
				defer func() { <-slots }()
				closeTab(ctx, tab)
			})
		})
	}
	loading.Wait()
	for _, v := range visits {
		if v.tried {
			s.result.Pages++
		}
	}
	return visits
}

// visit opens an address and reads its page.
func (s *search) visit(ctx context.Context, address string) (v visit) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.o.Page,
		fault.New(fault.Timeout, "the page did not load within %s", s.o.Page))
	defer cancel()
	v.tried = true
	if v.tab, v.err = s.browser.Open(ctx, address); v.err != nil {
		return v
	}
	if v.page, v.err = v.tab.Look(ctx); v.err != nil || v.page.Summary == nil {
		return v
	}
	u, err := url.Parse(v.page.Summary.URL)
	if err != nil || !s.bounds.within(u) {
		v.err = fault.New(fault.NavigationFailed, "it leads to %s, which is outside of the search", v.page.Summary.URL)
		return v
	}
	v.verdict = s.o.Goal(v.page.Summary)
	return v
}

func closeTab(ctx context.Context, tab Tab) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	_ = tab.Close(ctx) // the browser that opened it looks after what does not close
}

// take takes the visits of a level in, in the order in which their links ranked, and notes the best page that meets the
// goal.
func (s *search) take(batch []*candidate, visits []visit) {
	var best *Node
	var bestTab Tab
	for i, c := range batch {
		s.known[c.address] = nil
		n, tab := s.enter(c, &visits[i]), visits[i].tab
		loser := n
		if n != nil && n.Goal && (best == nil || n.Score > best.Score) {
			loser, best = best, n
			tab, bestTab = bestTab, tab
		}
		if tab == nil {
			continue
		}
		if s.o.Keep && loser != nil {
			s.kept = append(s.kept, KeptTab{tab, loser})
			continue
		}
		s.closing.Go(func() { closeTab(context.Background(), tab) })
	}
	if best != nil {
		s.reach(best, bestTab)
	}
}

// enter makes nodes of a visit and returns that of the page which was read, or nil: there is none, or another link led
// there before.
func (s *search) enter(c *candidate, v *visit) *Node {
	g := &s.result.Graph
	n := g.byAddress[c.address]
	if n == nil {
		n = s.node(c.URL, c.depth)
		g.Edges = append(g.Edges, Edge{
			From:  c.from.ID,
			To:    n.ID,
			Kind:  ByLink,
			Label: c.Label,
			Taken: true,
		})
	} else {
		return nil // a redirect of this level led there
	}
	switch {
	case v.err != nil:
		n.State, n.Error = Failed, v.err.Error()
		return nil
	case v.page.Summary == nil:
		n.State, n.Status = File, v.page.Status
		return nil
	}
	landed := v.page.Summary.URL
	if key := Canonical(landed); key != "" && key != c.address {
		n.State = Redirected
		to := g.byAddress[key]
		if to != nil {
			g.Edges = append(g.Edges, Edge{From: n.ID, To: to.ID, Kind: ByRedirect})
			return nil
		}
		s.known[key] = nil
		s.pool = slices.DeleteFunc(s.pool, func(w *candidate) bool { return w.address == key })
		to = s.node(landed, c.depth)
		g.Edges = append(g.Edges, Edge{From: n.ID, To: to.ID, Kind: ByRedirect, Taken: true})
		n = to
	}
	n.State, n.Status = Seen, v.page.Status
	if n.Status >= 400 { // what looks like the goal here is not what was looked for
		n.describe(v.page.Summary)
		n.State, n.Error = Failed, "the server answered with HTTP "+itoa(n.Status)
		return nil
	}
	s.read(n, v.page, v.verdict)
	return n
}

// reach ends the search at a page.
func (s *search) reach(n *Node, tab Tab) {
	r := s.result
	r.Found, r.Stopped, r.URL, r.Title, r.Why, r.Tab, r.Goal = true, StoppedFound, n.URL, n.Title, n.Why, tab, n
	for _, e := range r.Graph.path(n) {
		step := Step{Label: e.Label}
		for _, m := range r.Graph.Nodes {
			if m.ID == e.To {
				step.URL = m.URL
			}
		}
		if e.Kind == ByRedirect {
			r.Path[len(r.Path)-1].URL = step.URL
			continue
		}
		r.Path = append(r.Path, step)
	}
}

// abandon closes all tabs, of a search that was canceled.
func (s *search) abandon() {
	r := s.result
	if r.Tab != nil {
		s.kept = append(s.kept, KeptTab{Tab: r.Tab})
	}
	r.Tab = nil
	for _, k := range s.kept {
		s.closing.Go(func() { closeTab(context.Background(), k.Tab) })
	}
	s.kept = nil
}
