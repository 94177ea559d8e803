package reply

import (
	"strings"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/showing"
)

// command shows the one command of a call.
func (w *writer) command() string {
	d, words := w.Details, &w.Plan.Words
	w.whole = w.Secrets.Data(words.Name(), w.answer.Data)
	cmd := w.shown(words, w.Verdict.Before.URL)
	cmd.Success, cmd.Data, cmd.Text, cmd.Error = d.ResultCategory == contract.Success ||
		w.answer.Success, w.whole, w.Secrets.Text(w.answer.Text), w.failureText()
	w.Answer.Views.Narrow(&cmd, d)
	v := showing.Show(&cmd)
	d.Data, d.NavigationSummary = v.Data, v.Navigation
	if d.Summary == "" {
		d.Summary = v.Summary
	}
	if d.FullOutputPath == "" {
		d.FullOutputPath = v.FullOutput
	}
	if v.KeepError != "" {
		d.FullOutputUnavailable = v.KeepError
	}
	if d.Inspection {
		d.Stdout = cmd.Text
	}
	text := v.Text
	if saidByFiles(text, d.Artifacts) && !w.json {
		text = ""
	}
	if cmd.Success && d.ResultCategory == contract.Failure && !w.json {
		// the command did as it was told, and that was not enough
		text = showing.Joined(w.Secrets.Text(d.Error), text)
	}
	if cmd.Success {
		w.attach(&w.answer.ResultFacts.Files)
	}
	return text
}

// shown is a command with what all commands of the call have in common.
func (w *writer) shown(line *argv.Words, known string) showing.Command {
	cmd := showing.Command{Words: line, JSON: w.Plan.Words.JSON, Known: known, Keep: w.keep}
	cmd.Page = w.Verdict.Page
	if w.answer.WorkedIn != nil && w.answer.WorkedIn.TabID != w.Verdict.Before.TabID {
		cmd.Known = "" // of that tab's page, the caller was told no address last
	}
	return cmd
}

// attach puts the picture that a command made into the result.
func (w *writer) attach(files *fact.Files) {
	picture, path := showing.Image(files, w.Cwd, w.InlineImageBytes)
	if picture == nil {
		return
	}
	w.images = append(w.images, *picture)
	d := w.Details
	if d.ImagePath == "" {
		d.ImagePath = path
	}
	d.ImagePaths = append(d.ImagePaths, path)
}

// failureText is what went wrong, as the model reads it.
func (w *writer) failureText() string {
	d := w.Details
	for _, text := range [...]string{
		d.Error, d.ValidationError, w.answer.Error, w.answer.SpawnError, w.answer.ParseError,
		w.answer.Stderr,
	} {
		if text = strings.TrimSpace(text); text != "" {
			return w.Secrets.Text(text)
		}
	}
	if w.answer.TimedOut {
		return "The command timed out."
	}
	if text := strings.TrimSpace(w.answer.Text); text != "" { // what it found says it, as a check that failed
		return w.Secrets.Text(text)
	}
	return "The command failed and did not say why."
}

// around adds to the command's own text what the tool has to say about it.
func (w *writer) around(text string) string {
	d := w.Details
	found, alone := w.findings()
	if alone {
		text = ""
	}
	parts := []string{found, text}
	for _, warning := range d.Warnings {
		parts = append(parts, "⚠ "+warning)
	}
	parts = append(parts, w.notes...)
	if d.ResultCategory == contract.Failure {
		whole := strings.Join(parts, "\n")
		parts = append(parts, translation{w.Caller}.text(showing.Hint(&w.Plan.Words, d.FailureCategory, whole)),
			showing.NextActions(d.NextActions))
	}
	if id := w.answer.ResultFacts.Confirmation; id != "" {
		parts = append(parts, "Pending confirmation id: "+id)
	}
	return showing.Joined(parts...)
}

// saidByFiles reports whether a text only names the file that the account of files below it names, too.
func saidByFiles(text string, files []contract.Artifact) bool {
	return len(files) == 1 && !strings.Contains(text, "\n") && files[0].AbsolutePath != "" &&
		(strings.HasSuffix(text, files[0].AbsolutePath) || strings.HasSuffix(text, " "+files[0].Path))
}
