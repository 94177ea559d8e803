package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// verify looks at the files that the command says it wrote, and keeps account of recordings.
func (c *call) verify(context.Context) {
	if c.plan.stateless || !c.answer.Started {
		return
	}
	d := c.details
	if c.plan.rows == nil {
		c.verifyOne(&c.words, c.answer.Data, c.answer.Success, c.answer.Error, &d.Artifacts)
	} else {
		c.verifyRows()
	}
	c.notRecorded()
	d.ArtifactVerification = artifacts.Verify(d.Artifacts)
	if why := artifacts.Failure(d.Artifacts); why != "" && c.answer.Success {
		c.fail(contract.ArtifactMissing, why)
	}
	c.tellFiles()
}

// verifyRows does it for the rows of a batch, and begins the account of each.
func (c *call) verifyRows() {
	d := c.details
	for i, row := range c.answer.Rows {
		if row.Skipped || i >= len(c.plan.rows) {
			break
		}
		var list []contract.Artifact
		c.verifyOne(&c.plan.rows[i], row.Result, row.Success, row.Error, &list)
		for len(d.BatchSteps) <= i {
			d.BatchSteps = append(d.BatchSteps, contract.BatchStep{Index: len(d.BatchSteps)})
		}
		step := &d.BatchSteps[i]
		step.Artifacts, step.ArtifactVerification = list, artifacts.Verify(list)
		if artifacts.Failure(list) != "" && step.FailureCategory == "" {
			step.FailureCategory = contract.ArtifactMissing
		}
		d.Artifacts = append(d.Artifacts, list...)
	}
}

// verifyOne does it for one command that has run.
func (c *call) verifyOne(line *argv.Words, data any, success bool, message string, list *[]contract.Artifact) {
	ledger, holder := c.tool.files, c.holder()
	if !success {
		if line.Does(trait.StopsRecording) && strings.Contains(strings.ToLower(message), "no recording in progress") {
			ledger.End(holder)
		}
		return
	}
	if line.Does(trait.EndsSession) {
		c.abandoned(line)
		return
	}
	run := artifacts.Run{
		Line: line, Data: data, Cwd: c.tool.options.Cwd, Session: c.plan.key.Name, Namespace: c.plan.namespace, Began: c.files.began, Ended: time.Now(),
		Recording: ledger.Recording(holder), Repair: c.backend.Name() == backend.NameSubprocess,
	}
	written := run.Written()
	*list = append(*list, written...)
	command, subcommand, _ := strings.Cut(line.Name(), " ")
	for i := range written {
		if entry, ok := artifacts.EntryOf(&written[i], command, subcommand); ok {
			ledger.Add(entry)
		}
	}
	switch {
	case line.Does(trait.StartsRecording):
		ledger.End(holder)
		var r artifacts.Recording
		for _, a := range written {
			switch {
			case a.Status != artifacts.Pending:
			case r.Path == "":
				r.Requested, r.Path = a.Path, a.AbsolutePath
			}
		}
		for _, o := range artifacts.OutputsOf(line, c.tool.options.Cwd)[min(1, len(written)):] {
			r.Others = append(r.Others, artifacts.Absolute(o.Path, c.tool.options.Cwd))
		}
		if r.Path != "" {
			ledger.Begin(holder, r)
		}
		c.warnOfFFmpeg(line)
	case line.Does(trait.StopsRecording):
		ledger.End(holder)
	case line.Does(trait.SavesFile):
		for _, a := range written {
			c.details.SavedFile, c.details.SavedFilePath = a.Path, a.AbsolutePath
		}
	}
}

func (c *call) holder() artifacts.Holder {
	return artifacts.Holder{Namespace: c.plan.key.Namespace, Session: c.plan.key.Name}
}

// abandoned keeps account of the recordings that a close has ended. A session that ends in order saves its video; else there is none.
func (c *call) abandoned(line *argv.Words) {
	holders := []artifacts.Holder{c.holder()}
	if line.Has("all") {
		holders = c.tool.files.Holders(c.plan.key.Namespace)
	}
	for _, h := range holders {
		r := c.tool.files.End(h)
		if r == nil {
			continue
		}
		entry := contract.ManifestEntry{
			Path: r.Requested, AbsolutePath: r.Path, Session: h.Session, Kind: string(artifacts.Video), Command: "record", Subcommand: "close-abandoned",
			StorageScope: "explicit-path", RetentionState: artifacts.Missing,
		}
		if h.Namespace != "" {
			entry.Namespace = &h.Namespace
		}
		if info, err := os.Stat(r.Path); err == nil && info.Size() > 0 && info.ModTime().After(c.files.began.Add(-2*time.Second)) {
			entry.RetentionState = "live"
			c.notes = append(c.notes, "The close ended the recording; what was recorded until then is in "+r.Path)
		} else {
			c.notes = append(c.notes, "The recording was not stopped before the close; there is no video at "+r.Path+".")
		}
		c.tool.files.Add(entry)
	}
}

// notRecorded gives free what a recording holds whose session has no browser any more.
func (c *call) notRecorded() {
	if c.tool.files.Recording(c.holder()) != nil && c.words.Does(trait.StopsRecording) && !c.answer.Success && c.answer.Code == "browser-gone" {
		c.tool.files.End(c.holder())
	}
}

// warnOfFFmpeg says that a recording of agent-browser's will not come to a video. skua's own commands say it themselves, and begin none.
func (c *call) warnOfFFmpeg(line *argv.Words) {
	if c.backend.Name() == backend.NameNative || onPath("ffmpeg", c.tool.options.Env["PATH"]) {
		return
	}
	message := "Recording dependency warning: ffmpeg not found on PATH. The recording has begun, and record stop needs ffmpeg to write its file."
	c.details.RecordingDependencyWarning = &contract.RecordingDependencyWarning{
		Reason: "ffmpeg-missing-for-recording", Dependency: "ffmpeg", Command: line.Name(), Message: message,
		Recommendations: []string{"Install ffmpeg and put it on the PATH before record stop.", "Take screenshots instead if you do not need a video."},
	}
	c.notes = append(c.notes, message)
}

func onPath(program, path string) bool {
	for _, dir := range filepath.SplitList(path) {
		if _, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			return true
		}
	}
	return false
}

// tellFiles puts what is known of files into the result.
func (c *call) tellFiles() {
	d := c.details
	if len(d.Artifacts) > 0 {
		c.notes = append(c.notes, c.fileLines())
	}
	closed := c.words.Does(trait.EndsSession) && c.answer.Success
	if len(d.Artifacts) == 0 && !closed {
		return
	}
	m := c.tool.files.Manifest()
	if m == nil {
		return
	}
	d.ArtifactManifest, d.ArtifactRetentionSummary = m, artifacts.Summary(m)
	if !closed {
		return
	}
	d.ArtifactCleanup = artifacts.Cleanup(m)
	if n := len(d.ArtifactCleanup.ExplicitArtifactPaths); n > 0 {
		c.notes = append(c.notes, "Artifact lifecycle: files that were saved stay; see details.artifactCleanup.explicitArtifactPaths.")
	}
}

// fileLines tells of the files that no step of a batch tells of by itself.
func (c *call) fileLines() string {
	var rest []contract.Artifact
	for _, a := range c.details.Artifacts {
		if c.plan.rows == nil || artifacts.Failure([]contract.Artifact{a}) != "" {
			rest = append(rest, a)
		}
	}
	return artifacts.Lines(rest)
}

// listSpills puts the outputs that were kept on disk into the list of files. That some are gone, or go with the process, is told.
func (c *call) listSpills() {
	d := c.details
	if len(d.FullOutputPaths)+len(d.EvictedOutputPaths) == 0 {
		return
	}
	scope, state := "process-temp", "ephemeral"
	if c.tool.options.StateDir != "" {
		scope, state = "persistent-session", "live"
	}
	command, subcommand, _ := strings.Cut(c.words.Name(), " ")
	entry := func(path, state string) contract.ManifestEntry {
		return contract.ManifestEntry{
			Path: path, AbsolutePath: path, Namespace: c.plan.namespace, Session: c.plan.key.Name, Kind: string(artifacts.Spill), Command: command, Subcommand: subcommand,
			StorageScope: scope, RetentionState: state,
		}
	}
	var spilled []contract.ManifestEntry
	for _, path := range d.FullOutputPaths {
		spilled = append(spilled, entry(path, state))
		c.tool.files.Add(entry(path, state))
	}
	d.ArtifactVerification = artifacts.VerifySpills(d.ArtifactVerification, spilled)
	for i := range d.BatchSteps {
		if step := &d.BatchSteps[i]; step.FullOutputPath != "" && step.Success {
			step.ArtifactVerification = artifacts.VerifySpills(step.ArtifactVerification, []contract.ManifestEntry{entry(step.FullOutputPath, state)})
		}
	}
	if d.SuccessCategory == contract.Completed || d.SuccessCategory == contract.ArtifactSaved {
		if d.ArtifactVerification != nil && d.ArtifactVerification.UnverifiedCount > 0 {
			d.SuccessCategory = contract.ArtifactUnverified
		}
	}
	for _, path := range d.EvictedOutputPaths {
		c.tool.files.Add(entry(path, "evicted"))
	}
	m := c.tool.files.Manifest()
	d.ArtifactManifest, d.ArtifactRetentionSummary = m, artifacts.Summary(m)
	if !c.words.JSON {
		c.addText(d.ArtifactRetentionSummary)
	}
}
