package actions

import "slices"

// Group is a section of the help, by its title.
type Group string

// The groups of the product's commands.
const (
	GroupNavigation Group = "Navigation"
	GroupReading    Group = "Reading"
	GroupActions    Group = "Actions"
	GroupClipboard  Group = "Clipboard"
	GroupPointer    Group = "Mouse and touch"
	GroupLocators   Group = "Locators"
	GroupTabs       Group = "Tabs and dialogs"
	GroupNetwork    Group = "Network"
	GroupStorage    Group = "Cookies and storage"
	GroupEmulation  Group = "Emulation"
	GroupCapture    Group = "Capture"
	GroupDiagnosis  Group = "Diagnosis"
	GroupLive       Group = "Live view"
	GroupPageTools  Group = "Tools of pages"
	GroupReact      Group = "React"
	GroupGuides     Group = "Guides"
	GroupSessions   Group = "Sessions"
	GroupPolicy     Group = "Policy"
	GroupCopilot    Group = "Copilot"
	GroupLogins     Group = "Logins"
	GroupPlugins    Group = "Plugins"
	GroupStates     Group = "Saved states"
	GroupDesktop    Group = "Desktop apps"
	GroupConfig     Group = "Configuration"
	GroupShells     Group = "Shells and manuals"
	GroupServing    Group = "Serving agents"
	GroupSetup      Group = "Setting up"
)

// groupOrder is the order in which the help shows groups; others come behind them.
var groupOrder = []Group{
	GroupNavigation,
	GroupReading,
	GroupActions,
	GroupClipboard,
	GroupPointer,
	GroupLocators,
	GroupTabs,
	GroupNetwork,
	GroupStorage,
	GroupEmulation,
	GroupCapture,
	GroupDiagnosis,
	GroupLive,
	GroupPageTools,
	GroupReact,
	GroupGuides,
	GroupSessions,
	GroupPolicy,
	GroupCopilot,
	GroupLogins,
	GroupPlugins,
	GroupStates,
	GroupDesktop,
	GroupConfig,
	GroupShells,
	GroupServing,
	GroupSetup,
}

// place is the position of the group in the help.
func (g Group) place() int {
	if i := slices.Index(groupOrder, g); i >= 0 {
		return i
	}
	return len(groupOrder)
}
