package judging

import "github.com/skua-browser/skua/tool/contract"

// SuccessOf returns the category of a success.
func SuccessOf(o *Outcome) contract.SuccessCategory {
	if o.Inspection {
		return contract.Inspection
	}
	finished := 0
	for _, a := range o.Artifacts {
		if a.Status == "pending" {
			return contract.ArtifactPending
		}
		finished++
		if a.Exists == nil || !*a.Exists {
			return contract.ArtifactUnverified
		}
	}
	switch v := o.Verification; {
	case v != nil && v.UnverifiedCount > 0:
		return contract.ArtifactUnverified
	case v != nil && v.PendingCount > 0:
		return contract.ArtifactPending
	case finished > 0 || o.SavedFile != "":
		return contract.ArtifactSaved
	}
	return contract.Completed
}

// Judge puts the categories of an outcome into details.
func Judge(o *Outcome, d *contract.OutcomeDetails) {
	if o.Success && o.Known == "" {
		if o.ResultFacts.Confirmation == "" {
			d.ResultCategory, d.SuccessCategory, d.FailureCategory = contract.Success, SuccessOf(o), ""
			d.Retryable = false
			return
		}
		o.Known = contract.ConfirmationRequired
	}
	d.ResultCategory, d.SuccessCategory, d.FailureCategory = contract.Failure, "", FailureOf(o)
	d.Retryable = o.Code.Retryable()
}
