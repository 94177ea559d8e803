package showing

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/contract"
)

// Step is one command of a batch that was run, without secrets.
type Step struct {
	Index      int // from 0
	Command    []string
	Title      string // what it does, where the command itself is not for reading; empty means the command
	Success    bool
	Category   string // of a failure
	Text       string
	FullOutput string
	Bounded    bool // the text has a budget of its own
}

// IsLargeBatch reports whether the text of a batch is too long to be shown whole. Snapshots have a budget of their own:
// they count only where several of them are longer than one of a whole page may be.
func IsLargeBatch(text string, steps []Step) bool {
	most, lines := largeBytes, largeLines
	for i := range steps {
		if steps[i].Bounded {
			most += len(steps[i].Text)
			lines += strings.Count(steps[i].Text, "\n")
		}
	}
	return len(text) > min(most, look.SnapshotBytes(false)+largeBytes) ||
		len(text) > previewBytes && fullLines(text, lines) > lines
}

func (s *Step) name() string {
	if s.Title != "" {
		return s.Title
	}
	return clip(strings.Join(s.Command, " "), 120)
}

// Fold is a run of steps that one line tells: a text that was typed sign by sign.
type Fold struct {
	From, To int // of the batch's rows, To included
	Title    string
	Lines    []string
}

// Batch is the text of a batch of total rows, of which steps were run. Folded steps that all succeeded are told in one.
func Batch(steps []Step, total int, folds []Fold) string {
	var b strings.Builder
	if first := firstFailed(steps); first != nil {
		b.WriteString("Batch failed: " + number(succeeded(steps)) + "/" + number(total) + " succeeded\n")
		b.WriteString("First failing step: " + number(first.Index+1) + " — " + first.name() + "\n\n")
	}
	b.WriteString(outcomes(steps, total, folds))
	return strings.TrimSuffix(b.String(), "\n")
}

// outcomes writes the outcome of each step, with its text.
func outcomes(steps []Step, total int, folds []Fold) string {
	var b strings.Builder
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		if f, last := foldAt(folds, steps, i); f != nil {
			b.WriteString("Step " + number(s.Index+1) + "-" + number(steps[last].Index+1) + " — " + f.Title + " (succeeded)\n" +
				strings.Join(f.Lines, "\n") + "\n")
			i = last
			continue
		}
		outcome := "succeeded"
		if !s.Success {
			outcome = "failed"
		}
		b.WriteString("Step " + number(s.Index+1) + " — " + s.name() + " (" + outcome + ")\n")
		if s.Text != "" {
			b.WriteString(s.Text + "\n")
		}
	}
	if left := total - len(steps); left > 0 {
		b.WriteString("(" + wording.Plural(left, "later step") + " did not run)\n")
	}
	return b.String()
}

// foldAt returns the fold that begins with step i, if all of its steps succeeded, and its last step.
func foldAt(folds []Fold, steps []Step, i int) (*Fold, int) {
	for j := range folds {
		f := &folds[j]
		if f.From != steps[i].Index {
			continue
		}
		last := i
		for last < len(steps) && steps[last].Index <= f.To && steps[last].Success {
			last++
		}
		if last--; last >= i && steps[last].Index == f.To {
			return f, last
		}
	}
	return nil, 0
}

func firstFailed(steps []Step) *Step {
	for i := range steps {
		if !steps[i].Success {
			return &steps[i]
		}
	}
	return nil
}

func succeeded(steps []Step) (n int) {
	for i := range steps {
		if steps[i].Success {
			n++
		}
	}
	return n
}

// BatchSummary is a batch in a line.
func BatchSummary(steps []Step, total int) string {
	counts := number(succeeded(steps)) + "/" + number(total) + " succeeded"
	if firstFailed(steps) != nil {
		return "Batch failed: " + counts
	}
	return "Batch: " + counts
}

// BatchJSON is the answer of a batch as JSON.
func BatchJSON(data any, success bool) string {
	return compactJSON(struct {
		Data    any     `json:"data"`
		Error   *string `json:"error"` // the rows say it
		Success bool    `json:"success"`
	}{Data: data, Success: success})
}

// CompactedBatch is the text of a batch that is too long: the outcome of each step, with as much of their texts as
// there is room for.
func CompactedBatch(whole string, steps []Step, total int, folds []Fold, path, keepError string) string {
	shown := "\n\n" + strings.TrimSuffix(outcomes(shortened(steps), total, folds), "\n")
	return compacted("batch", whole, failureContext(steps), shown, path, keepError)
}

// shortened returns the steps with their texts cut to what a preview has room for: short texts stay whole, and long
// ones share the rest.
func shortened(steps []Step) []Step {
	steps = slices.Clone(steps)
	order := make([]*Step, len(steps))
	for i := range steps {
		steps[i].Text = withoutGaps(steps[i].Text)
		order[i] = &steps[i]
	}
	slices.SortStableFunc(order, func(a, b *Step) int { return len(a.Text) - len(b.Text) })
	bytes, lines := previewBytes, previewLines
	for i, s := range order {
		left := len(order) - i
		text := beginning(s.Text, max(bytes/left, 1), max(lines/left, 1))
		bytes, lines = max(bytes-len(text), 0), max(lines-strings.Count(text, "\n")-1, 0)
		if cut := len(s.Text) - len(text); cut > 0 {
			text += "\n(" + number(cut) + " more bytes)"
		}
		s.Text = text
	}
	return steps
}

// failureContext reports what failed first in a batch, for a text that does not show all of it.
func failureContext(steps []Step) string {
	first := firstFailed(steps)
	if first == nil {
		return ""
	}
	lines := []string{
		"Failure context:", "First failing step: " + number(first.Index+1) + " — " + first.name(),
		"Steps: " + number(succeeded(steps)) + " succeeded, " + number(len(steps)-succeeded(steps)) + " failed",
	}
	if first.Category != "" {
		lines = append(lines, "Failure category: "+first.Category)
	}
	lines = append(lines, "Failure: "+clip(strings.TrimSpace(first.Text), 700))
	if first.FullOutput != "" {
		lines = append(lines, "Output of the step: "+first.FullOutput)
	}
	return strings.Join(lines, "\n")
}

// DelayedTyping finds the rows of a job that type a text sign by sign.
func DelayedTyping(rows []contract.JobStep) (folds []Fold) {
	for i := 0; i < len(rows); {
		from, at := i, i
		target := ""
		if rows[at].GeneratedFrom == "type.selector" && len(rows[at].Args) > 1 {
			target = rows[at].Args[1]
			at++
		}
		signs, delay := 0, ""
		for at < len(rows) && isKeyboard(rows[at].Args) {
			signs++
			at++
			if at >= len(rows) || rows[at].GeneratedFrom != "type.delayMs" {
				break
			}
			if args := rows[at].Args; len(args) == 2 && args[0] == "wait" {
				delay = args[1]
				at++
			} else if !isKeyboard(args) {
				break
			}
		}
		if signs < 2 || delay == "" {
			i++
			continue
		}
		f := Fold{From: from, Title: "type", Lines: []string{"Typed " + number(signs) + " chars with delayMs=" + delay + "."}}
		if target != "" {
			f.Title += " " + target
		}
		if at < len(rows) && rows[at].GeneratedFrom == "type.press" && len(rows[at].Args) == 2 {
			f.Lines = append(f.Lines, "Pressed "+rows[at].Args[1]+".")
			at++
		}
		f.To = at - 1
		folds = append(folds, f)
		i = at
	}
	return folds
}

func isKeyboard(args []string) bool {
	return len(args) == 3 && args[0] == "keyboard" && args[1] == "type"
}
