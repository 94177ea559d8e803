package artifacts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// Text is the block that tells of a file; index is its place in details.artifacts.
func Text(a *contract.Artifact, index int) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	label := a.Label
	if label == "" {
		label = "File"
	}
	line(label, a.Path)
	line("Artifact type", a.ArtifactType)
	line("Requested path", a.RequestedPath)
	line("Absolute path", a.AbsolutePath)
	switch {
	case a.Status == Pending:
		line("Exists", "pending until record stop")
	case a.Exists != nil:
		line("Exists", map[bool]string{true: "yes", false: "no"}[*a.Exists])
	}
	if a.SizeBytes != nil {
		line("Size", Size(*a.SizeBytes))
		line("Size bytes", strconv.FormatInt(*a.SizeBytes, 10))
	}
	line("Status", a.Status)
	line("Temp path", a.TempPath)
	line("Media type", a.MediaType)
	line("Session", a.Session)
	line("CWD", a.Cwd)
	fmt.Fprintf(&b, "Machine data: details.artifacts[%d]", index)
	return b.String()
}

// Blocks is the text of all files of a call.
func Blocks(list []contract.Artifact) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = Text(&list[i], i)
	}
	return strings.Join(texts, "\n\n")
}

// Size is a number of bytes for people.
func Size(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
	}
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
}
