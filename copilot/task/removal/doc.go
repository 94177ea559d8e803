// Package removal finds, in the text of a snapshot, the controls that remove one thing, and those that answer the
// page's question whether to remove it. It knows no task and asks no page.
package removal
