package video_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/video"
)

func ffmpeg(t testing.TB) string {
	path, err := video.Find("")
	require.NoError(t, err, "ffmpeg is needed; scripts/need ffmpeg installs it")
	return path
}

func plain(width, height int, c color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func encoded(t testing.TB, img image.Image) []byte {
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

// probe is what ffprobe says of a video: codec, size, number of frames and seconds.
func probe(t testing.TB, path string) (codec, size string, frames int, seconds float64) {
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-select_streams", "v",
		"-show_entries", "stream=codec_name,width,height,nb_read_frames:format=duration", "-of", "default=noprint_wrappers=1",
		path).CombinedOutput()
	require.NoError(t, err, string(out))
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		said[key] = value
	}
	frames, err = strconv.Atoi(said["nb_read_frames"])
	require.NoError(t, err)
	seconds, err = strconv.ParseFloat(said["duration"], 64)
	require.NoError(t, err)
	return said["codec_name"], said["width"] + "x" + said["height"], frames, seconds
}

// frameAt is the color in the middle of what a video shows at a time.
func frameAt(t testing.TB, path string, seconds float64) color.RGBA {
	out, err := exec.Command("ffmpeg", "-v", "error", "-ss", fmt.Sprint(seconds), "-i", path, "-frames:v", "1", "-f",
		"image2pipe", "-c:v", "png", "-").Output()
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(out))
	require.NoError(t, err)
	return color.RGBAModel.Convert(img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2)).(color.RGBA)
}

func isRed(c color.RGBA) bool  { return c.R > 180 && c.G < 80 && c.B < 80 }
func isBlue(c color.RGBA) bool { return c.B > 180 && c.G < 80 && c.R < 80 }

func TestVideoEncoder(t *testing.T) {
	t.Parallel()
	heavy(t)
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	tests := []struct{ name, codec string }{{"video.webm", "vp8"}, {"video.mp4", "h264"}, {"video.mkv", "h264"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), tt.name)
			e, err := video.Start(ffmpeg(t), video.Options{Path: path, FPS: 20, Width: 321, Height: 240})
			require.NoError(t, err)
			// A minute passes between the pictures, of which nothing is waited for: their times count, and not when they come.
			require.NoError(t, e.Picture(0, encoded(t, plain(321, 240, red))))
			require.NoError(t, e.Picture(40*time.Second, encoded(t, plain(321, 240, blue))))
			require.NoError(t, e.Picture(50*time.Second, encoded(t, plain(640, 240, red))), "another size is scaled in")
			require.NoError(t, e.Picture(60*time.Second, encoded(t, plain(640, 240, red))))
			said, err := e.Finish(context.Background())
			require.NoError(t, err)
			require.NoError(t, video.Check(path))
			codec, size, frames, seconds := probe(t, path)
			require.Equal(t, []string{tt.codec, "322x240"}, []string{codec, size})
			require.Equal(t, frames, said)
			require.InDelta(t, 60*20, frames, 25)
			require.InDelta(t, 60, seconds, 1.2)
			require.True(t, isRed(frameAt(t, path, 20)), "%v", frameAt(t, path, 20))
			require.True(t, isRed(frameAt(t, path, 39.5)))
			require.True(t, isBlue(frameAt(t, path, 40.5)))
			require.True(t, isRed(frameAt(t, path, 55)))
		})
	}
}

func TestEncoderSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "video.nosuchkind")
	e, err := video.Start(ffmpeg(t), video.Options{Path: path, FPS: 20, Width: 10, Height: 10})
	if err == nil {
		_ = e.Picture(0, encoded(t, plain(10, 10, color.White)))
		_, err = e.Finish(context.Background())
	}
	require.ErrorContains(t, err, "ffmpeg: ")
	require.Error(t, video.Check(path))
	require.NoError(t, os.WriteFile(path+".mp4", []byte("this is not a video"), 0o600))
	require.ErrorContains(t, video.Check(path+".mp4"), "not an MP4 file")
	_, err = video.Find(t.TempDir())
	require.ErrorIs(t, err, exec.ErrNotFound)
}

func TestVideoTrail(t *testing.T) {
	t.Parallel()
	heavy(t)
	var trail video.Trail
	require.False(t, trail.Update(0, video.Pointer{}), "it has not moved")
	require.True(t, trail.Update(time.Second, video.Pointer{X: 50, Y: 50}))
	require.True(t, trail.Update(2*time.Second, video.Pointer{X: 100, Y: 50, Presses: 1}))
	drawn := func(at time.Duration) int {
		img := plain(200, 120, color.White)
		trail.Draw(img, at, 1)
		colored := 0
		for y := range 120 {
			for x := range 200 {
				if c := img.RGBAAt(x, y); c.R > 200 && c.B < 150 {
					colored++
				}
			}
		}
		return colored
	}
	require.Positive(t, drawn(2100*time.Millisecond), "the ring of a press")
	require.True(t, trail.Update(2100*time.Millisecond, video.Pointer{X: 100, Y: 50, Presses: 1}), "it is still under way")
	require.False(t, trail.Update(4*time.Second, video.Pointer{X: 100, Y: 50, Presses: 1}))
	require.Zero(t, drawn(4*time.Second))
	img := plain(200, 120, color.White)
	trail.Draw(img, 4*time.Second, 1)
	require.Equal(t, color.RGBA{0, 0, 0, 255}, img.RGBAAt(99, 60), "its edge")
	require.Equal(t, color.RGBA{255, 255, 255, 255}, img.RGBAAt(103, 60))
}

func TestVideoSheet(t *testing.T) {
	t.Parallel()
	heavy(t)
	s := video.NewSheet(0.05)
	s.Add(0, plain(640, 360, color.White))
	s.Add(time.Second, plain(640, 360, color.White))
	dot := plain(640, 360, color.White)
	draw.Draw(dot, image.Rect(0, 0, 20, 20), image.Black, image.Point{}, draw.Src)
	s.Add(2*time.Second, dot)
	s.Add(3*time.Second, plain(640, 360, color.Black))
	require.Equal(t, 2, s.Len())
	var b bytes.Buffer
	require.NoError(t, s.Write(&b))
	sheet, err := png.Decode(&b)
	require.NoError(t, err)
	require.Equal(t, image.Pt(2*328+8, 180+18+16), sheet.Bounds().Size())
	for i := range 500 {
		s.Add(time.Duration(4+i)*time.Second, plain(640, 360, []color.Color{color.White, color.Black}[i%2]))
	}
	require.Equal(t, [2]int{120, 191}, [2]int{s.Len(), s.Dropped()})
}

// What a video ends with is its last picture, which has no time after it: wherever that falls between two frames.
func TestVideoEndsWithItsLastPicture(t *testing.T) {
	t.Parallel()
	red, blue := encoded(t, plain(64, 48, color.RGBA{255, 0, 0, 255})), encoded(t,
		plain(64, 48, color.RGBA{0, 0, 255, 255}))
	for ms := 1000; ms < 1034; ms += 11 { // near one frame, between two, near the next
		t.Run(strconv.Itoa(ms), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "video.mp4")
			e, err := video.Start(ffmpeg(t), video.Options{Path: path, FPS: 30, Width: 64, Height: 48})
			require.NoError(t, err)
			require.NoError(t, e.Picture(0, red))
			require.NoError(t, e.Picture(time.Duration(ms)*time.Millisecond, blue))
			frames, err := e.Finish(t.Context())
			require.NoError(t, err)
			require.InDelta(t, 31, frames, 1)
			out, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-vf", fmt.Sprintf("select=eq(n\\,%d)", frames-1),
				"-f", "image2pipe", "-c:v", "png", "-").Output()
			require.NoError(t, err)
			img, err := png.Decode(bytes.NewReader(out))
			require.NoError(t, err)
			c := color.RGBAModel.Convert(img.At(32, 24)).(color.RGBA)
			require.True(t, isBlue(c), "%v", c)
		})
	}
}
