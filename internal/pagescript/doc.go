// Package pagescript bundles the JavaScript modules that run in pages. A package keeps its modules in the folder js and
// embeds what esbuild makes of them from the folder bundle. Two kinds of modules are entry points: js/main.js becomes a
// script, and a module with a default export becomes a function expression, which is what the engine sends to a page.
//
// [Build] makes the bundles, [Stale] tells whether the ones in the tree are current. No program imports this package:
// it serves `go generate` and the tests of the packages that embed bundles.
package pagescript
