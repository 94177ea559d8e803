// Package showing renders a command's answer for the model: short text for each family of commands, a one-line summary,
// previews of long output (the whole of which is kept on disk), and images. It has no side effects except for image
// files: a typed answer goes in, text and presentation details come out.
//
// The package must not know sessions, plans or how outcomes are judged. Secrets are removed from the data before it
// gets here.
package showing
