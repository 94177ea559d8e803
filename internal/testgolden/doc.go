// Package testgolden compares texts with files of a package's testdata, and with sections of documents, for tests. The
// flag -update rewrites the files.
package testgolden
