package look_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Joiners belong to words of some scripts and to emoji; elsewhere they say nothing that a person sees. A search needs
// none of them.
func TestLookJoiners(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		"<h1>Names</h1><button>می\u200cخواهم</button><button>👨\u200d👩\u200d👧 "+
			"family</button><button>क\u094d\u200dष</button><button>🏳\ufe0f\u200d🌈</button><button>P\u200da\u200cy\u200b "+
			"now</button><button>Se\u200d\u200cnd</button><button>می\u200c\u200dشود</button><p>Total 👩\u200d💻 $3</p>")
	for _, flags := range [][]string{{"-i"}, {}, {"-i", "--source", "ax"}} {
		look := lookAt(c, flags...)
		for _, name := range []string{
			"می\u200cخواهم", "👨\u200d👩\u200d👧 family", "क\u094d\u200dष", "🏳\ufe0f\u200d🌈",
			"Pay now", "Send", "میشود",
		} {
			require.Contains(t, look, `"`+name+`"`, "%v", flags)
		}
	}
	require.Contains(t, lookAt(c, "-i"), "Total 👩\u200d💻 $3")
	for _, name := range []string{"می\u200cخواهم", "میخواهم"} {
		require.NotEmpty(t, c.Do("find", "role", "button", "text", "--name", name).Result.Text)
	}
}
