package capture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/profile"
	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// video is what ffprobe says of a recording below the caller's folder.
type video struct {
	codec, size string
	frames      int
	seconds     float64
	path        string
}

func readVideo(c *sessiontest.Client, path string) video {
	c.T.Helper()
	path = filepath.Join(c.Dir, path)
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-select_streams", "v",
		"-show_entries", "stream=codec_name,width,height,nb_read_frames:format=duration", "-of", "default=noprint_wrappers=1",
		path).CombinedOutput()
	require.NoError(c.T, err, "ffprobe comes with ffmpeg, which scripts/need installs: %s", out)
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		said[key] = value
	}
	f := video{codec: said["codec_name"], size: said["width"] + "x" + said["height"], path: path}
	f.frames, err = strconv.Atoi(said["nb_read_frames"])
	require.NoError(c.T, err)
	f.seconds, err = strconv.ParseFloat(said["duration"], 64)
	require.NoError(c.T, err)
	return f
}

// pictures are about n frames of a recording at even distances, the first and the last one among them.
func (f video) pictures(t testing.TB, n int) []image.Image {
	t.Helper()
	dir := t.TempDir()
	choose := fmt.Sprintf("select='not(mod(n,%d))+eq(n,%d)'", max(1, (f.frames-1)/max(1, n-1)), f.frames-1)
	out, err := exec.Command("ffmpeg", "-v", "error", "-i", f.path, "-vf", choose, "-vsync", "0",
		filepath.Join(dir, "%05d.png")).CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	require.NoError(t, err)
	var all []image.Image
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
		all = append(all, img)
	}
	require.GreaterOrEqual(t, len(all), min(n, f.frames))
	return all
}

// last is the last frame.
func (f video) last(t testing.TB) image.Image {
	all := f.pictures(t, 2)
	return all[len(all)-1]
}

// looksLike reports whether two colors are equal, except for the losses of video compression.
func looksLike(got, want color.RGBA) bool {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) < 50 }
	return near(got.R, want.R) && near(got.G, want.G) && near(got.B, want.B)
}

// runs returns the sequence of these colors that a point has in the pictures, ignoring other colors in between.
func runs(pictures []image.Image, x, y int, of ...color.RGBA) []color.RGBA {
	var all []color.RGBA
	for _, img := range pictures {
		for _, c := range of {
			if looksLike(sessiontest.ColorAt(img, x, y), c) && (len(all) == 0 || all[len(all)-1] != c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// clickPage is white until its button, which covers it, is clicked; then it is red.
const clickPage = `<body style="margin: 0"><button style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0; background: white"
	onclick="this.style.background = 'rgb(255, 0, 0)'" aria-label=Go></button>`

func TestVideoShowsTheClick(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	for _, tt := range []struct{ name, codec string }{{"video.webm", "vp8"}, {"video.mp4", "h264"}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, clickPage)
			reply := c.Do("record", "start", "sub/"+tt.name)
			require.Equal(t, "✓ Recording started: sub/"+tt.name+" (30 fps)", reply.Result.Text)
			data := sessiontest.WithoutEffect(t, reply)
			require.Equal(t, object{
				"path": filepath.Join(c.Dir, "sub", tt.name), "started": true, "fps": 30.0, "cursor": false, "tab": "t1",
				"contactSheet":     false,
				"contactSheetPath": nil,
			}, data)
			require.Contains(t, c.Fails(fault.CaptureState, "record", "start", "other.webm").Error(), "Recording already active")
			c.Do("wait", "300")
			c.Do("click", "button")
			c.Do("wait", "300")
			reply = c.Do("record", "stop")
			require.Equal(t, "✓ Recording saved to sub/"+tt.name+" (30 fps)", reply.Result.Text)
			data = sessiontest.WithoutEffect(t, reply)
			f := readVideo(c, "sub/"+tt.name)
			require.Equal(t, []string{tt.codec, "1280x720"}, []string{f.codec, f.size})
			require.InDelta(t, f.frames, data["frames"], 0)
			require.InDelta(t, data["durationMs"].(float64)/1000, f.seconds, 0.5)
			require.InDelta(t, f.seconds*30, f.frames, 3, "the frame rate is constant")
			require.GreaterOrEqual(t, f.seconds, 0.6)
			require.Equal(t, []color.RGBA{sessiontest.White, sessiontest.Red},
				runs(f.pictures(t, 12), 300, 300, sessiontest.White, sessiontest.Red))
			require.Equal(t, "video/"+filepath.Ext(tt.name)[1:], data["type"])
			info, err := os.Stat(f.path)
			require.NoError(t, err)
			require.InDelta(t, info.Size(), data["size"], 0)
			require.Equal(t, "No recording in progress", c.Fails(fault.CaptureState, "record", "stop").Error())
			entries, err := os.ReadDir(filepath.Join(c.Dir, "sub"))
			require.NoError(t, err)
			require.Len(t, entries, 1, "nothing else is left")
		})
	}
}

// With a pointer and its rings in the video, which the page knows nothing of, and a sheet of what there was to see.
func TestVideoCursorAndContactSheet(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	c := host.Showing(t,
		clickPage+
			`<script>let changes = 0; new MutationObserver(() => changes++).observe(document, { childList: true, subtree: true })</script>`)
	c.Do("mouse", "move", "100", "100")
	data := c.Data("record", "start", "video.webm", "--cursor", "--contact-sheet", "--fps", "20")
	require.Equal(t, filepath.Join(c.Dir, "video.contact-sheet.png"), data["contactSheetPath"])
	require.InDelta(t, 0.05, data["contactSheetThreshold"], 0)
	c.Do("wait", "300")
	c.Do("click", "button")
	c.Do("wait", "700")
	data = c.Data("record", "stop")
	f := readVideo(c, "video.webm")
	pictures := f.pictures(t, 16)
	dark := func(img image.Image, x, y int) bool {
		for dy := range 30 {
			for dx := range 20 {
				if p := sessiontest.ColorAt(img, x+dx-4, y+dy-4); p.R < 130 && p.G < 130 && p.B < 130 {
					return true
				}
			}
		}
		return false
	}
	require.True(t, dark(pictures[0], 100, 100), "the pointer where it was")
	require.True(t, dark(f.last(t), 640, 360), "the pointer where it clicked")
	require.False(t, dark(f.last(t), 100, 100))
	require.InDelta(t, 0, c.Page("changes"), 0)

	require.InDelta(t, 2, data["contactSheetFrames"], 0)
	sheet, _ := c.Picture("video.contact-sheet.png")
	require.Equal(t, [2]int{2*328 + 8, 180 + 18 + 16}, sessiontest.SizeOf(sheet))
	require.True(t, looksLike(sessiontest.ColorAt(sheet, 50, 100), sessiontest.White))
	require.True(t, looksLike(sessiontest.ColorAt(sheet, 400, 100), sessiontest.Red))
}

// A video goes on over navigations, also to another site, and ends well when its tab, its session or its page's
// patience does.
func TestVideoGoesOn(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	plain := func(color string) string {
		return site.URL(site.Write(`<body style="background: ` + color + `">`))
	}
	t.Run("navigation", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("record", "start", "video.webm", plain("rgb(255, 0, 0)"), "--fps", "60")
		c.Do("wait", "300")
		c.Do("open", strings.Replace(plain("rgb(0, 0, 255)"), "127.0.0.1", "localhost", 1))
		c.Do("wait", "300")
		c.Do("tab", "new", plain("rgb(0, 128, 0)"))
		c.Do("wait", "200")
		data := c.Data("record", "stop")
		require.InDelta(t, 60, data["fps"], 0)
		f := readVideo(c, "video.webm")
		require.InDelta(t, f.seconds*60, f.frames, 6)
		require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.Blue},
			runs(f.pictures(t, 16), 600, 400, sessiontest.Red, sessiontest.Blue, sessiontest.Green), "the tab that it began in")
	})
	t.Run("closed tab", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, site.Write(picturePage))
		c.Do("tab", "new", plain("rgb(255, 0, 0)"))
		c.Do("record", "start", "video.mp4")
		c.Do("wait", "300")
		said := sessiontest.Notes(c.Do("tab", "close"))
		require.Contains(t, said, "the recording ended after")
		require.Contains(t, said, "because its tab t2 was closed; what was recorded is in "+filepath.Join(c.Dir, "video.mp4"))
		require.NotContains(t, sessiontest.Notes(c.Do("get", "title")), "recording", "said once")
		data := c.Data("record", "stop")
		require.Equal(t, "its tab t2 was closed", data["ended"])
		require.True(t, looksLike(sessiontest.ColorAt(readVideo(c, "video.mp4").last(t), 600, 400), sessiontest.Red))
		c.Fails(fault.CaptureState, "record", "stop")
	})
	t.Run("closed session", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, site.Write(clickPage))
		c.Do("record", "start", "video.webm")
		c.Do("wait", "300")
		require.Contains(t, sessiontest.Notes(c.Do("close")), "because the session was closed")
		require.Greater(t, readVideo(c, "video.webm").frames, 5)
	})
	t.Run("bound", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, site.Write(clickPage))
		c.Env["SKUA_RECORD_SECONDS"] = "1"
		c.Do("record", "start", "video.webm")
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(c.Dir, "video.webm"))
			return err == nil
		}, time.Minute, 20*time.Millisecond)
		reply := c.Do("record", "stop")
		require.Contains(t, sessiontest.Notes(reply), "because it reached its limit of 1 seconds (SKUA_RECORD_SECONDS)")
		require.InDelta(t, 1, readVideo(c, "video.webm").seconds, 0.5)
	})
	t.Run("restart", func(t *testing.T) {
		t.Parallel()
		c := host.OpenedFresh(t, site.Write(clickPage))
		c.Do("record", "restart", "one.webm")
		c.Do("wait", "200")
		reply := c.Do("record", "restart", "two.webm", plain("rgb(0, 0, 255)"))
		require.Equal(t, "✓ Recording restarted: two.webm (30 fps) (previous saved to one.webm)", reply.Result.Text)
		data := sessiontest.WithoutEffect(t, reply)
		require.Equal(t, filepath.Join(c.Dir, "one.webm"), data["previousPath"])
		require.Equal(t, true, data["restarted"])
		c.Do("wait", "200")
		c.Do("record", "stop")
		require.Equal(t, []color.RGBA{sessiontest.White},
			runs(readVideo(c, "one.webm").pictures(t, 3), 600, 400, sessiontest.White, sessiontest.Blue))
		require.True(t, looksLike(sessiontest.ColorAt(readVideo(c, "two.webm").last(t), 600, 400), sessiontest.Blue))
	})
}

// Without ffmpeg the browser makes the video.
func TestVideoWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	sessiontest.Heavy(t)
	c := host.ShowingFresh(t, clickPage)
	c.Env["PATH"] = c.Dir
	for says, args := range map[string][]string{
		"Recording to .webm needs ffmpeg, which is not on the PATH. Install ffmpeg": {"x.webm"},
		"Recording with --cursor or --contact-sheet needs ffmpeg":                   {"x.mp4", "--cursor"},
	} {
		require.Contains(t, c.Fails(fault.CaptureState, append([]string{"record", "start"}, args...)...).Error(), says)
	}
	reply := c.Do("record", "start", "video.mp4")
	require.Contains(t, sessiontest.Notes(reply), "the browser records the video itself")
	c.Do("wait", "700")
	c.Do("click", "button")
	c.Do("wait", "700")
	data := c.Data("record", "stop")
	f := readVideo(c, "video.mp4")
	require.Equal(t, []string{"av1", "1280x720"}, []string{f.codec, f.size})
	require.InDelta(t, f.frames, data["frames"], 0)
	require.Greater(t, f.seconds, 1.0)
	// Beside other work the browser's own video can show again what was before; that is its doing.
	shown := runs(f.pictures(t, 12), 300, 300, sessiontest.White, sessiontest.Red)
	require.Equal(t, sessiontest.White, shown[0])
	require.Contains(t, shown, sessiontest.Red)

	c.Do("tab", "new", site.URL(site.Write(`<body style="font: 90px serif"><script>
		setInterval(() => { document.body.textContent = performance.now(); document.body.style.background = '#' + Math.random().toString(16).slice(2, 8) }, 30)</script>`)))
	// the browser gives a piece of its video after some hundred pictures, which take long to encode on a busy machine
	c.Do("set", "viewport", "320", "240")
	c.Do("record", "start", "cut.mp4")
	require.Eventually(t, func() bool {
		return len(unfinished(t, "cut.mp4")) > 0
	}, sessiontest.CommandLimit, 20*time.Millisecond, "the browser gives no piece of its video")
	said := sessiontest.Notes(c.Do("tab", "close"))
	said += sessiontest.Notes(c.Do("record", "stop"))
	require.Contains(t, said, "because its tab t2 was closed")
	require.Positive(t, readVideo(c, "cut.mp4").frames)
}

// unfinished returns the videos of a name that have begun to be written.
func unfinished(t *testing.T, name string) (paths []string) {
	t.Helper()
	base, err := profile.Base(profile.Drafts)
	require.NoError(t, err)
	all, err := filepath.Glob(filepath.Join(base, profile.DraftPrefix+"*", name))
	require.NoError(t, err)
	return slices.DeleteFunc(all, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.Size() < 1000 // the head alone is smaller
	})
}

func TestRecordRefused(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, clickPage)
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "folder.webm"), 0o755))
	tests := []struct {
		args []string
		code fault.Code
		says string
	}{
		{[]string{"noext"}, fault.Usage, "Invalid output path: 'noext' has no extension (use .webm or .mp4)"},
		{[]string{"x.webm", "--fps", "99"}, fault.Usage, "Invalid fps: 99 is out of range (valid range: 1-60)"},
		{[]string{"x.webm", "--fps", "0"}, fault.Usage, "Invalid fps: 0 is out of range"},
		{[]string{"x.webm", "--contact-sheet-threshold", "2"}, fault.Usage, "must be from 0 to 1, got '2'"},
		{[]string{"folder.webm"}, fault.File, "is a folder"},
		{[]string{"x.nosuchkind"}, fault.File, "ffmpeg"},
	}
	for _, tt := range tests {
		err := c.Fails(tt.code, append([]string{"record", "start"}, tt.args...)...)
		require.Contains(t, err.Error(), tt.says)
	}
	entries, err := os.ReadDir(c.Dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing was left")
}
