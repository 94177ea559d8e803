package emulate_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const emptyPage = `<!doctype html><title>Environment</title><meta name=viewport content="width=device-width"><h1>Here</h1>`

// What is set is read in the page, in a tab that comes later, and in a frame of another process.
func TestSetIsSeenByThePage(t *testing.T) {
	t.Parallel()
	const matches = `matchMedia("(%s)").matches`
	media := func(query string) string { return strings.Replace(matches, "%s", query, 1) }
	tests := map[string]struct {
		set  []string
		read string
		want any
		undo []string
		deep bool // another row sets the same of the browser
	}{
		"viewport": {
			[]string{"viewport", "640", "480"},
			"[innerWidth, innerHeight, devicePixelRatio].join()",
			"640,480,1",
			[]string{"viewport", "0", "0"},
			false,
		},
		"viewport, scale": {
			[]string{"viewport", "640", "480", "2"},
			"[innerWidth, devicePixelRatio].join()", "640,2",
			[]string{"viewport", "0", "0"},
			true,
		},
		"touch": {
			[]string{"viewport", "400", "700", "--touch", "--mobile"},
			"[navigator.maxTouchPoints > 0, matchMedia('(pointer: coarse)').matches].join()", "true,true",
			[]string{"viewport", "0", "0"},
			false,
		},
		"orientation": {
			[]string{"viewport", "400", "700", "--mobile"},
			"screen.orientation.type + screen.width",
			"portrait-primary400",
			[]string{"viewport", "0", "0"},
			false,
		},
		"device": {
			[]string{"device", "iPhone 15"},
			"[screen.width, devicePixelRatio, navigator.userAgent.includes('iPhone'), navigator.platform, " +
				"navigator.userAgentData?.platform ?? ''].join()", "393,3,true,iPhone,",
			[]string{"device", "none"},
			false,
		},
		"device, any case": {
			[]string{"device", "pixel 9"},
			"[screen.width, screen.height, devicePixelRatio].join()",
			"412,923,2.625",
			[]string{"device", "none"},
			true,
		},
		"client hints": {
			[]string{"device", "Pixel 9"},
			"navigator.userAgentData ? [navigator.userAgentData.platform, navigator.userAgentData.mobile].join() : 'none'",
			"Android,true",
			[]string{"device", "none"},
			true,
		},
		"geo": {
			[]string{"geo", "48.137", "11.575", "--accuracy", "20"},
			"new Promise((yes, no) => navigator.geolocation.getCurrentPosition((p) => yes([p.coords.latitude, " +
				"p.coords.longitude, p.coords.accuracy].join()), no))", "48.137,11.575,20", nil, false,
		},
		"dark": {[]string{"media", "dark"}, media("prefers-color-scheme: dark"), true, []string{"media"}, false},
		"light": {
			[]string{"media", "light"},
			media("prefers-color-scheme: light"), true,
			[]string{"media"},
			true,
		},
		"motion": {
			[]string{"media", "reduced-motion"},
			media("prefers-reduced-motion: reduce"), true,
			[]string{"media"},
			true,
		},
		"two": {
			[]string{"media", "dark", "reduced-motion"},
			media("prefers-color-scheme: dark") + "&&" + media("prefers-reduced-motion: reduce"), true,
			[]string{"media"},
			true,
		},
		"print": {[]string{"media", "print"}, `matchMedia("print").matches`, true, []string{"media"}, false},
		"contrast": {
			[]string{"media", "more-contrast"},
			media("prefers-contrast: more"), true,
			[]string{"media"},
			true,
		},
		"forced colors": {
			[]string{"media", "forced-colors"},
			media("forced-colors: active"), true,
			[]string{"media"},
			false,
		},
		"timezone": {
			[]string{"timezone", "Asia/Tokyo"},
			"new Date(0).getHours() + Intl.DateTimeFormat().resolvedOptions().timeZone", "9Asia/Tokyo",
			[]string{"timezone", "none"},
			false,
		},
		"locale": {
			[]string{"locale", "de-CH"},
			"[navigator.language, (1234567.5).toLocaleString(), navigator.languages].join()", "de-CH,1'234'567.5,de-CH,de",
			[]string{"locale", "none"},
			false,
		},
		"user agent": {
			[]string{"user-agent", "Mozilla/5.0 (X11; Linux x86_64) Probe/1.0"},
			"navigator.userAgent",
			"Mozilla/5.0 (X11; Linux x86_64) Probe/1.0",
			[]string{"user-agent", "none"},
			false,
		},
		"user agent, alias": {[]string{"ua", "Probe/2"}, "navigator.userAgent", "Probe/2", []string{"ua", "none"}, true},
		"granted": {
			[]string{"permissions", "notifications", "camera"},
			"Promise.all(['notifications', 'camera'].map((name) => navigator.permissions.query({name}))).then((all) => " +
				"all.map((p) => p.state).join())", "granted,granted",
			[]string{"permissions", "reset"},
			false,
		},
		"denied": {
			[]string{"permissions", "microphone", "--deny"},
			"navigator.permissions.query({name: 'microphone'}).then((p) => p.state)", "denied",
			[]string{"permissions", "reset"},
			true,
		},
	}
	for name, tt := range tests {
		if tt.deep && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := site.Write(emptyPage)
			c := host.Opened(t, page)
			before := any(nil)
			if tt.undo != nil {
				before = c.Page(tt.read)
				require.True(t, name == "light" || tt.want != before, "what is tested must not be so already")
			}
			c.Do(append([]string{"set"}, tt.set...)...)
			require.Equal(t, tt.want, c.Page(tt.read), "in the page that is open")
			c.Do("open", site.URL(page))
			require.Equal(t, tt.want, c.Page(tt.read), "in the next page")
			c.Do("tab", "new", site.URL(page))
			require.Equal(t, tt.want, c.Page(tt.read), "in another tab")
			if tt.undo != nil {
				c.Do(append([]string{"set"}, tt.undo...)...)
				require.Equal(t, before, c.Page(tt.read), "when it is taken back")
				c.Do("tab", "new", site.URL(page))
				require.Equal(t, before, c.Page(tt.read), "in a tab that comes then")
			}
		})
	}
}

// A frame of another process, one that is there and one that comes, sees what is set.
func TestSetIsSeenInFrames(t *testing.T) {
	t.Parallel()
	far := site.Write(
		`<!doctype html><script>const tell = () => top.postMessage([matchMedia('(prefers-color-scheme: dark)').matches,
		Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, navigator.userAgent].join('|'), '*'); tell(); onmessage = tell</script>`)
	frame := `<iframe src="` + site.Elsewhere(far) + `"></iframe>`
	c := host.Showing(t, `<!doctype html><script>var log = []; onmessage = (e) => log.push(e.data)</script>`+frame)
	c.Do("wait", "--load", "networkidle")
	c.Do("set", "media", "dark")
	c.Do("set", "timezone", "Asia/Tokyo")
	c.Do("set", "locale", "fr-FR")
	c.Do("set", "user-agent", "Probe/1")
	const want = "true|Asia/Tokyo|fr-FR|Probe/1"
	c.Page("log.length = 0; frames[0].postMessage('', '*')")
	c.Do("wait", "--fn", "log.length > 0")
	require.Equal(t, want, c.Page("log.at(-1)"))
	c.Page("log.length = 0; document.body.insertAdjacentHTML('beforeend', `" + frame + "`)")
	c.Do("wait", "--fn", "log.length > 0")
	require.Equal(t, want, c.Page("log.at(-1)"), "before its first script")
}

// Servers are told, too.
func TestSetIsSeenByServers(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, emptyPage)
	c.Do("set", "locale", "de-CH")
	c.Do("set", "user-agent", "Probe/3")
	told := make(chan http.Header, 1)
	c.Do("open", site.URL(site.Answering(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case told <- r.Header:
		default: // its icon
		}
	})))
	header := <-told
	require.Equal(t, "Probe/3", header.Get("User-Agent"))
	require.True(t, strings.HasPrefix(header.Get("Accept-Language"), "de-CH,de"), header.Get("Accept-Language"))
}

// A viewport in place of a device is not a phone any more.
func TestViewportEndsADevice(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, emptyPage)
	own := c.Page("navigator.userAgent")
	c.Do("set", "device", "iPhone 15")
	require.Contains(t, c.Page("navigator.userAgent"), "iPhone")
	reply := c.Do("set", "viewport", "800", "600")
	require.Contains(t, sessiontest.Notes(reply), "iPhone 15")
	require.Equal(t, own, c.Page("navigator.userAgent"))
	require.Equal(t, "800,0,1", c.Page("[innerWidth, navigator.maxTouchPoints, devicePixelRatio].join()"))
}

func TestSetTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		says string
	}{
		"viewport size":   {[]string{"viewport", "-1", "3"}, "-1"},
		"viewport half":   {[]string{"viewport", "0", "3"}, "width and a height"},
		"viewport word":   {[]string{"viewport", "a", "3"}, "'a'"},
		"scale":           {[]string{"viewport", "3", "3", "abc"}, "abc"},
		"scale 0":         {[]string{"viewport", "3", "3", "0"}, "positive"},
		"device":          {[]string{"device", "iPhone 99"}, "iPhone 15"},
		"latitude":        {[]string{"geo", "91", "3"}, "91"},
		"latitude word":   {[]string{"geo", "abc", "3"}, "abc"},
		"longitude":       {[]string{"geo", "1", "181"}, "181"},
		"longitude word":  {[]string{"geo", "1", "abc"}, "abc"},
		"no longitude":    {[]string{"geo", "1"}, "longitude"},
		"media":           {[]string{"media", "bogus"}, "bogus"},
		"both":            {[]string{"media", "dark", "light"}, "both dark and light"},
		"timezone":        {[]string{"timezone", "Mars/Olympus"}, "Mars/Olympus"},
		"locale":          {[]string{"locale", "no such!"}, "no such!"},
		"user agent":      {[]string{"user-agent", "a\nb"}, "line of text"},
		"permission":      {[]string{"permissions", "levitation"}, "levitation"},
		"deny and prompt": {[]string{"permissions", "camera", "--deny", "--prompt"}, "exclude"},
		"origin":          {[]string{"permissions", "camera", "--origin", "nowhere"}, "nowhere"},
		"cpu":             {[]string{"cpu", "0.5"}, "0.5"},
	}
	c := host.Showing(t, emptyPage)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := c.In(t).Fails(fault.Usage, append([]string{"set"}, tt.args...)...)
			require.Contains(t, err.Error(), tt.says)
		})
	}
	require.Equal(t, "1280,720", c.Page("[innerWidth, innerHeight].join()"), "nothing was set")
}

// A slow machine is slow: the same time is enough for less work. Chromium stops the page from a thread of its own,
// which comes late on a busy machine: then a page is slowed by less than the rate. At this one, an interruption every
// ten milliseconds is enough.
func TestSetCPU(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, emptyPage)
	// The turns of a loop in a time of the browser's. Other work on the machine takes turns away from either speed, so
	// that they are compared pair by pair, one right after the other, and the middle pair counts.
	const turns = `(() => { let n = 0; for (const end = performance.now() + 30; performance.now() < end;) n++; return n })()`
	var ratios []float64
	for range 15 {
		require.Equal(t, float64(20), c.Data("set", "cpu", "20")["rate"])
		slow := c.Page(turns).(float64)
		c.Do("set", "cpu", "1")
		ratios = append(ratios, c.Page(turns).(float64)/slow)
	}
	slices.Sort(ratios)
	require.Greater(t, ratios[len(ratios)/2], 1.2, "%v", ratios)
}
