// Package admin has the commands that look after the program itself: what is installed and what is wrong with it, its
// configuration, guides, plugins, locks and profiles, what the owner of a session allows, and how agents are served.
//
// They drive no page.
package admin
