package parity

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var differsLine = regexp.MustCompile(`(?m)^differs .*\n`)

// Update writes the observed differences into the files of scenarios that give a reason to differ. It leaves alone
// those without a reason or without a difference: they need a decision.
func Update(dir string, judged []Judgement) error {
	for i := range judged {
		j := &judged[i]
		if len(j.Run) == 0 || j.reason() == "" || len(j.in) == 0 || slices.Equal(j.in, j.Differs) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(j.Path))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		line := "differs " + strings.Join(j.in, " ") + "\n"
		if err := os.WriteFile(path, differsLine.ReplaceAllLiteral(text, []byte(line)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
