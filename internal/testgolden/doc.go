// Package testgolden compares texts with files of a package's testdata, for tests. The flag -update rewrites the files.
package testgolden
