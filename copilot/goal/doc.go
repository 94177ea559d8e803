// Package goal says when a page is what was looked for, and what a sentence asks for.
//
// A [Predicate] tests a page's summary: it hits, or it gives a score from 0 to 1 for what points that way, by which an
// exploration chooses where to look next. Predicates are data: they have a JSON form and a short written one,
// "form:billing or action:download_invoice", see [Parse].
//
// [ParseIntent] reads a sentence such as "Download last month's invoice" by fixed rules, in English and German: the
// same sentence at the same time is always the same [Intent]. No model is asked. [ParsePeriod] and [ParseAmount] read
// dates and sums of money as pages write them.
//
// What a person cannot see on a page does not count as evidence. The words of a page are compared, and never followed.
package goal
