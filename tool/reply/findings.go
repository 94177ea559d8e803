package reply

import (
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/lookup"
)

// findings are what the modes that judge what they ran have to say, which comes before what the batch says, or in its
// place: of a page that passed its check there is nothing else to read.
func (w *writer) findings() (text string, alone bool) {
	d := w.Details
	switch {
	case d.QAPreset != nil && d.QAPreset.Passed && d.ResultCategory == contract.Success:
		verified := 0
		if d.ArtifactVerification != nil {
			verified = d.ArtifactVerification.VerifiedCount
		}
		return lookup.QAPassed(d.CompiledQAPreset, d.QAPreset, w.Verdict.Shown, verified), true
	case d.QAPreset != nil && !d.QAPreset.Passed:
		return lookup.QAFailed(d.CompiledQAPreset, d.QAPreset), false
	case d.SourceLookup != nil:
		return lookup.SourceText(d.SourceLookup), false
	case d.NetworkSourceLookup != nil:
		return lookup.NetworkText(d.NetworkSourceLookup), false
	}
	return "", false
}
