package planning

import (
	"strings"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Output is the file that the result of a call goes to.
type Output struct {
	Path     string // as the caller named it
	Absolute string
	Place    artifacts.Place

	backend backend.Backend
	within  backend.Invocation // whose rules hold for the file
}

// NewOutput returns the file that a caller has named, or nil. The rules of the invocation hold for it.
func NewOutput(named *string, b backend.Backend, inv backend.Invocation) *Output {
	if named == nil {
		return nil
	}
	path := strings.TrimPrefix(*named, "@")
	absolute := artifacts.Absolute(path, inv.Cwd)
	return &Output{
		Path:     path,
		Absolute: absolute,
		Place:    artifacts.PlaceOf(absolute),
		backend:  b,
		within:   inv,
	}
}

// Reserve makes sure that it is not a file that the call or a recording writes, and that the owner allows it.
func (o *Output) Reserve(ledger *artifacts.Ledger, planned []artifacts.Planned) *contract.Refusal {
	if o == nil {
		return nil
	}
	for _, p := range planned {
		if p.Place.Same(o.Place) {
			return contract.Refuse(contract.ValidationError,
				"outputPath "+o.Path+" is the same destination as artifact path "+p.Path+
					"; the result would overwrite the file. Give it another one.")
		}
	}
	if ledger.Reserved(o.Place) {
		return contract.Refuse(contract.ValidationError,
			"outputPath "+o.Path+
				" is reserved by an active recording. Give another path, or end the recording first: record stop.")
	}
	if _, err := o.Allowed(); err != nil {
		return contract.Refuse(contract.PolicyBlocked, "policy-blocked: outputPath "+o.Path+": "+err.Error())
	}
	return nil
}

// Allowed asks the owner's rules about the file as it is now.
func (o *Output) Allowed() (policy.Destination, error) {
	return o.backend.Place(o.within, artifacts.PlaceOf(o.Absolute).Path())
}
