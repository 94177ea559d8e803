package diagnose_test

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// reactFolder is the folder of the site with the real React, which comes from npm.
var reactFolder = sync.OnceValues(func() (string, error) {
	files := map[string]string{}
	for name, file := range map[string]string{
		"react@18.3.1":     "react.development.js",
		"react-dom@18.3.1": "react-dom.development.js",
	} {
		out, err := exec.Command("../../scripts/npm-cached", name).Output()
		if err != nil {
			return "", err
		}
		files[file] = filepath.Join(strings.TrimSpace(string(out)), "umd", file)
	}
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		if path := files[r.PathValue("rest")]; path != "" {
			http.ServeFile(w, r, path)
			return
		}
		sessiontest.WritePage(w, reactPage)
	}), nil
})

const reactPage = `<!doctype html><title>React</title><div id=root></div><script src=react.development.js></script><script src=react-dom.development.js></script>
<script>
	const e = React.createElement;
	const Item = React.memo(function Item({label}) { return e('li', null, label) });
	function Counter({start}) { const [n, set] = React.useState(start); const r = React.useRef(7); React.useEffect(() => {}, [n]);
		return e('button', {id: 'up', onClick: () => set(n + 1)}, 'n=' + n) }
	function Waits() { throw new Promise(() => {}) }
	function App() { return e('main', null, e(Counter, {start: 3}), e('ul', null, e(Item, {key: 'a', label: 'one'}), e(Item, {key: 'b', label: 'two'})),
		e(React.Suspense, {fallback: e('i', null, 'wait')}, e(Waits)), e(React.Suspense, {fallback: 'x'}, e('p', null, 'done'))) }
	ReactDOM.createRoot(document.getElementById('root')).render(e(App));
</script>`

func reacting(t testing.TB) *sessiontest.Client {
	t.Helper()
	if testing.Short() {
		t.Skip("deep tier: React comes from npm")
	}
	folder := sessiontest.FromNPM(t, reactFolder)
	c := host.NewClient(t)
	c.Do("--enable", "react-devtools", "open", site.URL(folder+"index.html"))
	c.Do("wait", "#up")
	return c
}

func TestReactTree(t *testing.T) {
	t.Parallel()
	c := reacting(t)
	tree := c.Do("react", "tree").Result.Text
	names := regexp.MustCompile(`(?m)^(\d+) \d+ (?:\d+|-) (.*)$`).FindAllStringSubmatch(tree, -1)
	var rows []string
	for _, m := range names {
		rows = append(rows, m[1]+" "+m[2])
	}
	require.Equal(t, []string{
		"0 Root", "1 App", "2 main", "3 Counter", "4 button", "3 ul", `4 Memo(Item) key="a"`, "5 li", `4 Memo(Item) key="b"`,
		"5 li",
		"3 Suspense", "4 i", "3 Suspense", "4 p",
	}, rows, "%s", tree)
	require.Equal(t, tree, c.Data("react", "tree")["tree"])
	id := regexp.MustCompile(`(?m)^3 (\d+) \d+ Counter$`).FindStringSubmatch(tree)[1]
	require.Equal(t,
		"Counter #"+id+"\nprops:\n  start: 3\nhooks:\n  [0] State: 3\n  [1] Ref: 7\n  [2] Effect: () => {}\nrendered by: App",
		c.Do("react", "inspect", id).Result.Text)
	c.Do("click", "#up")
	require.Contains(t, c.Do("react", "inspect", id).Result.Text, "[0] State: 4", "the id stands for what is shown now")
	c.Do("click", "#up")
	require.Contains(t, c.Do("react", "inspect", id).Result.Text, "[0] State: 5")
	require.Equal(t, tree, c.Do("react", "tree").Result.Text, "ids stay")
	require.Contains(t, c.Fails(fault.EvalFailed, "react", "inspect", "999").Error(),
		"element 999 not found (page reloaded?)")
	c.Do("reload")
	require.NotEmpty(t, c.Do("react", "tree").Result.Text, "the hook is in the documents that follow, too")
}

func TestReactRenders(t *testing.T) {
	t.Parallel()
	c := reacting(t)
	require.Contains(t, c.Fails(fault.EvalFailed, "react", "renders", "stop").Error(), "renders recording not active")
	require.Equal(t, true, c.Data("react", "renders", "start")["recording"])
	c.Do("click", "#up")
	c.Do("click", "#up")
	c.Do("wait", "text=n=5")
	data := c.Data("react", "renders", "stop")
	parts := data["components"].([]any)
	require.Len(t, parts, 1, "only the counter was rendered: %v", data["report"])
	part := parts[0].(object)
	require.Equal(t, []any{"Counter", 0.0, 2.0}, []any{part["name"], part["mounts"], part["renders"]})
	require.Equal(t, object{"state (hook #0)": 2.0}, part["reasons"])
	require.Contains(t, data["report"], "# 2 renders (0 mounts + 2 re-renders) across 1 components")
	c.Fails(fault.EvalFailed, "react", "renders", "stop")
}

func TestReactSuspense(t *testing.T) {
	t.Parallel()
	c := reacting(t)
	require.Contains(t, c.Do("react", "suspense").Result.Text, "# 2 boundaries: 1 dynamic holes, 1 static")
	only := c.Data("react", "suspense", "--only-dynamic")
	require.Contains(t, only["report"], "# 1 dynamic holes")
	require.Len(t, only["boundaries"], 1)
}

func TestReactWithoutHook(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<!doctype html>plain")
	for _, args := range [][]string{{"tree"}, {"inspect", "1"}, {"suspense"}, {"renders", "start"}, {"renders", "stop"}} {
		require.Contains(t, c.Fails(fault.EvalFailed, append([]string{"react"}, args...)...).Error(),
			"React DevTools hook not installed - open with --enable react-devtools")
	}
	require.Equal(t, false, c.Page("'__REACT_DEVTOOLS_GLOBAL_HOOK__' in window"))
	c.Do("--enable", "react-devtools", "open", site.URL(site.Write("<!doctype html>plain")))
	require.Contains(t, c.Fails(fault.EvalFailed, "react", "tree").Error(), "No React renderer attached")
	c.Fails(fault.Usage, "react", "bogus")
	c.Fails(fault.Usage, "react", "inspect", "x")
	c.Fails(fault.Usage, "--enable", "bogus", "open", "about:blank")
}
