// Package sourcemap reads source maps, and finds places in both directions: where a line of a source went in the code
// that browsers run, and where that code came from.
//
// It knows no browser. Lines and columns count from 0, as source maps have them.
package sourcemap
