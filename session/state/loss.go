package state

import (
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/passkey"
)

// LostData lists what would be lost if the newer state replaced the older one; nil means nothing that counts. A site
// that had logins and has none counts, and an origin that stored something and stores nothing: the page logged its user
// out, or the session never went there. Fewer cookies alone do not count, nor does what has expired.
func LostData(older, newer *State, now time.Time) (lost []string) {
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
	for _, p := range older.Passkeys() {
		if !slices.ContainsFunc(newer.Passkeys(), func(n passkey.Passkey) bool { return n.ID == p.ID }) {
			lost = append(lost, "a passkey of "+p.RPID)
		}
	}
	if len(lost) == 0 && len(newer.Cookies)+len(newer.Origins) == 0 {
		left := slices.ContainsFunc(older.Cookies, func(c storage.Cookie) bool {
			return c.Session || c.Expires <= 0 || c.Expires > float64(now.Unix())
		})
		if left || len(older.Origins) > 0 {
			lost = append(lost, "everything: the new state is empty")
		}
	}
	return lost
}

// host returns the host of an origin or a cookie's domain.
func host(site string) string {
	if _, rest, ok := strings.Cut(site, "://"); ok {
		site = rest
	}
	if i := strings.LastIndexByte(site, ':'); i > strings.IndexByte(site, ']') && strings.Count(site, ":") == 1 {
		site = site[:i]
	}
	return site
}

// durable reports whether an origin stores something that outlives a tab.
func durable(o *storage.Origin) bool { return len(o.Local)+len(o.Databases) > 0 }
