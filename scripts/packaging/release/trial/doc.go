// Package trial has tests alone: they make a release with scripts/release, or take the one in the folder that
// SKUA_RELEASE names, install all that it has as a user would, use it with a real browser, and remove it. Packages are
// installed into a Debian of their own, which scripts/bare-root makes; that needs root. They are slow: -short leaves
// them out.
package trial
