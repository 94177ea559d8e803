// Package grammar reads command lines. A [Table] is made of what the commands take, which is their names, arguments and
// flags, and of the flags that all take. Parse turns words into a [Parsed], whose values have been checked, or into a
// usage error that names the word and says what to do. Values come from the words, else from the environment, else from
// configuration files, which the caller reads.
//
// The package must not know what a command does, and never reads the environment or files itself.
package grammar
