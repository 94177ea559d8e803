package read

import (
	"context"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/internal/fault"
)

// Bounds of how many addresses are read beside each other.
const (
	defaultReadTabs = "4"
	maxReadTabs     = 16
)

// reader reads one address. It is used by one goroutine.
type reader interface {
	read(ctx context.Context, address string) (*reading, error)
	close(ctx context.Context)
}

// readOutcome is the result for an address.
type readOutcome struct {
	url string
	r   *reading
	err error
}

// readAddresses reads the given addresses, some of them concurrently, and returns the results in their order.
func readAddresses(ctx context.Context, c *actions.Call, newReader func() reader) ([]readOutcome, error) {
	given := append([]string{c.String("url")}, c.Strings("more")...)
	all := make([]readOutcome, len(given))
	for i, s := range given {
		address, err := navigate.Address(c, s)
		if err != nil {
			return nil, err
		}
		all[i].url = address
	}
	next := make(chan *readOutcome)
	var reading sync.WaitGroup
	for range min(c.Int("tabs"), len(all)) {
		reading.Go(func() {
			in := newReader()
			defer in.close(ctx)
			for one := range next {
				one.r, one.err = in.read(ctx, one.url)
			}
		})
	}
	for i := range all {
		next <- &all[i]
	}
	close(next)
	reading.Wait()
	return all, nil
}

// shownAll is the answer about several addresses: what one of them could not be read for does not keep the others from
// being shown.
func shownAll(c *actions.Call, all []readOutcome) actions.Result {
	pages := make([]any, len(all))
	texts := make([]string, len(all))
	failed := 0
	for i, one := range all {
		if one.err != nil {
			failed++
			texts[i] = "✗ " + one.url + ": " + one.err.Error()
			pages[i] = UnreadResult{string(fault.CodeOf(one.err)), one.err.Error(), one.url}
			continue
		}
		shown := render(c, one.r)
		texts[i], pages[i] = shown.Text, shown.Data
	}
	return actions.Result{
		Data: DocumentsResult{failed, pages}, Text: strings.Join(texts, "\n\n---\n\n"), Failed: failed > 0,
	}
}
