package reply

import (
	"strings"

	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

// keep puts an output on disk that is too long to show.
func (w *writer) keep(kind, ext, text string) (string, error) {
	d := w.Details
	spilled, err := w.Spills.Write(kind, ext, w.Secrets.Text(text))
	d.EvictedOutputPaths = append(d.EvictedOutputPaths, spilled.Evicted...)
	if err != nil {
		return "", err
	}
	d.FullOutputPaths = append(d.FullOutputPaths, spilled.Path)
	w.recordSpill(&spilled)
	return spilled.Path, nil
}

// recordSpill keeps account of an output that was put on disk, and of those that had to go for it.
func (w *writer) recordSpill(spilled *artifacts.Spilled) {
	entry := contract.ManifestEntry{
		Session:        w.Plan.Key.Name,
		Kind:           "spill",
		Command:        w.Plan.Words.Command,
		StorageScope:   "persistent-session",
		RetentionState: "live",
	}
	if w.Spills.Temporary() {
		entry.StorageScope, entry.RetentionState = "process-temp", "ephemeral"
	}
	for _, path := range spilled.Evicted {
		gone := entry
		gone.Path, gone.AbsolutePath, gone.Command, gone.RetentionState = path, path, "", "evicted"
		w.Files.Add(gone)
	}
	entry.Path, entry.AbsolutePath = spilled.Path, spilled.Path
	w.Files.Add(entry)
	w.Details.ArtifactManifest = w.Files.Manifest()
	if len(spilled.Evicted) > 0 {
		w.notes = append(w.notes, artifacts.Summary(w.Details.ArtifactManifest))
	}
}

// listSpills puts the outputs that were kept on disk into the list of files. That some are gone, or go with the
// process, is told.
func (w *writer) listSpills() {
	d := w.Details
	if len(d.FullOutputPaths)+len(d.EvictedOutputPaths) == 0 {
		return
	}
	scope, state := "process-temp", "ephemeral"
	if w.Persistent {
		scope, state = "persistent-session", "live"
	}
	command, subcommand, _ := strings.Cut(w.Plan.Words.Name(), " ")
	entry := func(path, state string) contract.ManifestEntry {
		return contract.ManifestEntry{
			Path:           path,
			AbsolutePath:   path,
			Namespace:      w.Plan.Namespace,
			Session:        w.Plan.Key.Name,
			Kind:           string(artifacts.Spill),
			Command:        command,
			Subcommand:     subcommand,
			StorageScope:   scope,
			RetentionState: state,
		}
	}
	var spilled []contract.ManifestEntry
	for _, path := range d.FullOutputPaths {
		spilled = append(spilled, entry(path, state))
		w.Files.Add(entry(path, state))
	}
	d.ArtifactVerification = artifacts.VerifySpills(d.ArtifactVerification, spilled)
	for i := range d.BatchSteps {
		if step := &d.BatchSteps[i]; step.FullOutputPath != "" && step.Success {
			step.ArtifactVerification = artifacts.VerifySpills(step.ArtifactVerification,
				[]contract.ManifestEntry{entry(step.FullOutputPath, state)})
		}
	}
	if d.SuccessCategory == contract.Completed || d.SuccessCategory == contract.ArtifactSaved {
		if d.ArtifactVerification != nil && d.ArtifactVerification.UnverifiedCount > 0 {
			d.SuccessCategory = contract.ArtifactUnverified
		}
	}
	for _, path := range d.EvictedOutputPaths {
		w.Files.Add(entry(path, "evicted"))
	}
	m := w.Files.Manifest()
	d.ArtifactManifest, d.ArtifactRetentionSummary = m, artifacts.Summary(m)
	if !w.Plan.Words.JSON {
		w.addText(d.ArtifactRetentionSummary)
	}
}
