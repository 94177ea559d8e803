package state

import (
	"strconv"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// defaultAge is how long a saved state may be used.
const defaultAge = 30 * 24 * time.Hour

// MaxAge returns how old a saved state may be, from the environment; 0 means any age.
func MaxAge(getenv func(string) string) time.Duration {
	for _, name := range []string{"SKUA_STATE_EXPIRE_DAYS", "AGENT_BROWSER_STATE_EXPIRE_DAYS"} {
		if days, err := strconv.ParseFloat(getenv(name), 64); err == nil && days >= 0 {
			return time.Duration(days * 24 * float64(time.Hour))
		}
	}
	return defaultAge
}

// Usable returns why a state cannot be used now, and drops its expired cookies. The age limit applies only to states in
// the store.
func (s *Store) Usable(st *State, info Info, maxAge time.Duration, now time.Time) error {
	kept := info.Modified
	if st.Saved != nil && st.Saved.At > 0 {
		kept = time.Unix(st.Saved.At, 0)
	}
	if age := now.Sub(kept); s.Keeps(info.Path) && maxAge > 0 && age > maxAge {
		return fault.New(fault.StateExpired, "the state %s was saved %s ago, and expires after %s.", info.Path, Days(age),
			Days(maxAge)).About(info.Path).
			With("savedAt", kept.Unix()).
			WithHint("Log in again and save it again; SKUA_STATE_EXPIRE_DAYS sets how long a state can be used.")
	}
	if at, lapsed := st.LoginsExpired(now); lapsed {
		return fault.New(fault.StateExpired, "the logins in the state %s have all expired, the last one on %s.", info.Path,
			at.UTC().Format("2006-01-02 15:04 MST")).
			About(info.Path).With("endedAt", at.Unix()).WithHint("Log in again and save it again.")
	}
	st.DropExpired(now)
	return nil
}
