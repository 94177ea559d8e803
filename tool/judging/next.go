package judging

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/network"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// NextActions returns what may be done after an outcome whose categories are known, bound to its session.
func NextActions(o *Outcome, d *contract.OutcomeDetails) []contract.NextAction {
	var list []contract.NextAction
	if d.ResultCategory == contract.Success {
		list = o.afterSuccess()
	} else {
		list = o.afterFailure(d.FailureCategory)
	}
	if tab := o.Line.Value("tab"); tab != "" {
		for i := range list {
			list[i] = inTab(tab, list[i])
		}
	}
	return In(o.Session, list)
}

// mutates reports whether the page is worth a new look after the command.
func (o *Outcome) mutates() bool {
	return o.Line.Akin(trait.LookAgain) || o.Line.Found().Is(trait.LookAgain)
}

func (o *Outcome) afterSuccess() []contract.NextAction {
	if o.Inspection {
		return nil
	}
	var list []contract.NextAction
	switch {
	case o.Line.Entry.Loads():
		list = append(list, look("inspect-opened-page", "See what the opened page offers."))
	case o.mutates():
		list = append(list, caution(look("inspect-after-mutation", "See what the page shows after the action."), oldRefs))
	case actions.Yields[network.Requests](o.Line.Entry):
		list = o.afterRequests()
	}
	list = AppendUnique(list, o.asDefined()...)
	return AppendUnique(list, o.afterFiles()...)
}

// asDefined is what the command's definition says may be done after it.
func (o *Outcome) asDefined() []contract.NextAction {
	if o.Line.Entry == nil || o.Line.Entry.Next == nil {
		return nil
	}
	var list []contract.NextAction
	for _, f := range o.Line.Entry.Next(o.Data) {
		list = append(list, caution(Act(f.ID, f.Reason, f.Line...), f.Safety))
	}
	return list
}

// afterFiles is what to do with the files of the command.
func (o *Outcome) afterFiles() []contract.NextAction {
	var list []contract.NextAction
	for _, a := range o.Artifacts {
		switch {
		case a.Status == "pending":
			list = AppendUnique(list,
				Act("stop-pending-recording", "Finish the recording, which writes its file.", "record", "stop"))
		case a.Status == "missing" || a.Exists != nil && !*a.Exists:
			list = AppendUnique(list, o.afterMissing(a)...)
		case a.Exists != nil:
			path := a.AbsolutePath
			if path == "" {
				path = a.Path
			}
			list = AppendUnique(list, saved(path))
		}
	}
	if o.SavedFile != "" && len(o.Artifacts) == 0 {
		list = AppendUnique(list, saved(o.SavedFile))
	}
	return list
}

func saved(path string) contract.NextAction {
	return contract.NextAction{
		Tool:         contract.ToolName,
		ID:           "use-saved-artifact",
		Reason:       "Use the saved file.",
		ArtifactPath: path,
		Safety:       "Check details.artifactVerification first.",
	}
}

func (o *Outcome) afterMissing(a contract.Artifact) []contract.NextAction {
	if a.Kind == "download" {
		return []contract.NextAction{awaitDownload(a.Path)}
	}
	path := a.AbsolutePath
	if path == "" {
		path = a.Path
	}
	return []contract.NextAction{{
		Tool:         contract.ToolName,
		ID:           "verify-artifact-path",
		Reason:       "The file was reported but does not exist; look for it before you rely on it.",
		ArtifactPath: path,
	}}
}

func awaitDownload(path string) contract.NextAction {
	args := []string{"wait", "--download"}
	if path != "" {
		args = append(args, path)
	}
	return Act("wait-for-download", "Wait until the download is complete, and save it.", args...)
}

func (o *Outcome) afterFailure(category contract.FailureCategory) []contract.NextAction {
	var list []contract.NextAction
	if tab := o.Facts.RefTab; tab != "" && category == contract.StaleRef {
		line := argv.Read(o.Line.Without("tab"))
		return []contract.NextAction{
			Act("act-in-tab-of-ref", "Do the same in the tab that the ref belongs to.",
				append([]string{"--tab", tab}, line.Rest()...)...),
			inTab(tab, look("see-tab-of-ref", "See what the tab of the ref shows now.")),
		}
	}
	switch category {
	case contract.StaleRef, contract.SelectorNotFound, contract.SelectorUnsupported:
		list = append(list,
			caution(look("refresh-interactive-refs", "Get the page's current refs before you try the action again."),
				"Use a ref of the new snapshot or a locator; the old ref does not come back."))
	case contract.TimedOut:
		list = o.afterTimeout()
	case contract.ConfirmationRequired:
		if id := o.ResultFacts.Confirmation; id != "" {
			if o.SelfConfirm {
				list = append(list, Act("approve-confirmation", "Let the waiting action continue.", "confirm", id))
			}
			list = append(list, Act("deny-confirmation", "Refuse the waiting action.", "deny", id))
		}
	case contract.DownloadNotVerified:
		list = append(list, awaitDownload(o.downloadPath()))
	case contract.ArtifactMissing:
		list = o.afterFiles()
		if len(list) == 0 && o.downloads() {
			list = append(list, awaitDownload(o.downloadPath()))
		}
	case contract.TabDrift:
		list = append(list, Act("list-tabs-for-recovery", "List the tabs, then choose the right one.", "tab", "list"))
	case contract.TabGone:
		list = append(list, Act("list-tabs-after-tab-gone", "See which tabs are left.", "tab", "list"),
			Act("open-tab-after-tab-gone", "Open a new tab instead of the one that is gone.", "tab", "new"))
	case contract.UpstreamError:
		list = o.afterUpstreamError()
	}
	if o.Data != nil { // a command that failed with a result, such as a task that waits
		list = AppendUnique(list, o.asDefined()...)
	}
	list = AppendUnique(list, o.setup(category)...)
	return AppendUnique(list, o.pendingRecording()...)
}

// pendingRecording is how to end a recording that a failed command left open.
func (o *Outcome) pendingRecording() []contract.NextAction {
	for _, a := range o.Artifacts {
		if a.Status == "pending" {
			return []contract.NextAction{Act("stop-pending-recording", "Finish the recording, which writes its file.", "record",
				"stop")}
		}
	}
	return nil
}

func (o *Outcome) downloadPath() string {
	w := o.Line.Writes()
	if w == nil {
		return ""
	}
	if f := o.Line.Flag(w.Flag); f != nil && f.HasValue {
		return f.Value
	}
	return o.Line.Positional(slices.IndexFunc(o.Line.Entry.Args, func(a actions.Arg) bool { return a.Name == w.Arg }))
}

const inspectAfterTimeout = "inspect-after-timeout"

func (o *Outcome) afterTimeout() []contract.NextAction {
	switch {
	case o.Line.Entry.Waits() && o.Line.Has("text"):
		return []contract.NextAction{look("inspect-after-text-assertion-failure",
			"See what the page shows instead of the text.")}
	case o.Line.Entry.Waits() && o.Line.Has("url"):
		return []contract.NextAction{
			look(inspectAfterTimeout, "See where the page is now."),
			fresh(Act("fresh-session-after-url-wait-timeout", "Start again in a new session if this one no longer answers.",
				"open", "about:blank")),
		}
	}
	return []contract.NextAction{caution(look(inspectAfterTimeout, "See what the page shows now."), mayHave)}
}

func (o *Outcome) afterUpstreamError() []contract.NextAction {
	text := strings.ToLower(o.Error)
	switch {
	case o.Line.Entry.Loads():
		return []contract.NextAction{Act("inspect-page-after-navigation-error", "See which page the session is left on.",
			"get", "url")}
	case o.Line.Entry.HandsOutRefs() && (strings.Contains(text, "no active page") || o.Code == fault.BrowserGone):
		return []contract.NextAction{Act("list-tabs-after-no-active-page", "See whether there is a tab to choose.", "tab",
			"list")}
	}
	return nil
}

// setupProblems is compiled when a failure without a code has to be read for the first time.
var setupProblems = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)(?:chrome |browser )?profile\b.*(?:not found|does not exist|could not be (?:found|resolved)|in use|locked)|user[- ]data[- ]dir|singletonlock`)
})

// unknownCommand are the words of an error about a command that there is not.
var unknownCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)unknown command|unknown subcommand|unrecognized command`)
})

// setup is what to do about a browser that does not start as asked for, and about getters that need `get` before them.
func (o *Outcome) setup(category contract.FailureCategory) []contract.NextAction {
	if o.Missing { // every other command would be run by the same missing program
		return nil
	}
	command := o.Line.Command
	if (command == "title" || command == "url") &&
		(category == contract.ValidationError || category == contract.UpstreamError) &&
		unknownCommand().MatchString(o.Error) {
		return []contract.NextAction{Act("use-get-"+command, "The page's "+command+" is read with get.", "get", command)}
	}
	list := o.cures(category)
	if o.FreshLaunch {
		list = AppendUnique(list, o.afterFreshLaunch()...)
	}
	kept := list[:0]
	for _, a := range list { // what fails is not the cure for itself
		if len(a.Params.Args) != 1 || a.Params.Args[0] != command {
			kept = append(kept, a)
		}
	}
	return kept
}

// cures are the commands that show what a call named wrongly, or what is wrong with the installation. The code decides;
// the text of a failure is read only where there is no code, since it may name anything.
func (o *Outcome) cures(category contract.FailureCategory) []contract.NextAction {
	profiles := Act("inspect-browser-profiles", "List the browser profiles.", "profiles")
	doctor := Act("run-agent-browser-doctor", "Check the installation.", "doctor")
	switch o.Code {
	case fault.CredentialNotFound:
		return []contract.NextAction{Act("list-stored-logins", "List the stored logins.", "auth", "list")}
	case fault.ProfileNotFound:
		return []contract.NextAction{profiles}
	case fault.PluginNotFound:
		return []contract.NextAction{Act("list-plugins", "List the configured plugins.", "plugin", "list")}
	case fault.BrowserLaunch, fault.BrowserMissing:
		return []contract.NextAction{doctor}
	case "":
		if (category == contract.ValidationError || category == contract.UpstreamError) &&
			setupProblems().MatchString(o.Error) {
			return []contract.NextAction{profiles, doctor}
		}
	}
	return nil
}

// afterFreshLaunch is what to do when a new managed session could not be opened.
func (o *Outcome) afterFreshLaunch() []contract.NextAction {
	var list []contract.NextAction
	if o.Code == "" { // otherwise the code says whether the installation is at fault
		list = append(list, Act("run-agent-browser-doctor", "Check the installation.", "doctor"))
	}
	if o.ActiveManaged != "" {
		s := Session{Name: o.ActiveManaged, Namespace: o.Session.Namespace}
		list = append(list,
			s.bind(Act("verify-current-managed-session", "The previous session still exists; see where it is.", "get", "url")),
			s.bind(look("snapshot-current-managed-session", "Continue in the previous session.")))
	}
	return append(list, fresh(Act("retry-fresh-managed-session", "Try again with a new session.", o.Line.Rest()...)))
}
