// Package copilot has the commands that work towards a goal: capabilities, extract, explore, task and chat. What they plan is of the packages
// below copilot/, which act by command lines; this package gives them the session.
package copilot
