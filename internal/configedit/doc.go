// Package configedit changes single entries of configuration files that people write: JSON with comments, and TOML. All
// other bytes of the file stay as they are: comments, order, indentation, line ends. Each change is read back, and
// returned only if it changed the entry and nothing else.
//
// The package must not know what the entries mean, and opens no files.
package configedit
