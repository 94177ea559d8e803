package parity

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the tool needs of the command line below it, by the numbers of its contract: the scenarios that show it. They
// run on both backends where the real agent-browser is there, as SKUA_UPSTREAM says, and scripts/parity runs them with
// all others.
func TestWhatTheToolBuildsOn(t *testing.T) {
	t.Parallel()
	all, err := Read(os.DirFS("../../testdata/parity"))
	require.NoError(t, err)
	rules := map[string]int{ // and how many scenarios there are
		"19.1 the version alone": 1, "19.2 leading global flags": 1, "19.3 session info": 1, "19.4 one envelope": 1,
		"19.5 fields": 15, "19.6 tabs": 2,
		"19.7 launch flags": 2, "19.8 errors that name what is missing": 2, "19.9 restore": 1, "19.10 local files": 2,
		"19.11 downloads that are waited for": 1,
		"19.12 an idle setting on each call":  1,
	}
	show := slices.DeleteFunc(slices.Clone(all), func(s Scenario) bool { return len(s.Rules) == 0 })
	judged := played(t, show)
	for name, want := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			number, _, _ := strings.Cut(name, " ")
			found := 0
			for i := range show {
				if !slices.Contains(show[i].Rules, number) {
					continue
				}
				found++
				if judged != nil {
					require.Empty(t, judged[i].Trouble(), "%s\n%s", show[i].Path, judged[i].shown())
				}
			}
			require.Equal(t, want, found)
		})
	}
}

// played runs scenarios with the real agent-browser; nil when it is not there.
func played(t *testing.T, show []Scenario) []Judgement {
	t.Helper()
	upstream := os.Getenv("SKUA_UPSTREAM")
	if upstream == "" {
		t.Log("SKUA_UPSTREAM does not say where the real agent-browser is: nothing is run")
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	judged, err := Suite{Upstream: upstream, Browser: Browser(), Workers: 2, Log: t.Output()}.Run(ctx, show)
	require.NoError(t, err)
	return judged
}
