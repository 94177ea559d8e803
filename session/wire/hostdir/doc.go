// Package hostdir defines where the host of a user and namespace is: its directory and the names of its files. The
// client and the host both use it. It only builds names: the two programs check permissions and contents.
//
// Like wire, it allocates nothing beyond the caller's buffer and imports almost nothing, since the client links it.
package hostdir
