package live_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// streamLimit bounds what a test waits for on a stream.
const streamLimit = time.Minute

// watcher is a client of a stream.
type watcher struct {
	t    testing.TB
	conn *websocket.Conn
	ctx  context.Context
	seq  int64 // that was looked at last
	last any   // seq of the last frame that came
}

// dialStream connects to where a status says that the stream is.
func dialStream(t testing.TB, status object, query string) *watcher {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), streamLimit)
	conn, resp, err := websocket.Dial(ctx, status["url"].(string)+query, nil)
	require.NoError(t, err)
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &watcher{t: t, conn: conn, ctx: ctx}
}

// streamed enables the stream and connects.
func streamed(c *sessiontest.Client, query string) *watcher {
	c.T.Helper()
	return dialStream(c.T, c.Data("stream", "enable"), query)
}

func (w *watcher) next() object {
	w.t.Helper()
	_, raw, err := w.conn.Read(w.ctx)
	require.NoError(w.t, err)
	var m object
	require.NoError(w.t, json.Unmarshal(raw, &m))
	if m["type"] == "frame" {
		w.last = m["seq"]
	}
	return m
}

// until reads to the first message of a type that fits.
func (w *watcher) until(kind string, fits func(object) bool) object {
	w.t.Helper()
	for {
		if m := w.next(); m["type"] == kind && (fits == nil || fits(m)) {
			return m
		}
	}
}

func (w *watcher) send(m object) {
	w.t.Helper()
	raw, err := json.Marshal(m)
	require.NoError(w.t, err)
	require.NoError(w.t, w.conn.Write(w.ctx, websocket.MessageText, raw))
}

func pictureOf(t testing.TB, frame object) image.Image {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(frame["data"].(string))
	require.NoError(t, err)
	img, kind, err := image.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, "jpeg", kind)
	return img
}

// untilColor reads to a frame whose middle has a color.
func (w *watcher) untilColor(r, g, b int) object {
	w.t.Helper()
	return w.until("frame", func(m object) bool {
		seq := int64(m["seq"].(float64))
		require.Greater(w.t, seq, w.seq, "frames are numbered upwards")
		w.seq = seq
		img := pictureOf(w.t, m)
		at := img.Bounds().Max.Div(2)
		x, y, z, _ := img.At(at.X, at.Y).RGBA()
		off := func(a uint32, b int) bool { d := int(a>>8) - b; return d > 20 || d < -20 }
		return !off(x, r) && !off(y, g) && !off(z, b)
	})
}

const redPage = `<!doctype html><title>Red</title><body style="background:#f00;margin:0">`

func TestStreamStatus(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	require.Equal(t, "Streaming disabled", c.Do("stream", "status").Result.Text)
	require.Equal(t, object{"enabled": false, "connected": false, "port": nil, "screencasting": false, "clients": 0.0},
		c.Data("stream", "status"))
	data := c.Data("stream", "enable")
	require.Equal(t, true, data["enabled"])
	require.Equal(t, false, data["connected"], "a stream starts no browser")
	require.Positive(t, data["port"])
	require.Regexp(t, fmt.Sprintf(`^ws://127\.0\.0\.1:%v/[A-Z2-7]{26}$`, data["port"]), data["url"])
	require.Contains(t, c.Fails(fault.StreamState, "stream", "enable").Error(),
		"Streaming is already enabled for this session")
	c.Do("open", site.URL(site.Write(redPage)))
	status := c.Do("stream", "status").Result.Text
	require.Equal(t, fmt.Sprintf("Streaming enabled on %v\nConnected: true\nScreencasting: false", data["url"]), status)
	w := dialStream(t, data, "")
	w.until("frame", nil)
	require.Equal(t, true, c.Data("stream", "status")["screencasting"])
	require.Equal(t, "Streaming disabled", c.Do("stream", "disable").Result.Text)
	require.Contains(t, c.Fails(fault.StreamState, "stream", "disable").Error(),
		"Streaming is not enabled for this session")
	closed(t, data["port"])
	_, _, err := w.conn.Read(w.ctx)
	for err == nil { // frames that were on their way
		_, _, err = w.conn.Read(w.ctx)
	}
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(err))
}

// closed waits until no process listens on a port. A program that another test is starting has this process's sockets
// until it is executed.
func closed(t testing.TB, port any) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%v", port), 5*time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, time.Minute, 5*time.Millisecond)
}

func TestStreamUsage(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, port := range []string{"99999", "-1", "abc"} {
		c.Fails(fault.Usage, "stream", "enable", "--port="+port)
	}
	require.Contains(t, c.Fails(fault.Usage, "stream", "enable", "--port", "99999").Error(),
		"99999 is out of range (valid range: 0-65535)")
	require.Contains(t, c.Fails(fault.Usage, "stream", "bogus").Error(), "Unknown subcommand: bogus")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := fmt.Sprint(taken.Addr().(*net.TCPAddr).Port)
	require.Contains(t, c.Fails(fault.File, "stream", "enable", "--port", port).Error(), "port "+port+" is not available")
	require.Equal(t, false, c.Data("stream", "status")["enabled"])
}

// The messages are those of agent-browser.
func TestStreamMessages(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, redPage)
	w := streamed(c, "")
	status := w.until("status", nil)
	require.Equal(t, object{
		"type": "status", "connected": true, "engine": "chrome", "recording": false, "screencasting": true,
		"viewportWidth":  1280.0,
		"viewportHeight": 720.0,
	}, status)
	tabs := w.until("tabs", nil)["tabs"].([]any)
	require.Len(t, tabs, 1)
	tab := tabs[0].(object)
	require.Equal(t, c.Page("location.href"), tab["url"])
	require.Equal(t, []any{true, nil, "t1", "page"}, []any{tab["active"], tab["label"], tab["tabId"], tab["type"]})
	frame := w.untilColor(255, 0, 0)
	require.Equal(t, image.Pt(1280, 720), pictureOf(t, frame).Bounds().Max)
	meta := frame["metadata"].(object)
	require.Equal(t, []any{1280.0, 720.0, 1.0}, []any{meta["deviceWidth"], meta["deviceHeight"], meta["pageScaleFactor"]})
	require.WithinDuration(t, time.Now(), time.UnixMilli(int64(meta["timestamp"].(float64))), time.Minute)

	c.Do("eval", "location.hash = 'there'")
	w.until("url", func(m object) bool { return strings.HasSuffix(m["url"].(string), "#there") })
	c.Do("eval", "document.title = 'Renamed'")
	w.until("tabs", func(m object) bool { return m["tabs"].([]any)[0].(object)["title"] == "Renamed" })

	// Console messages are streamed once the session listens to them, which starts with the first console command.
	c.Do("console")
	c.Do("eval", "console.log('hello', {a: 1})")
	logged := w.until("console", nil)
	require.Equal(t, "log", logged["level"])
	require.Equal(t, "hello {a: 1}", logged["text"])
	require.Len(t, logged["args"], 2)
}

// The stream shows the tab that is active, and goes on in another document and in another browser.
func TestStreamFollows(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, redPage)
	w := streamed(c, "")
	w.untilColor(255, 0, 0)
	blue := strings.Replace(redPage, "#f00", "#00f", 1)
	c.Do("tab", "new", site.URL(site.Write(blue)))
	w.untilColor(0, 0, 255)
	c.Do("tab", "t1")
	w.untilColor(255, 0, 0)
	c.Do("eval", "document.body.style.background = '#0f0'")
	w.untilColor(0, 255, 0)
	c.Do("open", site.URL(site.Write(blue)))
	w.untilColor(0, 0, 255)
	c.Do("tab", "close")
	c.Do("eval", "document.body.style.background = '#f0f'")
	w.untilColor(255, 0, 255)
}

func TestStreamInput(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><style>*{margin:0}</style><script>
		const log = [];
		for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'wheel', 'keydown', 'keyup', 'input', 'touchstart', 'touchend', 'submit'])
			addEventListener(type, e => {
				if (type == 'submit') e.preventDefault();
				log.push(type + ' ' + (e.key ?? (type == 'input' ? e.target.value : type.startsWith('touch') ? e.touches.length : e.button ?? '')));
			}, {passive: false});
		addEventListener('mousemove', e => log.push('move ' + e.buttons));
		</script><form><input style="position:absolute;left:10px;top:10px;width:200px;height:30px"></form><div style="height:3000px"></div>`)
	w := streamed(c, "")
	w.until("frame", nil)
	logs := func(want ...string) {
		t.Helper()
		c.Do("wait", "--fn", fmt.Sprintf("log.join('|') == %q", strings.Join(want, "|")))
		c.Do("eval", "log.length = 0")
	}
	mouse := func(kind string, x, y int, button string, more object) {
		m := object{"type": "input_mouse", "eventType": kind, "x": x, "y": y, "button": button, "clickCount": 1}
		maps.Copy(m, more)
		w.send(m)
	}
	mouse("mousePressed", 50, 25, "left", nil)
	mouse("mouseMoved", 60, 25, "none", nil)
	mouse("mouseReleased", 60, 25, "left", nil)
	logs("mousedown 0", "move 1", "mouseup 0", "click 0")
	key := func(kind, key, text string) {
		w.send(object{"type": "input_keyboard", "eventType": kind, "key": key, "text": text})
	}
	key("keyDown", "a", "a")
	key("keyUp", "a", "")
	key("keyDown", "é", "é")
	key("keyUp", "é", "")
	logs("keydown a", "input a", "keyup a", "keydown é", "input aé", "keyup é")
	key("keyDown", "Backspace", "")
	key("keyUp", "Backspace", "")
	logs("keydown Backspace", "input a", "keyup Backspace")
	w.send(object{"type": "input_text", "text": "日本"})
	logs("input a日本")
	key("keyDown", "Enter", "")
	key("keyUp", "Enter", "")
	logs("keydown Enter", "submit ", "keyup Enter")
	mouse("mouseWheel", 300, 300, "none", object{"deltaX": 0, "deltaY": 120})
	c.Do("wait", "--fn", "scrollY > 0")
	c.Do("eval", "log.length = 0")
	w.send(object{"type": "input_touch", "eventType": "touchStart", "touchPoints": []object{{"x": 300, "y": 300}}})
	w.send(object{"type": "input_touch", "eventType": "touchEnd", "touchPoints": []object{}})
	c.Do("wait", "--fn", "log.join().startsWith('touchstart 1,touchend 0')")
	// An invalid event does nothing.
	for _, bad := range []object{
		{"type": "bogus"},
		{"type": "input_mouse", "eventType": "bogus"},
		{"type": "input_mouse", "eventType": "mouseMoved", "button": "x"},
		{"type": "input_keyboard"},
		{"type": "input_touch"},
		{"type": "config", "maxFps": "many"},
		{"type": "ack"},
	} {
		w.send(bad)
	}
	require.NoError(t, w.conn.Write(w.ctx, websocket.MessageText, []byte("garbage")))
	c.Do("eval", "scrollTo(0, 0), document.body.style.background = '#0f0'")
	w.untilColor(0, 255, 0)
}

// Viewers of a stream cannot do what the rules deny or hold: the requester knows the stream's address, too.
func TestStreamInputUnderRules(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string][]string{
		"nothing denied": nil,
		"click denied":   {"--action-policy", `{"deny":["click"]}`},
		"pointer denied": {"--action-policy", `{"deny":["acts-by-pointer"]}`},
		"keys denied":    {"--action-policy", `{"deny":["acts-by-keyboard"]}`},
		"click held":     {"--confirm-actions", "click"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			args := []string{"open", site.URL(site.Write(`<!doctype html><title>clean</title><script>
				for (const type of ['mousedown', 'keydown', 'touchstart', 'input']) addEventListener(type, () => { document.title = 'touched' })</script>
				<input style="position: fixed; inset: 0; width: 100%; height: 100%" autofocus>`))}
			if rules != nil {
				if rules[0] == "--action-policy" {
					rules = []string{rules[0], c.WriteFile("rules.json", rules[1])}
				}
				args = append(rules, args...)
			}
			c.Do(args...)
			w := streamed(c, "")
			w.until("frame", nil) // Chromium drops input of a page that it has not painted yet
			w.send(object{
				"type": "input_mouse", "eventType": "mousePressed", "x": 50, "y": 50, "button": "left",
				"clickCount": 1,
			})
			w.send(object{
				"type": "input_mouse", "eventType": "mouseReleased", "x": 50, "y": 50, "button": "left",
				"clickCount": 1,
			})
			w.send(object{"type": "input_keyboard", "eventType": "keyDown", "key": "a", "text": "a"})
			w.send(object{"type": "input_touch", "eventType": "touchStart", "touchPoints": []object{{"x": 50, "y": 50}}})
			w.send(object{"type": "input_text", "text": "b"})
			if rules == nil {
				c.Do("wait", "--fn", "document.title == 'touched'")
				return
			}
			// It answers the end of the connection when it has read all that came before.
			require.NoError(t, w.conn.Close(websocket.StatusNormalClosure, ""))
			require.Equal(t, "clean", c.Do("get", "title").Result.Text)
		})
	}
}

// A client that wants each frame acknowledged gets one at a time, and the newest one then.
func TestStreamPacing(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"?pacing=ack", ""} {
		c := host.Showing(t, redPage)
		w := streamed(c, how)
		if how == "" {
			w.send(object{"type": "config", "pacing": "ack"})
			c.Do("eval", "document.title = 'settled'") // behind the message
		}
		w.until("frame", nil)
		for range 3 {
			c.Do("eval", `new Promise(done => { let n = 0; const f = () => {
				document.body.style.background = '#' + (n++ % 2 ? '00f' : 'f00'); n < 10 ? requestAnimationFrame(f) : done() }; f() })`)
		}
		c.Do("eval", "document.body.style.background = '#0f0'")
		c.Do("eval", "document.title = 'painted'")
		frames := 0
		w.until("tabs", func(m object) bool { return m["tabs"].([]any)[0].(object)["title"] == "painted" })
		for {
			w.send(object{"type": "ack", "seq": w.last})
			m := w.until("frame", nil)
			frames++
			at := pictureOf(t, m).At(640, 360)
			if r, g, b, _ := at.RGBA(); r>>8 < 20 && g>>8 > 235 && b>>8 < 20 {
				break
			}
		}
		require.LessOrEqual(t, frames, 10, "of more than 30: what the page showed meanwhile is left out")
	}
}

func TestStreamRate(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		redPage+
			`<script>let n = 0; (function f() { document.body.style.background = n++ % 2 ? '#00f' : '#f00'; requestAnimationFrame(f) })()</script>`)
	w := streamed(c, "?maxFps=2")
	w.until("frame", nil)
	begun := time.Now()
	for range 3 {
		w.until("frame", nil)
	}
	require.GreaterOrEqual(t, time.Since(begun), 1400*time.Millisecond)
	w.send(object{"type": "config", "maxFps": 0})
	w.until("frame", nil)
}

// Pictures are taken only while there is a viewer.
func TestStreamOptions(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Env["SKUA_STREAM_MAX_WIDTH"] = "320"
	c.Env["AGENT_BROWSER_STREAM_QUALITY"] = "5"
	c.Env["AGENT_BROWSER_STREAM_PORT"] = "0"
	c.Do("open", site.URL(site.Write(redPage)))
	status := c.Data("stream", "status")
	require.Equal(t, true, status["enabled"], "the environment enables it")
	w := dialStream(t, status, "")
	require.Equal(t, 320, pictureOf(t, w.untilColor(255, 0, 0)).Bounds().Dx())
	c.Do("close")
	closed(t, status["port"])
	c.Env["AGENT_BROWSER_STREAM_PORT"] = "x"
	require.ErrorContains(t, c.Fails(fault.StreamState, "open", site.URL(site.Write(redPage))),
		"AGENT_BROWSER_STREAM_PORT must be a port")
}

// A session that the environment wants streamed, and whose port is taken, says so by an error: the page is open all the
// same, and the error comes once.
func TestStreamPortTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	c := host.NewClient(t)
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	c.Env["SKUA_STREAM_PORT"] = port
	r := c.Try("open", site.URL(site.Write("<title>Red</title>")))
	require.Error(t, r.Err)
	require.ErrorContains(t, r.Err, "`open` was done, but the session is not streamed, as SKUA_STREAM_PORT asks")
	require.Equal(t, actions.OutcomeDone, r.Result.Outcome)
	require.Equal(t, "Red", c.Do("get", "title").Result.Text)
}

// Only who knows the secret watches and types: other pages and users of the machine, which can reach the port, do not.
// Pages of other sites are kept out whatever they know, also those that have made their name mean this machine.
func TestStreamIsPrivate(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, redPage)
	enabled := c.Data("stream", "enable")
	port := enabled["port"]
	_, path, _ := strings.Cut(strings.TrimPrefix(enabled["url"].(string), "ws://"), "/")
	path = "/" + path
	tests := []struct {
		name, path, origin, host string
		want                     int
	}{
		{"a program", path, "", "", http.StatusSwitchingProtocols},
		{"a local page", path, "http://localhost:3000", "", http.StatusSwitchingProtocols},
		{"a local page over https", path, "https://127.0.0.1", "", http.StatusSwitchingProtocols},
		{"a local page, IPv6", path, "http://[::1]:80", "", http.StatusSwitchingProtocols},
		{"a file", path, "file://", "", http.StatusSwitchingProtocols},
		{"a program without the secret", "/", "", "", http.StatusUnauthorized},
		{"a local page without the secret", "/", "http://localhost:3000", "", http.StatusUnauthorized},
		{"a file without the secret", "/?pacing=ack", "file://", "", http.StatusUnauthorized},
		{"another secret", "/" + strings.Repeat("A", len(path)-1), "", "", http.StatusUnauthorized},
		{"half of the secret", path[:len(path)/2], "", "", http.StatusUnauthorized},
		{"another site", path, "https://evil.example", "", http.StatusForbidden},
		{"a name that begins alike", path, "http://localhost.evil.example", "", http.StatusForbidden},
		{"a sandboxed frame", path, "null", "", http.StatusForbidden},
		{"an extension", path, "chrome-extension://abc", "", http.StatusForbidden},
		{"a name that means this machine", path, "", "evil.example", http.StatusForbidden},
		{"the same, with the port", path, "http://evil.example", fmt.Sprintf("evil.example:%v", port), http.StatusForbidden},
	}
	ask := func(t *testing.T, path, origin, host string, upgrade bool) *http.Response {
		t.Helper()
		req, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://127.0.0.1:%v%s", port, path), nil)
		require.NoError(t, err)
		req.Host = host
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		if upgrade {
			for key, value := range map[string]string{
				"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
				"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
			} {
				req.Header.Set(key, value)
			}
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, ask(t, test.path, test.origin, test.host, true).StatusCode)
		})
	}
	require.Equal(t, http.StatusUpgradeRequired, ask(t, path, "", "", false).StatusCode)
	require.Equal(t, http.StatusUnauthorized, ask(t, "/", "", "", false).StatusCode)
}
