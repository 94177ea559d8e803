package explore

import (
	"context"

	"github.com/skua-browser/skua/copilot/pcd"
)

// Browser opens tabs beside the one that is shown. Its methods are called from several goroutines.
type Browser interface {
	// Open asks for an address in a new tab and returns when it is loaded. It returns a tab with an error, too, when there
	// is one to close.
	Open(ctx context.Context, address string) (Tab, error)
	// Expect reports that so many tabs more will be opened soon. A browser may get them ready meanwhile; ctx ends with the
	// search.
	Expect(ctx context.Context, tabs int)
}

// Tab is a tab that was opened for the search.
type Tab interface {
	// Look reads the page that the tab shows.
	Look(ctx context.Context) (*Page, error)
	// Close ends the tab and whatever goes on in it.
	Close(ctx context.Context) error
}

// Page is what a tab shows.
type Page struct {
	Summary *pcd.Summary
	Links   []Link // all that the page has, in its order; nil means those of the summary
	Status  int    // HTTP; 0 means that there was none, or it is not known
	File    bool   // the address is one that is saved and not shown: there is no summary
}

// Link is a link of a page.
type Link struct {
	pcd.Action
	Download bool // the link downloads a file
	NoFollow bool // the page says that it does not vouch for it
}

// links returns the links of a page.
func (p *Page) links() []Link {
	if p.Links != nil || p.Summary == nil {
		return p.Links
	}
	links := make([]Link, 0, len(p.Summary.Actions))
	for _, a := range p.Summary.Actions {
		if a.URL != "" {
			links = append(links, Link{Action: a})
		}
	}
	return links
}

// Goal judges a page. It must not keep the summary.
type Goal func(s *pcd.Summary) Verdict

// Verdict is what a goal says of a page.
type Verdict struct {
	Met bool
	// from 0 to 1: how near the page comes to the goal. It ranks pages that meet the goal, and what is opened next
	Score float64
	Why   string   // what was found, for people
	Leads []string // ids of actions that speak for a page which does not meet the goal: they may lead there
}

// Ranker scores links, from 0 to 1, by how likely it is that they lead to what the words say.
type Ranker func(words string, links []Link) []float64
