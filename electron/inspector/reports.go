package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/reports.js
var reportsScript string

// Report has the app print to its standard error how its processes crash, and what its main process throws and does not
// catch. It does so once, and changes nothing else.
func (p *Process) Report(ctx context.Context) error { return p.call(ctx, reportsScript, nil, nil) }
