package capture

import (
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/profile"
)

// mostName is the longest name of a video that its temporary file has, too.
const mostName = 100

// prepare makes the file in which the video is written. It lies among the temporary ones, so that it is there also when
// the folder where it is to go is gone or its disk is full in the end. That a file can be written there now is tried.
// Its folder is locked as long as this process lives: what a killed one has left is removed by the next one that
// records or starts a browser.
func (t *take) prepare() error {
	probe, err := t.file.Create()
	if err != nil {
		return err
	}
	probe.Abort()
	base, err := profile.Base(profile.Drafts)
	if err != nil {
		return t.file.Failed(err)
	}
	profile.Sweep(base, profile.DraftPrefix, time.Now(), nil, slog.New(slog.DiscardHandler))
	if t.draft, err = profile.New(base, profile.DraftPrefix); err != nil {
		return t.file.Failed(err)
	}
	t.temp = filepath.Join(t.draft.Dir(), tempName(t.file.Path))
	f, err := os.OpenFile(t.temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.discard()
		return t.file.Failed(err)
	}
	return f.Close()
}

func tempName(path string) string {
	if name := filepath.Base(path); len(name) <= mostName {
		return name
	}
	return "video" + filepath.Ext(path)
}

// discard removes what prepare has made, and what is still in it.
func (t *take) discard() {
	if t.draft != nil {
		_ = t.draft.Remove()
		t.draft = nil
	}
}

// keep puts a finished video that could not be saved where it outlives this process.
func (t *take) keep() {
	f, err := os.CreateTemp("", "skua-recording-*-"+tempName(t.file.Path))
	if err != nil {
		return // it stays as long as this process lives
	}
	_ = f.Close()
	if err := atomicfile.Move(t.temp, f.Name()); err != nil {
		_ = os.Remove(f.Name())
		return
	}
	t.temp = f.Name()
	t.discard()
}
