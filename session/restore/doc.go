// Package restore is the saved states that a session begins with and is kept under: what a call says of them ([Wish], of --state and --restore),
// what their files hold ([Beginning]), and whether a page shows that a restored login is still good ([Checks]).
//
// The package must not know a session: when something is loaded, checked and saved, the session decides.
package restore
