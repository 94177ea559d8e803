// Package desktop is the electron mode of the tool: it lists the desktop apps of a machine, launches them, looks at
// them and ends them.
//
// [Apps] are what a conversation has launched and which of its sessions work in them; they last as long as the tool. A
// [Mode] is one call: it makes an [Outcome] of a wish. Command lines in the session of an app are run by the caller, as
// every call is. The package knows no other mode, and does not make the result.
package desktop
