package network_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

func TestNetworkRequestBodies(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Page(`Promise.all(["binary", "big"].map((p) => fetch(p).then((r) => r.arrayBuffer())))`)
	binary := detailOf(c, c.RequestTo("/binary"))
	require.Equal(t, "base64", binary["responseBodyEncoding"])
	require.EqualValues(t, 3000, binary["responseBodySize"])
	saved := detailOf(c, c.RequestTo("/binary"), "--body-file", "sub/b.bin")
	require.True(t, netBinary == c.OnDisk()["sub/b.bin"])
	require.Equal(t, filepath.Join(c.Dir, "sub/b.bin"), saved["path"])
	big := detailOf(c, c.RequestTo("/big"))
	require.Equal(t, true, big["responseBodyTruncated"])
	require.Len(t, big["responseBody"], 1<<20)
	require.EqualValues(t, 3_000_000, big["responseBodySize"])
	require.Len(t, detailOf(c, c.RequestTo("/big"), "--max-body", "10")["responseBody"], 10)

	posted := strings.Repeat("p", 200_000)
	c.Page(fmt.Sprintf(`fetch("echo", {method: "POST", body: "p".repeat(%d)}).then((r) => r.text())`, len(posted)))
	require.Equal(t, posted, detailOf(c, c.RequestTo("/echo"))["postData"])

	c.Do("open", site.URL(folder+"page?second"))
	require.Equal(t, "POST  "+posted, detailOf(c, c.RequestTo("/echo"))["responseBody"], "it survives the document")
	c.Do("open", site.Elsewhere(folder+"page?third"))
	require.Equal(t, "POST  "+posted, detailOf(c, c.RequestTo("/echo"))["responseBody"], "and its process")
}

func TestNetworkRequestCached(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	load := `new Promise((done) => { const s = document.createElement("script"); s.src = "cached"; s.onload = done; document.head.append(s) })`
	c.Page(load)
	require.Nil(t, c.RequestTo("/cached")["source"])
	c.Do("reload")
	c.Page(load)
	require.Eventually(t, func() bool {
		return strings.HasSuffix(fmt.Sprint(c.RequestTo("/cached")["source"]), "-cache")
	}, sessiontest.CommandLimit, 20*time.Millisecond)
	require.Contains(t, c.Do("network", "requests", "--filter", "/cached").Result.Text, " cache")
}

func TestNetworkRequestMessages(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Page(`new Promise((done) => {
		const s = new WebSocket("socket");
		s.binaryType = "arraybuffer";
		let n = 0;
		s.onmessage = (e) => { log.push(typeof e.data === "string" ? e.data : "bytes"); if (++n === 2) { s.onclose = done; s.close() } };
		s.onopen = () => { s.send("hello"); s.send(new Uint8Array([1, 2, 3])) };
	})`)
	require.Equal(t, "re:hello\nbytes", c.Log())
	row := c.RequestTo("/socket")
	require.Equal(t, "WebSocket", row["resourceType"])
	require.EqualValues(t, 101, row["status"])
	detail := detailOf(c, row)
	var frames []string
	for _, f := range detail["webSocketFrames"].([]any) {
		f := f.(object)
		frames = append(frames, fmt.Sprint(f["type"], f["opcode"], f["data"]))
	}
	slices.Sort(frames)
	require.Subset(t, frames, []string{"send1hello", "receive1re:hello", "send2AQID", "receive2cmU6AQID"})
	require.Contains(t, c.Do("network", "request", row["requestId"].(string)).Result.Text, "→ hello")
	require.Contains(t, detail["headers"], "Sec-WebSocket-Key")

	c.Page(
		`new Promise((done) => { const s = new EventSource("events"); s.onmessage = (e) => { log.push(e.data); s.close(); done() } })`)
	row = c.RequestTo("/events")
	require.Equal(t, "EventSource", row["resourceType"])
	events := detailOf(c, row)["serverSentEvents"].([]any)
	require.Len(t, events, 2)
	require.Equal(t, "tick", events[0].(object)["event"])
	require.Equal(t, "7", events[0].(object)["id"])
	require.Equal(t, "one", events[0].(object)["data"])
	require.Equal(t, "two", events[1].(object)["data"])
}

// The messages of a connection are bounded, and those that had to go are counted.
func TestNetworkRequestMessagesBounded(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Page(`new Promise((done) => {
		const s = new WebSocket("socket");
		let n = 0;
		s.onmessage = () => { if (++n === 800) { s.onclose = done; s.close() } };
		s.onopen = () => { for (let i = 0; i < 799; i++) s.send(String(i)); s.send("z".repeat(30_000)) };
	}).then(() => 1)`)
	row := c.RequestTo("/socket")
	detail := detailOf(c, row)
	frames := detail["webSocketFrames"].([]any)
	require.Len(t, frames, 1000)
	require.GreaterOrEqual(t, detail["messagesDropped"], 600.0)
	require.Contains(t, c.Do("network", "requests").Result.Text, "messages")
	require.Contains(t, c.Do("network", "request", row["requestId"].(string)).Result.Text, "were discarded")
}
