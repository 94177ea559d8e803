package lookup

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

// QAPassed is what the model sees of a page that passed. Verified is how many of the files of the call are there.
func QAPassed(q *contract.CompiledQAPreset, verdict *contract.QAPreset, page contract.PageTarget, verified int) string {
	lines := []string{verdict.Summary}
	if page.URL != "" {
		at := page.URL
		if page.Title != "" {
			at = page.Title + " — " + page.URL
		}
		lines = append(lines, "Page: "+at)
	}
	steps := "steps"
	if len(q.Steps) == 1 {
		steps = "step"
	}
	lines = append(lines,
		fmt.Sprintf("Checks run: %s (%d batch %s)", strings.Join(checksOf(&q.Checks), ", "), len(q.Steps), steps))
	if q.Checks.ScreenshotPath != "" {
		lines = append(lines, fmt.Sprintf("Screenshot: %s (%d verified)", q.Checks.ScreenshotPath, verified))
	}
	if kept := preserved(&q.Checks); kept != "" {
		lines = append(lines, kept)
	}
	return strings.Join(append(lines, "Full diagnostic matrix: see details.qaPreset and details.batchSteps."), "\n")
}

// QAFailed is what comes before the batch's own text when a page did not pass.
func QAFailed(q *contract.CompiledQAPreset, verdict *contract.QAPreset) string {
	var b strings.Builder
	b.WriteString("QA preset failed.\nFailed checks:")
	for _, check := range verdict.FailedChecks {
		b.WriteString("\n- " + check)
	}
	if len(verdict.Warnings) > 0 {
		b.WriteString("\nWarnings: " + strings.Join(verdict.Warnings, "; "))
	}
	if kept := preserved(&q.Checks); kept != "" {
		b.WriteString("\n" + kept)
	}
	return b.String()
}

// QATitle says what a step of a check looks for, where its command is a script; else empty.
func QATitle(q *contract.CompiledQAPreset, step int) string {
	if step >= len(q.Steps) || q.Steps[step].Action != input.QAExpectedText {
		return ""
	}
	n := 0
	for i := range q.Steps[:step] {
		if q.Steps[i].Action == input.QAExpectedText {
			n++
		}
	}
	if n >= len(q.Checks.ExpectedText) {
		return ""
	}
	return input.QAExpectedText + " " + shortened(q.Checks.ExpectedText[n])
}

// preserved warns that what an attached page logged before the check counts too.
func preserved(c *contract.QAChecks) string {
	if !c.Attached || !c.CheckConsole && !c.CheckErrors && !c.CheckNetwork {
		return ""
	}
	return "Existing diagnostic buffers were preserved: events from before this check count as well."
}

func checksOf(c *contract.QAChecks) []string {
	list := []string{"load " + c.LoadState}
	for _, text := range c.ExpectedText {
		list = append(list, "text "+shortened(text))
	}
	add := func(run bool, name string) {
		if run {
			list = append(list, name)
		}
	}
	add(c.ExpectedSelector != "", "selector "+c.ExpectedSelector)
	add(c.CheckNetwork, "network")
	add(c.CheckConsole, "console")
	add(c.CheckErrors, "page errors")
	add(c.ScreenshotPath != "", "screenshot")
	return list
}
