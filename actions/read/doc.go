// Package read has the read command, which gives a page or a file as Markdown: from the tab, or fetched without it.
package read
