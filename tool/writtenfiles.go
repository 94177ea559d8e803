package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

// verify looks at the files that the command says it wrote, and keeps account of recordings.
func (c *call) verify(context.Context) {
	if c.plan.Stateless || !c.answer.Started {
		return
	}
	d := c.details
	account := artifacts.Account{
		Ledger: c.tool.files, Holder: artifacts.Holder{Namespace: c.plan.Key.Namespace, Session: c.plan.Key.Name}, Namespace: c.plan.Namespace,
		Cwd: c.tool.options.Cwd, PATH: c.tool.options.Env["PATH"], Began: c.plan.Began, Others: !c.backend.Can().WritesFiles,
	}
	if c.plan.Rows == nil {
		d.Artifacts = account.Command(&c.words, c.answer.Data, c.answer.Success, c.answer.Error)
		if c.words.Does(trait.StopsRecording) && c.answer.Code == fault.BrowserGone { // no command can stop it any more
			c.tool.files.End(account.Holder)
		}
	} else {
		c.verifyRows(&account)
	}
	c.notes = append(c.notes, account.Notes...)
	if account.Dependency != nil {
		d.RecordingDependencyWarning = account.Dependency
	}
	if account.Saved != nil {
		d.SavedFile, d.SavedFilePath = account.Saved.Path, account.Saved.AbsolutePath
	}
	d.ArtifactVerification = artifacts.Verify(d.Artifacts)
	if why := artifacts.Failure(d.Artifacts); why != "" && c.answer.Success {
		c.fail(contract.ArtifactMissing, why)
	}
	c.tellFiles()
}

// verifyRows does it for the rows of a batch, and begins the account of each.
func (c *call) verifyRows(account *artifacts.Account) {
	d := c.details
	for i, row := range c.answer.Rows {
		if row.Skipped || i >= len(c.plan.Rows) {
			break
		}
		list := account.Command(&c.plan.Rows[i], row.Result, row.Success, row.Error)
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
		if c.plan.Rows == nil || artifacts.Failure([]contract.Artifact{a}) != "" {
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
			Path: path, AbsolutePath: path, Namespace: c.plan.Namespace, Session: c.plan.Key.Name, Kind: string(artifacts.Spill), Command: command, Subcommand: subcommand,
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
