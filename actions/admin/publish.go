package admin

import (
	"strings"

	"github.com/skua-browser/skua/guides"
	guidefiles "github.com/skua-browser/skua/guides/installer"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/product"
)

// publish prepares the guides of a set. Ours get the program's name; those of others have names of their own.
func publish(program string, set guideSet) ([]guides.Published, error) {
	rename := guides.Among(program)
	if set.folder != "" {
		rename = guides.Kept
	}
	all, err := guides.Publish(set.all, product.Version, rename)
	if err != nil {
		return nil, fault.New(fault.Usage, "%w", err)
	}
	return all, nil
}

// filesOf returns the guides as Agent Skills, or as rules of Cursor.
func filesOf(all []guides.Published, rules bool) (files []guidefiles.File) {
	for _, p := range all {
		if rules {
			files = append(files, guidefiles.File(p.Rule()))
			continue
		}
		for _, f := range p.Files() {
			files = append(files, guidefiles.File(f))
		}
	}
	return files
}

// sectionOf is what AGENTS.md says, which every agent reads with every task: few words, and where the rest is.
func sectionOf(program string, all []guides.Published) string {
	var b strings.Builder
	b.WriteString("## Browser\n\nUse the command `" + program +
		"` for what needs a web page or a browser. Read the guide before the first command:\n\n")
	for _, p := range all {
		first, _, _ := strings.Cut(p.Description, ". ")
		b.WriteString("- `.agents/skills/" + p.Name + "/" + guides.File + "`: " + strings.TrimSuffix(first, ".") + "\n")
	}
	return b.String()
}
