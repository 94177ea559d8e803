// Package run runs a command on a page and says what it led to. [Command] is the road that every command takes:
// dialogs, scripts that documents get, the command's own function, effects. [Tab] is the tab that it works in, [Start]
// and [Settle] bracket what it does to the page, and [Of] is what is seen of that.
//
// The package knows no command. What it needs from those that look at pages it asks of [actions.Looker].
package run
