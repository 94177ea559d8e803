// Package explore looks for a page on a site: [Search] opens the most promising links of a page in tabs beside it,
// reads what those pages offer, goes on from them level by level, and stops at a page that meets a [Goal]. It is a beam
// search: a level has as many pages as the beam is wide.
//
// What it needs of a browser are the ports [Browser] and [Tab]. It opens addresses and nothing else: it never clicks,
// types or submits. Links that read as if they did something are not followed, see [Limits], nor are those that lead
// elsewhere or that no person can see.
//
// The outcome depends on the site alone and not on the order in which its pages load: the pages of a level are looked
// at together, in the order in which their links ranked.
package explore
