// Package artifacts knows the files that calls make: which ones a command says it wrote, whether they are there, which
// are reserved, and the outputs that were kept on disk since they were too long to show.
package artifacts
