package tool

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/promptguard"
)

// checkPrompt refuses to close the browser while files are missing that the user asked for by their paths.
func (c *call) checkPrompt() *contract.Refusal {
	if c.prompt == "" || !c.plan.closes && !slices.ContainsFunc(c.plan.rows, func(w argv.Words) bool { return w.Does(trait.EndsSession) }) {
		return nil
	}
	guard := &contract.PromptGuard{Reason: "requested-artifacts-missing-before-close"}
	var names []string
	for _, a := range promptguard.Required(c.prompt, c.canRecord) {
		if !c.made(a) {
			guard.Missing = append(guard.Missing, contract.PromptRequested{Path: a.Path, Kind: string(a.Kind)})
			names = append(names, a.Path)
		}
	}
	if len(names) == 0 {
		return nil
	}
	c.details.PromptGuard = guard
	return contract.Refuse(contract.PolicyBlocked, "policy-blocked: The browser stays open, because requested artifact paths are missing or unverified: "+
		strings.Join(names, ", ")+". Save them first, with `screenshot <path>` or `record stop`, then close.")
}

// made reports whether a file that was asked for is there, and was made by the tool.
func (c *call) made(a promptguard.Artifact) bool {
	path := a.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.tool.options.Cwd, path)
	}
	m := c.tool.files.Manifest()
	if m == nil {
		return false
	}
	kinds := map[promptguard.Kind]string{promptguard.Screenshot: "image", promptguard.Recording: "video"}
	return slices.ContainsFunc(m.Entries, func(e contract.ManifestEntry) bool {
		if e.StorageScope != "explicit-path" || e.RetentionState != "live" || e.Kind != kinds[a.Kind] || e.AbsolutePath != filepath.Clean(path) {
			return false
		}
		_, err := os.Stat(e.AbsolutePath)
		return err == nil
	})
}

// canRecord reports whether videos can be made.
func (c *call) canRecord() bool {
	return c.backend.Can().WritesFiles || artifacts.OnPath("ffmpeg", c.tool.options.Env["PATH"])
}
