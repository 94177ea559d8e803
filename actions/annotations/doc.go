// Package annotations is how a person and an agent show each other what they mean on a page. A [Board] keeps the
// annotations of a session: what a person has drawn on a picture of the page in the dashboard, with the elements below,
// and the marks that an agent shows there. Nothing is put into the page.
//
// [AtDashboard] is the person's side, the commands are the agent's. The package must not know how the dashboard is
// served.
package annotations
