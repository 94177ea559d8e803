package explore

import (
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
)

// rankByWords is the [Ranker] that counts which of the words a link's label, kind and address have. Words that come
// first count more.
func rankByWords(words string, links []Link) []float64 {
	const (
		later   = 0.1  // of what each word counts less than the one before it
		further = 0.15 // of what each further word that is found adds
		nudge   = 0.05 // so that of links that say the same those that a person would take come first
	)
	wanted := relevance.Any(words)
	scores := make([]float64, len(links))
	for i, l := range links {
		d := relevance.NewDocument(relevance.Control{Label: l.Label, Kind: l.Kind, Address: l.URL})
		score := relevance.Best(wanted, &d, later, further).Score + nudge*pcd.AtHand(l.Landmark, l.AboveFold, l.Disabled)
		if l.NoFollow {
			score -= nudge
		}
		scores[i] = max(0, min(1, score))
	}
	return scores
}
