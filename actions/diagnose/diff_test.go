package diagnose_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const diffPage = `<title>T</title><main><h1>Shop</h1><p id=p>One</p><button>Buy</button></main><footer><a href=/x>Terms</a></footer>`

func TestDiffSnapshotWithLast(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, diffPage)
	first := c.Do("diff", "snapshot")
	require.Equal(t, "✓ There was no earlier snapshot to compare with; the next one is compared with this one",
		first.Result.Text)
	require.Equal(t,
		object{"additions": 0.0, "removals": 0.0, "unchanged": 0.0, "changed": false, "diff": "", "baseline": nil},
		sessiontest.Decode[object](t, first.Result.Data))
	require.Equal(t, "✓ No changes detected", c.Do("diff", "snapshot").Result.Text)

	c.Page(`p.textContent = "Two", 0`)
	reply := c.Do("diff", "snapshot")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, []any{1.0, 1.0, 6.0, true, "last"},
		[]any{data["additions"], data["removals"], data["unchanged"], data["changed"], data["baseline"]}, reply.Result.Text)
	diff := data["diff"].(string)
	require.True(t, strings.HasPrefix(diff, "--- before\n+++ after\n@@ "), diff)
	require.Contains(t, diff, "One")
	require.Contains(t, diff, "Two")
	require.NotContains(t, diff, "@e")
	require.Equal(t, diff+"\n1 additions, 1 removals, 6 unchanged", reply.Result.Text)
	require.Equal(t, "✓ No changes detected", c.Do("diff", "snapshot").Result.Text, "it has become the last one")
}

func TestDiffSnapshotAfterSnapshot(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		look   []string
		change string
		want   string
	}{
		"plain": {[]string{"snapshot"}, `p.textContent = "Two"`, "1 additions, 1 removals"},
		"interactive": {
			[]string{"snapshot", "-i"},
			`document.querySelector("button").textContent = "Sell"`,
			"1 additions, 1 removals",
		},
		"what -i hides": {[]string{"snapshot", "-i"}, `p.textContent = "Two"`, "✓ No changes detected"},
		"of a part":     {[]string{"snapshot", "-s", "main"}, `p.textContent = "Two"`, "✓ There was no earlier snapshot"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, "<p>The page before")
			c.Do("snapshot")
			c.Do("open", site.URL(site.Write(diffPage)))
			c.Do(test.look...)
			c.Page(test.change + ", 0")
			require.Contains(t, c.Do("diff", "snapshot").Result.Text, test.want)
		})
	}
}

func TestDiffSnapshotOfAPart(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	c.Do("snapshot", "-s", "main")
	c.Page(`document.querySelector("a").textContent = "Privacy", 0`)
	require.Equal(t, "✓ No changes detected", c.Do("diff", "snapshot", "-s", "main").Result.Text)
	ref := c.Ref(`button "Buy"`)
	c.Do("diff", "snapshot", "-s", ref)
	c.Page(`document.querySelector("button").textContent = "Sell", 0`)
	require.Contains(t, c.Do("diff", "snapshot", "-s", ref).Result.Text, `+- button "Sell"`)
}

func TestDiffSnapshotWithFile(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	text := c.Do("snapshot").Result.Text
	for name, content := range map[string]string{
		"as printed": text, "with a line end": text + "\n", "from Windows": strings.ReplaceAll(text, "\n", "\r\n") + "\r\n",
		"JSON": string(must(t, sessiontest.PrintedReply(c.Do("snapshot", "--json")).Out)),
	} {
		c.WriteFile("before.txt", content)
		reply := c.Do("diff", "snapshot", "--baseline", "before.txt")
		require.Equal(t, "✓ No changes detected", reply.Result.Text, name)
		require.Equal(t, filepath.Join(c.Dir, "before.txt"), sessiontest.Decode[object](t, reply.Result.Data)["baseline"])
	}
	c.WriteFile("before.txt", text)
	c.Page(`document.querySelector("main").insertAdjacentHTML("beforeend", "<h2>More</h2>"), 0`)
	reply := c.Do("diff", "snapshot", "-b", "before.txt")
	require.Contains(t, reply.Result.Text, `+  - heading "More" [level=2]`)
	require.False(t, reply.Result.Failed, "as upstream")
	require.True(t, c.Do("diff", "snapshot", "-b", "before.txt", "--exit-code").Result.Failed)
	require.False(t, c.Do("diff", "snapshot", "--exit-code").Result.Failed)
	c.WriteFile("shallow.txt", c.Do("snapshot", "-d", "0").Result.Text)
	require.Equal(t, "✓ No changes detected", c.Do("diff", "snapshot", "-b", "shallow.txt", "-d", "0").Result.Text)
	require.Contains(t, c.Do("diff", "snapshot", "-b", "shallow.txt").Result.Text, `heading "More"`)
}

func must(t testing.TB, s string) string { require.NotEmpty(t, s); return s }

func TestDiffMistakes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	c.WriteFile("text.txt", "no picture")
	tests := []struct {
		args []string
		code fault.Code
		says string
	}{
		{
			[]string{"diff", "snapshot", "-b", "missing.txt"},
			fault.File,
			"Failed to read baseline missing.txt: no such file or directory",
		},
		{[]string{"diff", "snapshot", "-b", "."}, fault.File, "Failed to read baseline .: is a directory"},
		{[]string{"diff", "snapshot", "-s", "#nope"}, fault.SelectorNotFound, "#nope"},
		{[]string{"diff", "snapshot", "-s", "#["}, fault.SelectorInvalid, "#["},
		{[]string{"diff", "snapshot", "-d", "-1"}, fault.Usage, "--depth takes 0 or more, got -1"},
		{[]string{"diff", "snapshot", "--bogus"}, fault.Usage, "--bogus"},
		{[]string{"diff", "screenshot"}, fault.Usage, "Missing arguments for: diff screenshot"},
		{[]string{"diff", "screenshot", "-b", "missing.png"}, fault.File, "Failed to read baseline missing.png"},
		{
			[]string{"diff", "screenshot", "-b", "text.txt"},
			fault.File,
			"Failed to decode baseline image text.txt: image: unknown format",
		},
		{
			[]string{"diff", "screenshot", "-b", "text.txt", "-t", "5"},
			fault.Usage,
			"Threshold must be between 0 and 1, got 5",
		},
		{
			[]string{"diff", "screenshot", "-b", "text.txt", "--full", "-s", "p"},
			fault.Usage,
			"--full and --selector exclude each other",
		},
		{[]string{"diff", "url", "about:blank"}, fault.Usage, "Missing arguments for: diff url"},
		{
			[]string{"diff", "url", "about:blank", "about:blank", "--full"},
			fault.Usage,
			"--output and --full are about pictures",
		},
		{[]string{"diff", "url", "about:blank", "http://127.0.0.1:1/"}, fault.NavigationFailed, "http://127.0.0.1:1/"},
		{
			[]string{"diff", "url", "about:blank", site.URL("/download")},
			fault.NavigationFailed,
			"is a download, so there is no page to compare",
		},
		{[]string{"diff", "url", site.URL("/echo"), "about:blank", "-s", "#query"}, fault.SelectorNotFound, "#query"},
		{[]string{"diff"}, fault.Usage, "Valid options: snapshot, screenshot, url"},
		{[]string{"diff", "bogus"}, fault.Usage, "bogus"},
	}
	for _, test := range tests {
		err := c.Fails(test.code, test.args...)
		require.Contains(t, err.Error(), test.says, "%q", test.args)
	}
	require.Len(t, c.Data("tab")["tabs"], 1)
}

func TestDiffScreenshot(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<style>body { margin: 0; background: white } #b { position: absolute; left: 50px; top: 20px; width: 100px; height: 40px;
		background: rgb(255, 0, 0) } #far { position: absolute; top: 1400px; width: 10px; height: 10px; background: black }</style><div id=b></div><div id=far></div>`)
	c.Do("screenshot", "before.png")
	c.Do("screenshot", "before.jpg")
	c.Do("screenshot", "--full", "full.png")
	c.Do("screenshot", "#b", "box.png")
	same := c.Do("diff", "screenshot", "--baseline", "before.png", "-o", "same.png")
	require.Equal(t, "✓ Images match (0% difference)\n  Diff image: same.png\n  0 different / 921600 total pixels",
		same.Result.Text)
	data := sessiontest.Decode[object](t, same.Result.Data)
	require.Equal(t, true, data["match"])
	require.Equal(t, filepath.Join(c.Dir, "same.png"), data["diffPath"])
	require.FileExists(t, filepath.Join(c.Dir, "same.png"), "it was asked for")
	require.Less(t, c.Data("diff", "screenshot", "--baseline", "before.jpg")["mismatchPercentage"], 1.0)
	require.Equal(t, true, c.Data("diff", "screenshot", "--baseline", "full.png", "--full")["match"])
	require.Equal(t, true, c.Data("diff", "screenshot", "--baseline", "box.png", "-s", "#b")["match"])

	c.Page(`b.style.width = "110px", 0`)
	reply := c.Do("diff", "screenshot", "-b", "before.png", "-o", "deep/er/where.png")
	require.Equal(t, "✗ 0.04% pixels differ\n  Diff image: deep/er/where.png\n  400 different / 921600 total pixels",
		reply.Result.Text)
	data = sessiontest.Decode[object](t, reply.Result.Data)
	where := filepath.Join(c.Dir, "deep/er/where.png")
	info, err := os.Stat(where)
	require.NoError(t, err)
	require.Equal(t, []any{where, where, "image/png", float64(info.Size()), false, 400.0},
		[]any{data["diffPath"], data["path"], data["type"], data["size"], data["match"], data["differentPixels"]})
	img, _ := c.Picture("deep/er/where.png")
	require.Equal(t, [2]int{1280, 720}, sessiontest.SizeOf(img))
	require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.Red},
		[]color.RGBA{sessiontest.ColorAt(img, 150, 20), sessiontest.ColorAt(img, 159, 59)}, "where it differs")
	require.NotContains(t,
		[]color.RGBA{sessiontest.ColorAt(img, 149, 30), sessiontest.ColorAt(img, 160, 30), sessiontest.ColorAt(img, 155, 19)},
		sessiontest.Red, "and nowhere else")
	require.False(t, reply.Result.Failed)
	require.True(t, c.Do("diff", "screenshot", "-b", "before.png", "--exit-code").Result.Failed)

	c.Page(`b.style.width = "100px", b.style.background = "rgb(235, 5, 5)", 0`)
	require.Equal(t, true, c.Data("diff", "screenshot", "-b", "before.png")["match"], "too close to count")
	require.Equal(t, 4000.0, c.Data("diff", "screenshot", "-b", "before.png", "-t", "0")["differentPixels"])
	sizes := c.Do("diff", "screenshot", "-b", "box.png")
	require.Contains(t, sizes.Result.Text, "\n  Sizes differ: 100x40 before, 1280x720 now\n")
	require.Equal(t,
		object{"expected": object{"width": 100.0, "height": 40.0}, "actual": object{"width": 1280.0, "height": 720.0}},
		sessiontest.Decode[object](t, sizes.Result.Data)["dimensionMismatch"])
}

// A picture that does not fit into the memory is refused by what it says of its size.
func TestDiffScreenshotWithAHugeBaseline(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.White})))
	header := picture.Bytes()[12:29] // "IHDR", then width and height
	binary.BigEndian.PutUint32(header[4:], 30000)
	binary.BigEndian.PutUint32(header[8:], 14000)
	binary.BigEndian.PutUint32(picture.Bytes()[29:], crc32.ChecksumIEEE(header))
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "huge.png"), picture.Bytes(), 0o600))
	require.Contains(t, c.Fails(fault.File, "diff", "screenshot", "-b", "huge.png").Error(),
		"30000 by 14000 pixels are too many")
}

func TestDiffURL(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	one, two := site.URL(site.Write(diffPage)), site.URL(site.Write(strings.ReplaceAll(diffPage, "One", "Two")))
	reply := c.Do("diff", "url", one, two)
	require.Contains(t, reply.Result.Text, "--- before\n+++ after\n")
	require.Contains(t, reply.Result.Text, "\n1 additions, 1 removals, 6 unchanged")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	diff := data["diff"].(object)
	require.Equal(t, []any{1.0, 1.0, 1.0, 6.0, true, false},
		[]any{diff["additions"], diff["removals"], diff["deletions"], diff["unchanged"], diff["changed"], diff["identical"]})
	require.Equal(t, []any{one, two}, []any{data["url1"], data["url2"]})
	require.Contains(t, data["snapshot1"], "One")
	require.Contains(t, data["snapshot2"], "Two")
	require.True(t, c.Do("diff", "url", one, two, "--exit-code").Result.Failed)
	require.Equal(t, "✓ No changes detected", c.Do("diff", "url", one, two, "-s", "footer").Result.Text)

	require.Len(t, c.Data("tab")["tabs"], 1, "its tabs are closed")
	require.Equal(t, "T", c.Page("document.title"))
	require.Equal(t, 1.0, c.Page("history.length > 0 ? 1 : 0"))
	require.Equal(t, "visible", c.Page("document.visibilityState"))
	c.Do("click", c.Ref(`button "Buy"`))
}

func TestDiffURLPictures(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, diffPage)
	one := site.URL(site.Write(`<body style="margin: 0; background: rgb(255, 0, 0)"><p style="height: 2000px">x</p>`))
	two := site.URL(site.Write(`<body style="margin: 0; background: rgb(0, 0, 255)"><p style="height: 2000px">x</p>`))
	reply := c.Do("diff", "url", one, two, "--screenshot", "--full", "-o", "where.png", "--wait-until", "domcontentloaded")
	require.True(t, strings.HasPrefix(reply.Result.Text, "✓ No changes detected\n✗ "), reply.Result.Text)
	shot := sessiontest.Decode[object](t, reply.Result.Data)["screenshot"].(object)
	require.Equal(t, []any{false, filepath.Join(c.Dir, "where.png")}, []any{shot["match"], shot["diffPath"]})
	require.Greater(t, shot["mismatchPercentage"], 90.0)
	img, _ := c.Picture("where.png")
	require.Greater(t, sessiontest.SizeOf(img)[1], 2000)
	require.Contains(t, c.Do("diff", "url", one, one, "--screenshot").Result.Text, "✓ Images match (0% difference)")
}

// Both addresses are opened as the session would: with its cookies.
func TestDiffURLIsOfTheSession(t *testing.T) {
	t.Parallel()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		who, _ := r.Cookie("who")
		name := "guest"
		if who != nil {
			name = who.Value
		}
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "ann"})
		sessiontest.WritePage(w, "<p>Hello "+name)
	})
	c := host.Opened(t, folder)
	data := c.Data("diff", "url", site.URL(folder), site.URL(folder+"again"))
	require.Contains(t, data["snapshot1"], "Hello ann")
	require.Contains(t, data["snapshot2"], "Hello ann")
}
