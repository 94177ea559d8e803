// Package verdict finds out what a call came to: [Of] takes a [Case], which is a plan and its answer, and returns a
// [Verdict] with the category, what was found besides, the files that were made and the follow-ups.
//
// It notes in the conversation what the session shows after the call, and the state of the session that the tool keeps.
// What single findings mean is in tool/judging and tool/diagnosis. The package must not know how a result is shown.
package verdict
