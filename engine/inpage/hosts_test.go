package inpage_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Elements that are left out in the search for shadow roots have none.
func TestNeverHosts(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("js/dom/dom.js")
	require.NoError(t, err)
	listed := regexp.MustCompile(`NEVER_HOSTS =\s*'([^']*)'`).FindSubmatch(source)
	require.NotNil(t, listed)
	names := strings.Split(string(listed[1]), ", ")
	require.Greater(t, len(names), 20)
	p := newPage(t, `<p>Kinds`)
	for _, name := range names {
		refused := p.js(t, `(() => {
			const spaces = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg'];
			const attach = (space) => {
				try {
					return document.createElementNS(space, "`+name+`").attachShadow({mode: 'open'}) === null;
				} catch (thrown) {
					return thrown.name === 'NotSupportedError';
				}
			};
			return spaces.every(attach);
		})()`)
		require.Equal(t, true, refused, name)
	}
}
