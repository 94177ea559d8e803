package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// transitionPage begins a view transition that runs for some time, in ms.
const transitionPage = `<style>::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: var(--time) }</style>
<body><button id=b>Go</button><script>
	function begin(ms) {
		document.documentElement.style.setProperty('--time', ms + 'ms');
		window.moving = document.startViewTransition(() => { b.style.marginTop = '90px' });
		return moving.ready;
	}
</script>`

// While a view transition runs, the root gets all input. It ends by itself.
func TestActingAimWaitsForViewTransition(t *testing.T) {
	t.Parallel()
	for _, checks := range []string{"pointer", "hover"} {
		t.Run(checks, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, transitionPage)
			p.evaluate(t, 0, "begin(4000)", nil)
			res := p.result(t, "aim", object{"target": css("#b"), "checks": checks, "patience": 1000, "longest": 20000})
			require.Equal(t, "b", topmost(t, p, res["x"], res["y"]))
		})
	}
}

// One that outlasts the time of the caller is named.
func TestActingAimNamesViewTransition(t *testing.T) {
	t.Parallel()
	p := newPage(t, transitionPage)
	p.evaluate(t, 0, "begin(60000)", nil)
	code, facts := p.failure(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 300})
	require.Equal(t, "target-covered", code)
	require.Equal(t, true, facts["viewTransition"])
	require.InDelta(t, 60000, facts["endsIn"], 20000)
}
