package judging

import (
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/contract"
)

// OfCode returns the category of a native failure. Every code has one; an unknown one is an upstream error.
func OfCode(code fault.Code) contract.FailureCategory {
	if c, ok := categoryOf(code); ok {
		return c
	}
	return contract.UpstreamError
}

func categoryOf(code fault.Code) (contract.FailureCategory, bool) {
	switch code {
	case fault.Usage, fault.BrowserOptions, fault.SessionInvalid, fault.HostUnreachable, fault.WebMCPInput,
		fault.AppNotFound, fault.AppUnsuitable, fault.LaunchNotFound,
		fault.ConfirmationUnknown, fault.CredentialNotFound, fault.PluginNotFound, fault.ProfileNotFound, fault.ConfigInvalid:
		return contract.ValidationError, true
	case fault.RefUnknown, fault.RefStale, fault.ShotStale, fault.FrameGone:
		return contract.StaleRef, true
	case fault.SelectorInvalid:
		return contract.SelectorUnsupported, true
	case fault.SelectorNotFound, fault.SelectorAmbiguous:
		return contract.SelectorNotFound, true
	case fault.DownloadFailed:
		return contract.DownloadNotVerified, true
	case fault.ArtifactMissing:
		return contract.ArtifactMissing, true
	case fault.Timeout:
		return contract.TimedOut, true
	case fault.TabGone, fault.PageGone:
		return contract.TabGone, true
	case fault.TabNotFound:
		return contract.TabDrift, true
	case fault.BrowserMissing:
		return contract.MissingBinary, true
	case fault.TakenOver, fault.AppBlocked, fault.PolicyBlocked, fault.ConfirmationDenied, fault.SessionLocked:
		return contract.PolicyBlocked, true
	case fault.ConfirmationRequired:
		return contract.ConfirmationRequired, true
	case fault.ScriptFailed:
		return contract.ScriptError, true
	case fault.CleanupFailed:
		return contract.CleanupFailed, true
	case fault.Canceled:
		return contract.Aborted, true
	case fault.TargetHidden, fault.TargetDisabled, fault.TargetReadonly, fault.TargetCovered, fault.TargetOutside,
		fault.TargetUnstable,
		fault.TargetUnsuitable, fault.TargetMissed, fault.DropRefused, fault.OptionNotFound, fault.ValueNotKept,
		fault.NavigationFailed, fault.EvalFailed, fault.DialogOpen, fault.NoDialog,
		fault.PageCrashed, fault.BrowserGone, fault.BrowserLaunch, fault.ConnectFailed, fault.ProviderFailed, fault.TabHung,
		fault.AppLaunch,
		fault.WebMCPTool, fault.WebMCPInvocation, fault.WebMCPMissing, fault.Protocol,
		fault.StreamState, fault.CaptureState, fault.SkillNotFound, fault.File, fault.Internal,
		fault.StateInvalid, fault.StateIncomplete, fault.StateLocked, fault.StateExpired, fault.StatePoorer,
		fault.VaultLocked, fault.LoginFailed, fault.PluginFailed,
		fault.InstallFailed, fault.ModelFailed:
		return contract.UpstreamError, true
	}
	return "", false
}
