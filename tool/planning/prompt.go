package planning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/promptguard"
)

// promised refuses to close the browser while files are missing that the user asked for by their paths.
func (s *planner) promised() *contract.Refusal {
	if s.prompt == "" || !s.Closes && !slices.ContainsFunc(s.Rows, func(w argv.Words) bool { return w.EndsSession() }) {
		return nil
	}
	guard := &contract.PromptGuard{Reason: "requested-artifacts-missing-before-close"}
	var names []string
	for _, a := range promptguard.Required(s.prompt, s.canRecord) {
		if !s.made(a) {
			guard.Missing = append(guard.Missing, contract.PromptRequested{Path: a.Path, Kind: string(a.Kind)})
			names = append(names, a.Path)
		}
	}
	if len(names) == 0 {
		return nil
	}
	s.Details.PromptGuard = guard
	return contract.Refuse(contract.PolicyBlocked,
		"policy-blocked: The browser stays open, because requested artifact paths are missing or unverified: "+
			strings.Join(names, ", ")+". Save them first, with `screenshot <path>` or `record stop`, then close.")
}

// made reports whether a file that was asked for is there, and was made by the tool.
func (s *planner) made(a promptguard.Artifact) bool {
	path := artifacts.Absolute(a.Path, s.Desk.Sessions.Cwd())
	m := s.Desk.Files.Manifest()
	if m == nil {
		return false
	}
	kinds := map[promptguard.Kind]string{promptguard.Screenshot: "image", promptguard.Recording: "video"}
	return slices.ContainsFunc(m.Entries, func(e contract.ManifestEntry) bool {
		if e.StorageScope != "explicit-path" || e.RetentionState != "live" || e.Kind != kinds[a.Kind] ||
			e.AbsolutePath != filepath.Clean(path) {
			return false
		}
		_, err := os.Stat(e.AbsolutePath)
		return err == nil
	})
}

// canRecord reports whether videos can be made.
func (s *planner) canRecord() bool {
	return s.Can().WritesFiles || artifacts.OnPath("ffmpeg", s.Desk.Sessions.Env()["PATH"])
}
