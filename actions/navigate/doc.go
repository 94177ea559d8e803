// Package navigate has the commands that bring a tab to another address: open, back, forward, reload and pushstate.
// [GoTo] and [Navigate] are for other families that open an address.
package navigate
