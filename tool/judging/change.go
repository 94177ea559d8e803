package judging

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	reading "github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
)

// Change returns the short form of what a command that succeeded, or waits for a confirmation, did to its page; nil
// when it only read.
func Change(o *Outcome, next []contract.NextAction) *contract.PageChangeSummary {
	s := o.change()
	if s == nil {
		return nil
	}
	s.Command = o.command()
	s.NextActionIDs = emitted(o.changeIDs(s.ChangeType), next)
	return s
}

func (o *Outcome) change() *contract.PageChangeSummary {
	switch {
	case o.Inspection:
		return nil
	case o.ResultFacts.Confirmation != "":
		return &contract.PageChangeSummary{
			ChangeType: "confirmation",
			Summary:    "Waits for the confirmation " + o.ResultFacts.Confirmation,
		}
	case !o.Success:
		return nil
	case len(o.Artifacts) > 0 || o.SavedFile != "":
		return o.artifactChange()
	}
	if s := o.navigation(); s != nil {
		return s
	}
	if !o.mutates() && !o.Line.Akin(trait.Summarized) || o.Line.Ends(trait.Video) && !o.Line.Begins(trait.Video) {
		return nil
	}
	return &contract.PageChangeSummary{
		ChangeType: "mutation",
		Summary:    o.commandName() + " was done",
		Title:      o.Page.Title,
		URL:        o.Page.URL,
	}
}

// commandName is the command with its second word, where that is a part of its name.
func (o *Outcome) commandName() string {
	if o.Line.Akin(trait.Finds) {
		return strings.TrimSpace(o.command() + " " + o.Line.FoundAction())
	}
	if e := o.Line.Entry; e != nil {
		return e.Name
	}
	return o.Line.Command
}

func (o *Outcome) artifactChange() *contract.PageChangeSummary {
	s := &contract.PageChangeSummary{ChangeType: "artifact", ArtifactCount: len(o.Artifacts), SavedFilePath: o.SavedFile}
	switch {
	case o.SavedFile != "":
		s.Summary = o.commandName() + " saved " + o.SavedFile
	case len(o.Artifacts) == 1:
		a := o.Artifacts[0]
		s.Summary = o.commandName() + ": " + a.Kind + " " + a.Path
		if a.Status == "pending" {
			s.Summary += ", written when it is stopped"
		}
	default:
		s.Summary = o.commandName() + ": " + strconv.Itoa(len(o.Artifacts)) + " files"
	}
	return s
}

// navigation reports a page that the command opened or led to.
func (o *Outcome) navigation() *contract.PageChangeSummary {
	if led := o.ResultFacts.Effects.Led(); led != nil {
		title := ""
		if o.Page.URL == led.To {
			title = o.Page.Title
		}
		return navigated(o.commandName()+" led to ", title, led.To)
	}
	page := o.ResultFacts.Page
	switch {
	case o.Line.Entry.Loads() && page.URL != "":
		return navigated("Opened ", page.Title, page.URL)
	case o.mutates() && page.URL != "" && !o.Line.Akin(trait.AboutDialog) &&
		!actions.Yields[reading.EvalResult](o.Line.Entry):
		return navigated(o.commandName()+": the page is ", page.Title, page.URL)
	}
	return nil
}

func navigated(how, title, url string) *contract.PageChangeSummary {
	what := title
	if what == "" {
		what = url
	}
	return &contract.PageChangeSummary{ChangeType: "navigation", Summary: how + what, Title: title, URL: url}
}

// changeIDs are the follow-ups that a kind of change is usually linked to.
func (o *Outcome) changeIDs(kind string) []string {
	switch kind {
	case "confirmation":
		return []string{"approve-confirmation", "deny-confirmation"}
	case "artifact":
		return []string{"use-saved-artifact", "stop-pending-recording", "wait-for-download", "verify-artifact-path"}
	}
	return []string{
		"inspect-opened-page", "inspect-after-mutation", "verify-connected-session-url",
		"list-connected-session-tabs",
	}
}

// emitted returns the ids that follow-ups really have, nil when there are none.
func emitted(ids []string, next []contract.NextAction) []string {
	var kept []string
	for _, a := range next {
		for _, id := range ids {
			if a.ID == id {
				kept = append(kept, id)
			}
		}
	}
	return kept
}
