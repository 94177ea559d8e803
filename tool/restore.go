package tool

import (
	"context"

	"github.com/skua-browser/skua/tool/contract"
)

// Restore takes up a conversation again, or another branch of it: it rebuilds what the tool knows from the details of
// the conversation's earlier results, oldest first. The tool has to have the session id and the folder of then.
// Sessions that the tool began since are still its own, and are closed with it. What each concern reads from the
// details is in a function of its own.
func (t *Tool) Restore(ctx context.Context, rows []*contract.Details) error {
	s := t.on(t.backend)
	leave, err := s.Turn.Take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.Restore(ctx, rows)
	t.restoreFiles(rows)
	t.apps.Restore(t.backend, rows)
	return ctx.Err()
}

// restoreFiles takes up the newest list of files that were made.
func (t *Tool) restoreFiles(rows []*contract.Details) {
	for _, d := range rows {
		if d != nil {
			t.files.Restore(d.ArtifactManifest)
		}
	}
}
