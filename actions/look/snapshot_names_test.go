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

// Names for programs have the spaces of the page that break no line (accname 1.2, section 4.3.1, flat string). What is
// read has plain ones, and both find the element.
func TestSnapshotExactNames(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<h1>Names</h1><button>Pay&nbsp;now</button><button aria-label='10&#x202f;000 €'></button>"+
		"<button>保存&#x3000;する</button><button> Plain \n name </button>")
	for _, source := range []string{"page", "ax"} {
		text := lookAt(c, "-i", "--source", source)
		for _, name := range []string{"Pay now", "10 000 €", "保存 する", "Plain name"} {
			require.Contains(t, text, `"`+name+`"`, source)
		}
		var names []string
		for _, ref := range c.Data("snapshot", "-i", "--source", source)["refs"].(map[string]any) {
			names = append(names, ref.(map[string]any)["name"].(string))
		}
		for _, name := range []string{"Pay\u00a0now", "10\u202f000 €", "保存\u3000する", "Plain name"} {
			require.Contains(t, names, name, source)
		}
	}
	for _, name := range []string{"Pay now", "Pay\u00a0now", "10\u202f000 €", "保存 する"} {
		require.Equal(t, "1", c.Do("find", "role", "button", "count", "--name", name, "--exact").Result.Text, name)
		require.Contains(t, lookAt(c, "-i", "--search", name), "button", name)
	}
}
