package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/trait"
)

func TestDefinitionsNameWhatTheyHave(t *testing.T) {
	t.Parallel()
	for _, c := range Commands() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			named := map[string]bool{"": true}
			for _, a := range c.Args {
				named[a.Name] = true
			}
			flags := map[string]bool{"": true}
			for _, f := range c.Flags {
				flags[f.Name] = true
			}
			if w := c.Writes; w != nil {
				require.True(t, named[w.Arg], "the argument %q", w.Arg)
				require.True(t, flags[w.Flag], "the flag %q", w.Flag)
				require.True(t, flags[w.If], "the flag %q", w.If)
			}
			require.False(t, c.Refs.Why != "" && c.Refs.Stale == nil, "why refs go stale that do not")
			require.False(t, c.Did == "" && actions.Yields[navigate.AddressResult](&c),
				"what it did, where its text begins with that")
			require.False(t, c.Is(trait.Finds) && !named["action"], "what is done with what it finds")
			require.False(t, c.Requests != nil && !c.Effect.Has(actions.Reads), "requests of a command that reads nothing")
		})
	}
}
