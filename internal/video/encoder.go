package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/childenv"
)

// Options say what a video is to be.
type Options struct {
	Path          string // where it is written; its extension decides on the kind
	FPS           int
	Width, Height int // of the first picture
}

// Encoder is a running ffmpeg. It ends with its input, so that it does not outlive this process: when that is killed,
// the video is finished as far as it got.
type Encoder struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *matroska
	size  image.Point
	frame time.Duration // how long one is shown
	last  struct {      // the last picture
		at   time.Duration
		jpeg []byte
	}
	runs   chan struct{} // closed when ffmpeg has said something of its work
	done   chan struct{} // closed when ffmpeg has ended
	err    error         // of ffmpeg; set before done is closed
	frames int           // set before done is closed

	mu   sync.Mutex
	tail []byte // the last of what ffmpeg complained of
}

// Find returns the ffmpeg of a search path, of this process's own when that is empty.
func Find(path string) (string, error) {
	if path == "" {
		return exec.LookPath("ffmpeg")
	}
	for _, dir := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(dir, "ffmpeg")); err == nil && filepath.IsAbs(found) {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

// Start begins a video. The caller must Finish it or Abort it.
func Start(ffmpeg string, o Options) (*Encoder, error) {
	cmd := exec.Command(ffmpeg, arguments(o)...)
	cmd.Env = childenv.Own()
	cmd.WaitDelay = time.Second
	ownProcessGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	progress, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		cmd:   cmd,
		in:    in,
		size:  image.Pt(o.Width, o.Height),
		frame: time.Second / time.Duration(o.FPS),
		runs:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	cmd.Stderr = (*complaints)(e)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { // ends with ffmpeg
		defer close(e.done)
		e.frames = lastFrame(progress, sync.OnceFunc(func() { close(e.runs) }))
		e.err = cmd.Wait()
	}()
	if e.out, err = newMatroska(in, o.Width, o.Height); err != nil {
		e.Abort()
		return nil, e.fault(err)
	}
	return e, nil
}

// arguments makes a video of constant frame rate, of an even size as the usual kinds of video want it.
func arguments(o Options) []string {
	fit := fmt.Sprintf("pad=%d:%d:0:0:white,scale=in_range=full:out_range=limited,setsar=1,fps=%d,format=yuv420p",
		(o.Width+1)/2*2, (o.Height+1)/2*2, o.FPS)
	args := []string{
		"-hide_banner", "-loglevel", "error", "-nostdin", "-progress", "pipe:1", "-stats_period", "1",
		"-filter_threads", "1", "-threads", "1", "-probesize", "32", "-analyzeduration", "0", "-f", "matroska", "-i",
		"pipe:0", "-an", "-vf", fit, "-r", strconv.Itoa(o.FPS),
	}
	switch strings.ToLower(filepath.Ext(o.Path)) {
	case ".webm":
		// Threads of libvpx wait for each other by spinning: on a busy machine two take ten times as long as one.
		args = append(args, "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "15", "-crf", "12", "-b:v", "3M",
			"-threads", "1")
	default:
		args = append(args, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "23")
	}
	if strings.EqualFold(filepath.Ext(o.Path), ".mp4") {
		args = append(args, "-movflags", "+faststart")
	}
	return append(args, "-y", o.Path)
}

// Picture adds one that was taken at a time after the beginning; it is shown until the next one's time. It blocks while
// ffmpeg has not caught up.
func (e *Encoder) Picture(at time.Duration, jpeg []byte) error {
	jpeg, err := scaled(jpeg, e.size)
	if err != nil {
		return err
	}
	e.last.at, e.last.jpeg = max(at, 0), jpeg
	if err := e.out.picture(e.last.at, jpeg); err != nil {
		select { // what ffmpeg says tells more than a broken pipe
		case <-e.done:
		case <-time.After(time.Second):
		}
		return e.fault(err)
	}
	return nil
}

// Finish ends the video and returns how many frames it has. What is not ready when ctx ends is given up.
func (e *Encoder) Finish(ctx context.Context) (frames int, err error) {
	if e.last.jpeg != nil { // a picture without one after it has no duration, so that ffmpeg leaves it out
		_ = e.out.picture(e.last.at+e.frame+time.Millisecond, e.last.jpeg) // if ffmpeg has ended, it is told below
	}
	_ = e.in.Close()
	select {
	case <-e.done:
	case <-ctx.Done():
		e.Abort()
		return 0, fmt.Errorf("ffmpeg did not finish the video: %w", context.Cause(ctx))
	}
	if e.err != nil {
		return e.frames, e.fault(e.err)
	}
	return e.frames, nil
}

// Abort ends ffmpeg at once.
func (e *Encoder) Abort() {
	_ = e.in.Close()
	_ = e.cmd.Process.Kill()
	<-e.done
}

// usual are the kinds of video that every ffmpeg knows.
var usual = []string{".webm", ".mp4", ".mkv", ".mov", ".m4v", ".avi"}

// refusalLimit bounds how long ffmpeg may take to say anything.
const refusalLimit = 10 * time.Second

// Refused waits for ffmpeg to refuse a kind of video that it may not know, and returns what it says then.
func (e *Encoder) Refused() error {
	if slices.Contains(usual, strings.ToLower(filepath.Ext(e.cmd.Args[len(e.cmd.Args)-1]))) {
		return nil
	}
	select {
	case <-e.done:
		return e.fault(e.err)
	case <-e.runs:
		return nil
	case <-time.After(refusalLimit):
		return nil
	}
}

// fault says why ffmpeg ended, as it told it.
func (e *Encoder) fault(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if tail := strings.TrimSpace(string(e.tail)); tail != "" {
		return fmt.Errorf("ffmpeg: %s", tail)
	}
	return fmt.Errorf("ffmpeg: %w", err)
}

// complaints keeps the end of what ffmpeg writes to its standard error.
type complaints Encoder

const complaintsKept = 2000

func (c *complaints) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tail = append(c.tail, b...)
	if over := len(c.tail) - complaintsKept; over > 0 {
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return len(b), nil
}

// lastFrame reads ffmpeg's reports to their end, calls runs with the first, and returns the number of frames in the
// last one.
func lastFrame(r io.Reader, runs func()) (frames int) {
	var line []byte
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			runs()
		}
		for _, c := range buf[:n] {
			if c != '\n' {
				line = append(line, c)
				continue
			}
			if count, ok := bytes.CutPrefix(line, []byte("frame=")); ok {
				frames, _ = strconv.Atoi(strings.TrimSpace(string(count)))
			}
			line = line[:0]
		}
		if err != nil {
			return frames
		}
	}
}

// Check reports what is wrong with a finished video: that it is not there, empty, or not what its name says.
func Check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 12)
	if _, err := io.ReadFull(f, head); err != nil {
		return errors.New("nothing was written")
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".webm", ".mkv":
		if !bytes.HasPrefix(head, []byte{0x1A, 0x45, 0xDF, 0xA3}) {
			return errors.New("the file is not a WebM file")
		}
	case ".mp4", ".mov":
		if string(head[4:8]) != "ftyp" {
			return errors.New("the file is not an MP4 file")
		}
	}
	return nil
}
