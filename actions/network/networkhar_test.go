package network_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// harFile is what the tests read of a HAR file.
type harFile struct {
	Log struct {
		Version string
		Creator struct{ Name, Version string }
		Browser struct{ Name, Version string }
		Pages   []struct {
			ID, Title, StartedDateTime string
			PageTimings                struct{ OnContentLoad, OnLoad float64 }
		}
		Entries []harEntry
	}
}

type harEntry struct {
	Pageref         string
	StartedDateTime time.Time
	Time            float64
	ServerIPAddress string
	Comment         string
	Request         struct {
		Method, URL, HTTPVersion string
		Headers, QueryString     []harField
		Cookies                  []harField
		PostData                 *struct {
			MimeType, Text string
			Params         []harField
		}
	}
	Response struct {
		Status                  int
		StatusText, RedirectURL string
		Headers, Cookies        []harField
		Content                 struct {
			Text, Encoding, MimeType, Comment string
			Size                              int
		}
		Error string `json:"_error"`
	}
	Timings      map[string]float64
	ResourceType string `json:"_resourceType"`
	Sockets      []struct {
		Type   string
		Opcode int
		Data   string
	} `json:"_webSocketMessages"`
}

type harField struct{ Name, Value string }

func fieldOf(fields []harField, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// har reads a HAR file of the caller's folder once it has been checked against the schema of the format.
func har(c *sessiontest.Client, name string) harFile {
	c.T.Helper()
	path := filepath.Join(c.Dir, name)
	if out, err := exec.Command("../../scripts/har-check", path).CombinedOutput(); err != nil {
		if strings.Contains(string(out), path+":") || os.Getenv("SKUA_TEST_EDITORS") != "" {
			require.NoError(c.T, err, "%s", out)
		}
		c.T.Logf("the schema is not here: %s", out)
	}
	raw, err := os.ReadFile(path)
	require.NoError(c.T, err)
	var file harFile
	require.NoError(c.T, json.Unmarshal(raw, &file))
	return file
}

func (f *harFile) entry(t testing.TB, suffix string) harEntry {
	t.Helper()
	for _, e := range f.Log.Entries {
		if strings.HasSuffix(e.Request.URL, suffix) {
			return e
		}
	}
	require.Fail(t, "no entry", suffix)
	return harEntry{}
}

func TestHAR(t *testing.T) {
	t.Parallel()
	folder := netSite()
	c := host.NewClient(t)
	require.Equal(t, "✓ HAR recording started", c.Do("network", "har", "start", "--content", "all").Result.Text)
	c.Do("open", site.URL(folder+"page"))
	c.Page(`fetch("hop").then((r) => r.text())`)
	c.Page(`fetch("echo?a=1&b=x+y&c=%C3%A4", {method: "POST", body: new URLSearchParams({user: "ada", word: "a b"}),
		headers: {Authorization: "Bearer sesame"}}).then((r) => r.text())`)
	c.Page(`fetch("binary").then((r) => r.arrayBuffer()).then(() => 1)`)
	c.Page(`fetch("http://127.0.0.1:1/").catch(() => 1)`)
	c.Page(
		`new Promise((done) => { const s = new WebSocket("socket"); s.onopen = () => s.send("hello"); s.onmessage = () => { s.onclose = done; s.close() } }).then(() => 1)`)
	c.Page(`void fetch("slow")`)
	c.Do("open", site.URL("/echo?second"))
	c.Page(fmt.Sprintf(`fetch(%q).then((r) => r.text())`, folder+"n/last"))
	c.RequestTo("n/last")

	reply := c.Do("network", "har", "stop", "out/all.har")
	file := har(c, "out/all.har")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, fmt.Sprintf("✓ HAR saved to out/all.har (%d requests)", len(file.Log.Entries)), reply.Result.Text)
	require.EqualValues(t, len(file.Log.Entries), data["requestCount"])
	require.Equal(t, filepath.Join(c.Dir, "out/all.har"), data["path"])
	require.Positive(t, data["size"])

	require.Equal(t, "1.2", file.Log.Version)
	require.Equal(t, "skua", file.Log.Creator.Name)
	require.Contains(t, file.Log.Browser.Name, "Chrom")
	require.Len(t, file.Log.Pages, 2)
	require.Equal(t, "Net", file.Log.Pages[0].Title)
	require.Equal(t, "Echo", file.Log.Pages[1].Title)
	for _, p := range file.Log.Pages {
		require.Positive(t, p.PageTimings.OnContentLoad)
		require.GreaterOrEqual(t, p.PageTimings.OnLoad, p.PageTimings.OnContentLoad)
	}
	require.Equal(t, file.Log.Pages[0].ID, file.entry(t, "/binary").Pageref)
	require.Equal(t, file.Log.Pages[1].ID, file.entry(t, "n/last").Pageref)

	document := file.entry(t, folder+"page")
	require.Contains(t, document.Response.Content.Text, "<title>Net</title>", "the document is gone, its text is not")
	require.Equal(t, "Document", document.ResourceType)
	require.Equal(t, "127.0.0.1", document.ServerIPAddress)
	require.InDelta(t, time.Now().Unix(), document.StartedDateTime.Unix(), 600)

	hop := file.entry(t, "/hop")
	require.Equal(t, 302, hop.Response.Status)
	require.Equal(t, "hop2?n=2", strings.TrimPrefix(hop.Response.RedirectURL, folder))
	require.Equal(t, 307, file.entry(t, "hop2?n=2").Response.Status)
	require.Equal(t, []harField{{"n", "2"}}, file.entry(t, "hop2?n=2").Request.QueryString)
	landed := file.entry(t, "/json")
	require.Equal(t, `{"a":1}`, landed.Response.Content.Text)
	require.Equal(t, "yes", fieldOf(landed.Response.Cookies, "seen"))

	posted := file.entry(t, "c=%C3%A4")
	require.Equal(t, []harField{{"a", "1"}, {"b", "x y"}, {"c", "ä"}}, posted.Request.QueryString)
	require.Equal(t, "user=ada&word=a+b", posted.Request.PostData.Text)
	require.Equal(t, []harField{{"user", "ada"}, {"word", "a b"}}, posted.Request.PostData.Params)
	require.Equal(t, "Bearer sesame", fieldOf(posted.Request.Headers, "authorization"))
	require.Equal(t, "yes", fieldOf(posted.Request.Cookies, "seen"))
	sum := 0.0
	for part, ms := range posted.Timings {
		if part != "ssl" {
			sum += max(0, ms)
		}
	}
	require.InDelta(t, posted.Time, sum, 0.01)
	require.Positive(t, posted.Timings["wait"])

	binary := file.entry(t, "/binary").Response.Content
	require.Equal(t, "base64", binary.Encoding)
	content, err := base64.StdEncoding.DecodeString(binary.Text)
	require.NoError(t, err)
	require.True(t, netBinary == string(content))
	require.Equal(t, len(netBinary), binary.Size)
	require.Contains(t, file.entry(t, "127.0.0.1:1/").Response.Error, "net::ERR_")
	socket := file.entry(t, "/socket")
	require.Equal(t, 101, socket.Response.Status)
	require.Len(t, socket.Sockets, 2)
	require.Equal(t, "send", socket.Sockets[0].Type)
	require.Equal(t, "re:hello", socket.Sockets[1].Data)

	require.Contains(t, c.Fails(fault.Usage, "network", "har", "stop").Error(), "No HAR recording in progress")
}

func TestHARContent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags        []string
		text, binary bool
	}{
		{nil, true, false},
		{[]string{"--content", "text"}, true, false},
		{[]string{"--content", "none"}, false, false},
	} {
		folder := netSite()
		c := host.NewClient(t)
		c.Do(append([]string{"network", "har", "start"}, tt.flags...)...)
		c.Do("open", site.URL(folder+"page"))
		c.Page(
			`Promise.all(["json", "binary"].map((p) => fetch(p, {headers: {Authorization: "Bearer sesame"}}).then((r) => r.arrayBuffer()))).then(() => 1)`)
		c.Page(`fetch("json?again").then((r) => r.text())`)
		c.RequestTo("json?again")
		path := sessiontest.Decode[object](t, c.Do("network", "har", "stop", "--redact").Result.Data)["path"].(string)
		require.Equal(t, filepath.Join(c.Dir, ".skua/har"), filepath.Dir(path))
		name, err := filepath.Rel(c.Dir, path)
		require.NoError(t, err)
		file := har(c, name)
		require.Equal(t, tt.text, file.entry(t, "/json").Response.Content.Text != "", tt.flags)
		require.Equal(t, tt.binary, file.entry(t, "/binary").Response.Content.Text != "", tt.flags)
		require.Equal(t, "(hidden)", fieldOf(file.entry(t, "/json").Request.Headers, "Authorization"))
		require.Equal(t, "(hidden)", fieldOf(file.entry(t, "json?again").Request.Cookies, "seen"))
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "sesame")
		require.NotContains(t, string(raw), "seen=yes")
	}
	c := host.NewClient(t)
	require.Contains(t, c.Fails(fault.Usage, "network", "har", "start", "--content", "bogus").Error(), "bogus")
	require.Contains(t, c.Fails(fault.Usage, "network", "har", "stop").Error(), "No HAR recording in progress",
		"and no browser is started for it")
}

// A recording is not discarded by another one that is to start, and one that cannot be written goes on.
func TestHARStartsAgain(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Do("network", "har", "start")
	c.Page(`fetch("n/1").then((r) => r.text())`)
	c.RequestTo("n/1")
	e := c.Fails(fault.CaptureState, "network", "har", "start", "--content", "none")
	require.Contains(t, e.Error(), "already being recorded")
	require.Contains(t, e.Error(), "`network har stop`")
	c.Page(`fetch("n/2").then((r) => r.text())`)
	c.RequestTo("n/2")
	c.Do("network", "requests", "--clear")
	c.WriteFile("taken", "a file")
	c.Fails(fault.File, "network", "har", "stop", "taken/x.har")
	c.Fails(fault.File, "network", "har", "stop", ".")
	c.Page(`fetch("n/3").then((r) => r.text())`)
	c.RequestTo("n/3")
	c.Do("network", "har", "stop", "x.har")
	file := har(c, "x.har")
	var got []string
	for _, e := range file.Log.Entries {
		got = append(got, strings.TrimPrefix(e.Request.URL, site.URL(folder)))
	}
	require.Equal(t, []string{"n/1", "n/2", "n/3"}, got)
	require.NotEmpty(t, file.entry(t, "n/3").Response.Content.Text, "with the content that was asked for first")
	require.Len(t, file.Log.Pages, 1, "the document that was there before")
}

// A recording is bounded, with its bodies.
func TestHARBounded(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Env["SKUA_HAR_BYTES"] = "5000000"
	c.Do("network", "har", "start")
	for i := range 4 {
		c.Page(fmt.Sprintf(`fetch("big?%d").then((r) => r.text()).then(() => 1)`, i))
		c.RequestTo(fmt.Sprintf("big?%d", i))
	}
	reply := c.Do("network", "har", "stop", "x.har")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Positive(t, data["dropped"])
	require.Less(t, data["size"], 7e6)
	require.Contains(t, sessiontest.Notes(reply), "were discarded")
	file := har(c, "x.har")
	require.Len(t, file.entry(t, "big?3").Response.Content.Text, 3_000_000)
}
