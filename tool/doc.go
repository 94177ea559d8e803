// Package tool is the agent_browser tool: one call takes one of the input modes, is compiled to a command line or a batch, planned into a
// session, run on a backend, judged and shown. Open makes a Tool for one caller, and Tool.Call runs a call; no daemon and no socket is
// needed.
//
// A call goes through the files of this package in this order: compile, plan, guard, preflight, resolve, reserve, execute, follow, assess, verify,
// diagnose, judge, remember, present, save. What each of them knows is in a package of its own below this one; here they are only put
// together.
//
// The package must not know MCP, nor how its host shows a result.
package tool
