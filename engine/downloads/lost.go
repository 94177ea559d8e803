package downloads

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Lost returns the error of a session that ends before its downloads are in their folder; nil means that there are
// none.
func Lost(items []Item, dir string) *fault.Error {
	if len(items) == 0 {
		return nil
	}
	var names, why []string
	for _, d := range items {
		names = append(names, d.Name)
		if d.KeepErr != nil {
			why = append(why, strings.TrimSuffix(fault.MessageOf(d.KeepErr), "."))
			continue
		}
		of := "an unknown size"
		if d.Total > 0 {
			of = wording.Bytes(d.Total)
		}
		why = append(why,
			fmt.Sprintf("the download of %q was not complete (%s of %s)", d.Name, wording.Bytes(d.Received), of))
	}
	return fault.New(fault.File, "%s", strings.Join(why, "; ")).About(dir).With("downloads", names).With("path", dir).
		WithHint(
			"The files ended with the browser. Before `close`, `wait --download [path]` waits for a download, and saves " +
				"it elsewhere.")
}
