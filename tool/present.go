package tool

import (
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/showing"
)

// present makes what the model sees. Secrets leave the data first, since what is made of it may go to a file.
func (c *call) present() {
	d, secrets := c.details, c.secrets()
	c.dropUnread()
	var text string
	if len(c.answer.Rows) > 0 {
		text = c.presentBatch()
	} else {
		c.whole = secrets.Data(c.words.Name(), c.answer.Data)
		cmd := c.shown(&c.words, c.before.URL)
		cmd.Success, cmd.Data, cmd.Text, cmd.Error = d.ResultCategory == contract.Success || c.answer.Success, c.whole, secrets.Text(c.answer.Text), c.failureText()
		c.plan.Views.Narrow(&cmd, d)
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
		text = v.Text
		if saidByFiles(text, d.Artifacts) && !c.words.JSON {
			text = ""
		}
		if cmd.Success && d.ResultCategory == contract.Failure && !c.words.JSON { // the command did as it was told, and that was not enough
			text = showing.Joined(secrets.Text(d.Error), text)
		}
		c.attach(&cmd)
	}
	if !c.words.JSON {
		text = c.around(text)
	}
	c.content = append([]contract.Content{contract.TextOf(text)}, c.images...)
}

// attach puts the picture that a screenshot made into the result.
func (c *call) attach(cmd *showing.Command) {
	picture, path := showing.Image(cmd, c.tool.options.Cwd, c.tool.limits.InlineImageBytes)
	if picture == nil {
		return
	}
	c.images = append(c.images, *picture)
	d := c.details
	if d.ImagePath == "" {
		d.ImagePath = path
	}
	d.ImagePaths = append(d.ImagePaths, path)
}

// dropUnread drops the output of a program that could not be parsed: it may hold anything that a browser knows.
func (c *call) dropUnread() {
	d := c.details
	if c.answer.ParseError == "" {
		return
	}
	c.answer.Text, d.Stdout, d.Data = "", "", nil
	if d.FullOutputUnavailable == "" {
		d.FullOutputUnavailable = "Output that could not be read was discarded because it may contain sensitive browser data."
	}
}

// shown is a command with what all commands of the call have in common.
func (c *call) shown(w *argv.Words, known string) showing.Command {
	cmd := showing.Command{Words: w, JSON: c.words.JSON, Known: known, Keep: c.keep}
	cmd.Page = c.workedIn()
	if c.answer.WorkedIn != nil && c.answer.WorkedIn.TabID != c.before.TabID {
		cmd.Known = "" // of that tab's page, the caller was told no address last
	}
	return cmd
}

// workedIn returns the page that the call worked in: that of the tab which it named, else that which the session shows.
func (c *call) workedIn() contract.PageTarget {
	switch {
	case c.answer.WorkedIn != nil:
		return *c.answer.WorkedIn
	case c.state != nil:
		return c.state.Target
	}
	return contract.PageTarget{}
}

// keep puts an output on disk that is too long to show.
func (c *call) keep(kind, ext, text string) (string, error) {
	d := c.details
	w, err := c.tool.spills.Write(kind, ext, c.secrets().Text(text))
	d.EvictedOutputPaths = append(d.EvictedOutputPaths, w.Evicted...)
	if err != nil {
		return "", err
	}
	d.FullOutputPaths = append(d.FullOutputPaths, w.Path)
	c.recordSpill(&w)
	return w.Path, nil
}

// recordSpill keeps account of an output that was put on disk, and of those that had to go for it.
func (c *call) recordSpill(w *artifacts.Spilled) {
	entry := contract.ManifestEntry{Session: c.plan.Key.Name, Kind: "spill", Command: c.words.Command, StorageScope: "persistent-session", RetentionState: "live"}
	if c.tool.spills.Temporary() {
		entry.StorageScope, entry.RetentionState = "process-temp", "ephemeral"
	}
	for _, path := range w.Evicted {
		gone := entry
		gone.Path, gone.AbsolutePath, gone.Command, gone.RetentionState = path, path, "", "evicted"
		c.tool.files.Add(gone)
	}
	entry.Path, entry.AbsolutePath = w.Path, w.Path
	c.tool.files.Add(entry)
	c.details.ArtifactManifest = c.tool.files.Manifest()
	if len(w.Evicted) > 0 {
		c.notes = append(c.notes, artifacts.Summary(c.details.ArtifactManifest))
	}
}

// failureText is what went wrong, as the model reads it.
func (c *call) failureText() string {
	d := c.details
	for _, text := range [...]string{d.Error, d.ValidationError, c.answer.Error, c.answer.SpawnError, c.answer.ParseError, c.answer.Stderr} {
		if text = strings.TrimSpace(text); text != "" {
			return c.secrets().Text(text)
		}
	}
	if c.answer.TimedOut {
		return "The command timed out."
	}
	if text := strings.TrimSpace(c.answer.Text); text != "" { // what it found says it, as a check that failed
		return c.secrets().Text(text)
	}
	return "The command failed and did not say why."
}

// around adds to the command's own text what the tool has to say about it.
func (c *call) around(text string) string {
	d := c.details
	found, alone := c.findings()
	if alone {
		text = ""
	}
	parts := []string{found, text}
	for _, warning := range d.Warnings {
		parts = append(parts, "⚠ "+warning)
	}
	parts = append(parts, c.notes...)
	if d.ResultCategory == contract.Failure {
		whole := strings.Join(parts, "\n")
		parts = append(parts, translation{c.caller}.text(showing.Hint(&c.words, d.FailureCategory, whole)), showing.NextActions(d.NextActions))
	}
	if id, ok := judging.Confirmation(c.answer.Data); ok {
		parts = append(parts, "Pending confirmation id: "+id)
	}
	return showing.Joined(parts...)
}

// saidByFiles reports whether a text only names the file that the account of files below it names, too.
func saidByFiles(text string, files []contract.Artifact) bool {
	return len(files) == 1 && !strings.Contains(text, "\n") && files[0].AbsolutePath != "" &&
		(strings.HasSuffix(text, files[0].AbsolutePath) || strings.HasSuffix(text, " "+files[0].Path))
}
