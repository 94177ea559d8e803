// Package hostdir says where the engine host of a user and namespace is found: its directory and the files in it. The
// client and the host agree through it.
//
// It only makes names: who may use a directory, and what is in its files, is the business of the two programs. Like wire it
// allocates nothing beyond the caller's buffer and imports next to nothing, since the client links it.
package hostdir
