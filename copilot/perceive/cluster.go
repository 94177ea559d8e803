package perceive

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// clusterOf names the actions that are the same on all pages of a site: by the origin and the first part of the path to
// which they lead, or of the page, their role, and their label.
func clusterOf(a *Action, page string) string {
	where := a.URL
	if where == "" {
		where = page
	}
	sum := uint32(2166136261) // FNV-1a
	for _, part := range []string{pathRoot(where), a.Role, pcd.Normal(a.Label)} {
		for i := range len(part) {
			sum = (sum ^ uint32(part[i])) * 16777619
		}
		sum *= 16777619
	}
	return "c" + strconv.FormatUint(uint64(sum), 36)
}

// pathRoot returns the origin and the first part of the path of an address.
func pathRoot(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	host, path, _ := strings.Cut(rest, "/")
	first, _, _ := strings.Cut(path, "/")
	return scheme + "://" + host + "/" + first
}

// origin returns the origin of an address as scripts see it, "null" for one that has none.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme == "" {
		return "null"
	}
	return u.Scheme + "://" + u.Host
}
