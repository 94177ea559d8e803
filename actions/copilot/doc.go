// Package copilot has the commands that work toward a goal: capabilities, scout, extract, explore, task and chat. The
// planning is in the packages below copilot/, which act through command lines; this package connects them to the
// session.
package copilot
