// Package showing makes what the model reads of a command's answer: short text by families of commands, a summary of one line, previews of
// what is long (which is kept on disk, whole), and pictures. It is pure but for the files of pictures: a typed answer goes in, text and
// presentation details come out.
//
// The package must not know sessions, plans or how outcomes are judged. Secrets are out of the data before it gets here.
package showing
