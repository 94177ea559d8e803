package storage

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"
)

// Usage is how much an origin keeps in the browser.
type Usage struct {
	Usage float64     `json:"usage"` // bytes
	Quota float64     `json:"quota"`
	Kinds []UsageKind `json:"usageBreakdown"`
}

// UsageKind is one kind of storage that an origin uses.
type UsageKind struct {
	Kind  string  `json:"storageType"` // in the protocol's words, such as "indexeddb"
	Bytes float64 `json:"usage"`
}

// Usage returns what an origin keeps in the page's context, the largest kind first and without those that are empty.
func UsageOf(ctx context.Context, p *engine.Page, origin string) (Usage, error) {
	var u Usage
	if err := p.Session().Call(ctx, "Storage.getUsageAndQuota", map[string]string{"origin": origin}, &u); err != nil {
		return u, err
	}
	u.Kinds = slices.DeleteFunc(u.Kinds, func(k UsageKind) bool { return k.Bytes == 0 })
	slices.SortFunc(u.Kinds, func(a, b UsageKind) int {
		if a.Bytes != b.Bytes {
			return int(b.Bytes - a.Bytes)
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	return u, nil
}
