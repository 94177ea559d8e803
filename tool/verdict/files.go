package verdict

import (
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

// verify looks at the files that the command says it wrote, and keeps account of recordings.
func (t *trial) verify() {
	p, a := t.Plan, t.Answer
	if p.Stateless || !a.Started {
		return
	}
	account := artifacts.Account{
		Ledger:    t.Files,
		Holder:    artifacts.Holder{Namespace: p.Key.Namespace, Session: p.Key.Name},
		Namespace: p.Namespace,
		Cwd:       p.Sessions.Cwd(),
		PATH:      p.Sessions.Env()["PATH"],
		Began:     p.Began,
		Others:    !p.Can().WritesFiles,
	}
	if p.Rows == nil {
		t.Artifacts = account.Command(&p.Words, a.ResultFacts.Files, a.Success, a.Error)
		if p.Words.Ends(trait.Video) && a.Code == fault.BrowserGone { // no command can stop it any longer
			t.Files.End(account.Holder)
		}
	} else {
		t.verifyRows(&account)
	}
	t.Notes = append(t.Notes, account.Notes...)
	if account.Dependency != nil {
		t.RecordingDependencyWarning = account.Dependency
	}
	if account.Saved != nil {
		t.SavedFile, t.SavedFilePath = account.Saved.Path, account.Saved.AbsolutePath
	}
	t.ArtifactVerification = artifacts.Verify(t.Artifacts)
	if why := artifacts.Failure(t.Artifacts); why != "" && a.Success {
		t.fail(contract.ArtifactMissing, why)
	}
	t.tellFiles()
}

// verifyRows does it for the rows of a batch, and begins the account of each.
func (t *trial) verifyRows(account *artifacts.Account) {
	for i := range t.Answer.Rows {
		row := &t.Answer.Rows[i]
		if row.Skipped || i >= len(t.Plan.Rows) {
			break
		}
		list := account.Command(&t.Plan.Rows[i], row.ResultFacts.Files, row.Success, row.Error)
		for len(t.BatchSteps) <= i {
			t.BatchSteps = append(t.BatchSteps, contract.BatchStep{Index: len(t.BatchSteps)})
		}
		step := &t.BatchSteps[i]
		step.Artifacts, step.ArtifactVerification = list, artifacts.Verify(list)
		if artifacts.Failure(list) != "" && step.FailureCategory == "" {
			step.FailureCategory = contract.ArtifactMissing
		}
		t.Artifacts = append(t.Artifacts, list...)
	}
}

// tellFiles puts what is known about files into the result.
func (t *trial) tellFiles() {
	if len(t.Artifacts) > 0 {
		t.Notes = append(t.Notes, t.fileLines())
	}
	closed := t.Plan.Words.EndsSession() && t.Answer.Success
	if len(t.Artifacts) == 0 && !closed {
		return
	}
	m := t.Files.Manifest()
	if m == nil {
		return
	}
	t.ArtifactManifest, t.ArtifactRetentionSummary = m, artifacts.Summary(m)
	if !closed {
		return
	}
	t.ArtifactCleanup = artifacts.Cleanup(m)
	if n := len(t.ArtifactCleanup.ExplicitArtifactPaths); n > 0 {
		t.Notes = append(t.Notes,
			"Artifact lifecycle: files that were saved stay; see details.artifactCleanup.explicitArtifactPaths.")
	}
}

// fileLines reports the files that no step of a batch reports by itself.
func (t *trial) fileLines() string {
	var rest []contract.Artifact
	for _, a := range t.Artifacts {
		if t.Plan.Rows == nil || artifacts.Failure([]contract.Artifact{a}) != "" {
			rest = append(rest, a)
		}
	}
	return artifacts.Lines(rest)
}
