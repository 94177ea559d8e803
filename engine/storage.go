package engine

import (
	"context"
	"slices"
	"strings"
)

// StorageUsage is how much an origin keeps in the browser.
type StorageUsage struct {
	Usage float64     `json:"usage"` // bytes
	Quota float64     `json:"quota"`
	Kinds []UsageKind `json:"usageBreakdown"`
}

// UsageKind is one kind of storage that an origin uses.
type UsageKind struct {
	Kind  string  `json:"storageType"` // in the protocol's words, such as "indexeddb"
	Bytes float64 `json:"usage"`
}

// StorageUsage returns what an origin keeps in the page's context, the largest kind first and without those that are empty.
func (p *Page) StorageUsage(ctx context.Context, origin string) (StorageUsage, error) {
	var u StorageUsage
	if err := p.sess.Call(ctx, "Storage.getUsageAndQuota", map[string]string{"origin": origin}, &u); err != nil {
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
