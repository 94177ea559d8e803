package explore

import (
	"cmp"
	"slices"
	"strconv"
)

// finish writes down what the search did not come to.
func (s *search) finish() {
	r := s.result
	r.Kept = s.kept
	for why, addresses := range s.passed {
		for address := range addresses {
			if _, followed := s.known[address]; !followed { // another link led there that could be followed
				r.NotFollowed[why]++
			}
		}
	}
	if len(s.pool) > 0 {
		r.NotFollowed[Budget] = len(s.pool)
	}
	slices.SortFunc(s.pool, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order))
	})
	for _, c := range s.pool[:min(len(s.pool), mostNearest)] {
		r.Nearest = append(r.Nearest, Candidate{Label: c.Label, URL: c.URL, On: c.from.URL, Score: round(c.score)})
	}
	s.finishFiles()
	s.finishGraph()
	if !r.Found && r.Stopped == "" {
		r.Stopped = StoppedDone
	}
}

// mostFiles is how many links to files a result lists.
const mostFiles = 20

// finishFiles keeps each file once, the most promising ones first.
func (s *search) finishFiles() {
	seen := map[string]bool{}
	files := slices.DeleteFunc(s.result.Files, func(c Candidate) bool {
		key := Canonical(c.URL)
		again := seen[key]
		seen[key] = true
		return again
	})
	slices.SortStableFunc(files, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	files = files[:min(len(files), mostFiles)]
	for i := range files {
		files[i].Score = round(files[i].Score)
	}
	s.result.Files = files
}

// finishGraph adds the edges by which the search did not come: links between pages that were read anyway.
func (s *search) finishGraph() {
	g := &s.result.Graph
	edges := map[[2]string]bool{}
	for _, e := range g.Edges {
		edges[[2]string{e.From, e.To}] = true
	}
	for _, n := range g.Nodes {
		n.Score = round(n.Score)
		for _, l := range s.linksOf[n] {
			to := g.Node(l.URL)
			if to == nil || to == n || edges[[2]string{n.ID, to.ID}] {
				continue
			}
			edges[[2]string{n.ID, to.ID}] = true
			g.Edges = append(g.Edges, Edge{From: n.ID, To: to.ID, Kind: ByLink, Label: l.Label})
		}
	}
}

// round leaves the digits of a score that mean something.
func round(score float64) float64 { return float64(int(score*1000+0.5)) / 1000 }

func itoa(n int) string { return strconv.Itoa(n) }
