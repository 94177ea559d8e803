// Package markdown turns HTML into Markdown that an agent can read.
//
// [FromHTML] parses a document, finds its main content, and writes it as Markdown, with what is known about title,
// author and time. Where no part of the document is its main content, as in applications, it writes all of it and says
// so. [Outline], [Sections] and [Links] return parts of the resulting text.
//
// The libraries that do the work are used here and nowhere else. The package knows nothing of browsers and of the
// network.
package markdown
