package lookup

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/skua-browser/skua/internal/userfile"
)

// Bounds of a walk through a workspace.
const (
	maxWorkspaceCandidates = 10
	maxFileBytes           = 1 << 20
)

// skippedFolders hold generated and foreign files.
func skippedFolders() []string {
	return []string{".git", "node_modules", "dist", "build", "coverage", ".next", "out", "tmp", "temp"}
}

// walk reads the source files of a workspace, at most so many, until visit says that it is enough. It never leaves the
// folder: links are not followed.
func walk(ctx context.Context, root string, most int, visit func(path, content string) (enough bool)) (cut bool) {
	skipped, read := skippedFolders(), 0
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return filepath.SkipAll
		}
		if err != nil {
			return nil // a folder that cannot be read has nothing to tell
		}
		if entry.IsDir() {
			if path != root && slices.Contains(skipped, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || !isSource(entry.Name()) {
			return nil
		}
		if read >= most {
			cut = true
			return filepath.SkipAll
		}
		read++
		if info, err := entry.Info(); err != nil || info.Size() > maxFileBytes {
			return nil
		}
		content, err := userfile.Read(context.Background(), path, maxFileBytes)
		if err != nil {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			relative = path
		}
		if visit(filepath.ToSlash(relative), string(content)) {
			return filepath.SkipAll
		}
		return nil
	})
	return cut
}
