package look_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/agreement"
	"github.com/skua-browser/skua/internal/testgolden"
)

// leastAgreement is the share of nodes on which skua's walk and Chrome's accessibility tree have to agree over all
// pages.
const leastAgreement = 0.995

const (
	exceptionsFile = "../../testdata/oracle-exceptions.md"
	agreementFile  = "../../docs/agreement.md"
	agreementBy    = "go test ./actions/look -run TestCorpus -update"
)

// verdict is how far the two agree on a page.
type verdict struct {
	page  string
	nodes int
	found []agreement.Disagreement
}

func (v verdict) agreeing() int { return v.nodes - len(v.found) }

// TestCorpus compares the two sources of snapshots, skua's walk and Chrome's accessibility tree, on every page of
// testdata/pages. Where they differ and skua is right, or means to be, testdata/oracle-exceptions.md says why. It is
// every sixth page where the test is to be short: the tree of Chrome is dear.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/pages/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	pages := make(chan string, len(files))
	for i, file := range files {
		if !testing.Short() || i%6 == 1 {
			pages <- filepath.Base(file)
		}
	}
	close(pages)
	const workers = 4
	var (
		mu       sync.Mutex
		verdicts []verdict
	)
	t.Run("pages", func(t *testing.T) {
		for i := range workers {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				c := host.NewClient(t)
				for page := range pages {
					v := judge(c, page)
					mu.Lock()
					verdicts = append(verdicts, v)
					mu.Unlock()
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	slices.SortFunc(verdicts, func(a, b verdict) int { return strings.Compare(a.page, b.page) })
	table, share := agreementTable(verdicts)
	t.Log("\n" + table)
	checkExceptions(t, verdicts)
	if !testing.Short() { // some pages are about what Chrome has otherwise
		assert.GreaterOrEqual(t, share, leastAgreement, "the share of nodes on which both agree")
	}
	if testgolden.Updating() && !testing.Short() {
		testgolden.Section(t, agreementFile, agreementBy, table)
	}
}

// judge compares the two sources on one page.
func judge(c *sessiontest.Client, page string) verdict {
	c.T.Helper()
	c.Do("open", site.URL("/pages/"+page))
	tree := func(source string) []any {
		return c.Data("--timeout", "170000", "snapshot", "--tree", "--source", source)["tree"].([]any)
	}
	skua := tree("page")
	for {
		chrome := tree("ax")
		again := tree("page")
		if !sameTree(skua, again) { // the page is on the move
			skua = again
			continue
		}
		v := verdict{page: page}
		v.nodes, v.found = agreement.Compare(agreement.RowsOf(chrome), agreement.RowsOf(skua))
		return v
	}
}

func sameTree(a, b []any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func agreementTable(verdicts []verdict) (table string, share float64) {
	var b strings.Builder
	b.WriteString("| page | nodes | agreeing | percent |\n|---|---:|---:|---:|\n")
	line := func(name string, agreeing, nodes int) {
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f |\n", name, nodes, agreeing, 100*float64(agreeing)/float64(max(1, nodes)))
	}
	nodes, agreeing := 0, 0
	for _, v := range verdicts {
		line(strings.TrimSuffix(v.page, ".html"), v.agreeing(), v.nodes)
		nodes += v.nodes
		agreeing += v.agreeing()
	}
	line("all", agreeing, nodes)
	return b.String(), float64(agreeing) / float64(max(1, nodes))
}

// exception is a line of the list of exceptions.
type exception struct{ page, node, chrome, skua string }

func (e exception) String() string {
	return "| " + strings.Join([]string{e.page, cell(e.node), cell(e.chrome), cell(e.skua)}, " | ") + " |"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// checkExceptions fails for disagreements that are not listed, and for listed ones that there are not.
func checkExceptions(t *testing.T, verdicts []verdict) {
	t.Helper()
	listed := readExceptions(t)
	var unlisted []string
	met := map[exception]bool{}
	judged := map[string]bool{}
	for _, v := range verdicts {
		judged[strings.TrimSuffix(v.page, ".html")] = true
		for _, d := range v.found {
			e := exception{strings.TrimSuffix(v.page, ".html"), d.Node, d.Chrome, d.Skua}
			if _, ok := listed[e]; !ok && !met[e] {
				unlisted = append(unlisted, e.String())
			}
			met[e] = true
		}
	}
	if len(unlisted) > 0 {
		t.Errorf("skua and Chrome differ in what %s does not list (page, node, Chrome, skua):\n%s", exceptionsFile,
			strings.Join(unlisted, "\n"))
	}
	for _, e := range slices.SortedFunc(maps.Keys(listed), func(a, b exception) int {
		return strings.Compare(a.String(), b.String())
	}) {
		if judged[e.page] && !met[e] {
			t.Errorf("%s lists differences that are gone:\n%s", exceptionsFile, e)
		}
		if listed[e] == "" {
			t.Errorf("%s does not say why:\n%s", exceptionsFile, e)
		}
	}
}

// readExceptions returns the reasons by exception.
func readExceptions(t *testing.T) map[exception]string {
	t.Helper()
	text, err := os.ReadFile(exceptionsFile)
	require.NoError(t, err)
	listed := map[exception]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| page |") || strings.HasPrefix(line, "|---") {
			continue
		}
		cells := splitCells(line)
		require.Len(t, cells, 5, "line %d of %s: %s", i+1, exceptionsFile, line)
		listed[exception{cells[0], cells[1], cells[2], cells[3]}] = cells[4]
	}
	return listed
}

// splitCells splits a line of a Markdown table.
func splitCells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, bar)
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), bar, "|")
	}
	return cells
}
