// Runtests is what scripts/test runs: it plans runs of go test, shows their failures, and says where the time went.
//
// There are two tiers. The ordinary one is go test -short over everything; the packages that have concurrency of their
// own and a named selection of browser tests (raced.go) run under the race detector instead. All packages are in one
// queue, the longest first, and what runs under the race detector is beside it (plan.go). The deep tier adds the tests
// that -short leaves out, and the race detector over everything. A share of the deep tier is one of twenty disjoint
// parts, which together are the whole (share.go).
//
// The trials of a release are beside the tiers: a module of their own has them. Some are rare (trials.go), and have
// shares as the deep tier has.
//
// What a change can reach is a run of its own, for the desk (changed.go).
//
// It knows nothing of browsers or of the product: a test is deep when it asks testing.Short.
package main
