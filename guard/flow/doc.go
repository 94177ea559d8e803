// Package flow knows what pages have shown, and finds it in what is about to be sent somewhere else.
//
// A [Ledger] keeps fingerprints of the texts that replies showed, each by the site that it is of. [Ledger.Find] looks
// for them in the words of a command that writes: as they are, and reversed, percent-encoded, in base64 or hexadecimal
// digits, with other signs between them, or in several pieces. [Rules] say whether such a flow is noted, held or
// refused.
//
// The ledger is bounded: it keeps fingerprints of about a million characters, and forgets the oldest first. It finds
// texts, not meanings: what an agent says in words of its own is not found.
//
// The package must not know browsers, sessions and commands.
package flow
