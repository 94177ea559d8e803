package state

import (
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/storage"
)

// Poorer says what of the older state is lost when the newer one takes its place; nil when that is nothing that counts. What counts is a site that
// had logins and has none any more, and an origin that kept something and keeps nothing: a page that logged its user out, or a session that has
// not been there. That there are fewer cookies alone says nothing, and what has expired does not count as lost.
func Poorer(older, newer *State, now time.Time) (lost []string) {
	has := map[string]bool{}
	for _, l := range newer.logins() {
		has[host(l.site)] = true
	}
	for _, l := range older.logins() {
		site := host(l.site)
		if !has[site] && (l.ends.IsZero() || l.ends.After(now)) {
			lost = append(lost, "the login at "+site)
			has[site] = true
		}
	}
	keeps := map[string]bool{}
	for i := range newer.Origins {
		keeps[newer.Origins[i].Origin] = durable(&newer.Origins[i])
	}
	for i := range older.Origins {
		if o := &older.Origins[i]; durable(o) && !keeps[o.Origin] {
			lost = append(lost, "all that "+o.Origin+" kept")
		}
	}
	if len(lost) == 0 && len(newer.Cookies)+len(newer.Origins) == 0 {
		left := slices.ContainsFunc(older.Cookies, func(c storage.Cookie) bool { return c.Session || c.Expires <= 0 || c.Expires > float64(now.Unix()) })
		if left || len(older.Origins) > 0 {
			lost = append(lost, "everything: what would take its place is empty")
		}
	}
	return lost
}

// host is the host of an origin or of a cookie.
func host(site string) string {
	if _, rest, ok := strings.Cut(site, "://"); ok {
		site = rest
	}
	if i := strings.LastIndexByte(site, ':'); i > strings.IndexByte(site, ']') && strings.Count(site, ":") == 1 {
		site = site[:i]
	}
	return site
}

// durable reports whether an origin keeps something that does not end with a tab.
func durable(o *storage.Origin) bool { return len(o.Local)+len(o.Databases) > 0 }
