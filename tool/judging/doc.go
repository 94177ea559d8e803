// Package judging says how a command ended and what may be done next: its category, the follow-ups that the caller can send unchanged,
// what became of its page in short, and the same for each row of a batch. It knows nothing but what it is handed, and runs nothing.
//
// The main type is Outcome. Natively a failure has a code, and each code has one category; a subprocess has prose, which a classifier reads.
//
// The package must not know how a result is shown, nor how commands are run.
package judging
