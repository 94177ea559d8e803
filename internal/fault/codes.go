package fault

import "slices"

// Code names a kind of failure. Codes are API: they are matched on by callers and never renamed. [CodeInfos] says what
// each means.
type Code string

// The codes, by the part of the product that reports them most.
const (
	// Requests.
	Usage Code = "usage"

	// Targets of actions.
	RefUnknown        Code = "ref-unknown"
	RefStale          Code = "ref-stale"
	ShotStale         Code = "shot-stale"
	SelectorInvalid   Code = "selector-invalid"
	SelectorNotFound  Code = "selector-not-found"
	SelectorAmbiguous Code = "selector-ambiguous"
	TargetHidden      Code = "target-hidden"
	TargetDisabled    Code = "target-disabled"
	TargetReadonly    Code = "target-readonly"
	TargetCovered     Code = "target-covered"
	TargetOutside     Code = "target-outside"
	TargetUnstable    Code = "target-unstable"
	TargetUnsuitable  Code = "target-unsuitable"
	TargetMissed      Code = "target-missed"
	DropRefused       Code = "drop-refused"
	OptionNotFound    Code = "option-not-found"
	ValueNotKept      Code = "value-not-kept"
	FrameGone         Code = "frame-gone"
	DownloadFailed    Code = "download-failed"
	ArtifactMissing   Code = "artifact-missing"

	// Pages and browsers.
	Timeout          Code = "timeout"
	NavigationFailed Code = "navigation-failed"
	EvalFailed       Code = "eval-failed"
	ScriptFailed     Code = "script-failed"
	DialogOpen       Code = "dialog-open"
	NoDialog         Code = "no-dialog"
	TabGone          Code = "tab-gone"
	TabNotFound      Code = "tab-not-found"
	PageGone         Code = "page-gone"
	PageCrashed      Code = "page-crashed"
	BrowserGone      Code = "browser-gone"
	BrowserMissing   Code = "browser-missing"
	BrowserLaunch    Code = "browser-launch"
	BrowserOptions   Code = "browser-options"
	ConnectFailed    Code = "connect-failed"
	ProviderFailed   Code = "provider-failed"
	TabHung          Code = "tab-hung"
	WebMCPTool       Code = "webmcp_tool_not_found" // these four are agent-browser's
	WebMCPInvocation Code = "webmcp_invocation_not_found"
	WebMCPInput      Code = "webmcp_invalid_input"
	WebMCPMissing    Code = "webmcp_unavailable"
	Protocol         Code = "protocol"

	// Desktop apps.
	AppNotFound    Code = "app-not-found"
	AppUnsuitable  Code = "app-unsuitable"
	AppBlocked     Code = "app-blocked"
	AppLaunch      Code = "app-launch"
	LaunchNotFound Code = "launch-not-found"
	CleanupFailed  Code = "cleanup-failed"

	// What a caller's own rules forbid, and what is kept for a session.
	PolicyBlocked        Code = "policy-blocked"
	ConfirmationRequired Code = "confirmation-required"
	ConfirmationUnknown  Code = "confirmation-unknown"
	ConfirmationDenied   Code = "confirmation-denied"
	StateInvalid         Code = "state-invalid"
	StateIncomplete      Code = "state-incomplete"
	StateLocked          Code = "state-locked"
	StateExpired         Code = "state-expired"
	StatePoorer          Code = "state-poorer"
	CredentialNotFound   Code = "credential-not-found"
	VaultLocked          Code = "vault-locked"
	LoginFailed          Code = "login-failed"
	PluginNotFound       Code = "plugin-not-found"
	PluginFailed         Code = "plugin-failed"
	ProfileNotFound      Code = "profile-not-found"
	SessionLocked        Code = "session-locked"
	ConfigInvalid        Code = "config-invalid"
	InstallFailed        Code = "install-failed"
	ModelFailed          Code = "model-failed" // a language model, or its endpoint

	// Host, session and files.
	HostUnreachable Code = "host-unreachable"
	SessionInvalid  Code = "session-invalid"
	TakenOver       Code = "taken-over"
	StreamState     Code = "stream-state"
	CaptureState    Code = "capture-state"
	SkillNotFound   Code = "skill-not-found"
	File            Code = "file"
	Canceled        Code = "canceled"
	Internal        Code = "internal"
)

// CodeInfo is what a code says, in words for the reference.
type CodeInfo struct {
	Code Code
	Text string
}

// CodeInfos returns all codes in the order of the reference.
func CodeInfos() []CodeInfo { return slices.Clone(meanings) }

var meanings = []CodeInfo{
	{Usage, "the command line or the request itself is wrong; nothing was done"},
	{RefUnknown, "no snapshot of this session handed out this ref"},
	{RefStale, "the ref's element is gone and nothing equal replaced it"},
	{ShotStale, "the page is no longer there as the screenshot shows it"},
	{SelectorInvalid, "not valid CSS, XPath or locator syntax"},
	{SelectorNotFound, "nothing matches"},
	{SelectorAmbiguous, "several match where one is needed"},
	{TargetHidden, "no box, or visibility hides it"},
	{TargetDisabled, "a disabled control"},
	{TargetReadonly, "a control that refuses edits"},
	{TargetCovered, "another element receives the input at its point"},
	{TargetOutside, "cannot be scrolled into the viewport"},
	{TargetUnstable, "it keeps moving"},
	{TargetUnsuitable, "the wrong kind of element for the command"},
	{TargetMissed, "the input was sent, and the element did not receive it"},
	{DropRefused, "what was dragged onto it is not taken there"},
	{OptionNotFound, "a select has no such option"},
	{ValueNotKept, "the page changed or refused the value"},
	{FrameGone, "the frame was removed or cannot be reached"},
	{DownloadFailed, "nothing was downloaded, or not all of it"},
	{ArtifactMissing, "a saved file is no longer where it was saved"},
	{Timeout, "the deadline passed; the message says where it hung"},
	{NavigationFailed, "the browser could not load the address"},
	{EvalFailed, "the page's script threw"},
	{ScriptFailed, "a program of `run` threw an error, or broke a limit of its sandbox"},
	{DialogOpen, "a JavaScript dialog blocks the page"},
	{NoDialog, "there is no dialog to answer"},
	{TabGone, "the tab that the command is meant for was closed"},
	{TabNotFound, "no such tab, or its label is not usable"},
	{PageGone, "the tab was closed"},
	{PageCrashed, "the tab's renderer crashed"},
	{BrowserGone, "the browser or the connection to it ended"},
	{BrowserMissing, "no browser could be found"},
	{BrowserLaunch, "a browser was found and did not start"},
	{BrowserOptions, "the session's browser runs without an option that the command names; nothing was done"},
	{ConnectFailed, "nothing that speaks CDP answered at the address"},
	{ProviderFailed, "a browser provider gave no browser, or refused a request"},
	{TabHung, "the tab exists, and its page does not respond"},
	{WebMCPTool, "the page has registered no tool with this name"},
	{WebMCPInvocation, "no call of a page's tool has this id"},
	{WebMCPInput, "the parameters for a page's tool are not a JSON object"},
	{WebMCPMissing, "the browser runs without WebMCP, or does not have it"},
	{Protocol, "the browser refused a CDP command"},
	{AppNotFound, "no such desktop app is installed, or several have the name"},
	{AppUnsuitable, "what was named is not an Electron app"},
	{AppBlocked, "the caller's own lists forbid the app"},
	{AppLaunch, "the app was started and did not open its debugging port"},
	{LaunchNotFound, "no app that was launched has this id, or several match"},
	{CleanupFailed, "something of a launched app is left; the message says what"},
	{PolicyBlocked, "the caller's own rules forbid it; nothing was done"},
	{ConfirmationRequired, "it waits for `confirm` or `deny`; nothing was done yet"},
	{ConfirmationUnknown, "nothing with this id waits for confirmation, or it has expired"},
	{ConfirmationDenied, "it needed a confirmation, which was denied"},
	{StateInvalid, "the file holds no saved state, or a damaged one"},
	{StateIncomplete, "not all of a state could be saved or restored; the message says what is missing"},
	{StateLocked, "the saved state is encrypted, and its key is missing or wrong"},
	{StateExpired, "the saved state, or the login in it, is too old to be used"},
	{StatePoorer, "the state on disk holds more than what would replace it; nothing was written"},
	{CredentialNotFound, "the vault has no login of this name"},
	{VaultLocked, "the vault cannot be opened: its key is missing or wrong"},
	{LoginFailed, "the form was found or sent, and the login was not seen to succeed"},
	{PluginNotFound, "no plugin of this name is configured, or it lacks the capability"},
	{PluginFailed, "the plugin did not answer, or said that it failed"},
	{ProfileNotFound, "the browser has no profile of this name"},
	{SessionLocked, "another caller holds the session for itself"},
	{ConfigInvalid, "a configuration file that was asked for cannot be used"},
	{InstallFailed, "the browser was not downloaded, or failed its check"},
	{ModelFailed, "a language model, or its endpoint, did not answer as it should"},
	{HostUnreachable, "the host's socket cannot be used"},
	{SessionInvalid, "not a usable session name"},
	{TakenOver, "a person works in the session and has not handed it back"},
	{StreamState, "the stream is on already, or is not on"},
	{CaptureState, "a recording is already running, or none is"},
	{SkillNotFound, "there is no guide, or no file of a guide, with this name"},
	{File, "a file could not be read or written"},
	{Canceled, "the caller gave up"},
	{Internal, "a bug of ours"},
}

// Retryable reports whether the same may work on the page as it will be in a moment, or with a selector from a new look
// at the page.
func (c Code) Retryable() bool {
	switch c {
	case RefStale, RefUnknown, SelectorNotFound, SelectorAmbiguous, TargetCovered, TargetHidden, TargetDisabled, Timeout:
		return true
	}
	return false
}
