// Package admin has the commands that look after the program itself: what is installed and what is wrong with it, its configuration, guides, locks
// and profiles.
//
// They drive no page.
package admin
