// Package judging classifies how a command ended and what can follow: its category, next actions that the caller can
// send unchanged, a summary of the page's state, and the same for each row of a batch. It works only on its inputs and
// runs nothing.
//
// The main type is Outcome. Natively a failure has a code, and each code has one category; a subprocess has prose,
// which a classifier reads.
//
// The package must not know how a result is shown, nor how commands are run.
package judging
