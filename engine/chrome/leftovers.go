package chrome

import (
	"log/slog"
	"time"

	"github.com/skua-browser/skua/internal/profile"
)

// LeftProfiles lists the temporary profiles whose browsers and owners are gone.
func LeftProfiles() []string {
	base, err := profile.Base(profileBase)
	if err != nil {
		return nil
	}
	return profile.Leftovers(base, profilePrefix)
}

// SweepProfiles removes them and returns how many it were. A launch removes a few, too.
func SweepProfiles() (removed int) {
	base, err := profile.Base(profileBase)
	if err != nil {
		return 0
	}
	for left := len(profile.Leftovers(base, profilePrefix)); left > 0; {
		profile.Sweep(base, profilePrefix, time.Now(), nil, slog.New(slog.DiscardHandler))
		now := len(profile.Leftovers(base, profilePrefix))
		if now >= left {
			return removed
		}
		removed += left - now
		left = now
	}
	return removed
}
