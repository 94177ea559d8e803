package explore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Options are what a search may cost, and what it looks for.
type Options struct {
	Limits
	Goal  Goal   // required
	Words string // what leads there, for ranking links
	Rank  Ranker // nil means [rankByWords]

	Width int           // how many pages of a level are opened
	Depth int           // how many links lead to the last level
	Pages int           // how many pages are opened at most, beside the one where the search begins
	Time  time.Duration // after which the search ends with what it has
	Page  time.Duration // after which a page that does not come counts as failed
	Tabs  int           // how many pages load at one time
	Keep  bool          // tabs of pages that are not the goal stay open, too

	Report func(pages, level int) // is called before a level is opened, with the pages so far; nil means that nothing is
}

// The defaults and bounds of a search.
const (
	DefaultWidth, MaxWidth = 4, 16
	DefaultDepth, MaxDepth = 3, 10
	DefaultPages, MaxPages = 40, 500
	DefaultTabs, MaxTabs   = 4, 16
	DefaultTime            = 60 * time.Second
	DefaultPage            = 15 * time.Second
)

// filled returns the options with the defaults in the place of zeros.
func (o Options) filled() Options {
	o.Width, o.Depth = cmp.Or(o.Width, DefaultWidth), cmp.Or(o.Depth, DefaultDepth)
	o.Pages, o.Tabs = cmp.Or(o.Pages, DefaultPages), cmp.Or(o.Tabs, DefaultTabs)
	o.Time, o.Page = cmp.Or(o.Time, DefaultTime), cmp.Or(o.Page, DefaultPage)
	if o.Rank == nil {
		o.Rank = rankByWords
	}
	return o
}

func (o Options) check() error {
	if o.Goal == nil {
		return fault.New(fault.Usage, "the search has no goal")
	}
	for _, n := range []struct {
		name      string
		got, most int
	}{
		{"width", o.Width, MaxWidth},
		{"depth", o.Depth, MaxDepth},
		{"pages", o.Pages, MaxPages},
		{"tabs", o.Tabs, MaxTabs},
	} {
		if n.got < 1 || n.got > n.most {
			return fault.New(fault.Usage, "%s is %d; it goes from 1 to %d.", n.name, n.got, n.most).About("--" + n.name)
		}
	}
	return o.Check()
}

// Why a search ended.
const (
	StoppedFound = "found"     // a page meets the goal
	StoppedDone  = "exhausted" // there was no further link to follow
	StoppedDepth = "depth"
	StoppedPages = "pages"
	StoppedTime  = "time"
	StoppedEnded = "cancelled" // by the caller; the error says why
)

// Result is the outcome of a search.
type Result struct {
	Found   bool   `json:"found"`
	Stopped string `json:"stopped"`
	Start   string `json:"start"` // address of the page where it began
	URL     string `json:"url,omitempty"`
	Title   string `json:"title,omitempty"`
	Why     string `json:"why,omitempty"` // what on the page is the goal
	TabID   string `json:"tab,omitempty"` // of the page that was found, unless the search began there
	Path    []Step `json:"path"`          // to the page that was found
	Pages   int    `json:"pages"`         // that were opened, successfully or not
	Depth   int    `json:"depth"`         // levels that were opened

	NotFollowed map[Reason]int `json:"notFollowed"` // how many addresses, by the reason
	// the most promising links that were not followed for want of budget
	Nearest []Candidate `json:"nearest"`
	Graph   Graph       `json:"graph"`           // what was seen
	Files   []Candidate `json:"files,omitempty"` // links to files, which were not opened

	Goal *Node     `json:"-"` // of the page that was found
	Tab  Tab       `json:"-"` // of the page that was found; nil means that the search began there, or nothing was
	Kept []KeptTab `json:"-"` // the others that stayed open
}

// KeptTab is a tab that stays open although its page is not the goal.
type KeptTab struct {
	Tab  Tab
	Node *Node
}

// Step is a link on the way to the goal.
type Step struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Candidate is a link that was not followed.
type Candidate struct {
	Label string  `json:"label"`
	URL   string  `json:"url"`
	On    string  `json:"on"` // address of the page that has it
	Score float64 `json:"score"`
}

// mostNearest is how many links that were not followed a result lists.
const mostNearest = 8

// Search looks for a page that meets the goal, starting at the page that is shown. When it returns, all tabs that it
// opened are closed, except those of the result. If it returns an error, which is that of ctx, the result has no tabs
// and says how far the search came.
func Search(ctx context.Context, b Browser, start *Page, o Options) (*Result, error) {
	o = o.filled()
	if err := o.check(); err != nil {
		return nil, err
	}
	s := newSearch(b, o)
	limited, cancel := context.WithTimeoutCause(ctx, o.Time, errTimeUp)
	defer cancel()
	defer s.closing.Wait()
	s.begin(start)
	for s.result.Stopped == "" {
		batch := s.next()
		if len(batch) == 0 {
			break
		}
		s.result.Depth++
		if o.Report != nil {
			o.Report(s.result.Pages, s.result.Depth)
		}
		s.expect(limited, len(batch))
		s.take(batch, s.open(limited, batch))
		if limited.Err() != nil && s.result.Stopped == "" {
			s.result.Stopped = StoppedTime
		}
		if ctx.Err() != nil {
			s.result.Stopped = StoppedEnded
			s.abandon()
			s.finish()
			return s.result, context.Cause(ctx)
		}
	}
	s.finish()
	return s.result, nil
}

var errTimeUp = fault.New(fault.Timeout, "the time limit of the search was reached")

// expect has the tabs of the next level made ready while this one loads.
func (s *search) expect(ctx context.Context, now int) {
	s.ahead = max(0, s.ahead-now)
	if s.result.Depth == s.o.Depth {
		return
	}
	if more := min(s.o.Width, s.o.Tabs, s.o.Pages-s.result.Pages-now) - s.ahead; more > 0 {
		s.ahead += more
		s.browser.Expect(ctx, more)
	}
}

// next chooses the links that are opened together, the best ones first. It says why when there are none.
func (s *search) next() []*candidate {
	left := min(s.o.Width, s.o.Pages-s.result.Pages)
	switch {
	case left <= 0:
		s.result.Stopped = StoppedPages
		return nil
	case s.result.Depth == s.o.Depth:
		s.result.Stopped = StoppedDepth
		return nil
	}
	var batch []*candidate
	for len(batch) < left && len(s.pool) > 0 {
		best := slices.MinFunc(s.pool, func(a, b *candidate) int { return a.compare(b, s.shapes) })
		s.pool = slices.DeleteFunc(s.pool, func(c *candidate) bool { return c == best })
		s.shapes[best.shape]++
		batch = append(batch, best)
	}
	if len(batch) == 0 {
		s.result.Stopped = StoppedDone
	}
	return batch
}

// compare puts the link first that is opened first. What looks like others that were opened loses with each of them, so
// that the days of a calendar do not fill the beam.
func (c *candidate) compare(d *candidate, shapes map[string]int) int {
	mine, theirs := c.score/float64(1+shapes[c.shape]), d.score/float64(1+shapes[d.shape])
	return cmp.Or(cmp.Compare(theirs, mine), cmp.Compare(shapes[c.shape], shapes[d.shape]), cmp.Compare(d.depth, c.depth),
		cmp.Compare(c.order, d.order))
}
