package capture

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/video"
	"github.com/skua-browser/skua/internal/wording"
)

// Bounds of a recording; SKUA_RECORD_SECONDS and SKUA_RECORD_BYTES say otherwise.
const (
	recordSeconds = 3600
	recordBytes   = 2 << 30
)

func recordCommands() []actions.Command {
	args := []actions.Arg{
		{
			Name:  "path",
			Value: "path.webm|path.mp4",
			Kind:  actions.Path,
			Help:  "Where to save it: .webm (VP8), .mp4 (H.264), or another format that ffmpeg knows",
		},
		{Name: "url", Kind: actions.URL, Optional: true, Help: "An address to open first"},
	}
	flags := []actions.Flag{
		{
			Name:    "fps",
			Kind:    actions.Int,
			Value:   "1-60",
			Default: "30",
			Help:    "Frames a second",
		},
		{
			Name: "cursor",
			Kind: actions.Bool,
			Help: "Draw the pointer and its clicks into the video; nothing is drawn in the page",
		},
		{
			Name: "contact-sheet",
			Kind: actions.Bool,
			Help: "Also save a contact sheet of the frames that differ, in <path>.contact-sheet.png",
		},
		{
			Name:    "contact-sheet-threshold",
			Kind:    actions.Number,
			Value:   "0-1",
			Default: "0.05",
			Help:    "The share of pixels that must change for another frame on the sheet",
		},
	}
	const help = "Records the tab across navigations, while other commands run. ffmpeg encodes the video. Without " +
		"ffmpeg the browser itself makes an .mp4 (AV1), if it can. A recording ends with its tab, its browser or its " +
		"session, and at the limits SKUA_RECORD_SECONDS (3600) and SKUA_RECORD_BYTES (2 GB). Then the video up to that " +
		"moment is saved, and the next reply says so."
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "record start",
				Group:   actions.GroupCapture,
				Summary: "Start recording a video of the tab",
				Help:    help,
				Args:    args,
				Flags:   flags,
				Examples: []actions.Example{{Line: "record start demo.webm"}, {
					Line: "record start demo.mp4 example.com --fps 60 --cursor",
				}},
				Upstream: []string{
					"record start <path> [url]",
					"record start <path.webm|path.mp4> [url] [--fps <n>] [--cursor] [--contact-sheet]",
					"record start <path> [--contact-sheet-threshold <n>]",
				},
				UpstreamHelp: "To record in a tab of its own, run `tab new [url]` before it. `doctor` says whether " +
					"there is ffmpeg.",
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Action: "recording_start", Families: policy.Does(policy.WritesFiles), Opens: true},
			Showing: actions.Showing{
				Traits: trait.Summarized | trait.Once, Recording: trait.Recording{Begins: trait.Video},
				Refs:   trait.Refs{Stale: trait.Always, Why: "A recording was started, which shows the page in a new tab."},
				Writes: &trait.Output{Kind: trait.Video, Arg: "path"},
			},
			Bindings: actions.Bindings{Data: []any{RecordingStartedResult{}}},
			Run:      func(ctx context.Context, c *actions.Call) (actions.Result, error) { return startRecording(ctx, c, nil) },
		},
		{
			Spec: actions.Spec{
				Name:    "record stop",
				Group:   actions.GroupCapture,
				Summary: "Stop recording and save the video",
				Help:    "A video that cannot be saved is kept, and the error names its file: `record stop <other path>` saves it.",
				Args: []actions.Arg{{
					Name:     "path",
					Kind:     actions.Path,
					Optional: true,
					Help:     "Where to save it in place of the path that the recording began with",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, AtLeast: func(*actions.Input) time.Duration {
				return finishLimit
			}},
			Safety: actions.Safety{Action: "recording_stop", Families: policy.Does(policy.WritesFiles), ForModels: true},
			Showing: actions.Showing{
				Traits: trait.Summarized | trait.Once, Recording: trait.Recording{Ends: trait.Video},
				Writes: &trait.Output{Kind: trait.Video},
			},
			Bindings: actions.Bindings{Data: []any{RecordingResult{}}},
			Run:      runRecordStop,
		},
		{
			Spec: actions.Spec{
				Name:    "record restart",
				Group:   actions.GroupCapture,
				Summary: "Save the video, if one is being recorded, and start another one",
				Args:    args,
				Flags:   flags,
				Upstream: []string{
					"record restart <path> [url]",
					"record restart <path.webm|path.mp4> [url] [--fps <n>] [--cursor] [--contact-sheet]",
					"record restart <path> [--contact-sheet-threshold <n>]",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, AtLeast: func(*actions.Input) time.Duration {
				return finishLimit
			}},
			Safety: actions.Safety{Action: "recording_restart", Families: policy.Does(policy.WritesFiles), Opens: true},
			Showing: actions.Showing{
				Traits: trait.Summarized | trait.Once, Recording: trait.Recording{Begins: trait.Video, Ends: trait.Video},
				Refs:   trait.Refs{Stale: trait.MoreThan(1), Why: "A recording was restarted on another page."},
				Writes: &trait.Output{Kind: trait.Video, Arg: "path"},
			},
			Bindings: actions.Bindings{Data: []any{RecordingStartedResult{}}},
			Run:      runRecordRestart,
		},
	}
}

func readTakeOptions(c *actions.Call) (o takeOptions, at place, err error) {
	path := c.String("path")
	if filepath.Ext(path) == "" {
		return o, at, c.Invalid("Invalid output path: '" + path + "' has no extension (use .webm or .mp4)")
	}
	o.fps, o.cursor, o.threshold = c.Int("fps"), c.Bool("cursor"), c.Float("contact-sheet-threshold")
	if o.fps < 1 || o.fps > 60 {
		return o, at, c.Invalid(fmt.Sprintf("Invalid fps: %d is out of range (valid range: 1-60)", o.fps))
	}
	if o.threshold < 0 || o.threshold > 1 {
		return o, at, c.Invalid("--contact-sheet-threshold must be from 0 to 1, got '" +
			strconv.FormatFloat(o.threshold, 'g', -1, 64) + "'")
	}
	at, err = placeOf(c, path, c.Bool("contact-sheet") || c.Has("contact-sheet-threshold"))
	return o, at, err
}

// placeOf decides where a video goes, and its contact sheet if it has one.
func placeOf(c *actions.Call, path string, sheet bool) (at place, err error) {
	if at.file, err = files.NewArtifact(c, "recording", path, "", ""); err == nil && sheet {
		at.sheet, err = files.NewArtifact(c, "contact sheet",
			strings.TrimSuffix(path, filepath.Ext(path))+".contact-sheet.png", "", "")
	}
	return at, err
}

// startRecording begins a take. Before, if it is not nil, is called when nothing is wrong with what the caller said.
func startRecording(ctx context.Context, c *actions.Call, before func() error) (actions.Result, error) {
	o, at, err := readTakeOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	ffmpeg, err := video.Find(c.Getenv("PATH"))
	byBrowser := err != nil
	if byBrowser {
		switch {
		case !strings.EqualFold(filepath.Ext(at.file.Path), ".mp4"):
			return actions.Result{}, ffmpegMissing("Recording to " + filepath.Ext(at.file.Path) + " needs ffmpeg")
		case o.cursor || at.sheet != nil:
			return actions.Result{}, ffmpegMissing("Recording with --cursor or --contact-sheet needs ffmpeg")
		}
	}
	if before != nil {
		if err := before(); err != nil {
			return actions.Result{}, err
		}
	} else if recorderOf(c).running() != nil {
		return actions.Result{}, recordingActive()
	}
	var notes []string
	if c.Has("url") {
		in, err := c.Parse([]string{"open", c.String("url")})
		if err != nil {
			return actions.Result{}, err
		}
		res, err := c.CarryOut(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		notes = res.Notes
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	t := &take{
		takeOptions: o,
		place:       at,
		tab:         tab.ID,
		done:        make(chan struct{}),
		seconds:     c.Limit("RECORD_SECONDS", recordSeconds),
		bytes:       int64(c.Limit("RECORD_BYTES", recordBytes)),
	}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := roll(ctx, c, tab, t, ffmpeg, byBrowser); err != nil {
		t.cancel(nil)
		return actions.Result{}, err
	}
	data := &RecordingStartedResult{
		ContactSheet: at.sheet != nil,
		Cursor:       o.cursor,
		FPS:          o.fps,
		Path:         at.file.Path,
		Started:      true,
		Tab:          tab.ID,
	}
	if at.sheet != nil {
		data.ContactSheetPath, data.ContactSheetThreshold = &at.sheet.Path, &o.threshold
	}
	if byBrowser {
		notes = append(notes, "ffmpeg is not on the PATH; the browser records the video itself (AV1)")
	}
	return actions.Result{
		Data:  data,
		Text:  fmt.Sprintf("✓ Recording started: %s (%d fps)", at.file.Shown, o.fps),
		Notes: notes,
	}, nil
}

// roll begins a take's video and its goroutine.
func roll(ctx context.Context, c *actions.Call, tab *actions.Tab, t *take, ffmpeg string, byBrowser bool) error {
	if err := t.prepare(); err != nil {
		return err
	}
	var record func(context.Context) (made, error)
	var abort func()
	if byBrowser {
		b, err := startScreenRecorder(ctx, tab.Page, t)
		if err != nil {
			t.discard()
			return err
		}
		record, abort = b.record, func() {}
	} else {
		k, err := startCamera(ctx, ffmpeg, tab.Page, t)
		if err != nil {
			t.discard()
			return err
		}
		record, abort = k.record, func() { k.cast.Close(); k.encoder.Abort() }
	}
	if err := recorderOf(c).begin(t); err != nil {
		abort()
		t.discard()
		return err
	}
	go t.run(record, func(err error) string { // ends with the take; recorder.End waits for it
		switch {
		case fault.Is(err, fault.PageGone):
			return "its tab " + tab.ID + " was closed"
		case err != nil:
			return err.Error()
		}
		return "it could not go on"
	})
	return nil
}

func runRecordStop(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var elsewhere *place
	if t := recorderOf(c).last(); t != nil && c.Has("path") {
		path, ext := c.String("path"), filepath.Ext(t.file.Path)
		if !strings.EqualFold(filepath.Ext(path), ext) {
			return actions.Result{}, c.Invalid("The recording is a " + ext + " video, and its path ends in that, too, got " +
				wording.Quote(path) + ".")
		}
		at, err := placeOf(c, path, t.sheet != nil)
		if err != nil {
			return actions.Result{}, err
		}
		elsewhere = &at
	}
	run.Progress(c, "Saving the video")
	t, note, err := recorderOf(c).stop(ctx, elsewhere)
	if note != "" {
		c.Note(note)
	}
	if err != nil {
		return actions.Result{}, err
	}
	file, err := t.saved.file.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	data := RecordingResult{
		CapturedFrames: t.made.captured,
		DurationMS: t.made.took.Round(time.Millisecond).
			Milliseconds(),
		Ended:     t.why,
		FPS:       t.fps,
		Frames:    t.made.frames,
		SavedFile: file,
	}
	if sheet := t.made.contact; sheet != nil {
		frames := sheet.Len()
		data.ContactSheetPath, data.ContactSheetFrames, data.ContactSheetThreshold, data.Dropped = t.saved.sheet.Path,
			&frames, &t.threshold, sheet.Dropped()
	}
	return actions.Result{
		Data: data,
		Text: fmt.Sprintf("✓ Recording saved to %s (%d fps)", t.saved.file.Shown, t.fps),
	}, nil
}

func runRecordRestart(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var previous *take
	res, err := startRecording(ctx, c, func() error {
		if recorderOf(c).running() == nil {
			return nil
		}
		var note string
		var err error
		run.Progress(c, "Saving the video before")
		if previous, note, err = recorderOf(c).stop(ctx, nil); note != "" {
			c.Note(note)
		}
		return err
	})
	if data, ok := res.Data.(*RecordingStartedResult); ok {
		data.Restarted, data.Started = true, false
		res.Text = strings.Replace(res.Text, "started", "restarted", 1)
		if previous != nil {
			data.PreviousPath = previous.saved.file.Path
			res.Text += " (previous saved to " + previous.saved.file.Shown + ")"
		}
	}
	return res, err
}
