// Package argv parses agent-browser command lines as the program itself does, far enough for the tool to plan, guard
// and judge them: globals, the session they name, the command, its positional words and its flags. It never rejects a
// line: that is left to the packages that check or run it. Which flags take a value comes from the command registry.
package argv
