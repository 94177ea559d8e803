package state

import (
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// defaultAge is how long a kept state may be used.
const defaultAge = 30 * 24 * time.Hour

// MaxAge is how old a kept state may be, as the environment says; 0: as old as it likes.
func MaxAge(getenv func(string) string) time.Duration {
	for _, name := range []string{"SKUA_STATE_EXPIRE_DAYS", "AGENT_BROWSER_STATE_EXPIRE_DAYS"} {
		if days, err := strconv.ParseFloat(getenv(name), 64); err == nil && days >= 0 {
			return time.Duration(days * 24 * float64(time.Hour))
		}
	}
	return defaultAge
}

// Usable says why a state that was read is not to be used now, and drops its cookies whose time is over. The age counts for one that the store
// keeps; a file that somebody put elsewhere is as old as they like.
func (s *Store) Usable(st *State, info Info, maxAge time.Duration, now time.Time) error {
	kept := info.Modified
	if st.Saved != nil && st.Saved.At > 0 {
		kept = time.Unix(st.Saved.At, 0)
	}
	if age := now.Sub(kept); s.Keeps(info.Path) && maxAge > 0 && age > maxAge {
		return fault.New(fault.StateExpired, "the state %s was saved %s ago, and is used for %s at most.", info.Path, Days(age), Days(maxAge)).About(info.Path).
			With("savedAt", kept.Unix()).WithHint("Log in again and save it anew; SKUA_STATE_EXPIRE_DAYS sets for how long a state is used.")
	}
	if at, lapsed := st.Lapsed(now); lapsed {
		return fault.New(fault.StateExpired, "the logins in the state %s have all ended, the last one on %s.", info.Path, at.UTC().Format("2006-01-02 15:04 MST")).
			About(info.Path).With("endedAt", at.Unix()).WithHint("Log in again and save it anew.")
	}
	st.DropExpired(now)
	return nil
}
