// Package counters counts what the managers and browsers of a service do, for those who watch the service: [Counters]
// has the commands, their times, and the browsers that were started and lost.
//
// The package must not know sessions: they tell it what has happened.
package counters
