// Package argv reads command lines of agent-browser's as the program itself would, far enough for the tool to plan, guard and judge
// them: globals, the session they name, the command, its positional words and its flags. It never refuses a line: what is wrong with one is
// said by whoever checks or runs it. Which flags take a value is read from the command registry.
package argv
