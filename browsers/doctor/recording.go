package doctor

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/childenv"
)

// output runs a program for what it prints, which is cut off when it hangs.
func output(ctx context.Context, limit time.Duration, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.WaitDelay = childenv.Own(), time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func recording(ctx context.Context, o *Options) []Check {
	var l list
	ffmpeg := onPath("ffmpeg", o.Getenv)
	if ffmpeg == "" {
		l.add("recording.ffmpeg", Info, "ffmpeg is not on the PATH: `record` can only use the browser's own recorder").
			todo("install the package ffmpeg to record other formats")
		return l
	}
	banner, err := output(ctx, 5*time.Second, ffmpeg, "-hide_banner", "-version")
	if err != nil {
		l.add("recording.ffmpeg", Warn, "ffmpeg at %s does not run: %v", ffmpeg, err).todo("install the package ffmpeg again")
		return l
	}
	version, _, _ := strings.Cut(banner, " Copyright")
	version, _, _ = strings.Cut(version, "\n")
	l.add("recording.ffmpeg", Pass, "%s at %s", version, ffmpeg)
	banner, err = output(ctx, 5*time.Second, ffmpeg, "-hide_banner", "-encoders")
	var missing []string
	for _, encoder := range []string{"libvpx", "libx264"} {
		if !strings.Contains(banner, encoder) {
			missing = append(missing, encoder)
		}
	}
	if err != nil || len(missing) > 0 {
		l.add("recording.ffmpeg_encoders", Warn, "ffmpeg lacks encoders: %s", strings.Join(missing, ", ")).
			todo("install a full build of ffmpeg")
		return l
	}
	l.add("recording.ffmpeg_encoders", Pass, "libvpx (.webm) and libx264 (.mp4) encoders available")
	return l
}
