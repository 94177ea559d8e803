// Package tab is the page that a task works on, as the task sees it: [View] runs command lines of a [toolbox.Session]
// in the task's tab and keeps the page's summary as it was seen last. It decides nothing.
package tab
