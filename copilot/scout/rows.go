package scout

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/internal/wording"
)

// How well the action of an item fits beside what its label says.
const (
	itemSays  = 0.9 // of what is short of 1, where the item says what is meant
	otherItem = 0.4 // of the fit, where another item says it
)

// rows are the actions of all items of a list where one stands for them: they rival each other, unless the goal says
// which item is meant.
func (w wanted) rows(ctx context.Context, page *tracker, x rated) ([]rated, error) {
	if x.of != pcd.CandidateAction {
		return []rated{x}, nil
	}
	alike, err := page.Alike(ctx, x.id)
	if err != nil {
		return nil, err
	}
	if len(alike.Rows)+alike.Unread < 2 || len(alike.Rows) == 0 {
		return []rated{x}, nil
	}
	texts := make([]string, len(alike.Rows))
	any := false
	for i, row := range alike.Rows {
		texts[i] = w.saidBy(x.label, row.Text)
		any = any || texts[i] != ""
	}
	list := make([]rated, len(alike.Rows))
	for i, row := range alike.Rows {
		y := x
		y.id, y.url, y.why = row.ID, row.URL, append([]string{}, x.why...)
		switch {
		case texts[i] != "":
			y.fit += itemSays * (1 - y.fit)
			y.named = slices.Contains(w.kinds, x.kind)
			y.why = append(y.why, "its item says "+wording.Quote(texts[i]))
		case any:
			y.fit *= otherItem
			y.why = append(y.why, "another item says it")
		}
		page.note(y.fact)
		list[i] = y
	}
	if !any {
		list[0].equal = alike.Unread
	}
	return list, nil
}

// saidBy is what of the goal an item says and the label does not; empty means nothing, or nothing is left to say.
func (w wanted) saidBy(label, item string) string {
	for _, what := range w.what {
		rest := strings.Join(without(relevance.Words(what), relevance.Words(label)), " ")
		if rest == "" {
			continue
		}
		if relevance.Contains(item, what) || relevance.Contains(item, rest) || relevance.Portion(item, rest) >= 1 {
			return what
		}
	}
	return ""
}

// without are the words that are not among others.
func without(words, others []string) []string {
	var rest []string
	for _, word := range words {
		if !contains(others, word) {
			rest = append(rest, word)
		}
	}
	return rest
}

func contains(list []string, word string) bool {
	for _, one := range list {
		if relevance.Same(one, word) {
			return true
		}
	}
	return false
}
