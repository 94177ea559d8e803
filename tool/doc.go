// Package tool is the agent_browser tool: one call takes one of the input modes, is compiled to a command line or a
// batch, planned into a session, run on a backend, judged and shown. Open makes a Tool for one caller, and Tool.Call
// runs a call; no daemon and no socket is needed.
//
// A call goes through five stages, each a function of a package below this one that takes a value and returns one:
// input.Compile makes a Line of the parameters, planning.Desk.Plan a Plan of it, running.Run an Answer, verdict.Of a
// Verdict, reply.Of the result. What is known about sessions from call to call is in tool/conversation. Here the stages
// are only put together, and programs and desktop apps are given calls of their own.
//
// The package must not know MCP, nor how its host shows a result.
package tool
