package artifacts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// Account is kept of the files that the commands of one call wrote, and of the recordings that they began and ended.
type Account struct {
	Ledger    *Ledger
	Holder    Holder  // the session of the commands
	Namespace *string // of the session, as results name it
	Cwd       string
	PATH      string // where agent-browser looks for ffmpeg
	Began     time.Time
	Others    bool // agent-browser ran the commands: it puts files elsewhere at times, and needs ffmpeg

	Notes      []string // notes that the model must see
	Saved      *contract.Artifact
	Dependency *contract.RecordingDependencyWarning
}

// Command looks at the files that a command which has run says it wrote.
func (a *Account) Command(line *argv.Words, files fact.Files, success bool, message string) []contract.Artifact {
	ledger, holder := a.Ledger, a.Holder
	if !success {
		if line.Ends(Video) && strings.Contains(strings.ToLower(message), "no recording in progress") {
			ledger.End(holder)
		}
		return nil
	}
	if line.EndsSession() {
		a.abandoned(line)
		return nil
	}
	run := Run{
		Line:      line,
		Files:     files,
		Cwd:       a.Cwd,
		Session:   holder.Session,
		Namespace: a.Namespace,
		Began:     a.Began,
		Ended:     time.Now(),
		Recording: ledger.Recording(holder),
		Repair:    a.Others,
	}
	written := run.Written()
	command, subcommand, _ := strings.Cut(line.Name(), " ")
	for i := range written {
		if entry, ok := EntryOf(&written[i], command, subcommand); ok {
			ledger.Add(entry)
		}
	}
	switch {
	case line.Begins(Video):
		ledger.End(holder)
		var r Recording
		if i := slices.IndexFunc(written, func(f contract.Artifact) bool {
			return f.Status == Pending && f.AbsolutePath != ""
		}); i >= 0 {
			r.Requested, r.Path = written[i].Path, written[i].AbsolutePath
		}
		for _, o := range OutputsOf(line, a.Cwd)[min(1, len(written)):] {
			r.Others = append(r.Others, Absolute(o.Path, a.Cwd))
		}
		if r.Path != "" {
			ledger.Begin(holder, r)
		}
		a.warnOfFFmpeg(line)
	case line.Ends(Video):
		ledger.End(holder)
	case line.Writes() != nil && line.Writes().Kind.Delivered():
		if n := len(written); n > 0 {
			a.Saved = &written[n-1]
		}
	}
	return written
}

// abandoned keeps account of the recordings that a close has ended. A session that ends in order saves its video; else
// there is none.
func (a *Account) abandoned(line *argv.Words) {
	holders := []Holder{a.Holder}
	if line.Has("all") {
		holders = a.Ledger.Holders(a.Holder.Namespace)
	}
	for _, h := range holders {
		r := a.Ledger.End(h)
		if r == nil {
			continue
		}
		entry := contract.ManifestEntry{
			Path:           r.Requested,
			AbsolutePath:   r.Path,
			Session:        h.Session,
			Kind:           string(Video),
			Command:        "record",
			Subcommand:     "close-abandoned",
			StorageScope:   "explicit-path",
			RetentionState: Missing,
		}
		if h.Namespace != "" {
			entry.Namespace = &h.Namespace
		}
		if info, err := os.Stat(r.Path); err == nil && info.Size() > 0 && info.ModTime().After(a.Began.Add(-2*time.Second)) {
			entry.RetentionState = "live"
			a.Notes = append(a.Notes, "The close ended the recording; what was recorded until then is in "+r.Path)
		} else {
			a.Notes = append(a.Notes, "The recording was not stopped before the close; there is no video at "+r.Path+".")
		}
		a.Ledger.Add(entry)
	}
}

// warnOfFFmpeg says that a recording of agent-browser's will not come to a video. skua's own commands say it
// themselves, and begin none.
func (a *Account) warnOfFFmpeg(line *argv.Words) {
	if !a.Others || OnPath("ffmpeg", a.PATH) {
		return
	}
	message := "Recording dependency warning: ffmpeg not found on PATH. The recording has begun, and record stop needs " +
		"ffmpeg to write its file."
	a.Dependency = &contract.RecordingDependencyWarning{
		Reason:     "ffmpeg-missing-for-recording",
		Dependency: "ffmpeg",
		Command:    line.Name(),
		Message:    message,
		Recommendations: []string{
			"Install ffmpeg and put it on the PATH before record stop.",
			"Take screenshots instead if you do not need a video.",
		},
	}
	a.Notes = append(a.Notes, message)
}

// OnPath reports whether a program is in one of the folders of a PATH.
func OnPath(program, path string) bool {
	for _, dir := range filepath.SplitList(path) {
		if _, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			return true
		}
	}
	return false
}
