// Package sandbox runs JavaScript that drives something: an async function body to which nothing exists besides the
// language, emit() and the functions that it is handed. The engine is goja. There is no file, no network, no timer and
// no module in it.
//
// Each script has a process of its own, the worker: this program, started once more. It has no environment, and no file
// but the pipes to its host, which runs the functions that the script calls. It is killed when it has not ended Grace
// after its time was over or the caller gave up, and ends by itself when the host is gone. So what goja cannot bound is
// bounded all the same:
//
//   - the source, the calls, each message, all messages together, and the output: by size and number (see the
//     constants);
//   - time: a deadline and the caller's cancellation interrupt the script between two instructions, at every call and
//     in every callback. On Linux the system bounds its processor time, too;
//   - the depth of calls, of JSON and of nested arrays: 1000;
//   - memory: the worker watches its heap, and ends the script when a collection leaves more than the script may have.
//     On Linux the system bounds what it can take in one piece, or faster than the watch looks;
//   - built-in functions that make much out of little (repeat, padStart, replace, join, concat, flat, fill,
//     JSON.stringify, apply ...): they count what they are about to do first, and throw a RangeError above Elements or
//     Characters;
//   - a search with a regular expression that tracks back: SearchTime.
//
// There is no eval and no Function, by any name: also their constructors that prototypes lead to throw. BigInt,
// ArrayBuffer and typed arrays do not exist, since arithmetic of huge numbers and buffers cannot be bounded from
// outside the engine.
//
// The package must not know browsers, sessions or commands: it is handed the functions that a script may call. A
// program that imports it becomes a worker when its command line is the one word skua-script, before its main.
package sandbox
