package capture_test

import (
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp"

	"github.com/skua-browser/skua/internal/fault"
)

// picturePage is white, with squares of plain colors at known places, one of them below the fold and one in a frame.
const picturePage = `<style>body { margin: 0; height: 2000px; background: white } div, iframe { position: absolute; border: 0 }
	#red { left: 0; top: 0; width: 100px; height: 50px; background: rgb(255, 0, 0) }
	#blue { left: 300px; top: 1500px; width: 80px; height: 60px; background: rgb(0, 0, 255) }
	iframe { left: 500px; top: 100px; width: 200px; height: 200px }</style>
	<div id=red></div><div id=blue></div><div id=none hidden></div>
	<iframe srcdoc="<body style='margin: 0'><button style='position: absolute; left: 20px; top: 30px; width: 50px; height: 40px; border: 0;
		background: rgb(0, 128, 0)' aria-label=Green></button>"></iframe>`

func TestScreenshotOfTheViewport(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, picturePage)
	reply := c.Do("screenshot", "view.png")
	img, format := c.Picture("view.png")
	require.Equal(t, "png", format)
	require.Equal(t, [2]int{1280, 720}, sessiontest.SizeOf(img))
	require.Equal(t, c.Page("[innerWidth, innerHeight]"), []any{float64(img.Bounds().Dx()), float64(img.Bounds().Dy())})
	require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.White, sessiontest.Green},
		[]color.RGBA{sessiontest.ColorAt(img, 99, 49), sessiontest.ColorAt(img, 101, 49), sessiontest.ColorAt(img, 530, 140)})
	require.Equal(t, "✓ Screenshot saved to view.png\n  shot s1: the viewport, 1280x720 pixels, scale 1",
		reply.Result.Text)
	info, err := os.Stat(filepath.Join(c.Dir, "view.png"))
	require.NoError(t, err)
	require.Equal(t, object{
		"path": filepath.Join(c.Dir, "view.png"), "size": float64(info.Size()), "type": "image/png",
		"shot": "s1", "shows": "viewport", "width": 1280.0, "height": 720.0, "scale": 1.0,
		"area": object{"x": 0.0, "y": 0.0, "width": 1280.0, "height": 720.0},
	}, sessiontest.Decode[object](t, reply.Result.Data))

	c.Page("scrollTo(0, 1280)")
	c.Do("screenshot", "view.png")
	img, _ = c.Picture("view.png")
	require.Equal(t, []color.RGBA{sessiontest.White, sessiontest.Blue},
		[]color.RGBA{sessiontest.ColorAt(img, 10, 10), sessiontest.ColorAt(img, 310, 230)},
		"what is shown, not the top of the page")
}

func TestScreenshotOfThePage(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--full", "-f"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, picturePage)
			c.Page("scrollTo(0, 500)")
			c.Do("screenshot", flag, "full.png")
			img, _ := c.Picture("full.png")
			require.Equal(t, [2]int{1280, 2000}, sessiontest.SizeOf(img))
			require.Equal(t, []color.RGBA{sessiontest.Red, sessiontest.Blue, sessiontest.White},
				[]color.RGBA{
					sessiontest.ColorAt(img, 10, 10), sessiontest.ColorAt(img, 310, 1510),
					sessiontest.ColorAt(img, 310, 1990),
				})
			require.Equal(t, []any{0.0, 500.0, 720.0}, c.Page("[scrollX, scrollY, innerHeight]"), "the page is left as it was")
		})
	}
}

func TestScreenshotOfAnElement(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	tests := []struct {
		selector string
		size     [2]int
		color    color.RGBA
	}{
		{"#red", [2]int{100, 50}, sessiontest.Red},
		{"#blue", [2]int{80, 60}, sessiontest.Blue},
		{c.Ref(`button "Green"`), [2]int{50, 40}, sessiontest.Green},
	}
	for _, tt := range tests {
		c.Do("screenshot", tt.selector, "element.png")
		img, _ := c.Picture("element.png")
		require.Equal(t, tt.size, sessiontest.SizeOf(img), tt.selector)
		for _, p := range [][2]int{{1, 1}, {tt.size[0] - 2, 1}, {1, tt.size[1] - 2}, {tt.size[0] - 2, tt.size[1] - 2}} {
			require.Equal(t, tt.color, sessiontest.ColorAt(img, p[0], p[1]), "%s at %v", tt.selector, p)
		}
	}
}

func TestScreenshotFormats(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	tests := []struct {
		args   []string
		path   string
		format string
	}{
		{[]string{"a.png"}, "a.png", "png"},
		{[]string{"a.jpg"}, "a.jpg", "jpeg"},
		{[]string{"a.JPEG"}, "a.JPEG", "jpeg"},
		{[]string{"b.png", "--screenshot-format", "jpeg"}, "b.png", "jpeg"},
		{[]string{"c.webp"}, "c.webp", "webp"},
		{[]string{"d.png", "--screenshot-format", "webp"}, "d.png", "webp"},
		{[]string{"sub/folder/c.png"}, "sub/folder/c.png", "png"},
		{[]string{"./noextension"}, "noextension", "png"},
	}
	for _, tt := range tests {
		data := c.Data(append([]string{"screenshot"}, tt.args...)...)
		img, format := c.Picture(tt.path)
		require.Equal(t, "image/"+format, data["type"], "what it is, whatever it is called")
		require.Equal(t, tt.format, format, tt.path)
		require.Equal(t, [2]int{1280, 720}, sessiontest.SizeOf(img))
	}
	for _, ext := range []string{".jpg", ".webp"} {
		good := c.Data("screenshot", "good"+ext, "--screenshot-quality", "95")["size"].(float64)
		poor := c.Data("screenshot", "poor"+ext, "--screenshot-quality", "0")["size"].(float64)
		require.Greater(t, good, poor, ext)
	}
	c.Env["AGENT_BROWSER_SCREENSHOT_FORMAT"] = "jpeg"
	path := c.Data("screenshot")["path"].(string)
	require.Equal(t, ".jpg", filepath.Ext(path))
	c.Env["AGENT_BROWSER_SCREENSHOT_FORMAT"] = "gif"
	require.Contains(t, c.Fails(fault.Usage, "screenshot").Error(),
		"AGENT_BROWSER_SCREENSHOT_FORMAT must be png, jpeg or webp, got 'gif'")
	c.Do("screenshot", "named.png")
}

// Without a path the picture gets a name of its own, in the folder of the flag, else of the variable, else below the
// home folder.
func TestScreenshotFolders(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	saved := func(folder string, args ...string) {
		t.Helper()
		path, _ := c.Data(append([]string{"screenshot"}, args...)...)["path"].(string)
		require.Equal(t, filepath.Join(c.Dir, folder), filepath.Dir(path))
		require.True(t, strings.HasPrefix(filepath.Base(path), "screenshot-"))
		rel, err := filepath.Rel(c.Dir, path)
		require.NoError(t, err)
		img, _ := c.Picture(rel)
		require.Equal(t, sessiontest.Red, sessiontest.ColorAt(img, 10, 10))
	}
	saved(".skua/screenshots")
	c.Env["AGENT_BROWSER_SCREENSHOT_DIR"] = "theirs"
	saved("theirs")
	c.Env["SKUA_SCREENSHOT_DIR"] = "ours"
	saved("ours")
	saved("flag", "--screenshot-dir", "flag")
	saved("flag", "#red", "--screenshot-dir", "flag")
}

func TestScreenshotRefused(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, picturePage)
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "folder.png"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "file"), []byte("kept"), 0o600))
	tests := []struct {
		name string
		args []string
		code fault.Code
		says string
	}{
		{"a folder", []string{"folder.png"}, fault.File, "is a folder"},
		{"below a file", []string{"file/x.png"}, fault.File, "Failed to save screenshot to file/x.png"},
		{"annotated webp", []string{"x.webp", "--annotate"}, fault.Usage, "png or jpeg"},
		{"clear jpeg", []string{"x.jpg", "--omit-background"}, fault.Usage, "A jpeg cannot be transparent"},
		{"threshold", []string{"--threshold", "5"}, fault.Usage, "--threshold must be from 0 to 1, got '5'"},
		{"clip", []string{"x.png", "--clip", "1,2,3"}, fault.Usage, "--clip takes x,y,width,height"},
		{"empty clip", []string{"x.png", "--clip", "1,2,3,0"}, fault.Usage, "--clip takes x,y,width,height"},
		{"clip outside", []string{"x.png", "--clip", "0,5000,10,10"}, fault.Usage, "outside of the page, which is 1280x2000"},
		{"clip and element", []string{"#red", "x.png", "--clip", "0,0,10,10"}, fault.Usage, "--clip excludes"},
		{"scale", []string{"x.png", "--scale", "0"}, fault.Usage, "--scale takes css, device or a number"},
		{"hide nothing sensible", []string{"x.png", "--hide", "#["}, fault.SelectorInvalid, "Invalid selector"},
		{"unknown format", []string{"x.png", "--screenshot-format", "gif"}, fault.Usage, "gif"},
		{"quality", []string{"x.jpg", "--screenshot-quality", "101"}, fault.Usage, "must be 0-100"},
		{"hidden", []string{"#none", "x.png"}, fault.TargetHidden, "is not visible"},
		{"missing", []string{"#nosuch", "x.png"}, fault.SelectorNotFound, "Element not found"},
		{"invalid", []string{"#[", "x.png"}, fault.SelectorInvalid, "Invalid selector"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := c.In(t).Fails(tt.code, append([]string{"screenshot"}, tt.args...)...)
			require.Contains(t, err.Error(), tt.says)
			require.NoFileExists(t, filepath.Join(c.Dir, "x.png"))
		})
	}
	kept, err := os.ReadFile(filepath.Join(c.Dir, "file"))
	require.NoError(t, err)
	require.Equal(t, "kept", string(kept))
}
