// Package insights reads what a browser has recorded and says in a few lines what to look at. [ReadTrace] reads a trace
// or performance profile, [ReadHeap] a heap snapshot of V8, of which [CompareHeaps] compares two, and [OfRequests]
// judges the requests of a page. Files are read as streams. Each report has its facts as data and as at most
// [MostLines] lines of text.
//
// The package must not know browsers and commands.
package insights
