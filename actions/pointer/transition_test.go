package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const transitionPage = `<style>::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: var(--time) }</style>
<button id=b onclick="log.push('clicked')">Go</button><iframe srcdoc="<button onclick='parent.log.push(&quot;inner&quot;)'>Inner</button>"></iframe><script>
window.log = [];
function begin(ms) {
  document.documentElement.style.setProperty('--time', ms + 'ms');
  return document.startViewTransition(() => { b.style.marginTop = '90px' }).ready.then(() => 1);
}
</script>`

// A view transition is awaited as long as the caller has time, in frames as well; one that outlasts it is named.
func TestClickDuringViewTransition(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, transitionPage)
	inner := c.Ref(`button "Inner"`)
	c.Page("begin(5400)")
	c.Do("click", "#b")
	c.Page("begin(5400)")
	c.Do("click", inner)
	require.Equal(t, "clicked\ninner", c.Log())

	c.Page("begin(600000)")
	err := c.Fails(fault.TargetCovered, "click", "#b")
	require.Contains(t, err.Message, "view transition")
	require.Contains(t, err.Hint, "--timeout")
	c.Page("document.getAnimations().forEach(one => one.pause())")
	require.Contains(t, c.Fails(fault.TargetCovered, "click", "#b").Hint, "skipTransition")
	c.Page("document.activeViewTransition.skipTransition()")
	c.Do("click", "#b")
}
