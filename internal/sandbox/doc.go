// Package sandbox runs JavaScript that drives something: an async function body to which nothing exists besides the language, emit()
// and the functions that it is handed. The engine is goja, in this process; there is no file, no network, no timer and no module in it.
//
// goja bounds neither memory nor the work of one built-in function, so this package bounds what it can:
//
//   - the source, the calls, each message, all messages together, and the output: by size and number (see the constants);
//   - time: a deadline and the caller's cancellation interrupt the script between two instructions, at every call and in every callback;
//   - the depth of calls, of JSON and of nested arrays: 1000;
//   - memory: the process's live heap is watched while the script runs, and not while a function works for it. When it has grown by
//     more than HeapBytes since the script began, and a collection does not change that, the script ends. What other work of the process
//     keeps meanwhile counts too, since Go cannot tell whose memory is whose. A loop can pass the bound for some milliseconds;
//   - built-in functions that make much out of little (repeat, padStart, replace, join, concat, flat, fill, JSON.stringify, apply ...): they
//     count what they are about to do first, and throw a RangeError above Elements or Characters;
//   - a search with a regular expression that tracks back: SearchTime.
//
// What remains is one built-in call on the largest thing that the bounds let through, such as sorting five million numbers, which ends by
// itself. When a script does not react to its interruption, Run returns without it after Grace, and what it does from then on is refused.
//
// There is no eval and no Function, by any name: also their constructors that prototypes lead to throw. BigInt, ArrayBuffer and typed arrays do not
// exist, since arithmetic of huge numbers and buffers cannot be bounded from outside the engine.
//
// The package must not know browsers, sessions or commands: it is handed the functions that a script may call.
package sandbox
