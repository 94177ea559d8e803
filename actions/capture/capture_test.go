package capture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"
	"github.com/skua-browser/skua/session"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// artifact reads a file that a reply says it has written.
func artifact(c *sessiontest.Client, data object) []byte {
	c.T.Helper()
	path, _ := data["path"].(string)
	require.True(c.T, filepath.IsAbs(path), "%v", data)
	raw, err := os.ReadFile(path)
	require.NoError(c.T, err)
	require.InDelta(c.T, len(raw), data["size"], 0)
	return raw
}

// pdfPages are the dimensions of the pages of a document, in points.
func pdfPages(raw []byte) []string {
	var pages []string
	for _, m := range regexp.MustCompile(`/MediaBox \[([^\]]*)\]`).FindAllSubmatch(raw, -1) {
		pages = append(pages, string(m[1]))
	}
	return pages
}

var (
	pdfLetters = regexp.MustCompile(`(?m)^<([0-9A-F]{4})>(?: <([0-9A-F]{4})>)? <([0-9A-F]{4})>$`)
	pdfShown   = regexp.MustCompile(`<([0-9A-F]+)> Tj|\[((?:<[0-9A-F]+>|[-\d. ])+)\] TJ`)
	pdfHex     = regexp.MustCompile(`[0-9A-F]{4}`)
)

// pdfText is the text of each page, as the document's fonts tell what letter each of their glyphs is, and all that is
// drawn.
func pdfText(t *testing.T, raw []byte) (pages []string, drawn string) {
	letters := map[int64]rune{}
	var contents []string
	number := func(hex string) int64 {
		n, err := strconv.ParseInt(hex, 16, 64)
		require.NoError(t, err)
		return n
	}
	for _, part := range bytes.Split(raw, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue
		}
		stream, err := io.ReadAll(r)
		require.NoError(t, err)
		for _, m := range pdfLetters.FindAllStringSubmatch(string(stream), -1) {
			first, last := number(m[1]), number(m[1])
			if m[2] != "" {
				last = number(m[2])
			}
			for glyph := first; glyph <= last; glyph++ {
				letters[glyph] = rune(number(m[3]) + glyph - first)
			}
		}
		if bytes.Contains(stream, []byte("\nBT\n")) {
			contents = append(contents, string(stream))
		}
	}
	for _, content := range contents {
		text := ""
		for _, shown := range pdfShown.FindAllString(content, -1) {
			for _, run := range regexp.MustCompile(`<[0-9A-F]+>`).FindAllString(shown, -1) {
				for _, hex := range pdfHex.FindAllString(run, -1) {
					text += string(letters[number(hex)])
				}
			}
		}
		pages, drawn = append(pages, text), drawn+" "+strings.ReplaceAll(content, "\n", " ")
	}
	return pages, drawn
}

// What is printed by a command is not said to be asked for by the page, as the action before is still watched for what
// comes of it.
func TestPDFBehindAnAction(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>Printed</title><button>Does nothing</button>`)
	c.Do("click", "button")
	said := []session.Reply{c.Do("pdf", "page.pdf"), c.Do("click", "button"), c.Do("eval", "click = 1")}
	for _, reply := range said {
		require.NotContains(t, fmt.Sprint(reply), "request to print")
	}
	require.Contains(t, fmt.Sprint(c.Do("eval", "print()")), "request to print", "one of the page is told")
}

const printedPage = `<title>Printed</title><style>body { background: rgb(255, 0, 0) } h1 { break-after: page }</style>
	<h1>First</h1><h2>Second</h2><p>Text`

func TestPDF(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, printedPage)
	reply := c.Do("pdf", "sub/page.pdf")
	require.Equal(t, "✓ PDF saved to sub/page.pdf", reply.Result.Text)
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, filepath.Join(c.Dir, "sub/page.pdf"), data["path"])
	require.Equal(t, "application/pdf", data["type"])
	raw := artifact(c, data)
	require.True(t, bytes.HasPrefix(raw, []byte("%PDF-")))
	require.Equal(t, []string{"0 0 612 792", "0 0 612 792"}, pdfPages(raw))
	text, drawn := pdfText(t, raw)
	require.Equal(t, []string{"First", "SecondText"}, text)
	require.Contains(t, drawn, " 1 0 0 rg", "the background")

	sized := func(args ...string) []string {
		t.Helper()
		return pdfPages(artifact(c, c.Data(append([]string{"pdf", "sized.pdf"}, args...)...)))
	}
	require.Len(t, sized("--pages", "2"), 1)
	var width, height float64
	_, err := fmt.Sscanf(sized("--format", "A4")[0], "0 0 %f %f", &width, &height)
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{595.3, 841.9}, []float64{width, height}, 1.5)
	require.Equal(t, "0 0 792 612", sized("--landscape")[0])
	require.Equal(t, "0 0 288 144", sized("--format", "4inx2in", "--margin", "1cm,5mm")[0])
	plain := artifact(c, c.Data("pdf", "plain.pdf", "--no-background", "--margin", "0"))
	_, drawn = pdfText(t, plain)
	require.NotContains(t, drawn, " 1 0 0 rg")
	headed := artifact(c,
		c.Data("pdf", "headed.pdf", "--footer", `<p style="font-size: 10px">Leaf <b class=pageNumber></b></p>`, "--pages",
			"2"))
	text, _ = pdfText(t, headed)
	require.Contains(t, strings.Join(text, ""), "Leaf 2")
	outlined := artifact(c, c.Data("pdf", "outlined.pdf", "--outline"))
	require.Contains(t, string(outlined), "/Outlines")
	require.Contains(t, string(outlined), "/StructTreeRoot")
	c.Page(`document.head.insertAdjacentHTML('beforeend', '<style>@page { size: 3in 3in }</style>')`)
	require.Equal(t, "0 0 216 216", sized("--css-page-size")[0])
	for says, args := range map[string][]string{
		"--pages 7 matches no page": {"--pages", "7"}, "--pages takes": {"--pages", "x"},
		"--scale takes 0.1 to 2, got 3": {"--scale", "3"},
		"--format takes":                {"--format", "a99"}, "--margin takes lengths": {"--margin", "wide"},
		"one, two or four":   {"--margin", "1,2,3"},
		"exclude each other": {"--background", "--no-background"},
	} {
		require.Contains(t, c.Fails(fault.Usage, append([]string{"pdf", "bad.pdf"}, args...)...).Error(), says)
	}
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "folder"), 0o755))
	require.Contains(t, c.Fails(fault.File, "pdf", "folder").Error(), "is a folder")
	entries, err := os.ReadDir(c.Dir)
	require.NoError(t, err)
	for _, e := range entries {
		require.False(t, strings.HasPrefix(e.Name(), ".skua-") || e.Name() == "bad.pdf", e.Name())
	}
}

func TestTraceAndProfiler(t *testing.T) {
	t.Parallel()
	// A browser has one slot for all of its sessions, so that everything is in one test, in a browser of its own.
	c := host.NewClient(t)
	c.Env["SKUA_ARGS"] = "--enable-automation"
	c.Fails(fault.CaptureState, "trace", "stop")
	require.Equal(t, "No profiling in progress", c.Fails(fault.CaptureState, "profiler", "stop").Error())
	c.Do("open",
		site.URL(site.Write(`<button onclick="performance.mark('pressed'); document.body.append('done')">Go</button>`)))
	events := func(data object) (names map[string]bool) {
		t.Helper()
		var file struct{ TraceEvents []struct{ Name, Cat string } }
		require.NoError(t, json.Unmarshal(artifact(c, data), &file))
		require.InDelta(t, len(file.TraceEvents), data["eventCount"], 0)
		require.NotEmpty(t, file.TraceEvents)
		names = map[string]bool{}
		for _, e := range file.TraceEvents {
			names[e.Name] = true
			names["category "+e.Cat] = true
		}
		return names
	}
	require.Equal(t, "✓ Recording started", c.Do("trace", "start").Result.Text)
	require.Contains(t, c.Fails(fault.CaptureState, "trace", "start").Error(), "Tracing already active")
	require.Contains(t, c.Fails(fault.CaptureState, "profiler", "start").Error(), "Profiling/tracing already active")
	require.Contains(t, c.Fails(fault.CaptureState, "profiler", "stop").Error(),
		"No profiling in progress. What is recorded is a trace")
	c.Do("click", "button")
	reply := c.Do("trace", "stop", "traces/tr.json")
	require.Equal(t, "✓ Trace saved to traces/tr.json", reply.Result.Text)
	events(sessiontest.WithoutEffect(t, reply))
	c.Fails(fault.CaptureState, "trace", "stop")

	require.Equal(t, "✓ Profiling started", c.Do("profiler", "start").Result.Text)
	c.Do("click", "button")
	c.Do("reload")
	c.Do("click", "button")
	reply = c.Do("profiler", "stop")
	data := sessiontest.WithoutEffect(t, reply)
	require.Regexp(t, `^✓ Profile saved to .*/.skua/profiles/profile-\d+\.json \(\d+ events\)$`, reply.Result.Text)
	names := events(data)
	require.True(t, names["pressed"] && names["FunctionCall"] && names["Layout"], "%v", names)

	c.Do("profiler", "start", "--categories", "blink.user_timing")
	c.Do("click", "button")
	names = events(c.Data("profiler", "stop", "few.json"))
	require.True(t, names["pressed"])
	require.False(t, names["Layout"])

	c.Do("profiler", "start", "--cpu")
	c.Do("click", "button")
	var profile struct{ Nodes []struct{ ID int } }
	require.NoError(t, json.Unmarshal(artifact(c, c.Data("profiler", "stop", "x.cpuprofile")), &profile))
	require.NotEmpty(t, profile.Nodes)

	c.Do("tab", "new")
	c.Do("trace", "start")
	c.Do("tab", "close")
	require.Contains(t, c.Fails(fault.PageGone, "trace", "stop", "lost.json").Error(),
		"The tab that was recorded is closed")
	require.NoFileExists(t, filepath.Join(c.Dir, "lost.json"))
	c.Do("trace", "start")
	events(c.Data("trace", "stop"))
}

func TestHeapSnapshot(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<script>class SkuaNests {}; const nests = Array.from({ length: 100 }, () => new SkuaNests())</script>`)
	reply := c.Do("heap", "snapshot", "x.heapsnapshot")
	require.Regexp(t, `^✓ Heap snapshot saved to x.heapsnapshot \(\d+\.\d MB\)$`, reply.Result.Text)
	data := sessiontest.WithoutEffect(t, reply)
	require.Equal(t, "application/json", data["type"])
	var heap struct {
		Snapshot struct {
			NodeCount int `json:"node_count"`
		}
		Nodes   []int
		Strings []string
	}
	require.NoError(t, json.Unmarshal(artifact(c, data), &heap))
	require.Contains(t, heap.Strings, "SkuaNests")
	require.Positive(t, heap.Snapshot.NodeCount)
	c.Env["SKUA_HEAP_BYTES"] = "1000"
	require.Contains(t, c.Try("heap", "snapshot", "small.heapsnapshot").Err.Error(), "more than 1000 bytes")
	require.NoFileExists(t, filepath.Join(c.Dir, "small.heapsnapshot"))
}
